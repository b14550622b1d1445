"""One of five key variables is recoded: overview, risks, unsafe records and forecast anew, against plain pandas.

Run as ``python -m tests.benchmarks.bench_recode [records in millions, default 1]``. The plain program, with the
columns in memory, counts the recoded table and its margins by groupby and the rare keys of each; it makes no risks and
no forecast. Seconds of the processor are given beside those of the clock, because other programs slow only the latter.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

from core.recipe.model import Recipe, Recode
from core.recipe.toml import load
from core.results.results import Results
from core.results.unsafe_records import unsafe_counts
from core.session import Session
from gui.document import engine
from tests.benchmarks import plain
from tests.big_file import FIVE, make_file

THRESHOLD = 0.005


def grouped(codes: int, width: int, digits: int) -> str:
    """A scheme that makes groups of `width` neighbouring codes."""
    starts = range(1, codes + 1, width)
    return "\n".join(f"{i:0{digits}}:{i:0{digits}}-{min(codes, i + width - 1):0{digits}}" for i in starts)


SCHEMES = {
    "AGE": ("90:85-90", *(grouped(90, width, 2) for width in (2, 5, 10))),
    "REGION": ("100:090-100", grouped(100, 10, 3)),
    "MARSTAT": ("01:01,02",),
    "SEX": ("01:01,02",),
}
"""From recodes that leave the table nearly as large as it was to coarse ones; codes have leading zeros."""


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """What the work gives, and its seconds of clock and processor."""
    clock, processor = time.perf_counter(), time.process_time()
    made = work()
    return made, time.perf_counter() - clock, time.process_time() - processor


def shown(session: Session, recipe: Recipe) -> Results:
    """What the windows show: `derive`, and each variable's unsafe records."""
    derived = session.derive(recipe)
    unsafe_counts(derived)
    return derived


def recoded(recipe: Recipe, variable: str, scheme: str) -> Recipe:
    others = tuple(recode for recode in recipe.recodes if recode.variable != variable)
    return recipe.with_(recodes=(*others, Recode(variable, scheme=scheme)))


def by_core(recipe: Recipe) -> None:
    """Every recode after the first derivation, each from a session that knows only what came before."""
    session = Session()
    _, clock, processor = timed(lambda: shown(session, recipe))
    print(f"  read and derive {clock:.2f} s ({processor:.2f})")
    _, clock, processor = timed(lambda: session.forecast(recipe, 0))
    print(f"  forecast        {clock:.2f} s ({processor:.2f})")
    for variable, schemes in SCHEMES.items():
        for scheme in schemes:
            changed = recoded(recipe, variable, scheme)
            derived, clock, processor = timed(lambda changed=changed: shown(session, changed))
            _, more, more_processor = timed(lambda changed=changed: session.forecast(changed, 0))
            table = derived.risk_tables[0]
            print(
                f"  {variable} to {derived.columns[variable].n_valid} codes, {len(table.cells):,} cells: "
                f"overview and risks {clock:.2f} s ({processor:.2f}), forecast {more:.2f} s ({more_processor:.2f}), "
                f"together {clock + more:.2f} s ({processor + more_processor:.2f})"
            )


def by_document(session: Path) -> None:
    """The same through the windows' document, until it is idle; and the longest time the event loop stood still."""
    from PySide6.QtCore import QElapsedTimer, QEventLoop, QTimer
    from PySide6.QtWidgets import QApplication

    from gui.document.document import Document

    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication.instance() or QApplication([])
    document = Document()
    loop, beat, gaps = QEventLoop(), QTimer(), [0]
    since = QElapsedTimer()
    since.start()
    beat.timeout.connect(lambda: gaps.append(since.restart()))
    beat.start(5)

    def settled() -> float:
        """Wait for the work that was asked for; its seconds."""
        clock = time.perf_counter()
        since.restart()
        gaps.clear()
        while document.busy:
            loop.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        return time.perf_counter() - clock

    document.open_session(session)
    print(f"  opened in {settled():.2f} s")
    document.ask("forecast", engine.forecast, document.recipe, 0, "original-counts", done=lambda _found: None)
    settled()
    for scheme in SCHEMES["AGE"]:
        document.commit("Recode AGE", recoded(document.recipe, "AGE", scheme))
        document.ask("forecast", engine.forecast, document.recipe, 0, "original-counts", done=lambda _found: None)
        print(f"  AGE recoded, overview and forecast shown after {settled():.2f} s; longest pause {max(gaps)} ms")
    document.shut_down()
    del application


def by_pandas(folder: Path) -> None:
    """The recoded table and its margins by groupby."""
    layout, start = {}, 0
    for name, card in FIVE.items():
        layout[name] = (start, start + len(str(card)) + (card < 10))
        start = layout[name][1]
    frame = plain.read(folder / "big.asc", layout)

    def count() -> int:
        frame["AGE5"] = frame["AGE"].astype(int).floordiv(5)
        keys = ["AGE5", *(name for name in FIVE if name != "AGE")]
        rare = 0
        for size in range(1, len(keys) + 1):
            for margin in combinations(keys, size):
                cells = frame.groupby(list(margin), sort=False, observed=True)["WEIGHT"].agg(["size", "sum"])
                rare += int((cells["size"] <= 1).sum())
        return rare

    _, clock, processor = timed(count)
    print(f"  plain groupby of the recoded table and its margins: {clock:.2f} s ({processor:.2f})")


def main() -> None:
    n = int(float(sys.argv[1]) * 1e6) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as name:
        session = make_file(Path(name), n, 5, THRESHOLD, cards=FIVE)
        print(f"{n:,} records, {' x '.join(map(str, FIVE.values()))} codes")
        by_core(load(session))
        by_document(session)
        by_pandas(Path(name))


if __name__ == "__main__":
    main()
