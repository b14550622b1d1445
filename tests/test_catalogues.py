"""Catalogues: nothing wrong in any, nothing missing where a language is complete, and out to translators and back."""

from __future__ import annotations

import gettext
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from docs.catalogue.checks import faults
from docs.catalogue.chunks import identity, merge, untranslated, write_chunks
from docs.catalogue.extraction import extracted
from docs.catalogue.files import as_mo, as_po, read, updated
from docs.catalogue.languages import COMPLETE, DOMAINS, LANGUAGES, catalogue_file, forms, is_translated
from docs.catalogue.menus import clashes, translated_by


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_wrong_and_what_is_compiled_is_what_is_written(language: str, domain: str) -> None:
    catalogue = read(language, domain)
    wrong = [(forms(each.id)[-1], found) for each in catalogue if each.id and (found := faults(each, language, domain))]
    assert wrong == []
    compiled = catalogue_file(language, domain).with_suffix(".mo")
    assert compiled.is_file() == is_translated(catalogue)
    assert not compiled.is_file() or compiled.read_bytes() == as_mo(catalogue), "python -m docs.catalogue update"


@pytest.mark.parametrize("domain", DOMAINS)
def test_every_text_is_extracted_and_complete_languages_have_it(domain: str) -> None:
    template = extracted(domain)
    assert len(template) > 800
    for language in COMPLETE[domain]:
        missing = [each["text"] for each in untranslated(updated(language, domain, template))]
        assert missing == [], f"{language}: python -m docs.catalogue update, then split and translate"


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_letters_of_a_menu_differ(language: str) -> None:
    translated = str if language == "en" else translated_by(read(language, "pavo"))
    assert list(clashes(translated)) == []


def test_letters_that_are_the_same_are_told() -> None:
    told = list(clashes(lambda text: text.replace("&Undo", "&Rückgängig")))
    assert told == ["Edit: '&Rückgängig', '&Redo' have the same letter R"]


@pytest.mark.parametrize(
    ("domain", "text", "translation", "wrong"),
    [
        ("pavo", "{n} of {all}", "{n} von {all}", ""),
        ("pavo", "{n} of {all}", "{n} von {alle}", "it lacks {all}"),
        ("pavo", ("1 record", "{n} records"), ("ein Datensatz", "{n} Datensätze"), ""),
        ("pavo", ("1 record", "{n} records"), ("ein Datensatz", "Datensätze"), "it lacks {n}"),
        ("pavo", ("1 record", "{n} records"), ("ein Datensatz",), "forms"),
        ("pavo", "&Open…", "Ö&ffnen…", ""),
        ("pavo", "&Open…", "Öffnen…", "letters after &"),
        ("pavo", "&Open…", "Ö&ffnen", "ellipsis"),
        ("pavo", " and ", " und", "spaces"),
        ("pavo", "<b>Risk</b>", "<b>Risiko<b>", "tags"),
        ("guide", "See [it](a.md) in `key`.", "Siehe [das](a.md) in `key`.", ""),
        ("guide", "See [it](a.md) in `key`.", "Siehe [das](b.md) in `key`.", "lead elsewhere"),
        ("guide", "See [it](a.md) in `key`.", "Siehe [das](a.md) in `Schlüssel`.", "code"),
    ],
)
def test_what_is_wrong_with_a_translation_is_said(
    domain: str, text: str | tuple[str, str], translation: str | tuple[str, ...], wrong: str
) -> None:
    found = "; ".join(faults(Message(text, translation), "de", domain))
    assert wrong in found
    assert bool(wrong) == bool(found)


def test_where_the_first_form_is_of_none_too_it_has_the_number() -> None:
    message = Message(("1 record", "{n} records"), ("un enregistrement", "{n} enregistrements"))
    assert faults(message, "de", "pavo") == []
    assert faults(message, "fr", "pavo") == ["it lacks {n}"]


def _small() -> Catalog:
    made = Catalog(locale="nl")
    made.add("Risk", locations=[("gui/a.py", 3)])
    made.add(("{n} record", "{n} records"), locations=[("gui/b.py", 7)], auto_comments=["in a column"])
    made.add("Save")
    return made


def test_chunks_go_out_and_come_back(tmp_path: Path) -> None:
    made = _small()
    files = list(write_chunks(untranslated(made), "nl", tmp_path, 2))
    assert [path.name for path in files] == ["nl-001.json", "nl-002.json"]
    risk, records, save = untranslated(made)
    assert records["plural"] == "{n} records"
    assert records["comment"] == "in a column; gui/b.py"
    risk["translation"], records["translation"] = "Risico", ["{n} record", "{n} records"]
    save["translation"] = " Bewaren"
    strange = {"id": "nothing", "translation": "Niets"}
    merged, refused = merge(made, [risk, records, save, strange], "pavo")
    assert (merged, len(refused)) == (2, 2)
    assert [each["id"] for each in untranslated(made)] == [identity(Message("Save"))]
    found = gettext.GNUTranslations(BytesIO(as_mo(made)))
    assert found.gettext("Risk") == "Risico"
    assert found.ngettext("{n} record", "{n} records", 1) == "{n} record"
    assert b"Date:" not in as_po(made)
