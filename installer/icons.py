"""The icon in the forms that systems ask for: ``icons.py OUT`` writes OUT/icons/SIZE.png and OUT/pavo.ico."""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "resources" / "icons" / "pavo.svg"
SIZES = (16, 24, 32, 48, 64, 128, 256, 512, 1024)


def draw(size: int) -> bytes:
    """The icon as PNG, `size` pixels wide and high."""
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    picture = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(0)
    painter = QPainter(picture)
    QSvgRenderer(str(SOURCE)).render(painter)
    painter.end()
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")  # type: ignore[call-overload]  # the stubs ask for bytes, which are refused
    return bytes(content.data())


def windows_icon(pictures: Mapping[int, bytes]) -> bytes:
    """An .ico file of PNGs by their size, 256 pixels at most."""
    head, offset = struct.pack("<HHH", 0, 1, len(pictures)), 6 + 16 * len(pictures)
    for size, picture in sorted(pictures.items()):
        # 256 is written as 0, in one byte
        head += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), offset)
        offset += len(picture)
    return head + b"".join(picture for _, picture in sorted(pictures.items()))


def main(argv: Sequence[str]) -> int:
    from PySide6.QtGui import QGuiApplication

    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QGuiApplication(["icons"])
    out = Path(argv[0])
    (out / "icons").mkdir(parents=True, exist_ok=True)
    pictures = {size: draw(size) for size in SIZES}
    for size, picture in pictures.items():
        (out / "icons" / f"{size}.png").write_bytes(picture)
    (out / "pavo.ico").write_bytes(windows_icon({size: pictures[size] for size in SIZES if size <= 256}))
    del application
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
