"""Seconds until an installed program shows its window, and until the picture rests: ``start_times.py FOLDER COMMAND``.

Needs a display of its own (``xvfb-run``) and a Python with PySide6, such as that of build/venv. Looks at the whole
screen some thirty times a second, says when it changed, and keeps each new picture in FOLDER. The program is ended when
nothing has changed for 3 s (once there is a window), or after 60 s.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

EVERY_S, REST_S, MOST_S = 0.03, 3.0, 60.0


def main(argv: Sequence[str]) -> int:
    from PySide6.QtGui import QGuiApplication

    if len(argv) < 2:
        sys.stderr.write(__doc__ or "")
        return 2
    folder = Path(argv[0])
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["QT_QPA_PLATFORM"] = "xcb"
    screen = QGuiApplication(["start_times"]).primaryScreen()
    before = screen.grabWindow(0).toImage()
    begun = changed = time.perf_counter()
    program = subprocess.Popen(argv[1:])
    number = 0
    try:
        while program.poll() is None:
            now = time.perf_counter()
            picture = screen.grabWindow(0).toImage()
            if picture != before:
                before, changed, number = picture, now, number + 1
                print(f"{now - begun:6.2f} s  picture {number}", flush=True)
                picture.save(str(folder / f"{number:03}.png"))
            if now - begun > MOST_S or (number and now - changed > REST_S):
                break
            time.sleep(EVERY_S)
    finally:
        program.terminate()
        program.wait()
    return 0 if number else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
