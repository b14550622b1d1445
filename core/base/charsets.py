"""Encodings that a text file may be in: of Python's codecs those that are character sets and keep ASCII as it is."""

from __future__ import annotations

import codecs

_ONE_BYTE = (
    "ascii", "cp1006", "cp1125", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257",
    "cp1258", "cp437", "cp720", "cp737", "cp775", "cp850", "cp852", "cp855", "cp856", "cp857", "cp858", "cp860",
    "cp861", "cp862", "cp863", "cp865", "cp866", "cp869", "cp874", "hp-roman8", "iso8859-1", "iso8859-10",
    "iso8859-11", "iso8859-13", "iso8859-14", "iso8859-15", "iso8859-16", "iso8859-2", "iso8859-3", "iso8859-4",
    "iso8859-5", "iso8859-6", "iso8859-7", "iso8859-8", "iso8859-9", "koi8-r", "koi8-t", "koi8-u", "kz1048",
    "mac-arabic", "mac-croatian", "mac-cyrillic", "mac-farsi", "mac-greek", "mac-iceland", "mac-latin2", "mac-roman",
    "mac-romanian", "mac-turkish", "palmos", "ptcp154", "tis-620",
)  # fmt: skip
_UNICODE = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be")

USABLE = (
    "utf-8, utf-16, ascii, latin-1, iso8859-2 … iso8859-16, cp1250 … cp1258, cp437, cp720 … cp874, koi8-r, koi8-t, "
    "koi8-u, mac-roman, tis-620"
)
"""What can be used, in short."""


def charset(name: str) -> str | None:
    """Python's name of the encoding `name`; None where there is no such encoding, or none that a file may be in.

    Python calls codecs by the same names that are no character sets (``idna``, ``unicode_escape``, ``zip``), and some
    that mean something else on every computer (``mbcs``).
    """
    try:
        found = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    return found if found in _ONE_BYTE or found in _UNICODE else None
