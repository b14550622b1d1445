"""*Generate metadata*: what is proposed, and that the .rda of it says the same when it is read back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core.base.errors import MetadataError
from core.data.variables import Variable
from core.formats.argus.rda import rda_text
from core.metadata.description import Description, load_description
from core.metadata.examine import Examined, examine
from core.metadata.suggest import UseSuggestion, generate, to_save, together
from core.recipe.model import Input

ROWS = 60


def loaded(data: Path, metadata: Path | None = None) -> Description:
    return load_description(Input(data, metadata), ())


def looked(description: Description) -> Examined:
    found = examine(description)
    assert found.error is None
    return found


def suggested(description: Description) -> tuple[UseSuggestion, ...]:
    """All that is proposed, variable by variable."""
    found = looked(description)
    assert found.survey is not None
    return generate(description.metadata, found.survey, found.labels)


def followed(description: Description, wanted: Callable[[UseSuggestion], bool] = lambda s: s.sure) -> Description:
    """The description after everything that is proposed, in the order of the proposals."""
    variables = {v.name: v for v in description.metadata.variables}
    for suggestion in suggested(description):
        if wanted(suggestion):
            variables[suggestion.variable] = suggestion.followed(variables[suggestion.variable])
    return description.with_variables(tuple(variables.values()))


def survey_file(folder: Path) -> Path:
    path = folder / "x.csv"
    lines = ["hhid;region;sex;q7;income;weight;nm"]
    lines += [
        f"{i // 2};{'Noord Brabant' if i // 2 % 3 else 'Zeeland'};{'mf'[i % 2]};{(1, 2, 9)[i % 3]};"
        f"{1000 + i * 37}.{i % 10}0;{12 + i / 4:.3f};Jan {chr(97 + i % 26)}{i}"
        for i in range(ROWS)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_csv_is_described_from_its_names_and_contents(tmp_path: Path) -> None:
    found = suggested(loaded(survey_file(tmp_path)))
    said = [(s.variable, s.proposal.text, s.sure) for s in found]
    assert said == [
        ("hhid", "Household identifier", True),
        ("hhid", "Length 2", True),
        ("region", "Key", True),
        ("region", "Household variable", True),
        ("region", "Codes without order", True),
        ("region", "Length 13", True),
        ("sex", "Key", True),
        ("sex", "Length 1", True),
        ("q7", "Missing code 9", False),
        ("q7", "Length 1", True),
        ("income", "Sensitive", True),
        ("income", "Numerical", True),
        ("income", "Length 7, 2 decimals", True),
        ("weight", "Weight", True),
        ("weight", "Length 6, 3 decimals", True),
        ("nm", "Direct identifier", True),
        ("nm", "Length 7", True),
    ]
    after = followed(loaded(survey_file(tmp_path))).metadata
    assert [(v.name, v.identification_level) for v in after.variables if v.identification_level] == [
        ("region", 1), ("sex", 2),
    ]  # fmt: skip
    assert after["region"].household
    assert (after["weight"].role, after["weight"].length, after["weight"].decimals) == ("weight", 6, 3)


def test_of_several_missing_codes_one_can_be_taken(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    values = [(1, 2, 3, -1, 9)[i % 5] for i in range(ROWS)]
    path.write_text("EDUC,other\n" + "".join(f"{v},{i % 2}\n" for i, v in enumerate(values)), encoding="utf-8")
    description = loaded(path)
    found = [s for s in suggested(description) if s.kind == "missing"]
    assert [(s.variable, s.proposal.text, s.sure) for s in found] == [
        ("EDUC", "Missing code 9", False),
        ("EDUC", "Missing code -1", False),
    ]
    assert found[0].reason.text == "It looks like missing, in 12 records: is it?"
    variables = description.metadata.variables
    assert together(found[1:], variables) == [("EDUC", (("missing", ("", "-1")),))]
    assert together(found, variables) == [("EDUC", (("missing", ("", "9", "-1")),))]


def test_nothing_is_proposed_twice(tmp_path: Path) -> None:
    first = followed(loaded(survey_file(tmp_path)), lambda _: True)
    assert suggested(first) == ()


def sayable(variable: Variable) -> Variable:
    """Without what an .rda file has no place for."""
    role = "other" if variable.role == "direct-identifier" else variable.role
    return replace(variable, sensitive=False, ordered=None, role=role)


def test_the_rda_file_reads_back_as_the_same_description(tmp_path: Path) -> None:
    data = survey_file(tmp_path)
    after = followed(loaded(data), lambda _: True).metadata
    wanted = tuple(map(sayable, after.variables))
    rda = tmp_path / "x.rda"
    rda.write_text(rda_text(replace(after, variables=wanted), folder=tmp_path), encoding="utf-8")
    assert rda.read_text(encoding="utf-8").splitlines()[:5] == [
        '   <SEPARATOR> ";"', "   <NAMESINFRONT>", "hhid 2", "    <HOUSE_ID>", "region 13",
    ]  # fmt: skip
    again = loaded(data, rda).metadata
    assert again == replace(after, variables=wanted)


def test_lengths_hold_every_value_and_missing_code(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("A,B\nünï,1\nx,22\n", encoding="utf-8")
    description = loaded(path)
    first, second = description.metadata.variables
    metadata = replace(description.metadata, variables=(first, replace(second, missing=("", "999"))))
    found = examine(Description(description.input, metadata, metadata.names)).survey
    assert found is not None
    assert [v.length for v in to_save(metadata, found).variables] == [5, 3]


@pytest.mark.parametrize("kind", ["stata", "spss"])
def test_a_file_with_labels_keeps_them(tmp_path: Path, kind: str) -> None:
    pyreadstat = pytest.importorskip("pyreadstat")
    import pandas as pd

    n = ROWS
    frame = pd.DataFrame({"sex": [1.0 + i % 2 for i in range(n)], "wgt": [1.25 * i + 3 for i in range(n)]})
    path = tmp_path / {"stata": "x.dta", "spss": "x.sav"}[kind]
    write = {"stata": pyreadstat.write_dta, "spss": pyreadstat.write_sav}[kind]
    write(frame, path, variable_value_labels={"sex": {1: "Male", 2: "Female"}})
    after = followed(loaded(path)).metadata
    assert (after["wgt"].role, after["wgt"].decimals, after["wgt"].length) == ("weight", 2, 0)
    assert after["sex"].identification_level == 2
    rda = tmp_path / "x.rda"
    rda.write_text(rda_text(after, folder=tmp_path), encoding="utf-8")
    assert loaded(path, rda).metadata == after
    assert dict(loaded(path, rda).metadata["sex"].labels) == {"1": "Male", "2": "Female"}


def test_columns_without_names_are_saved_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("1,22,3\n4,5,6\n", encoding="utf-8")
    description = load_description(Input(path, header=False), ())
    first, second, third = description.metadata.variables
    found = looked(description).survey
    moved = replace(description.metadata, variables=(third, first, second))
    saved = to_save(moved, found)
    assert [(v.name, v.column, v.length) for v in saved.variables] == [("V1", 1, 1), ("V2", 2, 2), ("V3", 3, 1)]
    with pytest.raises(MetadataError, match="No variable describes column 2"):
        to_save(replace(description.metadata, variables=(first, third)), found)
