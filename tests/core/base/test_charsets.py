"""Encodings that a text file may be in."""

from __future__ import annotations

import codecs
import encodings
import pkgutil

import pytest

from core.base.charsets import _ONE_BYTE, charset

NOT_CHARSETS = ("charmap", "raw-unicode-escape")


@pytest.mark.parametrize(
    "name",
    [
        "idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "rot13", "zip", "base64", "hex",
        "uu", "quopri", "bz2", "charmap", "utf-7", "utf-32", "mbcs", "oem", "ansi", "klingon", "", " ", "cp037",
        "shift_jis", "a\0b", "x" * 100_000,
    ],
)  # fmt: skip
def test_codec_that_is_no_usable_charset_is_none(name: str) -> None:
    assert charset(name) is None


@pytest.mark.parametrize(
    ("name", "found"),
    [("UTF8", "utf-8"), ("utf_8_sig", "utf-8-sig"), ("latin1", "iso8859-1"), ("Windows-1252", "cp1252")],
)
def test_charset_is_known_by_its_other_names(name: str, found: str) -> None:
    assert charset(name) == found


def test_charsets_of_one_byte_are_all_that_python_has() -> None:
    found = set()
    for module in (each for each in pkgutil.iter_modules(encodings.__path__) if each.name != "unicode_escape"):
        try:
            same = all(bytes([i]).decode(module.name) == chr(i) for i in range(128))
            if same and len(bytes(range(256)).decode(module.name, "replace")) == 256:
                found.add(codecs.lookup(module.name).name)
        except (LookupError, UnicodeError):
            continue

    assert found - {*NOT_CHARSETS, "mbcs", "oem", "utf-8", "utf-8-sig"} == set(_ONE_BYTE)
