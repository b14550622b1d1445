"""Software bill of materials of an installable folder, as CycloneDX 1.5 in JSON: ``sbom.py CONTENTS FOLDER OUT``.

Run by installer/build.py with the Python that the folder was made with. CONTENTS lists its files and where they come
from. Listed are Python, the libraries whose metadata are in FOLDER, and the Debian packages of system libraries in it.
"""

from __future__ import annotations

import json
import re
import sys
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import build

sys.path[:0] = [str(build.REPO)]

from core.base.libraries import Library, libraries, python  # noqa: E402

_SPDX = {
    "BSD": "BSD-2-Clause", "BSD License": "BSD-3-Clause", "MIT License": "MIT", "MIT": "MIT",
    "Apache-2.0": "Apache-2.0", "PSF-2.0": "PSF-2.0",
}  # fmt: skip
"""SPDX identifiers of what libraries call their licences: numba has two clauses, colorama, Jinja2 and SciPy three."""

BOOTLOADER = "GPL-2.0-or-later WITH Bootloader-exception"


def licence_of(said: str) -> list[dict[str, Any]]:
    """CycloneDX's ``licenses``: an SPDX identifier or expression where `said` is one, else a name."""
    if said in _SPDX:
        return [{"license": {"id": _SPDX[said]}}]
    if re.fullmatch(r"[A-Za-z0-9.+()-]+( (AND|OR|WITH) [A-Za-z0-9.+()-]+)+|[A-Za-z0-9.]+-[0-9A-Za-z.-]+|0BSD", said):
        return [{"expression": said}]
    return [{"license": {"name": said}}]


def component(name: str, number: str, said: str, purl: str) -> dict[str, Any]:
    found = {"type": "library", "name": name, "version": number, "licenses": licence_of(said)}
    return {**found, "purl": purl, "bom-ref": purl}


def components(found: Sequence[Library], packages: dict[str, str]) -> list[dict[str, Any]]:
    """Python, libraries and Debian packages, in the order of their names."""
    listed = [component("Python", python().version, python().licence, f"pkg:generic/python@{python().version}")]
    for one in found:
        name = re.sub(r"[-_.]+", "-", one.name).lower()
        listed.append(component(one.name, one.version, one.licence, f"pkg:pypi/{name}@{one.version}"))
    for name, number in packages.items():
        text = f"see licences/system/{build.text_name(name, number)}"
        listed.append(component(name, number, text, f"pkg:deb/debian/{name}@{number}"))
    return sorted(listed, key=lambda one: str(one["name"]).lower())


def bill(listed: list[dict[str, Any]]) -> dict[str, Any]:
    """The whole document; its serial number follows from what is listed."""
    number = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([build.version(), listed]))
    pavo = {"type": "application", "name": "Pavo", "version": build.version(), "licenses": licence_of("MIT")}
    made = datetime.fromtimestamp(build.epoch(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{number}",
        "version": 1,
        "metadata": {"timestamp": made, "component": {**pavo, "bom-ref": "pavo"}},
        "components": listed,
        "dependencies": [{"ref": "pavo", "dependsOn": [one["bom-ref"] for one in listed]}],
    }


def main(argv: Sequence[str]) -> int:
    contents, folder, out = map(Path, argv)
    inside = {path.name.partition("-")[0] for path in (folder / "_internal").glob("*.dist-info")}
    found = [one for one in libraries() if re.sub(r"[-.]+", "_", one.name).lower() in {name.lower() for name in inside}]
    number = metadata.version("pyinstaller")
    made_by = component("PyInstaller bootloader", number, BOOTLOADER, f"pkg:pypi/pyinstaller@{number}")
    packages = build.system_packages(contents) if sys.platform == "linux" else {}
    listed = [*components(found, packages), made_by]
    out.write_text(json.dumps(bill(listed), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    build.say(f"{out.name}: {len(listed)} components")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
