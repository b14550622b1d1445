"""All classes of the Qt binding are made before another thread runs.

The binding makes a class when its name is first asked for, or when Qt first hands an object of it over; nothing keeps
two threads from making the same one, and the process then ends with a segmentation fault. The compute thread imports
pages and pyqtgraph, which asks for every name, while the event loop hands over events: so no name may be left by then.
"""

from __future__ import annotations

from types import ModuleType

from PySide6 import QtCore, QtGui, QtSvg, QtWidgets

_MODULES = QtCore, QtGui, QtWidgets, QtSvg
"""Those that both threads use; others are imported where they are used, in the GUI thread."""


def unmade(module: ModuleType) -> list[str]:
    """Names of the classes that a module of the binding has not made yet."""
    return [name for name in dir(module) if name not in vars(module)]


def make_all() -> None:
    """Make them; in the GUI thread, 40 ms once."""
    for module in _MODULES:
        for name in unmade(module):
            getattr(module, name)
