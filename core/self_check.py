"""Whether an installed program works: what it is made of, and its demonstration against figures that are known."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from . import __version__
from .base.errors import PavoError
from .base.libraries import libraries, python
from .base.program import is_installed
from .base.progress import SILENT
from .base.state_folder import state_folder
from .base.streams import write_error, write_out
from .base.texts import mark, translate
from .batch import carry_out_file, into_folder
from .recipe.toml import load

RESOURCES = Path(__file__).resolve().parents[1] / "resources"

KNOWN: dict[str, object] = {
    "records": 5002,
    "unsafe records": 329,
    "expected re-identifications": 48.67918375149602,
    "suppressed values": 332,
    "expected re-identifications in the safe file": 18.112846686121543,
    "verified": True,
    "safe file": "c8352aec315ec95cd9f48f5cde0d372c7d2e54e69c638de265845a5d749172ed",
}
"""Of the demonstration ``survey.pavo``, the last one the SHA-256 of its safe file."""

FORMATS = ("delimited .csv", "SPSS .sav", "Stata .dta", "SAS .xpt", "Parquet .parquet", "Excel .xlsx")


@dataclass(frozen=True)
class Tried:
    """One thing that was looked at: what it is, whether it is as it should be, and what was found."""

    title: str
    passed: bool
    found: str


Check = Callable[[], str]
"""Looks at one thing and says what it found; raises where it is not as it should be."""


class UnexpectedFigure(Exception):
    """A figure is not the known one; the message says which."""


def main(*more: tuple[str, Check]) -> int:
    """The command ``--self-check``: say what this program is made of and check it; 0 where all is well, else 1.

    `more` : further checks, with their titles, carried out last; those of the windows, of which core knows nothing
    """
    passed = True
    try:
        for title, found in places():
            _say(f"{title + ':':14}{found}\n")
    except Exception as error:  # where a library is lacking: what comes behind says which
        passed = False
        _say(f"{type(error).__name__}: {error}\n")
    for one in findings(more):
        passed &= one.passed
        _say(f"{translate(mark('ok')) if one.passed else translate(mark('FAILED')):8}{one.title}: {one.found}\n")
    _say(translate(mark("All is well.") if passed else mark("This installation does not work.")) + "\n")
    return 0 if passed else 1


def places() -> Iterator[tuple[str, str]]:
    """Title and text of what the program is, what it is made of, and where it keeps things."""
    from .kernels import cache

    how = translate(mark("installed") if is_installed() else mark("from its sources"))
    yield "Pavo", f"{__version__}, {how}, {sys.executable}"
    yield "Python", f"{python().version}, {platform.platform()}, {platform.machine()}"
    yield translate(mark("Libraries")), ", ".join(f"{one.name} {one.version}" for one in libraries())
    yield translate(mark("Resources")), str(RESOURCES)
    yield translate(mark("State")), str(state_folder())
    yield translate(mark("Kernels")), translate(mark("for the processor {name}")).format(name=cache.processor())
    complete = translate(mark("{folder}, complete"))
    shipped, own = os.environ.get("PAVO_COMPILED"), os.environ.get("NUMBA_CACHE_DIR", "")
    if shipped:
        of_use = complete if cache.is_shipped_complete() else translate(mark("{folder}, of no use here"))
        yield translate(mark("Shipped")), of_use.format(folder=shipped)
    is_own = cache.is_complete() and not cache.is_shipped_complete()
    yield translate(mark("Cache")), complete.format(folder=own) if is_own else own


def findings(more: tuple[tuple[str, Check], ...] = ()) -> Iterator[Tried]:
    """What each check found, as it comes."""
    with tempfile.TemporaryDirectory(prefix="pavo-self-check-") as folder:
        yield _find(translate(mark("demonstration")), lambda: check_demonstration(Path(folder) / "demonstration"))
        for name in FORMATS:
            yield _find(name, lambda name=name: check_format(Path(folder), name.split()[-1]))  # type: ignore[misc]
    yield _find("PDF", check_pdf)
    yield _find(translate(mark("numerical libraries")), check_numerical_libraries)
    for title, check in more:
        yield _find(title, check)


def check_demonstration(folder: Path) -> str:
    """Carry out the demonstration in `folder` and compare it with `KNOWN`.

    Raises
    ------
    UnexpectedFigure
    PavoError
        It cannot be carried out at all.
    """
    from .kernels import cache

    compiled: list[str] = []
    if cache.is_complete():
        cache.tell_when_compiling(lambda: compiled.append("once more"))
    begun = time.perf_counter()
    result, _ = carry_out_file(RESOURCES / "demo" / "survey.pavo", folder)
    seconds = time.perf_counter() - begun
    if compiled:
        raise UnexpectedFigure(translate(mark("kernels that are there were not found, and compiled once more")))
    found = figures(result.summary, folder / "survey.saf")
    for name, known in KNOWN.items():
        if found[name] != known:
            said = translate(mark("{name}: {found}, but {known} is known"))
            raise UnexpectedFigure(said.format(name=name, found=found[name], known=known))
    said = translate(mark("{n} figures and the safe file as known, {seconds:.1f} s"))
    return said.format(n=len(KNOWN) - 1, seconds=seconds)


def figures(summary: dict[str, Any], safe_file: Path) -> dict[str, object]:
    """Those of `KNOWN`, from the summary of a run and its safe file."""
    table = summary["combinations"][0]
    return {
        "records": summary["records"],
        "unsafe records": table["threshold"]["unsafe_records"],
        "expected re-identifications": table["individual_risk"]["expected_reidentifications"],
        "suppressed values": summary["suppression"]["total"],
        "expected re-identifications in the safe file": table["after"]["released"]["individual_risk"][
            "expected_reidentifications"
        ],
        "verified": summary["verified"],
        "safe file": hashlib.sha256(safe_file.read_bytes()).hexdigest(),
    }


def check_format(folder: Path, suffix: str) -> str:
    """Write the demonstration's safe file in a format and read it back, which the run does by itself.

    Raises
    ------
    UnexpectedFigure
    PavoError
        The format cannot be written or read.
    """
    from .release.run import carry_out
    from .session import Session

    recipe = into_folder(load(RESOURCES / "demo" / "survey-csv.pavo"), folder / suffix[1:])
    safe = folder / suffix[1:] / f"safe{suffix}"
    recipe = recipe.with_(output=replace(recipe.output, data=safe, report=None, metadata=None, summary=None))
    result = carry_out(Session(one_recipe=True), recipe, SILENT, curves=False)
    if result.summary.get("verified") is not True or result.summary["unsafe_left"] != 0:
        raise UnexpectedFigure(translate(mark("the safe file is not verified")))
    return translate(mark("written and read back, {n} bytes")).format(n=safe.stat().st_size)


def check_pdf() -> str:
    """Make a report as PDF.

    Raises
    ------
    OutputError
        It cannot be made.
    """
    from .report.blocks import ReportData, Section, Terms
    from .report.pdf import render_pdf

    section = Section("program", "Pavo", (Terms((("Version", __version__, "text"),)),))
    made = render_pdf(ReportData("Pavo", "", "", "en", (), (), (section,), "Pavo"))
    return translate(mark("made, {n} bytes")).format(n=len(made))


def check_numerical_libraries() -> str:
    """Compute by every part of SciPy that risks, linkage and suppression use, what is known.

    Raises
    ------
    UnexpectedFigure
    """
    import numpy as np
    from scipy.optimize import LinearConstraint, brentq, linear_sum_assignment, milp
    from scipy.sparse import csr_array
    from scipy.spatial import cKDTree
    from scipy.special import betainc, digamma, gammaincinv, gammaln
    from scipy.stats import hypergeom

    at_least_one = LinearConstraint(csr_array(np.array([[1.0, 1.0]])), 1, np.inf)
    least = milp(np.array([2.0, 3.0]), constraints=at_least_one, integrality=[1, 1])
    rows, columns = linear_sum_assignment(np.array([[4.0, 1.0], [2.0, 3.0]]))
    distance, _ = cKDTree(np.array([[0.0, 0.0], [3.0, 4.0]])).query(np.array([3.0, 3.0]))
    computed: dict[
        str, tuple[Any, float]
    ] = {  # (0.6875 = 11/16; 1 - Euler's constant; log 24; median of an exponential; a root; a draw of 1 in 2)
        "betainc": (betainc(2, 3, 0.5), 0.6875),
        "digamma": (digamma(2), 1 - np.euler_gamma),
        "gammaln": (gammaln(5), np.log(24)),
        "gammaincinv": (gammaincinv(1, 0.5), np.log(2)),
        "brentq": (brentq(lambda x: x * x - 2, 0, 2), np.sqrt(2)),
        "hypergeom": (hypergeom.pmf(1, 2, 1, 1), 0.5),
        "milp": (least.fun, 2.0),
        "linear_sum_assignment": (float(rows @ [0, 1] + columns @ [2, 3]), 3.0),
        "cKDTree": (distance, 1.0),
    }
    for name, (found, known) in computed.items():
        if not np.isclose(found, known, rtol=1e-10, atol=0):
            said = translate(mark("{name}: {found}, but {known} is known"))
            raise UnexpectedFigure(said.format(name=name, found=found, known=known))
    return translate(mark("{n} functions as known")).format(n=len(computed))


def _find(title: str, check: Check) -> Tried:
    try:
        return Tried(title, True, check())
    except (PavoError, UnexpectedFigure) as error:
        return Tried(title, False, str(error))
    except Exception as error:  # a library that is lacking or damaged may fail in any way
        return Tried(title, False, f"{type(error).__name__}: {error}")


def _say(text: str) -> None:
    reason = write_out(text)
    if reason is not None:
        write_error(f"pavo: {reason}\n")
