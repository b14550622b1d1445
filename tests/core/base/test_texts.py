"""Texts in a language with three plural forms, and that all texts can be extracted for one."""

from __future__ import annotations

import ast
import copy
import pickle
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from core.base.errors import DataError, Notice
from core.base.texts import mark_plural, plural, translate, use_language
from core.report.words import records

RULE = "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"
"""Polish."""


def catalogue(texts: Mapping[str, str]) -> bytes:
    """A compiled catalogue (.mo): magic number, version, how many, where the tables of originals and texts are."""
    header = f"Content-Type: text/plain; charset=UTF-8\nPlural-Forms: {RULE}\n"
    pairs = sorted((original.encode(), text.encode()) for original, text in {"": header, **texts}.items())
    at, tables, content = 28 + 16 * len(pairs), b"", b""
    for column in zip(*pairs, strict=True):
        for text in column:
            tables += struct.pack("<2I", len(text), at + len(content))
            content += text + b"\0"
    return struct.pack("<7I", 0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, at) + tables + content


@pytest.fixture
def polish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "pl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    texts = {
        "{n} record\0{n} records": "{n} rekord\0{n} rekordy\0{n} rekordów",
        "One code is lost.\0{count} codes are lost.": "Ginie {count} kod.\0Giną {count} kody.\0Ginie {count} kodów.",
    }
    (folder / "pavo.mo").write_bytes(catalogue(texts))
    monkeypatch.setattr("core.base.texts._LOCALES", tmp_path)
    use_language("pl")
    yield
    use_language(None)


@pytest.mark.usefixtures("polish")
@pytest.mark.parametrize(
    ("number", "told"),
    [(0, "0 rekordów"), (1, "1 rekord"), (2, "2 rekordy"), (5, "5 rekordów"), (12, "12 rekordów"), (22, "22 rekordy")],
)
def test_a_language_has_as_many_forms_as_it_needs(number: int, told: str) -> None:
    assert records(number) == told


CODES = mark_plural("One code is lost.", "{count} codes are lost.")


@pytest.mark.usefixtures("polish")
@pytest.mark.parametrize(("number", "told"), [(1, "Ginie 1 kod."), (3, "Giną 3 kody."), (11, "Ginie 11 kodów.")])
def test_errors_and_notices_keep_their_number_on_the_way_from_another_process(number: int, told: str) -> None:
    error = DataError("lost", plural(number, *CODES), count=number)
    assert error.sentence == told
    assert pickle.loads(pickle.dumps(error)).sentence == told
    notice = Notice.of("lost", plural(number, *CODES), count=number)
    assert notice.text == pickle.loads(pickle.dumps(notice)).text == copy.deepcopy(notice).text == told


@pytest.mark.parametrize(("number", "told"), [(0, "none"), (1, "one"), (2, "none")])
def test_english_is_the_text_itself(number: int, told: str) -> None:
    text = plural(number, "one", "none")
    assert text == told == translate(text)
    assert isinstance(text.count("n"), int)  # a text like any other


@pytest.mark.usefixtures("polish")
def test_what_is_not_translated_stays_english() -> None:
    assert [translate(plural(n, "a thing", "things")) for n in (1, 5)] == ["a thing", "things"]


PLACES = {"plural": (1, 2), "counted": (1, 2), "mark_plural": (0, 1)}


def calls(repo: Path) -> Iterator[tuple[str, ast.Call]]:
    """Calls in the program that mark a text, by where they stand."""
    for file in [path for part in ("core", "gui") for path in (repo / part).rglob("*.py")]:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield f"{file.relative_to(repo)}:{node.lineno}", node


def test_texts_can_be_extracted_with_both_forms(repo: Path) -> None:
    """Extraction sees literals only; a catalogue holds an English text once, with one plural or with none."""
    found: dict[str, str] = {}
    alone: dict[str, str] = {}
    for where, call in calls(repo):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name in ("mark", "translate", "_") and call.args and isinstance(call.args[0], ast.Constant):
            alone[str(call.args[0].value)] = where
        forms = [call.args[place] for place in PLACES.get(name, ()) if place < len(call.args)]
        assert not any(isinstance(form, ast.Call) for form in forms), f"{where}: a literal, without mark()"
        literals = [str(form.value) for form in forms if isinstance(form, ast.Constant)]
        if len(literals) == 2:
            one, many = literals
            assert found.setdefault(one, many) == many, f"{where}: “{one}” has another plural elsewhere"
    assert len(found) > 60
    both = {one: alone[one] for one in found if one in alone}
    assert not both
