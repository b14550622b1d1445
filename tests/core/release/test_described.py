"""The safe file described for archives (DDI-Codebook) and for programs that read csv (Table Schema)."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from core.base.errors import RecipeError
from core.recipe.model import (
    Combination,
    Cut,
    Input,
    Numeric,
    Output,
    Recipe,
    Recode,
    Report,
    Suppression,
    Threshold,
    VariableEdit,
)
from core.recipe.toml import dumps, parse
from core.release.run import carry_out
from core.session import Session

NS = {"d": "ddi:codebook:2_5"}

ORDER = {
    "codeBook": ("docDscr", "stdyDscr", "fileDscr", "dataDscr", "otherMat"),
    "stdyDscr": ("citation", "studyAuthorization", "stdyInfo", "studyDevelopment", "method", "dataAccs", "notes"),
    "citation": ("titlStmt", "rspStmt", "prodStmt", "distStmt"),
    "prodStmt": ("producer", "copyright", "prodDate", "prodPlac", "software", "fundAg", "grantNo"),
    "fileTxt": ("fileName", "fileCitation", "fileCont", "fileStrc", "dimensns", "fileType", "format"),
    "dimensns": ("caseQnty", "varQnty", "logRecL", "recPrCas", "recNumTot"),
    "var": ("location", "labl", "imputation", "security", "valrng", "invalrng", "universe", "txt", "catgryGrp",
            "catgry", "codInstr", "concept", "derivation", "varFormat", "geoMap", "catLevel", "notes"),
    "catgry": ("catValu", "labl", "txt", "catStat", "mrow"),
}  # fmt: skip
"""Children of elements in the order that the schema of DDI-Codebook 2.5 asks for, as far as such files hold them."""


def survey(folder: Path, **more: Any) -> Recipe:
    rows = [("N", "x" if i % 3 else "y", 20 + i % 4, 1000 + i, 2.5) for i in range(24)] + [("Öst <&>", "y", 80, 9, 2.5)]
    with (folder / "d.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("REGION", "SEX", "AGE", "INCOME", "WEIGHT"), *rows])
    edits = (
        VariableEdit("REGION", categorical=True, label="Region\x07 & more", missing=("-",)),
        VariableEdit("SEX", categorical=True, missing=("-",)),
        VariableEdit("AGE", categorical=True, missing=("99",)),
        VariableEdit("INCOME", numeric=True, categorical=False),
        VariableEdit("WEIGHT", role="weight", numeric=True, categorical=False),
    )
    said: dict[str, Any] = {
        "input": Input(data=folder / "d.csv"),
        "variables": edits,
        "combinations": (Combination(("REGION", "SEX", "AGE")),),
        "recodes": (Recode("AGE", scheme="1:20-39\n2:40-"),),
        "numeric": (Numeric("INCOME", top=Cut(1020.0, "1020")),),
        "threshold": Threshold(individual_risk=0.2),
        "suppression": Suppression("entropy"),
        "report": Report(title="A survey", institution="Office", author="A. Clerk", remarks="What it is."),
        "output": Output(data=folder / "safe.csv", ddi=folder / "safe.xml", table_schema=folder / "schema.json"),
    }
    return Recipe(**(said | more))


def children_in_order(element: ET.Element) -> bool:
    """Whether the children of `element`, and theirs, stand in the order of the schema."""
    name = element.tag.split("}")[1]
    names = [child.tag.split("}")[1] for child in element]
    if name in ORDER:
        places = [ORDER[name].index(child) for child in names]
        if places != sorted(places):
            return False
    return all(children_in_order(child) for child in element)


def test_the_codebook_holds_what_the_safe_file_holds(tmp_path: Path) -> None:
    result = carry_out(Session(), survey(tmp_path))
    root = ET.parse(tmp_path / "safe.xml").getroot()
    assert root.get("version") == "2.5" and children_in_order(root)
    assert root.findtext("d:stdyDscr/d:citation/d:titlStmt/d:titl", namespaces=NS) == "A survey"
    assert root.findtext("d:fileDscr/d:fileTxt/d:dimensns/d:caseQnty", namespaces=NS) == "25"
    with (tmp_path / "safe.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = {v.get("name"): v for v in root.iterfind("d:dataDscr/d:var", NS)}
    assert list(found) == list(rows[0])
    for name in ("REGION", "SEX", "AGE"):
        told = {
            c.findtext("d:catValu", namespaces=NS): int(c.findtext("d:catStat", "", NS))
            for c in found[name].iterfind("d:catgry", NS)
        }
        assert {code: n for code, n in told.items() if n} == Counter(row[name] for row in rows)
    assert found["REGION"].findtext("d:labl", namespaces=NS) == "Region\ufffd & more"
    assert found["WEIGHT"].get("wgt") == "wgt" and found["INCOME"].get("intrvl") == "contin"
    notes = {name: [n.text or "" for n in v.iterfind("d:notes", NS)] for name, v in found.items()}
    assert {row["AGE"] for row in rows} == {"1", "99"}  # the other one is suppressed in all records, and not told of
    assert any("Recoded: 1 category is left" in note for note in notes["AGE"])
    assert any(note.startswith("Top coding") for note in notes["INCOME"])
    suppressed = result.summary["suppression"]["by_variable"]
    for name, number in suppressed.items():
        assert any(note.startswith(f"{number} value") for note in notes[name]) == bool(number)
    assert sum(suppressed.values())
    assert result.summary["files"]["ddi"] == str(tmp_path / "safe.xml")


def test_outsiders_get_no_numbers_of_records(tmp_path: Path) -> None:
    carry_out(Session(), survey(tmp_path, report=Report(variant="external")))
    assert "catStat" not in (tmp_path / "safe.xml").read_text(encoding="utf-8")


def test_outsiders_are_not_told_that_a_code_is_suppressed_everywhere(tmp_path: Path) -> None:
    """The one "Öst <&>" goes in all records: both codebook and report count what is left."""
    output = Output(data=tmp_path / "safe.csv", report=tmp_path / "r.html", ddi=tmp_path / "safe.xml")
    weights = (VariableEdit("REGION", categorical=True, missing=("-",), suppression_weight=0),)
    edits = (*weights, *survey(tmp_path).variables[1:])
    asked = Suppression("weights")
    for variant, told in (("internal", "2"), ("external", "1")):
        details = Report(variant=variant)  # type: ignore[arg-type]
        carry_out(Session(), survey(tmp_path, output=output, report=details, variables=edits, suppression=asked))
        assert "Öst" not in (tmp_path / "safe.csv").read_text(encoding="utf-8")
        page = (tmp_path / "r.html").read_text(encoding="utf-8")
        row = re.search(r"<tr>(?:(?!</tr>).)*REGION(?:(?!</tr>).)*</tr>", page[page.index("Categories") :], re.DOTALL)
        assert row is not None
        assert re.findall(r">\s*(\d+) \(\d\)\s*<", row[0]) == [told]


def test_the_table_schema_reads_the_safe_file(tmp_path: Path) -> None:
    carry_out(Session(), survey(tmp_path))
    fields = {f["name"]: f for f in json.loads((tmp_path / "schema.json").read_text(encoding="utf-8"))["fields"]}
    with (tmp_path / "safe.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(fields) == list(rows[0])
    assert fields["INCOME"]["type"] == "number" and fields["AGE"]["type"] == "string"
    for row in rows:
        for name, value in row.items():
            field = fields[name]
            codes = [c["value"] if isinstance(c, dict) else c for c in field.get("categories", ())]
            assert value in field["missingValues"] or not codes or value in codes
    assert "99" in fields["AGE"]["missingValues"]


def test_a_table_schema_of_a_file_that_is_no_delimited_text_is_refused(tmp_path: Path) -> None:
    output = Output(data=tmp_path / "safe.sav", table_schema=tmp_path / "schema.json")
    with pytest.raises(RecipeError, match=r"schema\.json.*delimited text"):
        carry_out(Session(), survey(tmp_path, output=output))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["d.csv"]


def test_they_are_written_beside_no_safe_file_too(tmp_path: Path) -> None:
    carry_out(Session(), survey(tmp_path, output=Output(ddi=tmp_path / "d.xml")))
    names = [v.get("name") for v in ET.parse(tmp_path / "d.xml").getroot().iterfind("d:dataDscr/d:var", NS)]
    assert names == ["REGION", "SEX", "AGE", "INCOME", "WEIGHT"]


def test_the_recipe_keeps_them(tmp_path: Path) -> None:
    recipe = survey(tmp_path)
    assert parse(dumps(recipe, tmp_path), tmp_path).output == recipe.output
