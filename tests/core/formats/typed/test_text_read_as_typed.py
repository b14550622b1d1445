"""A text file for which a format with types is set: the setting is wrong, not the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.base.errors import DataError
from core.formats.registry import read
from core.metadata.describe import describe
from core.recipe.model import Format, Input


@pytest.mark.parametrize("kind", ["spss", "stata", "sas", "parquet", "excel"])
def test_text_is_not_called_damaged_but_of_another_format(kind: Format, tmp_path: Path) -> None:
    data = tmp_path / "survey.csv"
    data.write_bytes(b"AGE,SEX\n" + b"34,1\n" * 500)
    with pytest.raises(DataError) as error:
        read(data, describe(Input(data=data, format=kind)), ["AGE"])
    assert error.value.id == "data-of-another-format"
    assert "damaged" not in str(error.value)
    assert "Set the format to delimited or fixed" in str(error.value)
