"""Small real files with random damage: a clear refusal, or what the twin reads; never anything else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from core.base.errors import PavoError
from core.data.variables import Metadata, Variable
from core.formats import registry
from core.formats.text import block_file
from tests import naive_io as naive
from tests.core.formats.text.text_files import check_columns, check_weights

FIXED = Metadata(
    "fixed",
    (
        Variable("REGION", 1, 4, missing=("9999", "9998")),
        Variable("SEX", 5, 1, missing=("9",)),
        Variable("W", 10, 6, role="weight"),
    ),
)
CSV = Metadata("delimited", (Variable("a", missing=("",)), Variable("é", missing=("",)), Variable("W", role="weight")))
FIXED_FILE = b"".join(b"%4d%d  x %6.2f\r\n" % (i * 7 % 120, i % 2, i * 1.5) for i in range(1, 30))
CSV_FILE = ('a,"é",b,W\n' + "".join(f'{i},"x, ""{i % 3}""\n",é,{i}.5\r\n' for i in range(1, 20))).encode()
TOKENS = [
    b"\n",
    b"\r\n",
    b"\r",
    b'"',
    b'""',
    b",",
    b" ",
    b"\0",
    b"\x1a",
    b"\xff",
    b"\xc3",
    "é".encode(),
    b"-",
    b"e",
    b"9",
]


def damaged(data: bytes, random_: random.Random) -> bytes:
    for _ in range(random_.randint(1, 3)):
        a = random_.randint(0, len(data))
        b = min(a + random_.choice([0, 1, 1, 2, 17, 200]), len(data))
        kind = random_.randrange(5)
        if kind == 0:
            data = data[:a] + data[b:]
        elif kind == 1:
            data = data[:a] + random_.choice(TOKENS) + data[a:]
        elif kind == 2:
            data = data[:a] + random_.choice(TOKENS) + data[a + 1 :]
        elif kind == 3:
            data = data[:b] + data[a:]
        else:
            data = data[:b]
    return data


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("metadata", "original"), [(FIXED, FIXED_FILE), (CSV, CSV_FILE)], ids=["fixed", "delimited"])
def test_damaged_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, metadata: Metadata, original: bytes
) -> None:
    random_ = random.Random(seed)
    read_as = naive.fixed_records if metadata.format == "fixed" else naive.delimited_records
    path = tmp_path / "data"
    monkeypatch.setattr(block_file, "BLOCK_BYTES", random_.choice([50, 100, 1 << 16]))
    for _ in range(50):
        data = damaged(original, random_)
        path.write_bytes(data)
        try:
            records = read_as(data, metadata)
            weights = naive.weights(records, metadata["W"])
            for variable in metadata.variables:
                naive.codes(records, variable)
        except (naive.Refused, UnicodeDecodeError):
            with pytest.raises(PavoError) as caught:
                registry.read(path, metadata, metadata.names)
            assert caught.value.sentence
            continue
        read = registry.read(path, metadata, metadata.names)
        check_columns(read, records)
        check_weights(read, weights)


def test_the_files_are_readable_when_whole(tmp_path: Path) -> None:
    for metadata, original, n in ((FIXED, FIXED_FILE, 29), (CSV, CSV_FILE, 19)):
        path = tmp_path / "data"
        path.write_bytes(original)
        assert registry.read(path, metadata, metadata.names).records == n
