"""The columns of Compare's table: the figures of alternatives, of all their tables or of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from core.base.texts import mark, translate
from core.recipe.criteria import CRITERIA
from gui import numbers
from gui.shared.loss_texts import ABOUT_LOSS
from gui.shared.table.model import Column

if TYPE_CHECKING:
    from core.whatif.alternatives import Alternative
    from core.whatif.utility_loss import UtilityLoss

PROFILE = (2, 3, 5, 10)
"""Group sizes of the k-anonymity profile, as in `core.whatif.alternatives`, which is imported late."""
_ABOUT_SUPPRESSION_LOSS = mark(
    "In bits: what suppression takes away from the recoded file, as preview and report have it"
)
_UNSAFE = mark("Unsafe records before suppression, by any of the alternative's own models")
_UNSAFE_AFTER = mark("Unsafe records after suppression, by any of the alternative's own models")

Tables = frozenset[str] | None
_Found = Sequence["Alternative | None"]


def table_name(variables: Sequence[str]) -> str:
    """What a table is called."""
    return " × ".join(variables)


def alternative_columns(
    names: Sequence[str], found: _Found, table: Tables, remarks: Mapping[str, str], losses: Mapping[str, UtilityLoss]
) -> list[Column]:
    """One row an alternative.

    Parameters
    ----------
    found : the figures of each name; None where there are none
    table : the variables of the table whose rates and frequencies are shown; None: the largest of all tables
    remarks : what has to be said, by name
    losses : what is known to be lost of what the file is made for, by name
    """
    recodes = [", ".join(f"{name} {count}" for name, count in each.recodes) if each else "" for each in found]
    about = translate(_UNSAFE), translate(_UNSAFE_AFTER)
    return [
        Column(translate("Alternative"), list(names)),
        _own(translate("unsafe"), found, "unsafe", numbers.format_count, about[0]),
        _own(translate("unsafe after"), found, "unsafe_after", numbers.format_count, about[1]),
        _own(translate("suppressions"), found, "suppressions", numbers.format_count),
        _own(
            translate("suppression loss (bits)"),
            found,
            "suppression_loss",
            _bits,
            translate(_ABOUT_SUPPRESSION_LOSS),
        ),
        _own(translate("total loss (bits)"), found, "loss", _bits, translate(ABOUT_LOSS)),
        *_of_use([losses.get(name) for name in names]),
        *_of_table(found, table),
        *(_violations(found, table, k) for k in PROFILE),
        Column(translate("Recodes"), recodes, tooltip=translate("Recoded variables and their categories")),
        Column(translate("Combinations"), [_combinations(each) for each in found]),
        Column(translate("Remark"), [remarks.get(name, "") for name in names]),
    ]


def _own(title: str, found: _Found, value: str, text: Callable[[Any], str], tip: str = "") -> Column:
    return Column(title, [getattr(each, value, None) for each in found], text, True, tip)


def _of_use(losses: Sequence[UtilityLoss | None]) -> list[Column]:
    """What is lost of own analyses, distributions and associations; no column of what nobody has."""
    percent = numbers.format_percent
    apart = translate("By suppression and perturbation; each original is recoded as its safe file is")
    own = translate("Of the tables and means of the current session, made of each alternative")
    offered = (
        (translate("own analyses, mean change"), "own-change", own),
        (translate("own analyses, largest change"), "own-largest", own),
        (translate("own analyses, overlap lost"), "overlap", translate("1 − mean overlap of 95 % intervals")),
        (translate("Hellinger distance"), "hellinger", apart),
        (translate("change of associations"), "associations", apart),
    )
    columns = []
    for title, measure, tip in offered:
        values = [None if each is None else each.of(measure) for each in losses]  # type: ignore[arg-type]
        if any(value is not None for value in values):
            columns.append(Column(title, values, percent, True, tip))
    if any(each is not None and each.goals[1] for each in losses):
        kept = translate("{kept} of {all}")
        said = ["" if each is None else kept.format(kept=each.goals[0], all=each.goals[1]) for each in losses]
        columns.append(Column(translate("goals kept"), said, tooltip=own))
    return columns


def _of_table(found: _Found, table: Tables) -> list[Column]:
    """Rates, and figures of households where a session has them."""
    figures = [each.of(table) if each else None for each in found]
    largest = table is None and has_several(found)
    rates = (
        ("before", translate("largest rate before") if largest else translate("rate before")),
        ("after", translate("largest rate after") if largest else translate("rate after")),
    )
    homes = (
        ("before", "rate", translate("household rate before"), numbers.format_percent),
        ("after", "rate", translate("household rate after"), numbers.format_percent),
        ("before", "max_risk", translate("largest household risk before"), _risk),
        ("after", "max_risk", translate("largest household risk after"), _risk),
    )
    tip = translate("Of the table {name}").format(name=table_name(sorted(table))) if table is not None else ""
    if largest:
        tip = translate("An alternative with several risk tables has a rate of each; this is the largest of them.")

    def found_of(state: str, part: str, name: str) -> list[float | None]:
        risks = [getattr(getattr(each, state, None), part, None) for each in figures]
        return [getattr(risk, name, None) for risk in risks]

    percent = numbers.format_percent
    columns = [Column(title, found_of(state, "individual", "rate"), percent, True, tip) for state, title in rates]
    if all(rate is None for rate in found_of("before", "household", "rate")):
        return columns
    return columns + [
        Column(title, found_of(state, "household", name), text, True, tip) for state, name, title, text in homes
    ]


def has_several(found: _Found) -> bool:
    """Whether an alternative has more than one risk table."""
    return any(
        each is not None and sum(CRITERIA[model].has_risk for _v, model, _f in each.tables) > 1 for each in found
    )


def _violations(found: _Found, table: Tables, k: int) -> Column:
    """One column of the k-anonymity profile."""
    tip = translate(
        "Records whose key occurs in fewer than {k} records, before suppression, under each table's own missing-value "
        "rule"
    ).format(k=k)
    if table is not None:
        tip += " · " + table_name(sorted(table))
    elif any(each is not None and len(each.tables) > 1 for each in found):
        tip += " · " + translate("in any of the alternative's combinations")
    figures = [each.of(table) if each else None for each in found]
    values = [each.violations.get(k) if each is not None and each.violations else None for each in figures]
    return Column(translate("f < {k}").format(k=k), values, numbers.format_count, True, tip)


def _combinations(found: Alternative | None) -> str:
    if found is None:
        return ""
    shown = [f"{table_name(names)} ({translate(CRITERIA[model].title)})" for names, model, _figures in found.tables[:6]]
    more = len(found.tables) - len(shown)
    return "; ".join(shown) + (translate("; and {n} more").format(n=more) if more else "")


def _bits(loss: float | None) -> str:
    return numbers.format_number(loss, 1)


def _risk(risk: float | None) -> str:
    return numbers.format_number(risk, 5)
