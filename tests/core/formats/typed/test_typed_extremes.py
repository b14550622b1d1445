"""Odd but valid files with types: large, empty, constant, with names and labels of every kind; and Cancel."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from core.base.errors import DataError
from core.base.progress import Cancelled
from core.formats.preview import preview
from core.formats.registry import read
from core.formats.typed import child
from core.metadata.describe import describe
from core.recipe.model import Input
from tests.typed_files import content, opened, sav, written


def test_thirty_thousand_labelled_categories(tmp_path: Path) -> None:
    path = tmp_path / "a.sav"
    codes = np.arange(30_000.0)
    labels = {code: f"<i>{int(code)}</i> ★ " + "x" * 90 for code in codes.tolist()}
    pyreadstat.write_sav(pd.DataFrame({"A": codes}), path, variable_value_labels={"A": labels})
    metadata, microdata = opened(path)
    assert len(metadata["A"].labels) == microdata.columns["A"].n_valid == 30_000
    written(path, tmp_path / "out.sav")
    assert content(tmp_path / "out.sav") == content(path)


@pytest.mark.parametrize("suffix", ["sav", "dta", "parquet"])
def test_more_variables_than_a_byte_counts(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    frame = pd.DataFrame({f"v{i}": [float(i), 1.0, 2.0] for i in range(300)})
    if suffix == "sav":
        pyreadstat.write_sav(frame, path)
    elif suffix == "dta":
        frame.to_stata(path, write_index=False, version=118)
    else:
        frame.to_parquet(path)
    written(path, tmp_path / f"out.{suffix}")
    assert content(tmp_path / f"out.{suffix}") == content(path)
    assert len(opened(path)[1].columns) == 300


@pytest.mark.parametrize("suffix", ["sav", "dta", "parquet", "xlsx"])
def test_no_records(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a.{suffix}"
    frame = pd.DataFrame({"A": np.array([], float), "B": np.array([], float)})
    if suffix == "sav":
        pyreadstat.write_sav(frame, path)
    elif suffix == "dta":
        frame.to_stata(path, write_index=False)
    elif suffix == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_excel(path, index=False)
    with pytest.raises(DataError) as error:
        opened(path)
    assert error.value.id == "data-empty"


def test_a_file_in_windows_encoding(tmp_path: Path) -> None:
    path = tmp_path / "é b.parquet"
    frame = pd.DataFrame({"with space": ["é", "ß"], "Größe %": [1, 2], "=1+1": [True, False]})
    frame.to_parquet(path)
    written(path, tmp_path / "out.parquet")
    assert content(tmp_path / "out.parquet")[1].equals(content(path)[1])


class _Soon:
    """Progress that is cancelled a moment after work began."""

    def __init__(self) -> None:
        self.begun = time.monotonic()

    def report(self, done: float, total: float, text: str) -> None:
        """Nobody watches."""

    def check(self) -> None:
        if time.monotonic() - self.begun > 0.3:
            raise Cancelled


def test_cancel_ends_the_child_and_the_next_call_works(tmp_path: Path) -> None:
    path = tmp_path / "large.sav"
    frame = pd.DataFrame({f"v{i}": np.arange(60_000.0) for i in range(20)})
    pyreadstat.write_sav(frame, path)
    metadata = describe(Input(path))
    with pytest.raises(Cancelled):
        read(path, metadata, metadata.names, _Soon())
    small = sav(tmp_path / "small.sav")
    assert describe(Input(small)).names[0] == "Region"
    assert len(child._idle["read"]) <= 1


def test_who_wants_the_first_records_only_leaves_the_child_to_the_next(tmp_path: Path) -> None:
    path = sav(tmp_path / "small.sav")
    metadata = describe(Input(path))
    (reader,) = child._idle["read"]
    assert preview(path, metadata, 1).rows
    assert child._idle["read"] == [reader]
    assert describe(Input(path)).names == metadata.names
