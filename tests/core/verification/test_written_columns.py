"""A written file with a column that was to go is found, whatever wrote it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from core.base.errors import ProtectionError
from core.formats.registry import write
from core.formats.text.writing import Rewrite
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
