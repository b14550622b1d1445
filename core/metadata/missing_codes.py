"""Codes that look like missing, and codes that could serve as one."""

from __future__ import annotations

import re

from .profile import Profile

_SIGNS = frozenset({".", "?", "-", "NA", "N/A", "N.A.", "NAN", "NULL", "NONE", "#N/A", "K.A.", "K.A", "N.V.T."})
"""In capitals, without blanks."""
_NEGATIVE = frozenset({"-1", "-2", "-8", "-9", "-88", "-98", "-99", "-998", "-999", "-9999"})
_UNKNOWN = re.compile(
    r"unknown|missing|not known|not stated|not available|no answer|no response|refus|don.?t know"
    r"|onbekend|geen antwoord|ontbreekt|weigert|unbekannt|keine angabe|verweigert|inconnu|non renseign|refus"
    r"|sconosciut|desconocid|weiss nicht|weiß nicht|ne sait pas|sans r.ponse|non risponde|non indicat|rifiut|no sabe"
    r"|no contesta|no consta|sin respuesta|weet niet|niet bekend",
    re.IGNORECASE,
)


def looks_missing(profile: Profile, labels: dict[str, str]) -> list[str]:
    """Valid codes of a variable that look like missing: nines at the end of a gap, −1, signs, words, by their label."""
    valid = profile.codes[: profile.n_valid]
    known = set(valid)
    negatives = sum(profile.count_of(code) for code in _NEGATIVE & known) == profile.numbers.negatives
    found = []
    for code in valid:
        label = labels.get(code, "") if labels else ""
        if label:
            if _UNKNOWN.search(label):
                found.append(code)
        elif code.isdecimal():
            if code[0] == "9" and _stands_apart(code, known, profile):
                found.append(code)
        elif code.upper().replace(" ", "") in _SIGNS or _UNKNOWN.match(code) or (negatives and code in _NEGATIVE):
            found.append(code)
    return found


def _stands_apart(code: str, known: set[str], profile: Profile) -> bool:
    """Whether the code is nines, the largest number, and the one before it does not occur."""
    if set(code) != {"9"}:
        return False
    before = str(int(code) - 1)
    numbers = profile.numbers
    return (
        numbers.only
        and numbers.whole
        and numbers.maximum == float(code)
        and profile.distinct > 1
        and not {before, before.zfill(len(code))} & known
    )


def unused_missing_code(profile: Profile | None, length: int, taken: tuple[str, ...] = ()) -> str:
    """A code of nines of `length` characters that the file does not use, else one counted down from it; "" for none.

    Parameters
    ----------
    profile : Profile or None, what the variable holds
    length : int, 1 or more
    taken : codes that are spoken for otherwise
    """
    used = set(profile.codes) if profile else set()
    if profile is not None and not profile.complete:
        return ""
    for number in range(10 ** min(length, 6) - 1, max(10 ** min(length, 6) - 101, -1), -1):
        code = str(number).rjust(min(length, 6), "0").rjust(length, "9")
        plain = code.lstrip("0") or "0"
        if not {code, plain} & (used | set(taken)):
            return code
    return ""
