"""Classes of the Qt binding, which two threads must not make at the same time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import sys
from PySide6 import QtCore, QtGui, QtSvg, QtWidgets
import main
application, window = main.build_application(["pavo"])
assert "pyqtgraph" not in sys.modules, "which asks for every class"
left = {module.__name__: len(set(dir(module)) - set(vars(module))) for module in (QtCore, QtGui, QtSvg, QtWidgets)}
print(sum(left.values()))
"""


def test_no_class_is_left_for_the_compute_thread_to_make(repo: Path, home: Path) -> None:
    """Imports there made classes while events brought the same ones here: a start in a hundred ended with SIGSEGV.

    In a process of its own, because whatever imported pyqtgraph here has asked for all of them.
    """
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "HOME": str(home)}
    command = [sys.executable, "-c", PROGRAM]
    found = subprocess.run(command, cwd=repo, env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert found.stdout.split() == ["0"]
