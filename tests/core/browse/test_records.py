"""Choosing records, and files that are no text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.base.errors import DataError
from core.browse import columns as of_columns
from core.browse.records import matching_records, open_browser, sorted_by_number, sorted_records
from core.data.columns import EncodedColumn
from core.data.variables import Metadata, Variable
from core.formats.registry import read


def column(name: str, texts: list[str], missing: tuple[str, ...] = ("9",)) -> EncodedColumn:
    valid = sorted({text for text in texts if text not in missing})
    codes = (*valid, *missing)
    values = np.array([codes.index(text) for text in texts], np.uint8)
    counts = np.bincount(values, minlength=len(codes))
    return EncodedColumn(name, values, codes, codes, counts, len(valid), 1)


TEXTS = st.lists(st.sampled_from(["1", "2", "3", "9"]), min_size=1, max_size=30)


@given(TEXTS, st.booleans(), st.data())
def test_records_are_sorted_by_code_with_missing_last(texts: list[str], descending: bool, data: st.DataObject) -> None:
    among = sorted(data.draw(st.sets(st.integers(0, len(texts) - 1))))
    for chosen in (None, among):
        places = range(len(texts)) if chosen is None else chosen
        valid = sorted((p for p in places if texts[p] != "9"), key=lambda p: texts[p], reverse=False)
        if descending:
            valid = sorted((p for p in places if texts[p] != "9"), key=lambda p: -int(texts[p]))
        expected = valid + [p for p in places if texts[p] == "9"]
        argument = None if chosen is None else np.array(chosen, np.int64)
        assert sorted_records(column("A", texts), argument, descending).tolist() == expected


@given(TEXTS, st.text(st.sampled_from("123=A xy"), max_size=4))
def test_records_are_found_by_code_label_or_exact_code(texts: list[str], wanted: str) -> None:
    labels = {"A": {"1": "Xylophone", "9": "none"}}
    found = matching_records({"A": column("A", texts)}, labels, wanted)
    expected = []
    for place, text in enumerate(texts):
        name, equals, code = wanted.partition("=")
        if equals and name.strip() == "A":
            hit = text == code.strip()
        else:
            sought = wanted.strip().lower()
            hit = sought in text or sought in labels["A"].get(text, "").lower()
        if hit:
            expected.append(place)
    assert found.tolist() == expected


def test_records_are_sorted_by_a_number_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_text("A,N\n1,10\n1,9\n1,\n1,-1.5\n", encoding="utf-8")
    metadata = Metadata("delimited", (Variable("N", column=2, numeric=True, missing=("",)),))
    assert sorted_by_number(path, metadata, "N", None, False).tolist() == [3, 1, 0, 2]
    assert sorted_by_number(path, metadata, "N", np.array([0, 2, 3]), True).tolist() == [0, 3, 2]


def test_a_file_of_columns_is_looked_at_like_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_columns, "BATCH", 7)
    monkeypatch.setattr(of_columns, "KEPT_BATCHES", 2)
    path = tmp_path / "data.parquet"
    texts = [f"c{i % 13}" for i in range(100)]
    pq.write_table(pa.table({"CODE": texts, "N": list(range(100))}), path)
    metadata = Metadata(
        "parquet", (Variable("N", column=2, numeric=True), Variable("CODE", column=1, categorical=True))
    )
    browser = open_browser(path, metadata)
    assert browser.records == 100
    assert read(path, metadata, ["CODE"]).records == 100
    for record in (99, 0, 50, 7, 6):
        assert browser.row(record) == (str(record), texts[record])
    path.write_bytes(b"")
    with pytest.raises(DataError):
        browser.text(20, 0)
    browser.close()
