"""What is made of the sources: what goes into it, what it says of itself, what systems are told of it."""

from __future__ import annotations

import configparser
import importlib
import json
import plistlib
import re
import struct
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from core import __version__
from core.base.libraries import Library


@pytest.fixture(scope="module")
def installer(repo: Path) -> Any:
    """Modules of the installer by their names, which are found beside each other there."""
    folders = [str(repo / "installer"), str(repo / "installer" / "pyinstaller")]
    with pytest.MonkeyPatch.context() as changed:
        for folder in folders:
            changed.syspath_prepend(folder)

        def load(name: str) -> ModuleType:
            return importlib.import_module(name)

        yield load
    for name in ("build", "bootstrap", "sbom", "contents", "icons"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("name", "is_wanted"),
    [
        ("PySide6/Qt/lib/libQt6Widgets.so.6", True),
        ("PySide6/Qt/lib/libQt6Quick.so.6", False),
        ("PySide6/Qt6Qml.dll", False),
        ("PySide6/Qt6Gui.dll", True),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/plugins/platforms/qwindows.dll", True),
        ("PySide6/Qt/plugins/platforms/libqvnc.so", False),
        ("PySide6/Qt/plugins/sqldrivers/libqsqlite.so", False),
        ("PySide6/Qt/translations/qtbase_de.qm", True),
        ("PySide6/Qt/translations/designer_de.qm", False),
        ("PySide6/QtCore.abi3.so", True),
        ("pyarrow/libarrow.so.2600", True),
        ("pyarrow/libarrow_flight.so.2600", False),
        ("pyarrow\\include\\arrow\\api.h", False),
        ("pandas/tests/test_x.py", False),
        ("resources/help/index.md", True),
        ("CHANGELOG.md", True),
        ("resources/locale/de/LC_MESSAGES/pavo.mo", True),
        ("resources/locale/de/LC_MESSAGES/pavo.po", False),
        ("resources/demo/survey.pavo", True),
        ("resources/demo/make_demo.py", False),
        ("numpy-2.4.6.dist-info/licenses/LICENSE.txt", True),
        ("numpy-2.4.6.dist-info/METADATA", True),
        ("numpy-2.4.6.dist-info/RECORD", False),
    ],
)
def test_what_the_program_does_not_call_is_left_out(installer: Any, name: str, is_wanted: bool) -> None:
    assert installer("contents").is_wanted(name) is is_wanted


def test_a_system_library_comes_along_only_where_something_needs_it_and_is_no_part_of_the_desktop(
    installer: Any,
) -> None:
    system = "/lib/x86_64-linux-gnu/"
    listed = [
        ("PySide6/Qt/plugins/platforms/libqxcb.so", "/venv/libqxcb.so", "BINARY"),
        ("libxcb-cursor.so.0", f"{system}libxcb-cursor.so.0", "BINARY"),
        ("libxcb-image.so.0", f"{system}libxcb-image.so.0", "BINARY"),
        ("libxcb.so.1", f"{system}libxcb.so.1", "BINARY"),
        ("libgmp.so.10", f"{system}libgmp.so.10", "BINARY"),
        ("libQt6Core.so.6", "PySide6/Qt/lib/libQt6Core.so.6", "SYMLINK"),
        ("PySide6/Qt/lib/libQt6Core.so.6", "/venv/libQt6Core.so.6", "BINARY"),
        ("libQt6Qml.so.6", "PySide6/Qt/lib/libQt6Qml.so.6", "SYMLINK"),
        ("PySide6/Qt/lib/libQt6Qml.so.6", "/venv/libQt6Qml.so.6", "BINARY"),
    ]
    needs = {
        "/venv/libqxcb.so": ["libxcb-cursor.so.0", "libxcb.so.1"],
        f"{system}libxcb-cursor.so.0": ["libxcb-image.so.0"],
    }
    kept = installer("contents").wanted(listed, lambda source: needs.get(source, []))
    assert {one[0] for one in kept} == {
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "libxcb-cursor.so.0",
        "libxcb-image.so.0",
        "libQt6Core.so.6",
        "PySide6/Qt/lib/libQt6Core.so.6",
    }


def test_nothing_that_is_left_out_is_imported(installer: Any, repo: Path) -> None:
    unused = set(installer("contents").UNUSED_MODULES)
    found = set()
    for folder in ("core", "gui"):
        for file in (repo / folder).rglob("*.py"):
            found |= set(re.findall(r"^\s*(?:from|import) ([\w.]+)", file.read_text("utf-8"), re.MULTILINE))
    assert "pyarrow.compute" in found
    assert found & unused == set()


@pytest.mark.parametrize(("address", "is_loadable"), [(0x1000, True), (0x1040, False)])
def test_a_library_is_loadable_where_its_parts_lie_as_in_memory(
    installer: Any, tmp_path: Path, address: int, is_loadable: bool
) -> None:
    head = b"\x7fELF" + bytes(28) + struct.pack("<QQIHHHHHH", 64, 0, 0, 64, 56, 1, 0, 0, 0)
    part = struct.pack("<IIQQQQQQ", 1, 5, 0x2000, address, address, 16, 16, 0x1000)
    (tmp_path / "lib.so").write_bytes(head + part)
    assert installer("build").is_loadable(tmp_path / "lib.so") is is_loadable


def test_the_bill_of_materials_names_versions_and_licences(installer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    sbom = installer("sbom")
    found = [
        Library("MarkupSafe", "3.0.4", "BSD-3-Clause"),
        Library("llvmlite", "0.50.0", "BSD-2-Clause AND Apache-2.0 WITH LLVM-exception"),
        Library("tomli_w", "1.2.0", "MIT License"),
    ]
    bill = sbom.bill(sbom.components(found, {"libffi8": "3.4.4-1"}))
    assert bill["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"
    assert bill["metadata"]["component"]["version"] == __version__
    named = {one["name"]: (one["version"], one["licenses"][0], one["purl"]) for one in bill["components"]}
    assert list(named) == ["libffi8", "llvmlite", "MarkupSafe", "Python", "tomli_w"]
    assert named["MarkupSafe"] == ("3.0.4", {"expression": "BSD-3-Clause"}, "pkg:pypi/markupsafe@3.0.4")
    assert named["tomli_w"][1:] == ({"license": {"id": "MIT"}}, "pkg:pypi/tomli-w@1.2.0")
    assert "AND" in named["llvmlite"][1]["expression"]
    assert named["libffi8"][2] == "pkg:deb/debian/libffi8@3.4.4-1"
    assert bill == json.loads(json.dumps(sbom.bill(sbom.components(found, {"libffi8": "3.4.4-1"}))))


def test_an_icon_for_windows_says_where_its_pictures_are(installer: Any) -> None:
    icon = installer("icons").windows_icon({256: b"large", 16: b"small"})
    assert struct.unpack_from("<HHH", icon) == (0, 1, 2)
    for i, (size, content) in enumerate([(16, b"small"), (0, b"large")]):
        width, height, *_, length, offset = struct.unpack_from("<BBBBHHII", icon, 6 + 16 * i)
        assert (width, height, icon[offset : offset + length]) == (size, size, content)


def test_the_desktop_is_told_the_same_names_everywhere(repo: Path) -> None:
    linux = repo / "installer" / "linux"
    entry = configparser.ConfigParser(interpolation=None, delimiters="=")
    entry.optionxform = str  # type: ignore[assignment,method-assign]
    entry.read(linux / "org.pavo.Pavo.desktop", "utf-8")
    told = entry["Desktop Entry"]
    assert (told["Type"], told["Exec"], told["Icon"]) == ("Application", "pavo %f", "org.pavo.Pavo")
    kinds = ET.parse(linux / "org.pavo.Pavo.xml").getroot()
    space = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
    kind = kinds.find("m:mime-type", space)
    assert kind is not None
    assert told["MimeType"] == f"{kind.get('type')};"
    glob = kind.find("m:glob", space)
    assert glob is not None
    assert glob.get("pattern") == "*.pavo"
    about = ET.parse(linux / "org.pavo.Pavo.metainfo.xml").getroot()
    assert about.findtext("id") == "org.pavo.Pavo"
    assert about.findtext("launchable") == "org.pavo.Pavo.desktop"
    assert about.findtext("provides/mediatype") == kind.get("type")
    release = about.find("releases/release")
    assert release is not None
    assert release.get("version") == __version__
    plistlib.loads((repo / "installer" / "macos" / "entitlements.plist").read_bytes())


def test_the_package_has_every_field_of_a_package(repo: Path) -> None:
    text = (repo / "installer" / "linux" / "control").read_text("utf-8")
    control = text.format(version=__version__, size=1, depends="libc6")
    fields = dict(re.findall(r"^([\w-]+): (.*)$", control, re.MULTILINE))
    assert {"Package", "Version", "Architecture", "Maintainer", "Depends", "Description"} <= set(fields)
    assert control.endswith("\n")


def test_the_lock_for_building_holds_what_runs(repo: Path) -> None:
    run, build = (
        set(re.findall(r"^([\w.-]+==[^ ]+)", (repo / "installer" / name).read_text("utf-8"), re.MULTILINE))
        for name in ("requirements.lock", "requirements-build.lock")
    )
    assert run < build
    assert any(name.startswith("pyinstaller==") for name in build)


def test_the_manual_names_every_option(repo: Path) -> None:
    import main

    manual = (repo / "installer" / "linux" / "pavo.1").read_text("utf-8").replace("\\-", "-")
    options = set(re.findall(r"--[a-z-]+", main.USAGE))
    own = {"--out", "--quiet", "--overwrite", "--accept-changed", "--require-ready", "--workers", "--scheduler"}
    own |= {"--self-check", "--version", "--help"}
    assert options == own
    assert all(option in manual for option in options)
    commands = set(re.findall(r"^ {7}\S+ ([a-z]+) ", main.USAGE, re.MULTILINE))
    assert commands == {"run", "memo", "check"}
    assert all(f"pavo {command}" in manual for command in commands)
