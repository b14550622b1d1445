"""Profiles as files: what they may say, where a mistake is, and what a search can aim at."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from core.profiles.goals import Goal, goals
from core.profiles.judge import words_of_rule
from core.profiles.read import ProfileError, found_profile, load_profile, parse_profile, shipped
from core.profiles.registry import CHECKS

HEAD = 'profile = 1\nname = "Own"\n'


def test_shipped_profiles_are_read_and_told_in_words() -> None:
    names = [load_profile(path).name for path in shipped()]
    assert len(set(names)) == len(names) >= 6
    for path in shipped():
        for rule in load_profile(path).checks:
            assert words_of_rule(rule).endswith(".")
            assert path.read_text("utf-8").split("\n")[rule.line - 1] == "[[checks]]"


def test_every_check_says_what_it_is() -> None:
    for declared in CHECKS.declarations:
        assert declared.sentence.endswith(".")
        assert all(parameter.sentence.endswith(".") for parameter in declared.parameters)


WRONG = [
    ('name = "x"\n', 1, "profile is not said"),
    ('profile = 2\nname = "x"\n', 1, "<= 1"),
    (HEAD, 1, "checks is not said"),
    ('profile = 1\nname = ""\n[[checks]]\ncheck = "random-order"\n', 2, "name"),
    (HEAD + "[[checks]]\nk = 3\n", 3, "checks[1].check is not said"),
    (HEAD + '[[checks]]\ncheck = "random-ordre"\n', 4, 'Did you mean "random-order"?'),
    (
        HEAD + '[[checks]]\ncheck = "random-order"\n\n[[checks]]\ncheck = "least-records"\n',
        6,
        "checks[2].k is not said",
    ),
    (HEAD + '[[checks]]\ncheck = "least-records"\nk = 0\n', 5, "checks[1].k is 0, but must be >= 1"),
    (HEAD + '[[checks]]\ncheck = "least-records"\nk = "3"\n', 5, "a whole number"),
    (HEAD + '[[checks]]\ncheck = "least-records"\nk = 3\nleast = 4\n', 6, "checks[1].least is unknown"),
    (HEAD + '[[checks]]\ncheck = "least-records"\nk = 3\nvariables = ["A"]\nkeys = "identifying"\n', 7, "keys"),
    (HEAD + '[[checks]]\ncheck = "largest-risk"\nmost = 1.5\n', 5, "> 0, <= 1"),
    (HEAD + "note = 3\n" + '[[checks]]\ncheck = "random-order"\n', 3, "note is unknown"),
    (HEAD + "[[checks]\n", 3, "not valid"),
]


@pytest.mark.parametrize(("text", "line", "says"), WRONG)
def test_a_mistake_is_named_with_its_key_and_line(text: str, line: int, says: str) -> None:
    with pytest.raises(ProfileError) as caught:
        parse_profile(text, Path("own.toml"))
    assert str(caught.value).startswith(f"own.toml, line {line}: ")
    assert says in str(caught.value)


@pytest.mark.parametrize("raw", [b"\xff\xfe", b"x" * (1 << 21), b"a = " + b"[" * 5000, b"a = 1" + b"0" * 5000])
def test_what_is_no_profile_is_refused(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "own.toml").write_bytes(raw)
    with pytest.raises(ProfileError, match=r"own.toml, line 1: the profile is not valid"):
        load_profile(tmp_path / "own.toml")


def test_a_name_of_a_shipped_profile_is_enough_and_an_own_file_goes_first(tmp_path: Path) -> None:
    named = tmp_path / "k-anonymity-3.toml"
    assert load_profile(named).name == "k-anonymity, k = 3"
    named.write_text(HEAD + '[[checks]]\ncheck = "random-order"\n')
    assert found_profile(named) == named
    assert load_profile(named).name == "Own"
    with pytest.raises(ProfileError, match=r"public-use\.toml"):
        load_profile(tmp_path / "none.toml")


def test_the_office_may_say_a_rule_in_its_own_words() -> None:
    own = parse_profile(HEAD + '[[checks]]\ncheck = "random-order"\nsentence = "Shuffled."\n', Path("own.toml"))
    assert words_of_rule(own.checks[0]) == "Shuffled."


def test_goals_are_the_strictest_of_what_can_be_aimed_at() -> None:
    rules = (
        'check = "least-records"\nk = 3', 'check = "least-records"\nk = 5', 'check = "least-records"\nk = 4',
        'check = "least-records"\nk = 2\nvariables = ["A", "B"]',
        'check = "least-records"\nk = 2\nkeys = "identifying"',
        'check = "largest-risk"\nmost = 0.1', 'check = "largest-risk"\nmost = 0.2', 'check = "no-certain-blanks"',
        'check = "random-order"',
    )  # fmt: skip
    profile = parse_profile(HEAD + "".join(f"[[checks]]\n{rule}\n" for rule in rules), Path("own.toml"))
    assert goals(profile) == (
        Goal("least-records", 5.0),
        Goal("least-records", 2.0, ("A", "B")),
        Goal("least-records", 2.0, all_identifying=True),
        Goal("largest-risk", 0.1),
        Goal("certain-blanks", 0.0),
    )
    assert goals(profile)[0].is_met(5)
    assert not goals(profile)[3].is_met(0.11)


def test_profile_with_a_key_of_very_many_parts_is_refused() -> None:
    with pytest.raises(ProfileError, match="the key in line 3 has more than 16 parts"):
        parse_profile(f"{HEAD}{'.'.join(['a'] * 40_000)} = 1", Path("own.toml"))


@pytest.mark.parametrize("line", ["[" + " " * 20_000, "[" * 200_000])
def test_profile_with_very_long_lines_is_read_at_once(line: str) -> None:
    begin = time.perf_counter()
    text = f'{HEAD}description = """\n{line}\n"""\n[[checks]]\ncheck = "random-order"\n'
    assert parse_profile(text, Path("own.toml")).checks[0].line == 6
    assert time.perf_counter() - begin < 5
