from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyreadstat
import pytest

from core.base.errors import DataError, OutputError
from core.formats.preview import preview
from core.formats.registry import read, read_numbers, safe_layout, write
from core.formats.text.writing import FieldEdit, Rewrite
from core.metadata.describe import describe
from core.recipe.model import Input, VariableEdit
from tests.typed_files import content, dta, extended_dta, opened, parquet, por, sav, written, xlsx, xpt

FILES: list[tuple[str, Callable[[Path], Path]]] = [
    ("a.sav", sav),
    ("a.zsav", sav),
    ("a.por", por),
    ("a.dta", dta),
    ("old.dta", lambda path: dta(path, 117)),
    ("extended.dta", extended_dta),
    ("a.parquet", parquet),
    ("a.xlsx", xlsx),
    ("a.xpt", xpt),
]


@pytest.mark.parametrize(("name", "make"), FILES, ids=[name for name, _ in FILES])
def test_a_file_with_nothing_to_protect_comes_back_as_it_was(
    tmp_path: Path, name: str, make: Callable[[Path], Path]
) -> None:
    path = make(tmp_path / name)
    out = tmp_path / f"out{path.suffix}"
    written(path, out)
    before, now = content(path), content(out)
    assert now[0] == before[0]
    assert now[1].equals(before[1])
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([name, out.name])
    again = tmp_path / f"again{path.suffix}"
    written(path, again)
    assert again.read_bytes() == out.read_bytes()


@pytest.mark.parametrize(("name", "make"), FILES, ids=[name for name, _ in FILES])
def test_order_and_left_out_variables(tmp_path: Path, name: str, make: Callable[[Path], Path]) -> None:
    path = make(tmp_path / name)
    metadata = describe(Input(path))
    source = read(path, metadata, ()).source
    left = metadata.names[0]
    layout = safe_layout(metadata, {}, frozenset({left}))
    out = tmp_path / f"out{path.suffix}"
    order = np.arange(source.records)[::-1].copy()
    with out.open("wb") as file:
        write(Rewrite(source, metadata, {}, layout, order), file)
    before, now = content(path)[1], content(out)[1]
    assert now.column_names == before.column_names[1:]
    assert now.equals(before.drop_columns([left]).take(pa.array(order)))


def test_what_an_spss_file_says_becomes_metadata(tmp_path: Path) -> None:
    metadata, microdata = opened(sav(tmp_path / "a.sav"), VariableEdit("WEIGHT", role="weight"))
    region = metadata["Region"]
    assert region.label == "Where <b>they</b> live"
    assert dict(region.labels) == {"1": "one", "2.5": "half", "-9": "refused", "44": "nowhere"}
    assert region.missing == ("", "-9")
    assert region.missing_ranges == ((90.0, 99.0),)
    column = microdata.columns["Region"]
    assert set(column.codes[: column.n_valid]) == {"0", "1", "2", "2.5", "1000000000000000"}
    assert column.codes[column.n_valid :] == ("", "-9", "95")
    assert metadata["code"].missing == ("", "9")
    assert set(microdata.columns["code"].codes) == {"1", "01", "", "9", "10", "2", "A"}
    assert microdata.weights is not None
    (limb,) = microdata.weights.limbs
    assert limb[0] / 10 ** microdata.weights.decimals[0] == 118.3


def test_stata_missing_values_are_missing_codes(tmp_path: Path) -> None:
    metadata, microdata = opened(extended_dta(tmp_path / "a.dta"))
    column = microdata.columns["A"]
    assert column.codes == ("1.5", "2.5", "", ".a", ".z")
    assert column.n_valid == 2
    assert dict(metadata["A"].labels) == {"1": "one", ".a": "refused"}


def test_a_chosen_missing_code_is_written_and_declared(tmp_path: Path) -> None:
    path = sav(tmp_path / "a.sav")
    metadata, microdata = opened(path, VariableEdit("constant", missing=("99",)))
    column = microdata.columns["constant"]
    flags = np.zeros(8, bool)
    flags[2] = True
    values = np.where(flags, column.n_valid, column.values).astype(np.uint8)
    edits = {"constant": FieldEdit(values, column.codes, flags)}
    out = tmp_path / "out.sav"
    with out.open("wb") as file:
        write(Rewrite(microdata.source, metadata, edits, safe_layout(metadata, edits, frozenset())), file)
    data, meta = pyreadstat.read_sav(out, user_missing=True, disable_datetime_conversion=True)
    assert data["constant"].tolist() == [7, 7, 99, 7, 7, 7, 7, 7]
    assert meta.missing_ranges["constant"] == [{"lo": 99.0, "hi": 99.0}]
    assert (meta.notes, meta.file_label) == ([], None)


def test_codes_change_the_type_of_a_column_only_where_they_must(tmp_path: Path) -> None:
    path = dta(tmp_path / "a.dta")
    values = np.array([0, 1, 2, 0, 0, 0], np.uint8)

    def types(codes: tuple[str, ...], changed: list[int] | None = None) -> tuple[str, list[object]]:
        flags = None if changed is None else np.isin(np.arange(6), changed)
        out = tmp_path / "out.dta"
        written(path, out, {"i8": FieldEdit(values, codes, flags)})
        file, table = content(out)
        return file["i8"].storage, table["i8"].to_pylist()

    assert types(("1", "2", "")) == ("int8", [1, 2, 101, 1, 1, 1])
    assert types(("1", "200", ".b")) == ("int16", [1, 200, 32743, 1, 1, 1])
    assert types(("1", "9999", ""), [1]) == ("int16", [1, 9999, 32741, 100, -127, 1])
    assert types(("1", "2.5", "")) == (
        "double",
        [4607182418800017408, 4612811918334230528, *[9214364837600034816]] + [4607182418800017408] * 3,
    )
    assert types(("1-4", "5+", "")) == ("string", ["1-4", "5+", "", "1-4", "1-4", "1-4"])
    with pytest.raises(OutputError) as error:
        types(("1", "x", ""), [1])
    assert error.value.id == "code-not-encodable-typed"


def test_a_dictionary_does_not_keep_values_that_were_removed(tmp_path: Path) -> None:
    path = parquet(tmp_path / "a.parquet")
    out = tmp_path / "out.parquet"
    edit = FieldEdit(np.zeros(5, np.uint8), ("secretly",), np.array([False, True, False, False, False]))
    written(path, out, {"kind": edit})
    raw = out.read_bytes()
    assert b"secretly" in raw and b"what the original held" not in raw
    assert content(out)[1]["kind"].to_pylist() == ["p", "secretly", None, "p", "r"]


def test_numbers_and_their_refusal(tmp_path: Path) -> None:
    path = sav(tmp_path / "a.sav")
    metadata = describe(Input(path))
    np.testing.assert_array_equal(
        read_numbers(path, metadata, ["Region"])[0], [1, 2, 2.5, np.nan, np.nan, np.nan, 1e15, 0]
    )
    with pytest.raises(DataError) as error:
        read_numbers(path, metadata, ["naïve"])
    assert error.value.id == "not-a-number-typed"
    assert "record 1" in str(error.value)


def test_preview(tmp_path: Path) -> None:
    path = sav(tmp_path / "a.sav")
    metadata = describe(Input(path))
    shown = preview(path, metadata, 2)
    assert shown.header == metadata.names
    assert [row[:3] for row in shown.rows] == [("1", "a", "1"), ("2", "b", "01")]


@pytest.mark.parametrize(("name", "make"), FILES, ids=[name for name, _ in FILES])
def test_damaged_files_are_refused(tmp_path: Path, name: str, make: Callable[[Path], Path]) -> None:
    path = make(tmp_path / name)
    whole = path.read_bytes()
    for damage in (b"", whole[:20], whole[: len(whole) // 2], b"x" * 500):
        path.write_bytes(damage)
        with pytest.raises(DataError):
            opened(path)


def test_a_file_that_changes_is_noticed(tmp_path: Path) -> None:
    path = dta(tmp_path / "a.dta")
    metadata, microdata = opened(path)
    path.write_bytes(path.read_bytes()[:-1] + b"!")
    with (tmp_path / "out.dta").open("wb") as file, pytest.raises(DataError) as error:
        write(Rewrite(microdata.source, metadata, {}, safe_layout(metadata, {}, frozenset())), file)
    assert error.value.id == "data-changed"


def test_a_metadata_file_beside_gives_roles(tmp_path: Path) -> None:
    path = sav(tmp_path / "a.sav")
    rda = tmp_path / "a.rda"
    rda.write_text("<SPSS>\nRegion\n  <RECODABLE>\n  <IDLEVEL> 2\nWEIGHT\n  <WEIGHT>\n", encoding="utf-8")
    metadata = describe(Input(path, rda))
    assert metadata["Region"].identification_level == 2
    assert metadata["Region"].missing == ("", "-9")
    assert metadata.weight is not None
    assert replace(metadata["Region"], identification_level=0) == describe(Input(path))["Region"]
