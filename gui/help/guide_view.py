"""The page of the guide: Markdown of the program's own folder, nothing from elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, Qt, QUrl
from PySide6.QtGui import (
    QBrush,
    QColor,
    QDesktopServices,
    QFont,
    QFontDatabase,
    QImage,
    QPalette,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit

from core.base.program import system_libraries
from core.base.texts import of_guide, translate
from gui.help import whats_new
from gui.help.paragraphs import in_language
from gui.places import RESOURCES
from gui.theme import theme

_SIZES = {1: 1.7, 2: 1.3, 3: 1.1}
_PICTURE = "\N{OBJECT REPLACEMENT CHARACTER}"
_MARGIN = 20
_NARROWEST = 200


class GuideView(QTextBrowser):
    """`helpView`. Links to other pages are followed here; links into the web are opened by the system."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("helpView")
        self.setAccessibleName(translate("Guide"))
        self.setOpenLinks(False)
        self.anchorClicked.connect(self._follow)
        self.document().setDocumentMargin(_MARGIN)
        self._dark = theme.dark

    def doSetSource(
        self, url: QUrl | str, type: QTextDocument.ResourceType = QTextDocument.ResourceType.UnknownResource
    ) -> None:
        """Show a page; one that does not exist is not turned to."""
        path = Path(QUrl(url).toLocalFile())
        is_page = path.is_file() or (path.stem == whats_new.PAGE and whats_new.is_there())
        if path.suffix == ".md" and is_page and path.is_relative_to(RESOURCES):
            self._dark = theme.dark
            super().doSetSource(url, QTextDocument.ResourceType.MarkdownResource)
            self.document().setDocumentMargin(_MARGIN)
            self.dress()

    def go_to_heading(self, text: str) -> None:
        """Bring the first heading that begins with `text` to the top."""
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and block.text().startswith(text):
                place = self.document().documentLayout().blockBoundingRect(block)
                self.setTextCursor(QTextCursor(block))
                self.verticalScrollBar().setValue(int(place.top()))
                return
            block = block.next()

    def loadResource(self, type: int, name: QUrl | str) -> Any:
        """The page in the language in use; pictures of the theme in use, as wide as the text; all else as it is."""
        if Path(QUrl(name).path()).name == f"{whats_new.PAGE}.md":
            return QByteArray(whats_new.page().encode())
        found = super().loadResource(type, _in_theme(self.source().resolved(QUrl(name))))
        if type == QTextDocument.ResourceType.MarkdownResource.value and isinstance(found, QByteArray):
            return QByteArray(in_language(bytes(found.data()).decode("utf-8"), of_guide).encode("utf-8"))
        if type != QTextDocument.ResourceType.ImageResource.value or not isinstance(found, QByteArray):
            return found
        picture = QImage.fromData(found)
        room = max(self.viewport().width() - 2 * _MARGIN - 24, _NARROWEST)
        if picture.width() <= room:
            return picture
        ratio = self.devicePixelRatioF()
        picture = picture.scaledToWidth(round(room * ratio), Qt.TransformationMode.SmoothTransformation)
        picture.setDevicePixelRatio(ratio)
        return picture

    def dress(self) -> None:
        """Headings, tables, code and pictures in the colours of the theme."""
        if self._dark != theme.dark and not self.source().isEmpty():
            self.reload()  # for its pictures; it ends here again
            return
        self._dress_blocks()
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                _dress_table(frame)

    def mark_text(self, text: str) -> None:
        """Mark every place where `text` stands, and go to the first; empty: none."""
        found: list[QTextEdit.ExtraSelection] = []
        look = QTextCharFormat()
        look.setBackground(QColor(theme.scheme.amber_ground))
        look.setForeground(QColor(theme.scheme.amber_text))
        look.setFontWeight(QFont.Weight.Bold)
        cursor = QTextCursor(self.document())
        while text and not (cursor := self.document().find(text, cursor)).isNull():
            selection = QTextEdit.ExtraSelection()
            selection.cursor, selection.format = cursor, look
            found.append(selection)
        self.setExtraSelections(found)
        if found:
            here = QTextCursor(found[0].cursor)
            here.clearSelection()
            self.setTextCursor(here)
            self.ensureCursorVisible()

    def _follow(self, url: QUrl) -> None:
        if url.scheme() in ("http", "https", "mailto"):
            with system_libraries():
                QDesktopServices.openUrl(url)
        else:
            self.setSource(self.source().resolved(url))

    def _dress_blocks(self) -> None:
        size = self.font().pointSizeF()
        block = self.document().begin()
        while block.isValid():
            cursor = QTextCursor(block)
            level = block.blockFormat().headingLevel()
            shape = block.blockFormat()
            if level:
                shape.setTopMargin(4 if level == 1 else 14)
                shape.setBottomMargin(6)
                look = QTextCharFormat()
                look.setFontPointSize(size * _SIZES.get(level, 1.0))
                look.setFontWeight(QFont.Weight.Bold)
                cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
                cursor.mergeCharFormat(look)
            elif shape.hasProperty(QTextFormat.Property.BlockCodeFence) or shape.nonBreakableLines():
                shape.setBackground(QColor(theme.scheme.rail))
                shape.setLeftMargin(12)
            elif block.textList() is None and QTextCursor(block).currentTable() is None:
                shape.setBottomMargin(8)
                if _PICTURE not in block.text():  # its line is as high as the picture
                    shape.setLineHeight(125, 1)
            QTextCursor(block).setBlockFormat(shape)
            self._dress_code(block)
            block = block.next()

    def _dress_code(self, block: object) -> None:
        family = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()
        link = QBrush(self.palette().color(QPalette.ColorRole.Link))
        pieces = block.begin()  # type: ignore[attr-defined]
        while not pieces.atEnd():
            piece = pieces.fragment()
            look = piece.charFormat()
            if look.fontFixedPitch() or look.isAnchor():
                cursor = QTextCursor(self.document())
                cursor.setPosition(piece.position())
                cursor.setPosition(piece.position() + piece.length(), QTextCursor.MoveMode.KeepAnchor)
                new = QTextCharFormat()
                if look.fontFixedPitch():
                    new.setFontFamilies([family])
                if look.isAnchor():
                    new.setForeground(link)
                cursor.mergeCharFormat(new)
            pieces += 1


def _in_theme(name: QUrl) -> QUrl:
    """The same picture in the colours of the theme in use, where there is one."""
    path = Path(name.toLocalFile())
    dark = path.with_name(f"{path.stem}-dark{path.suffix}")
    return QUrl.fromLocalFile(str(dark)) if theme.dark and path.suffix == ".png" and dark.is_file() else name


def _dress_table(table: QTextTable) -> None:
    shape = table.format()
    shape.setBorder(1)
    shape.setBorderBrush(QBrush(QColor(theme.scheme.line)))
    shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    shape.setBorderCollapse(True)
    shape.setCellPadding(5)
    shape.setCellSpacing(0)
    shape.setTopMargin(4)
    shape.setBottomMargin(12)
    shape.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    table.setFormat(shape)
    for column in range(table.columns()):
        cell = table.cellAt(0, column)
        look = cell.format()
        look.setBackground(QColor(theme.scheme.rail))
        cell.setFormat(look)
