"""A written file with a column that was to go is found, whatever wrote it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyreadstat
import pytest
from pyarrow import parquet

from core.base.errors import ProtectionError
from core.batch import run as run_recipe
from core.check.written_columns import LabelledCodes
from core.formats.registry import read, write
from core.formats.text.writing import Rewrite
from core.metadata.describe import describe
from core.recipe.model import Input
from core.recipe.toml import parse
from core.release import run
from core.session import Session

SAID = {
    "d.csv": "The written file has 3 columns, not the 2 that were decided.",
    "d.txt": "The written file has 3 columns, not the 2 that were decided.",
    "d.parquet": "The written file has 3 columns, not the 2 that were decided.",
    "d.asc": "The records of the written file have 5 bytes, not the 2 that were decided.",
}


@pytest.mark.parametrize("name", SAID)
def test_a_direct_identifier_that_was_written_is_found(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [("ab"[i % 2], "xyz"[i % 3], f"n{i:02}") for i in range(30)]
    if name == "d.parquet":
        parquet.write_table(pa.table(dict(zip("ABC", zip(*rows, strict=True), strict=True))), tmp_path / name)
    else:
        mark = "" if name == "d.asc" else ","
        lines = [mark.join(row) for row in rows]
        (tmp_path / name).write_text("\n".join([*(["A,B,C"] if name == "d.csv" else []), *lines]) + "\n")
    described = {
        "d.asc": "A 1 1\n <RECODABLE>\nB 2 1\n <RECODABLE>\nC 3 3\n",
        "d.txt": '<SEPARATOR> ","\nA\n <RECODABLE>\nB\n <RECODABLE>\nC\n',
    }.get(name)
    if described:
        (tmp_path / "d.rda").write_text(described)
    metadata = 'metadata = "d.rda"\n' if described else ""
    recipe = parse(
        f'recipe = 1\n[input]\ndata = "{name}"\n{metadata}[variables.C]\nrole = "direct-identifier"\n'
        '[[combinations]]\nvariables = ["A", "B"]\nmodel = "frequency"\n'
        f'[output]\ndata = "safe{Path(name).suffix}"\n',
        tmp_path,
    )  # fmt: skip
    run.carry_out(Session(), recipe)
    assert "n00" not in (tmp_path / f"safe{Path(name).suffix}").read_bytes().decode("latin-1")

    def forgetful(rewrite: Rewrite, *given: Any) -> None:
        last = rewrite.layout.variables[-1]
        left = replace(rewrite.metadata["C"], start=last.start and last.start + last.length, column=last.column + 1)
        layout = replace(rewrite.layout, variables=(*rewrite.layout.variables, left))
        write(replace(rewrite, layout=layout), *given)

    monkeypatch.setattr(run, "write", forgetful)
    with pytest.raises(ProtectionError) as refusal:
        run.carry_out(Session(), recipe)
    assert SAID[name] in str(refusal.value)


@pytest.mark.parametrize(("kind", "suffix"), [("spss", "sav"), ("stata", "dta")])
def test_a_label_of_a_code_that_no_record_has_is_found(tmp_path: Path, kind: str, suffix: str) -> None:
    """Whatever wrote it; labels of missing codes and of codes that are there are right."""
    path = tmp_path / f"safe.{suffix}"
    frame = pd.DataFrame({"JOB": [1.0, 2.0] * 5, "OTHER": 1.0})
    labels = {"JOB": {1: "clerk", 2: "cook", 9: "unknown"}, "OTHER": {1: "one"}}

    def told(more: dict[int, str], variable: str = "JOB") -> list[str]:
        given = labels | {variable: labels[variable] | more}
        write = pyreadstat.write_sav if suffix == "sav" else pyreadstat.write_dta
        write(frame, path, variable_value_labels=given)
        described = describe(Input(path))
        variables = (replace(v, categorical=True, numeric=False, missing=("9",)) for v in described.variables)
        layout = replace(described, variables=tuple(variables))
        again = read(path, layout, ("JOB", "OTHER"))
        return [notice.text for notice in LabelledCodes.of(again.source, again.columns, layout).problems()]

    assert told({}) == []
    assert told({77: "queen"}) == ["The written file labels codes of JOB that no record has: 1."]
    assert told({5: "five", 6: "six"}, "OTHER") == ["The written file labels codes of OTHER that no record has: 2."]


def test_a_safe_file_with_a_label_too_many_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({"JOB": [*[1.0, 2.0] * 30, 77.0], "W": 25.0})
    pyreadstat.write_sav(frame, tmp_path / "a.sav", variable_value_labels={"JOB": {1: "clerk", 77: "queen"}})
    text = """recipe = 1
[input]
data = "a.sav"
[variables.W]
role = "weight"
[[combinations]]
variables = ["JOB"]
[threshold]
individual_risk = 0.03
[output]
data = "safe.sav"
"""
    (tmp_path / "r.pavo").write_text(text, encoding="utf-8")
    monkeypatch.setattr("core.release.safe_file._labelled_as_held", lambda variable, _column: variable)
    with pytest.raises(ProtectionError, match="codes of JOB that no record has: 1"):
        run_recipe(tmp_path / "r.pavo")
    assert not (tmp_path / "safe.sav").exists()


PARTS = """recipe = 1
[input]
data = "parts"
[variables.W]
role = "weight"
[[combinations]]
variables = ["JOB"]
[threshold]
individual_risk = 0.03
[output]
data = "safe"
"""


@pytest.mark.parametrize("suffix", ["sav", "dta"])
def test_parts_with_a_label_too_many_are_not_kept(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A label of a code that only another part has is right; one of a code suppressed in all of them is not."""
    (tmp_path / "parts").mkdir()
    write = pyreadstat.write_sav if suffix == "sav" else pyreadstat.write_dta
    for number, jobs in enumerate(([1.0] * 30 + [77.0], [2.0] * 40)):
        frame = pd.DataFrame({"JOB": jobs, "W": 25.0})
        labels = {"JOB": {1: "clerk", 2: "cook", 77: "queen"}}
        write(frame, tmp_path / "parts" / f"p{number}.{suffix}", variable_value_labels=labels)
    (tmp_path / "r.pavo").write_text(PARTS, encoding="utf-8")
    run_recipe(tmp_path / "r.pavo")
    assert len(list((tmp_path / "safe").glob(f"*.{suffix}"))) == 2

    monkeypatch.setattr("core.release.safe_file._labelled_as_held", lambda variable, _column: variable)
    (tmp_path / "r.pavo").write_text(PARTS.replace('"safe"', '"again"'), encoding="utf-8")
    with pytest.raises(ProtectionError, match="codes of JOB that no record has: 1"):
        run_recipe(tmp_path / "r.pavo")
    assert not (tmp_path / "again").exists()
