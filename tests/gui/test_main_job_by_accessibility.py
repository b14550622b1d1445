"""The main job by an assistive tool: another process finds controls by role and name, acts by them, and reads."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("jeepney", reason="jeepney, which speaks D-Bus, is not installed")

from tests.gui.at_spi import Reader, session_bus

pytestmark = pytest.mark.xvfb
_LAUNCHERS = ("/usr/libexec", "/usr/lib/at-spi2-core", "/usr/lib/at-spi2")
_WITHIN_S = 60.0


@pytest.fixture
def reader(repo: Path, demo: Path, tmp_path: Path) -> Iterator[Reader]:
    """Of the program, started as users do, with the demonstration survey beside it."""
    if not (shutil.which("dbus-daemon") and any(Path(f, "at-spi-bus-launcher").exists() for f in _LAUNCHERS)):
        pytest.skip("needs dbus-daemon and at-spi2-core")
    for source in demo.glob("survey.*"):
        shutil.copyfile(source, tmp_path / source.name)
    for codelist in demo.glob("*.cdl"):
        shutil.copyfile(codelist, tmp_path / codelist.name)
    own = {name: str(tmp_path / name) for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "PAVO_STATE")}
    with session_bus() as address:
        environment = {
            **os.environ, **own, "HOME": str(tmp_path), "LC_ALL": "C.UTF-8",
            "DBUS_SESSION_BUS_ADDRESS": address, "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        }  # fmt: skip
        program = subprocess.Popen([sys.executable, "main.py"], cwd=repo, env=environment, stderr=subprocess.DEVNULL)
        try:
            reader = Reader(address, _WITHIN_S)
            yield reader
            reader.close()
            assert program.poll() is None, "it still runs"
        finally:
            program.terminate()
            program.wait(30)


def test_from_the_file_to_the_verified_report(reader: Reader, tmp_path: Path) -> None:
    reader.find("push button", "Open Microdata").press()
    data = reader.find("text", "Microdata")
    data.write(str(tmp_path / "survey.asc"))
    assert data.text == str(tmp_path / "survey.asc")
    reader.find("push button", "Open").press()

    reader.find("table", "Variables")
    reader.find("push button", "OK").press()

    reader.find("push button", "Risk table of a scenario").press()
    reader.find("push button", "Calculate tables").press()

    threshold = reader.find("slider", "Threshold")
    threshold.set_value(7000)
    assert threshold.value == 7000
    assert (
        "unsafe: 793 households"
        in reader.wait(lambda: threshold if "0.108" in threshold.description else None, "the threshold").description
    )
    chart = reader.find("chart", "Histogram of household risks")
    assert chart.description.endswith("(1 in 9.2), unsafe: 793 households.")
    chart.press("Figures as a table")
    reader.find("column header", "households")
    reader.find("push button", "Close").press()

    reader.find("page tab", "6 Protect").press()
    reader.find("push button", "Make file").press()

    report = reader.find("label", "Release report")
    assert "Checked: by" in report.text
    assert reader.find("page tab", "7 Report").name != "7 Report: to do"
    assert "in the safe file none" in reader.find("push button", "unsafe").name
