"""What of the libraries goes into the one-folder program, by the names that PyInstaller lists."""

from __future__ import annotations

import posixpath
import re
import subprocess
from collections.abc import Callable, Iterable

UNUSED_MODULES = [
    # imported by nothing that the program calls
    "tkinter", "_tkinter", "sqlite3", "pdb", "doctest", "lib2to3", "ensurepip", "venv", "readline",
    "IPython", "matplotlib", "PIL", "setuptools", "pkg_resources", "pip", "pytest", "hypothesis", "Cython", "cffi",
    "numba.cuda", "numba.tests", "numba.testing.main", "numba.pycc", "numpy.tests", "pandas.tests", "pandas.conftest",
    "pyarrow.tests", "pyarrow.conftest", "pyarrow.flight", "pyarrow._flight", "pyarrow._s3fs", "pyarrow._gcsfs",
    "pyarrow._azurefs", "pyarrow._hdfs", "pyarrow.orc", "pyarrow._orc", "pyarrow.substrait", "pyarrow._substrait",
    "pyarrow.dataset", "pyarrow._dataset", "pyarrow._dataset_parquet", "pyarrow._dataset_orc",
    "pyarrow._dataset_parquet_encryption", "pyarrow._parquet_encryption", "pyarrow.parquet.encryption",
    "pyarrow.gandiva", "pyarrow.cuda", "pyarrow.jvm", "pyarrow.feather", "pyarrow._feather", "pyarrow.acero",
    "pyarrow._acero", "pyarrow.interchange", "pyarrow.cffi",
    "pyqtgraph.examples", "pyqtgraph.opengl", "pyqtgraph.jupyter", "pyqtgraph.console", "pyqtgraph.flowchart",
    "scipy.signal",  # asked for by flowcharts alone
    "PySide6.QtNetwork", "PySide6.QtQml", "PySide6.QtQuick", "PySide6.QtSql", "PySide6.QtDBus",
]  # fmt: skip

_QT_PLUGINS = (
    r"platforms/(lib)?q(xcb|wayland.*|offscreen|windows|cocoa|minimal)\.",
    r"iconengines/(lib)?qsvgicon",
    r"imageformats/(lib)?q(svg|jpeg|ico)\.",
    r"platforminputcontexts/lib(compose|ibus)platforminputcontextplugin",
    r"platformthemes/libqxdgdesktopportal",
    r"printsupport/",
    r"styles/",
    r"wayland-(decoration-client/libbradient|shell-integration/libxdg-shell)",
)
_QT_LIBRARIES = r"(lib)?Qt6?(Core|Gui|Widgets|Svg|PrintSupport|OpenGL|OpenGLWidgets|DBus|Test|XcbQpa|WaylandClient)\b"
_UNUSED_FILES = (
    r"(^|/)tests?/",
    r"(^|/)testing/data/",
    r"\.(pxd|pyx|pyi|h|hpp|c|cpp|cc|f|f90|inc|in|lib|a|cmake|pc|src|build|qml|jar)$",
    r"(^|/)__pycache__/",
    r"^pyarrow/(include|src|lib/cmake)/",
    r"^pyarrow/libarrow_(flight|s3|python_flight|python_parquet_encryption|gcs|cuda)",
    r"^pyarrow/libarrow_python\.so$|^pyarrow/.*\.so\.\d+\.\d+\.\d+$",  # the loader looks for the name with one number
    r"^PySide6/(Qt/)?(qml|metatypes|libexec|resources|modules)/",
    r"^pyqtgraph/(examples|icons/.*\.ico)",
    r"^share/(icons|themes|glib)",
    r"^numba/np/ufunc/(omppool|tbbpool)",  # no kernel is parallel
    r"^resources/locale/.*\.pot?$",  # the program reads what is compiled of them
    r"^resources/demo/.*\.py$",  # makes the demonstration's files
    r"\.dist-info/(RECORD|INSTALLER|REQUESTED|direct_url\.json|WHEEL|top_level\.txt|entry_points\.txt)$",
)
_SYSTEM = re.compile(
    # what must be of one piece with the system's drivers, fonts, printers and display
    r"lib(GL|EGL|GLX|GLdispatch|OpenGL|X11|X11-xcb|xcb|Xau|Xdmcp|fontconfig|freetype|glib-2\.0|gthread-2\.0|gio-2\.0"
    r"|gobject-2\.0|gmodule-2\.0|dbus-1|cups|gtk-3|gdk-3|wayland-.*|drm|stdc\+\+|gcc_s|atomic)\.so"
)
_SYSTEM_FOLDERS = ("/lib/", "/usr/lib/", "/lib64/")


def is_wanted(name: str, source: str = "") -> bool:
    """Whether a file belongs into the folder.

    Parameters
    ----------
    name : its place in the folder, with slashes
    source : where it comes from; a system library is only left to the system where that is the system's own
    """
    name = name.replace("\\", "/")
    if any(re.search(pattern, name) for pattern in _UNUSED_FILES):
        return False
    if "/" not in name and source.startswith(_SYSTEM_FOLDERS) and _SYSTEM.match(name):
        return False
    if not name.startswith("PySide6/"):
        return True
    if "/plugins/" in name:
        return any(re.search(pattern, name.partition("/plugins/")[2]) for pattern in _QT_PLUGINS)
    if "/translations/" in name:
        return "/qtbase_" in name
    base = name.rpartition("/")[2]
    if re.match(r"(lib)?Qt6?[A-Z]", base) and ("/lib/" in name or base.startswith("Qt6")):
        return re.match(_QT_LIBRARIES, base) is not None
    return True


Entry = tuple[str, str, str]
"""Place in the folder, source, kind, as PyInstaller lists files."""


def needed_libraries(file: str) -> list[str]:
    """Names of the libraries that a library or module of Linux itself asks for, without those that these ask for."""
    told = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.+)\]", told)


def wanted(listed: Iterable[Entry], needs: Callable[[str], Iterable[str]] = needed_libraries) -> list[Entry]:
    """What of a list goes into the folder: no link to what does not, and no system library that nothing there needs.

    Parameters
    ----------
    needs : names of the libraries that a library or module needs, by its source; asked where any is the system's
    """
    kept = [one for one in listed if is_wanted(one[0], one[1] or "")]
    names = {one[0] for one in kept if one[2] != "SYMLINK"}
    kept = [one for one in kept if one[2] != "SYMLINK" or _led_to(one[0], one[1]) in names]
    of_system = {one[0]: one for one in kept if _is_of_system(one)}
    needed: set[str] = set()
    waiting = [one for one in kept if one[2] in CODE and one[0] not in of_system and "/printsupport/" not in one[0]]
    while waiting and of_system:
        for name in needs(waiting.pop()[1]):
            if name not in needed:
                needed.add(name)
                waiting += [of_system[name]] if name in of_system else []
    return [one for one in kept if one[0] not in of_system or one[0] in needed]


CODE = ("BINARY", "EXTENSION")


def _is_of_system(one: Entry) -> bool:
    return one[2] in CODE and "/" not in one[0] and one[1].startswith(_SYSTEM_FOLDERS)


def _led_to(link: str, target: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(link), target))
