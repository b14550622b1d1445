"""``python -m docs.catalogue``: catalogues brought up to date, checked, split for translators and joined."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from docs.catalogue.checks import faults
from docs.catalogue.chunks import merge, untranslated, write_chunks
from docs.catalogue.files import read, update_all, write
from docs.catalogue.languages import DOMAINS, LANGUAGES, forms
from docs.catalogue.menus import clashes, translated_by


def main() -> int:
    """Do what is asked for; 1 where something was wrong."""
    parser = argparse.ArgumentParser(prog="python -m docs.catalogue", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("update", help="take over the texts of the sources into every .po, and compile the .mo")
    commands.add_parser("check", help="say what is missing and what is wrong in every language")
    split = commands.add_parser("split", help="write the texts without translation into JSON files")
    split.add_argument("language", choices=LANGUAGES)
    split.add_argument("folder", type=Path)
    split.add_argument("--domain", choices=DOMAINS, default="pavo")
    split.add_argument("--size", type=int, default=150, help="texts a file")
    join = commands.add_parser("merge", help="take over the translations of such files, as far as nothing is wrong")
    join.add_argument("language", choices=LANGUAGES)
    join.add_argument("files", type=Path, nargs="+")
    join.add_argument("--domain", choices=DOMAINS, default="pavo")
    asked = parser.parse_args()
    if asked.command == "update":
        update_all()
        return 0
    if asked.command == "check":
        return _check()
    if asked.command == "split":
        entries = untranslated(read(asked.language, asked.domain))
        for path in write_chunks(entries, f"{asked.language}-{asked.domain}", asked.folder, asked.size):
            _say(str(path))
        return 0
    return _merge(asked.language, asked.domain, asked.files)


def _check() -> int:
    is_wrong = False
    for language in LANGUAGES:
        for domain in DOMAINS:
            catalogue = read(language, domain)
            messages = [message for message in catalogue if message.id]
            missing = sum(not all(forms(message.string)) for message in messages)
            _say(f"{language} {domain}: {missing} of {len(messages)} texts have no translation")
            for message in messages:
                for fault in faults(message, language, domain):
                    is_wrong = True
                    _say(f"  {forms(message.id)[-1]!r}: {fault}")
        for clash in clashes(translated_by(read(language, "pavo"))):
            is_wrong = True
            _say(f"  {clash}")
    return int(is_wrong)


def _merge(language: str, domain: str, files: list[Path]) -> int:
    catalogue, is_wrong = read(language, domain), False
    for path in files:
        merged, refused = merge(catalogue, json.loads(path.read_text("utf-8")), domain)
        _say(f"{path}: {merged} taken, {len(refused)} refused")
        for reason in refused:
            is_wrong = True
            _say(f"  {reason}")
    write(language, domain, catalogue)
    return int(is_wrong)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    sys.exit(main())
