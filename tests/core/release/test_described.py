"""The safe file described for archives (DDI-Codebook) and for programs that read csv (Table Schema)."""

from __future__ import annotations

import csv
import json
import math
import os
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from core.base.errors import RecipeError
from core.data.variables import Metadata, Variable
from core.recipe.model import (
    Combination,
    Input,
    MultiResponseKey,
    NumericEdit,
    Output,
    Perturbation,
    Recipe,
    Recode,
    Report,
    Suppression,
    Threshold,
    TopBottomCode,
    VariableEdit,
)
from core.recipe.toml import dumps, parse
from core.release.ddi import ddi_text
from core.release.described import DescribedFile, DescribedVariable
from core.release.run import carry_out
from core.session import Session

NS = {"d": "ddi:codebook:2_5"}

MODELS = {
    "codeBook": "docDscr* stdyDscr+ fileDscr* dataDscr* otherMat*",
    "stdyDscr": "citation+ studyAuthorization* stdyInfo* studyDevelopment* method* dataAccs* othrStdyMat* notes*",
    "citation": "titlStmt rspStmt? prodStmt? distStmt?",
    "titlStmt": "titl subTitl* altTitl* parTitl* IDNo*",
    "rspStmt": "AuthEnty* othId*",
    "prodStmt": "producer* copyright* prodDate* prodPlac* software* fundAg* grantNo*",
    "stdyInfo": "studyBudget* subject* abstract* sumDscr* qualityStatement? notes*",
    "method": "dataColl* notes* anlyInfo?",
    "dataColl": "weight* cleanOps*",
    "fileDscr": "fileTxt* locMap? notes*",
    "fileTxt": "fileName* fileCitation? dataFingerprint* fileCont? fileStrc? dimensns? fileType* format*",
    "dimensns": "caseQnty* varQnty* logRecL* recPrCas* recNumTot*",
    "dataDscr": "varGrp* nCubeGrp* var* nCube* notes*",
    "var": "location* labl* imputation* security* valrng* invalrng* universe* sumStat* txt* catgryGrp* catgry*"
    " concept* derivation? varFormat? geoMap* catLevel* notes*",
    "invalrng": "(item|range)+ key* notes*",
    "catgry": "catValu? labl* txt* catStat* mrow?",
}
"""Children of elements as the schema of DDI-Codebook 2.5 asks for them; other elements hold text or nothing."""

ATTRIBUTES = {
    "codeBook": {"version": "2.5"},
    "fileDscr": {"ID": "F1"},
    "var": {"ID": "V[0-9]+", "name": ".*", "files": "F1", "dcml": "[0-9]+", "intrvl": "contin|discrete", "wgt": "wgt"},
    "location": {"StartPos": "[0-9]+", "EndPos": "[0-9]+", "width": "[0-9]+"},
    "item": {"VALUE": ".*"},
    "range": {"min": "[-0-9.]+", "max": "[-0-9.]+", "UNITS": "INT|REAL"},
    "catgry": {"missing": "Y|N"},
    "catStat": {"type": "freq"},
    "varFormat": {"type": "character|numeric"},
    "fileType": {"charset": ".*"},
    "notes": {"subject": ".*"},
    "prodDate": {"date": "[0-9]{4}-[0-9]{2}-[0-9]{2}"},
    "software": {"version": ".*"},
}
"""Attributes that Pavo writes, all known to the schema, and what it takes there."""

REQUIRED = {"var": {"name", "ID"}, "item": {"VALUE"}}
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"


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
        "numeric": (NumericEdit("INCOME", top=TopBottomCode(1020.0, "1020")),),
        "threshold": Threshold(individual_risk=0.2),
        "suppression": Suppression("entropy"),
        "report": Report(title="A survey", institution="Office", author="A. Clerk", remarks="What it is."),
        "output": Output(data=folder / "safe.csv", ddi=folder / "safe.xml", table_schema=folder / "schema.json"),
    }
    return Recipe(**(said | more))


def breaches(root: ET.Element) -> list[str]:
    """What the schema of DDI-Codebook 2.5 would not take of the elements of `root`."""
    found, names = [], [element.get("ID") for element in root.iter() if element.get("ID")]
    if len(set(names)) < len(names):
        found.append("an ID twice")
    for element in root.iter():
        name = element.tag.removeprefix("{" + NS["d"] + "}")
        children = "".join(child.tag.removeprefix("{" + NS["d"] + "}") + " " for child in element)
        model = re.sub(r"\w+", r"(?:\g<0> )", MODELS.get(name, "")).replace(" (", "(").replace("* ", "*")
        model = re.sub(r"(?<=[)*+?]) (?=\()", "", model)
        if not re.fullmatch(model, children):
            found.append(f"{name} holds {children}")
        if name in MODELS and (element.text or "").strip():
            found.append(f"{name} holds text")
        told = {key: value for key, value in element.attrib.items() if not key.startswith("{")}
        allowed = ATTRIBUTES.get(name, {})
        found += [
            f"{name}.{key}={value}" for key, value in told.items() if not re.fullmatch(allowed.get(key, "(?!)"), value)
        ]
        found += [f"{name} lacks {key}" for key in REQUIRED.get(name, set()) - set(told)]
        if not re.fullmatch("[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*", element.get(LANGUAGE, "en")):
            found.append(f"{name} in {element.get(LANGUAGE)}")
    return found


def by_schema(file: Path) -> None:
    """Hold `file` against the schema itself, where ``PAVO_DDI_SCHEMA`` names its codebook.xsd and lxml is installed."""
    if schema := os.environ.get("PAVO_DDI_SCHEMA"):
        etree = pytest.importorskip("lxml.etree")
        etree.XMLSchema(etree.parse(schema)).assertValid(etree.parse(str(file)))


def test_the_codebook_holds_what_the_safe_file_holds(tmp_path: Path) -> None:
    result = carry_out(Session(), survey(tmp_path))
    root = ET.parse(tmp_path / "safe.xml").getroot()
    assert root.get("version") == "2.5" and not breaches(root)
    by_schema(tmp_path / "safe.xml")
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
    assert result.summary["files"]["ddi"]["path"] == str(tmp_path / "safe.xml")


def test_outsiders_get_no_numbers_of_records(tmp_path: Path) -> None:
    carry_out(Session(), survey(tmp_path, report=Report(variant="external")))
    by_schema(tmp_path / "safe.xml")
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
        number = r">\s*(\d+) \(\d\)\s*<" if variant == "internal" else r'<td class="num">\s*(\d+)\s*<'
        assert re.findall(number, row[0])[:1] == [told]


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


def test_derived_keys_changed_numbers_and_any_language_are_told_as_the_schema_asks(tmp_path: Path) -> None:
    recipe = survey(tmp_path)
    details = replace(recipe.report, language="pt_BR")
    rows = [(i, "xyz"[i % 3], "yzx"[i % 2], f"{i}.25", i % 7, 2.5) for i in range(1, 25)]
    with (tmp_path / "d.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("HHID", "L1", "L2", "RENT", "INCOME", "WEIGHT"), *rows])
    edits = (
        VariableEdit("HHID", role="household-id", categorical=False),
        VariableEdit("L1", categorical=True, missing=("-", "99")),
        VariableEdit("L2", categorical=True, missing=("-", "99")),
        VariableEdit("RENT", numeric=True, categorical=False, decimals=2),
        VariableEdit("INCOME", numeric=True, categorical=False),
        VariableEdit("WEIGHT", role="weight", numeric=True, categorical=False, decimals=1),
    )
    asked = replace(
        recipe,
        variables=edits,
        derived=(MultiResponseKey("LANGS", ("L1", "L2")),),
        combinations=(Combination(("LANGS",)),),
        recodes=(),
        numeric=(NumericEdit("RENT", round=0.5),),
        perturbations=(Perturbation("noise", ("INCOME",), (("share", 0.2),)),),
        report=details,
    )
    carry_out(Session(), asked)
    root = ET.parse(tmp_path / "safe.xml").getroot()
    assert not breaches(root) and root.get(LANGUAGE) == "pt-BR"
    by_schema(tmp_path / "safe.xml")
    kinds = {v.get("name"): v.get("intrvl") for v in root.iterfind("d:dataDscr/d:var", NS)}
    assert kinds["HHID"] == "discrete" and kinds["RENT"] == kinds["WEIGHT"] == "contin"


def test_a_range_of_missing_values_that_is_open_names_no_bound() -> None:
    ranges = ((-math.inf, -1.0), (90.5, 99.0), (1000.0, math.inf))
    variable = Variable("INCOME", numeric=True, missing_ranges=ranges)
    layout = Metadata("spss", (variable,))
    file = DescribedFile("safe.sav", layout, 3, (DescribedVariable(variable, (), ()),))
    root = ET.fromstring(ddi_text(file, Report(language="the one spoken here"), "2026-01-31").encode())
    assert not breaches(root) and root.get(LANGUAGE) is None
    assert [dict(r.attrib) for r in root.iterfind(".//d:range", NS)] == [
        {"max": "-1"}, {"min": "90.5", "max": "99", "UNITS": "REAL"}, {"min": "1000"},
    ]  # fmt: skip
