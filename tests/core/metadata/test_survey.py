"""Profiles of all variables of a file, and what follows from them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import DataError
from core.base.progress import Cancelled, Progress
from core.data.columns import Microdata
from core.data.variables import Metadata, Variable
from core.formats.registry import read
from core.metadata import survey as of_survey
from core.metadata.data_problems import data_problems
from core.metadata.description import load_description
from core.metadata.profile import KEPT
from core.metadata.survey import Survey, survey
from core.recipe.model import Input


def fixed(folder: Path, lines: list[str], *variables: Variable) -> tuple[Path, Metadata]:
    path = folder / "x.asc"
    path.write_bytes("".join(line + "\n" for line in lines).encode())
    return path, Metadata("fixed", variables, header=False)


CELLS = st.sampled_from([" 1", " 2", "10", "-3", " x", "  ", "99", "98", ".5"])


@given(st.lists(st.tuples(CELLS, st.sampled_from("aabbbc")), min_size=1, max_size=40))
def test_a_profile_counts_like_plain_python(
    tmp_path_factory: pytest.TempPathFactory, records: list[tuple[str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("f")
    path, metadata = fixed(
        folder, [a + b for a, b in records],
        Variable("A", 1, 2, missing=("99", "98")), Variable("H", 3, 1, role="household-id"),
    )  # fmt: skip
    found = survey(path, metadata)
    shown = found.profiles["A"]
    codes = [a.strip() for a, _ in records]
    valid = [code for code in codes if code not in ("99", "98")]
    counts = Counter(valid)
    assert dict(zip(shown.codes[: shown.n_valid], shown.counts[: shown.n_valid].tolist(), strict=True)) == counts
    assert shown.codes[shown.n_valid :] == ("99", "98")
    assert (shown.records, shown.missing, shown.blank) == (len(codes), len(codes) - len(valid), codes.count(""))
    assert (shown.distinct, shown.once) == (len(counts), sum(1 for n in counts.values() if n == 1))
    numbers = [float(code) for code in valid if code not in ("", "x")]
    assert (shown.numbers.count, shown.numbers.others) == (len(numbers), valid.count("x"))
    assert shown.numbers.decimals == max((1 for code in valid if "." in code), default=0)
    assert shown.numbers.negatives == sum(1 for number in numbers if number < 0)
    if numbers:
        assert (shown.numbers.minimum, shown.numbers.maximum) == (min(numbers), max(numbers))
        assert shown.numbers.total == pytest.approx(sum(numbers))
        assert shown.numbers.whole == all(number.is_integer() for number in numbers)
    if shown.numbers.only:
        assert int(shown.bars.sum()) == len(numbers)
        assert len(shown.edges) == len(shown.bars) + 1
    households: dict[str, set[str]] = {}
    for code, (_, household) in zip(codes, records, strict=True):
        households.setdefault(household, set())
        if code not in ("99", "98"):
            households[household].add(code)
    vary = sorted(household for household, values in households.items() if len(values) > 1)
    assert shown.within is not None
    assert (shown.within.varying, shown.within.first) == (len(vary), tuple(vary))
    text = "".join(h for _, h in records)
    together = sum(1 for h in households if h * text.count(h) in text)
    assert (found.households, found.scattered) == (len(households), len(households) - together)


def test_variables_without_a_place_have_no_profile(tmp_path: Path) -> None:
    path, metadata = fixed(
        tmp_path, ["1234", "5678"],
        Variable("A", 1, 1), Variable("B", 0, 1), Variable("C", 2, 0), Variable("D", 4, 2), Variable("E", 3, 1),
        Variable("E", 2, 1),
    )  # fmt: skip
    found = survey(path, metadata)
    assert list(found.profiles) == ["A"]
    assert found.records == 2


def test_columns_that_no_variable_describes_are_named(tmp_path: Path) -> None:
    path, metadata = fixed(tmp_path, ["123456789"], Variable("A", 2, 2), Variable("B", 7, 1))
    assert survey(path, metadata).undescribed == ("1", "4–6", "8–9")
    text = [p.text for p in data_problems(metadata, survey(path, metadata), {})]
    assert text == ["No variable describes the positions 1, 4–6, 8–9; they are never copied to the safe file."]
    csv = tmp_path / "x.csv"
    csv.write_text("A,B,C\n1,2,3\n", encoding="utf-8")
    loaded = load_description(Input(csv), ()).metadata
    found = survey(csv, replace(loaded, variables=loaded.variables[1:2]))
    assert found.undescribed == ("A", "C")


def test_only_what_changed_is_read_again(tmp_path: Path) -> None:
    path, metadata = fixed(tmp_path, ["12", "34"], Variable("A", 1, 1), Variable("B", 2, 1))
    first = survey(path, metadata)
    changed = replace(metadata, variables=(metadata.variables[0], replace(metadata["B"], missing=("4",))))
    second = survey(path, changed, first)
    assert second.profiles["A"] is first.profiles["A"]
    assert second.profiles["B"].missing == 1
    path.write_bytes(b"12\n36\n")
    third = survey(path, changed, second)
    assert third.profiles["B"].missing == 0
    assert third.profiles["A"] is not first.profiles["A"]


def test_variables_are_read_in_as_many_passes_as_memory_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.csv"
    names = [f"V{j}" for j in range(40)]
    lines = [",".join(str(i % 2 if j % 3 else i * j) for j in range(40)) for i in range(300)]
    path.write_text("\n".join([",".join(names), *lines]) + "\n", encoding="utf-8")
    metadata = load_description(Input(path), ()).metadata
    whole = survey(path, metadata)
    passes: list[list[str]] = []

    def noted(path: Path, metadata: Metadata, names: list[str], progress: Progress) -> Microdata:
        passes.append(list(names))
        return read(path, metadata, names, progress)

    monkeypatch.setattr(of_survey, "read", noted)
    monkeypatch.setattr(of_survey, "PASS_BYTES", 300 * 112 * 3)
    parts = survey(path, metadata)
    assert len(passes) == 5  # the first looks for households
    assert [name for names in passes[1:] for name in names] == names
    for name in names:
        assert parts.profiles[name].codes == whole.profiles[name].codes
        assert parts.profiles[name].counts.tolist() == whole.profiles[name].counts.tolist()


def test_a_file_that_changes_between_two_passes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, metadata = fixed(tmp_path, ["12", "34"], Variable("A", 1, 1), Variable("B", 2, 1))

    def replaced(path: Path, metadata: Metadata, names: list[str], progress: Progress) -> Microdata:
        found = read(path, metadata, names, progress)
        path.write_bytes(b"12\n35\n")
        return found

    monkeypatch.setattr(of_survey, "read", replaced)
    with pytest.raises(DataError, match="has changed since it was read"):
        survey(path, metadata)


def test_many_codes_are_kept_by_their_frequency(tmp_path: Path) -> None:
    lines = [f"{i:05d}" for i in range(KEPT + 50)] + ["99999"] * 3
    path, metadata = fixed(tmp_path, lines, Variable("A", 1, 5))
    shown = survey(path, metadata).profiles["A"]
    assert (shown.distinct, shown.n_valid, shown.complete) == (KEPT + 51, KEPT, False)
    assert shown.count_of("99999") == 3


def test_a_ragged_file_is_refused(tmp_path: Path) -> None:
    path, metadata = fixed(tmp_path, ["12", "345"], Variable("A", 1, 1))
    with pytest.raises(DataError, match="line 2: the record has 3 bytes"):
        survey(path, metadata)


def test_looking_can_be_stopped(tmp_path: Path) -> None:
    class Stop:
        def report(self, done: float, total: float, text: str) -> None: ...

        def check(self) -> None:
            raise Cancelled

    path, metadata = fixed(tmp_path, ["12"], Variable("A", 1, 1))
    with pytest.raises(Cancelled):
        survey(path, metadata, None, Stop())


def problems(metadata: Metadata, found: Survey, labels: dict[str, dict[str, str]] | None = None) -> list[str]:
    return [f"{p.severity} {p.variable} {p.field}: {p.text}" for p in data_problems(metadata, found, labels or {})]


def test_weights_are_judged(tmp_path: Path) -> None:
    weight = Variable("W", 1, 4, numeric=True, role="weight")
    hint = "Correct the data, or choose another weight variable."
    normalised = (
        "The weights W look normalised: they add up to 3 over 3 records. "
        "Population frequencies need weights that add up to the population."
    )
    texts = {
        ("1.00", "0.00", "2.00"): [
            "warning W role: The weight W is zero in one record.",
            f"warning W role: {normalised}",
        ],
        ("abcd", "12.0", "  -1"): [
            f"error W role: The weight W is not a number in one record. {hint}",
            f"error W role: The weight W is negative in one record. {hint}",
        ],
        ("    ", "12.0"): [f"error W role: The weight W is empty or missing in one record. {hint}"],
        ("10.0", "20.0"): [],
    }
    for lines, expected in texts.items():
        path, metadata = fixed(tmp_path, list(lines), weight)
        assert problems(metadata, survey(path, metadata)) == expected


def test_households_numbers_and_codelists_are_judged(tmp_path: Path) -> None:
    path, metadata = fixed(
        tmp_path, ["1a5", "2bx", "1b7"],
        Variable("H", 1, 1, role="household-id"),
        Variable("R", 2, 1, household=True, categorical=True),
        Variable("N", 3, 1, numeric=True),
    )  # fmt: skip
    assert problems(metadata, survey(path, metadata), {"R": {"a": "Ada"}}) == [
        (
            "warning H role: The members of 1 of 2 households of H do not stand together in the file; "
            "they are gathered by H."
        ),
        "warning R household: R is a household variable, but has several values in 1 of 2 households: H 1.",
        "warning R codelist: R: one code is absent from the codelist: b.",
        "warning N numeric: N is numerical, but holds something else in one record: x.",
    ]


@pytest.mark.parametrize(
    ("labels", "attributes", "warned"),
    [
        ({"98": "refused", "99": "unknown"}, {}, False),
        ({"98": "refused", "99": "unknown", "15": "up to 15"}, {}, False),
        ({"-8": "refused"}, {"missing_ranges": ((-9.0, -1.0),)}, False),
        ({str(age): f"aged {age}" for age in range(15, 60)}, {}, True),
        ({str(age): f"aged {age}" for age in range(15, 60)}, {"numeric": True}, False),
        ({"98": "refused"}, {"codelist": Path("age.cdl")}, False),
        ({"15": "up to 15"}, {"codelist": Path("age.cdl")}, True),
    ],
)
def test_labels_of_missing_and_special_codes_are_no_codelist(
    tmp_path: Path, labels: dict[str, str], attributes: dict[str, object], warned: bool
) -> None:
    age = Variable("AGE", 1, 2, categorical=True, missing=("99", "98"))
    path, metadata = fixed(tmp_path, [str(15 + i % 70) for i in range(200)], replace(age, **attributes))  # type: ignore[arg-type]
    found = problems(metadata, survey(path, metadata), {"AGE": labels})
    assert [text for text in found if "absent from the codelist" in text] == found
    assert bool(found) == warned


def test_a_file_with_its_own_labels_is_surveyed(tmp_path: Path) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    import pandas as pd

    path = tmp_path / "x.sav"
    frame = pd.DataFrame({"SEX": [1.0, 2.0, 2.0], "N": [1.5, 2.5, 9.0]})
    pyreadstat.write_sav(frame, path, variable_value_labels={"SEX": {1: "Male", 2: "Female"}})
    metadata = load_description(Input(path), ()).metadata
    only = replace(metadata, variables=metadata.variables[:1])
    found = survey(path, only)
    assert (found.records, found.undescribed) == (3, ("N",))
    assert found.profiles["SEX"].codes[:2] == ("1", "2")
    assert survey(path, metadata, found).profiles["N"].numbers.total == 13.0
