"""Takes the picture at the top of the README: Risk Chart with the demonstration survey.

Run from the project's folder: ``python -m docs.readme_picture`` (offscreen, no display needed).
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

PICTURE = Path(__file__).resolve().parent / "pictures" / "risk-chart.png"
SIZE = 1366, 768


def main() -> None:
    """Take the picture and say where it is."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory(prefix="picture-") as made:
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = str(Path(made) / name)
        from docs.screenshots import Studio

        studio = Studio(Path(made), "light")
        studio._open_data("demonstration")
        studio.window.windows.open_window("riskChart")
        studio.window.resize(*SIZE)
        studio.settle()
        PICTURE.parent.mkdir(exist_ok=True)
        studio.window.grab().save(str(PICTURE))
        sys.stdout.write(f"{PICTURE}\n")
        sys.stdout.flush()
        studio.window.document.shut_down()
    os._exit(0)


if __name__ == "__main__":
    main()
