"""What follows from the states of rules, and in which words it is said."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.profiles.model import Level
from core.verdict.model import CRITERIA, OTHER_ESTIMATE, ReleaseVerdict, RuleState, Stage, State, TargetRule
from core.verdict.sentences import count, second_line, sentence

rules = st.builds(
    TargetRule,
    st.sampled_from([*CRITERIA, OTHER_ESTIMATE, "useful", "random-order"]),
    st.sampled_from(get_args(Level)),
    st.sampled_from(get_args(RuleState)),
    st.just("It holds."),
    st.just("One record is unsafe."),
    is_shown=st.booleans(),
    by=st.just("M. Lambert"),
)
verdicts = st.builds(
    ReleaseVerdict,
    st.sampled_from(["", "public-use"]),
    st.just("Public use file"),
    st.lists(rules, max_size=6).map(tuple),
    st.sampled_from([*get_args(Stage), None]),
    st.integers(0, 2),
)


@given(verdicts)
def test_nothing_is_ready_with_an_open_rule(found: ReleaseVerdict) -> None:
    left = [rule for rule in found.rules if rule.state == "open" and rule.level != "note"]
    taken = [rule for rule in found.rules if rule.state == "accepted" and rule.level == "stops"]
    if found.state == "ready":
        assert not left
        assert not taken
        assert found.stage == "written"
        assert found.target
        assert found.counted
    if found.state == "by-decision":
        assert not left
        assert taken
    criteria = [rule for rule in left if rule.id in CRITERIA and rule.is_shown]
    assert (found.state == "not-safe") == bool(criteria)


@given(verdicts)
def test_nothing_is_green_while_an_estimate_finds_records(found: ReleaseVerdict) -> None:
    if found.is_green:
        assert found.state == "ready"
        assert not found.found
        assert all(rule.id not in (OTHER_ESTIMATE, *CRITERIA) for rule in found.those("accepted"))


@given(verdicts, rules)
def test_notes_decide_nothing(found: ReleaseVerdict, rule: TargetRule) -> None:
    assert replace(found, rules=(*found.rules, replace(rule, level="note"))).state == found.state


@given(verdicts)
def test_release_is_stated_in_no_other_state(found: ReleaseVerdict) -> None:
    told = sentence(found)
    assert second_line(found)
    assert count(found)
    assert told.startswith("Ready for") == (found.state == "ready")
    assert told.startswith("Released by decision") == (found.state == "by-decision")


HELD = tuple(TargetRule(f"rule-{number}", "stops", "holds", "It holds.") for number in range(12))
FOUND = TargetRule(
    OTHER_ESTIMATE, "stops", "open", "It holds.", "By the individual risk, 12 records are unsafe.", number=12
)
USEFUL = TargetRule("useful", "decide", "open", "It is useful.")
READY = ReleaseVerdict(
    "public-use", "Public use file", (*HELD, replace(USEFUL, state="holds"), TargetRule("x", "note", "open", ""))
)


def _written(*more: TargetRule) -> ReleaseVerdict:
    return ReleaseVerdict("public-use", "Public use file", (*HELD, *more), "written")


TABLE: list[tuple[ReleaseVerdict, State, bool, str, str, str]] = [
    (ReleaseVerdict(), "open", False, "No target yet.", "Choose who will receive the file.", "0 of 0 rules hold"),
    (_written(FOUND, USEFUL), "open", False, "Not ready for release",
     "1 rule stops the release, 1 is to be decided.", "12 of 14 rules hold"),
    (_written(FOUND), "open", False, "Not ready for release",
     "By the chosen criterion, no record is unsafe. By the individual risk, 12 records are unsafe.",
     "12 of 13 rules hold"),
    (replace(READY, stage="plan"), "open", False, "All 13 rules hold in the plan",
     "Write the file; then it is read back and assessed.", "13 of 13 rules hold"),
    (replace(READY, stage="written"), "ready", True, "Ready for release as a public use file",
     "All 13 rules hold in the written file.", "13 of 13 rules hold"),
    (replace(READY, stage="written", target="Office", name="Office"), "ready", True,
     "Ready for release by the rules “Office”", "All 13 rules hold in the written file.", "13 of 13 rules hold"),
    (_written(replace(USEFUL, state="accepted")), "ready", True, "Ready for release as a public use file",
     "12 of 13 rules hold in the written file, 1 was accepted.", "12 of 13 rules hold, 1 accepted"),
    (_written(replace(FOUND, state="accepted", level="decide")), "ready", False,
     "Ready for release as a public use file",
     "12 of 13 rules hold in the written file, 1 was accepted. By the individual risk, 12 records are unsafe.",
     "12 of 13 rules hold, 1 accepted"),
    (_written(replace(USEFUL, state="accepted", level="stops", by="M. Lambert")), "by-decision", False,
     "Released by decision of M. Lambert", "12 of 13 rules hold; 1 that stops the release was accepted.",
     "12 of 13 rules hold, 1 accepted"),
    (_written(replace(FOUND, id="deciding-model")), "not-safe", False, "Not safe for release",
     "By the individual risk, 12 records are unsafe.", "12 of 13 rules hold"),
    (replace(READY, stage="differs"), "open", False, "The written file is not what was decided.",
     "Do not release it. Write the file again.", "13 of 13 rules hold"),
]  # fmt: skip


@pytest.mark.parametrize(("found", "state", "green", "told", "second", "counted"), TABLE)
def test_each_state_has_its_sentence(
    found: ReleaseVerdict, state: State, green: bool, told: str, second: str, counted: str
) -> None:
    assert (found.state, found.is_green) == (state, green)
    assert (sentence(found), second_line(found), count(found)) == (told, second, counted)
