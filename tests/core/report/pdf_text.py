"""What a PDF file says, read by PDFium: the text of its pages, its outline, and what a screen reader is told."""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

BLOCKS = {"H1", "H2", "H3", "P", "TH", "TD", "Code", "Reference", "Figure", "Caption"}
"""Roles whose text is read in one go."""


def page_texts(pdf: bytes) -> list[str]:
    """What is written on each page."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [page.get_textpage().get_text_range().replace("\r\n", "\n") for page in document]


def page_sizes(pdf: bytes) -> list[tuple[float, float]]:
    """Width and height of each page, points."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [page.get_size() for page in document]


def outline(pdf: bytes) -> list[tuple[str, int]]:
    """Titles of the bookmarks with the pages, from 1 on, that they lead to."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [(mark.get_title(), mark.get_dest().get_index() + 1) for mark in document.get_toc()]


def read_aloud(pdf: bytes) -> list[tuple[str, str]]:
    """The role of each part that has a text, and the text, page by page in the order of reading."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [said for page in document for said in _aloud_on(page)]


def pictures(pdf: bytes) -> list[str]:
    """What the pictures say to those who cannot see them."""
    with pypdfium2.PdfDocument(pdf) as document:
        roots = [root for page in document for root in _roots(page)]
        return [_text(pdfium.FPDF_StructElement_GetAltText, one) for root in roots for one in _elements(root, "Figure")]


def language(pdf: bytes) -> str:
    """The language that the file names."""
    with pypdfium2.PdfDocument(pdf) as document:
        return _text(pdfium.FPDFCatalog_GetLanguage, document.raw)


def _aloud_on(page: Any) -> list[tuple[str, str]]:
    text, marked = page.get_textpage(), defaultdict[int, str](str)
    for one in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT]):
        mark = pdfium.FPDFPageObj_GetMarkedContentID(one.raw)
        if mark >= 0:  # else nobody's: the foot of a page, a header that is said again
            marked[mark] += _text(pdfium.FPDFTextObj_GetText, one.raw, text.raw)
    return [each for root in _roots(page) for each in _aloud(root, marked)]


def _aloud(element: Any, marked: dict[int, str]) -> Iterator[tuple[str, str]]:
    role = _text(pdfium.FPDF_StructElement_GetType, element)
    if role in BLOCKS:
        yield role, _said(element, marked).strip()
        return
    for child in _children(element):
        yield from _aloud(child, marked)


def _said(element: Any, marked: dict[int, str]) -> str:
    """All text of an element and of those inside it, in the order of its kids."""
    found = ""
    for number in range(pdfium.FPDF_StructElement_CountChildren(element)):
        child = pdfium.FPDF_StructElement_GetChildAtIndex(element, number)
        if child:
            found += _said(child, marked)
        else:
            found += marked[pdfium.FPDF_StructElement_GetChildMarkedContentID(element, number)]
    return found


def _elements(element: Any, role: str) -> Iterator[Any]:
    if _text(pdfium.FPDF_StructElement_GetType, element) == role:
        yield element
    for child in _children(element):
        yield from _elements(child, role)


def _roots(page: Any) -> list[Any]:
    tree = pdfium.FPDF_StructTree_GetForPage(page.raw)
    count = pdfium.FPDF_StructTree_CountChildren(tree)
    return [pdfium.FPDF_StructTree_GetChildAtIndex(tree, number) for number in range(count)]


def _children(element: Any) -> Iterator[Any]:
    for number in range(pdfium.FPDF_StructElement_CountChildren(element)):
        child = pdfium.FPDF_StructElement_GetChildAtIndex(element, number)
        if child:
            yield child


def _text(ask: Any, *of: Any) -> str:
    """What PDFium answers in UTF-16, asked for its length first."""
    length = ask(*of, None, 0)
    buffer = (ctypes.c_ushort * length)()
    ask(*of, buffer, length)
    return bytes(buffer).decode("utf-16-le").rstrip("\0")
