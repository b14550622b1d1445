"""Missing rules in words."""

from __future__ import annotations

from core.base.texts import mark, translate
from core.recipe.criteria import MissingRule
from core.recipe.edits_combinations import Draft, measuring_only
from gui import numbers

MISSING_RULES: tuple[tuple[MissingRule, str, str], ...] = (
    (
        "observed",
        mark("Observed"),
        mark("An unknown value counts as any value for its own record only, so it makes no other safer: recommended."),
    ),
    (
        "wildcard",
        mark("Wildcard"),
        mark("An unknown value counts as any value for all, as in μ-ARGUS: records can look safer than they are."),
    ),
    ("category", mark("Category"), mark("Unknown is a value like any other: for measuring, and for k-anonymity.")),
    ("listwise", mark("Listwise"), mark("Records with an unknown key value are not counted: for measuring only.")),
)


def rule_title(rule: MissingRule) -> str:
    """What a missing rule is called in the windows."""
    return translate(next(title for each, title, _ in MISSING_RULES if each == rule))


def measuring_only_text(draft: Draft) -> str:
    """Which combination is measured but never protected under its missing rule, and what helps; empty for none."""
    places = measuring_only(draft)
    if not places:
        return ""
    first = draft[places[0]]
    by_risk = mark("{names}: under the missing rule {rule} individual risk can only be measured. To protect, choose"
                   " {possible}.")  # fmt: skip
    by_k = mark(
        "{names}: under the missing rule {rule} k-anonymity can only be measured. To protect, choose {possible}."
    )
    text = translate(by_risk if first.has_risk else by_k).format(
        names=" × ".join(first.variables),
        rule=rule_title(first.missing_rule),
        possible=translate(" or ").join(rule_title(rule) for rule in first.criterion.missing_rules),
    )
    others = len(places) - 1
    if not others:
        return text
    return f"{text} " + translate("It is so for {count} more.").format(count=numbers.format_count(others))
