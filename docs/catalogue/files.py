"""Catalogues read from their files and written to them, always in the same order and without dates."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from io import BytesIO

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from docs.catalogue.extraction import extracted
from docs.catalogue.languages import DOMAINS, LANGUAGES, catalogue_file, forms, is_translated

_HEADER = """\
# The texts of Pavo in another language; docs/development.md says how they are translated.
# Not reviewed by a native speaker."""
_LEFT_OUT = tuple(
    f'"{name}:'.encode()
    for name in (
        "POT-Creation-Date", "PO-Revision-Date", "Generated-By", "Report-Msgid-Bugs-To", "Last-Translator",
        "Language-Team",
    )
)  # fmt: skip
_BEFORE_PER_CENT = re.compile(r"(?<=[\d}]) (?=%(?!\w))")
_NO_DATE = datetime(2020, 1, 1, tzinfo=UTC)


def read(language: str, domain: str) -> Catalog:
    """The catalogue as its file has it; an empty one where there is no file."""
    path = catalogue_file(language, domain)
    if not path.is_file():
        return Catalog(locale=language, domain=domain)
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=domain, ignore_obsolete=False)


def updated(language: str, domain: str, template: Catalog | None = None) -> Catalog:
    """The catalogue with the texts that the sources have now; translations of others are kept at its end."""
    found = read(language, domain)
    found.update(template if template is not None else extracted(domain), no_fuzzy_matching=True)
    return found


def as_po(catalogue: Catalog) -> bytes:
    """The file of a catalogue: places without lines, so that it changes only where texts do."""
    catalogue.header_comment = _HEADER
    for key, gone in list(catalogue.obsolete.items()):
        if not any(forms(gone.string)):
            del catalogue.obsolete[key]
    catalogue.project, catalogue.version = "Pavo", "catalogue"
    catalogue.fuzzy = False
    file = BytesIO()
    write_po(file, catalogue, width=0, include_lineno=False)
    return b"".join(line for line in file.getvalue().splitlines(keepends=True) if not line.startswith(_LEFT_OUT))


def as_mo(catalogue: Catalog) -> bytes:
    """What the program reads."""
    catalogue.creation_date = catalogue.revision_date = _NO_DATE
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def write(language: str, domain: str, catalogue: Catalog) -> None:
    """Write both files; none for the program where nothing is translated, so that it does not offer the language."""
    for message in catalogue:
        message.string = _unbroken(message.string)
    path = catalogue_file(language, domain)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(as_po(catalogue))
    compiled = path.with_suffix(".mo")
    if is_translated(catalogue):
        compiled.write_bytes(as_mo(catalogue))
    else:
        compiled.unlink(missing_ok=True)


def _unbroken(text: object) -> object:
    """A number and its per cent sign stay on one line."""
    if isinstance(text, (tuple, list)):
        return tuple(_unbroken(form) for form in text)
    return _BEFORE_PER_CENT.sub("\N{NO-BREAK SPACE}", text) if isinstance(text, str) else text


def update_all() -> None:
    """Bring every catalogue of every language up to date."""
    for domain in DOMAINS:
        template = extracted(domain)
        for language in LANGUAGES:
            write(language, domain, updated(language, domain, template))
