"""Tags, outline and language for a PDF file as Qt writes it, which has none: ISO 32000-1, 12.3.3, 14.7 and 14.8."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gui.paper.elements import Element, Marks

_MARK = re.compile(rb"-900 -(\d+) 1 1 re\nf\n")
"""A mark of `gui.paper.elements`, as Qt writes it."""
_STREAM = re.compile(rb"stream\r?\n(.*)\r?\nendstream", re.DOTALL)


@dataclass(frozen=True)
class OutlineEntry:
    """A line of the outline: its title, its page (from 0 on), and how far above the page's lower edge it is, points."""

    title: str
    page: int
    height: float


def tagged(pdf: bytes, root: Element, marks: Marks, language: str, outline: Sequence[OutlineEntry]) -> bytes:
    """The same file with tags.

    Parameters
    ----------
    pdf : as `QPdfWriter` made it while `marks` were drawn
    root : what was drawn, in the order of reading
    language : of its text, as BCP 47 has it
    outline : the sections

    Raises
    ------
    ValueError
        The file is not written as Qt is known to write.
    """
    objects = _objects(pdf)
    catalog = _number(rb"/Root (\d+) 0 R", pdf[pdf.rindex(b"trailer") :])
    tree = _number(rb"/Pages (\d+) 0 R", objects[catalog])
    kids = re.search(rb"/Kids\s*\[(.*?)\]", objects[tree], re.DOTALL)
    pages = [] if kids is None else [int(number) for number in re.findall(rb"(\d+) 0 R", kids[1])]
    if len(pages) != len(marks.pages):
        raise ValueError("as many pages as were painted are expected")
    for number, (page, begun) in enumerate(zip(pages, marks.pages, strict=True)):
        content = _number(rb"/Contents (\d+) 0 R", objects[page])
        objects[content] = _marked(objects[content], begun, number)
        objects[page] = _with(objects[page], b"/StructParents %d" % number)
    added = _Added(objects, pages)
    structure, entries = added.structure(root, marks), added.outline(outline)
    more = b"/MarkInfo << /Marked true >>\n/StructTreeRoot %d 0 R\n/Lang %s\n" % (structure, _text(language))
    more += b"/ViewerPreferences << /DisplayDocTitle true >>"
    if outline:
        more += b"\n/Outlines %d 0 R\n/PageMode /UseOutlines" % entries
    objects[catalog] = _with(objects[catalog], more)
    return _written(pdf, objects)


class _Added:
    """Numbers the objects that are added."""

    def __init__(self, objects: dict[int, bytes], pages: Sequence[int]) -> None:
        self._objects, self._pages = objects, pages
        self._next = max(objects) + 1

    def _new(self) -> int:
        self._next += 1
        return self._next - 1

    def structure(self, root: Element, marks: Marks) -> int:
        """The tree of elements, with the table by which an element is found from its marks; its number."""
        top, parents = self._new(), self._new()
        numbers = {id(element): self._new() for element in _all(root)}
        self._element(root, top, numbers)
        rows = []
        for page, begun in enumerate(marks.pages):
            own = [b"%d 0 R" % numbers[id(element)] for element in begun if element is not None]
            rows.append(b"%d [%s]" % (page, b" ".join(own)))
        self._objects[parents] = b"<< /Nums [%s] >>" % b"\n".join(rows)
        words = numbers[id(root)], parents, len(marks.pages)
        told = b"<< /Type /StructTreeRoot /K %d 0 R /ParentTree %d 0 R /ParentTreeNextKey %d >>" % words
        self._objects[top] = told
        return top

    def _element(self, element: Element, parent: int, numbers: dict[int, int]) -> None:
        own, kids = numbers[id(element)], []
        pages = {kid[0] for kid in element.kids if not isinstance(kid, Element)}
        told = b"<< /S /%s /P %d 0 R" % (element.role.encode(), parent)
        if len(pages) == 1:
            told += b" /Pg %d 0 R" % self._pages[min(pages)]
        for kid in element.kids:
            if isinstance(kid, Element):
                self._element(kid, own, numbers)
                kids.append(b"%d 0 R" % numbers[id(kid)])
            elif len(pages) == 1:
                kids.append(b"%d" % kid[1])
            else:
                kids.append(b"<< /Type /MCR /Pg %d 0 R /MCID %d >>" % (self._pages[kid[0]], kid[1]))
        told += b" /K [%s]" % b" ".join(kids)
        if element.alt:
            told += b" /Alt " + _text(element.alt)
        if element.title:
            told += b" /T " + _text(element.title)
        if element.scope:
            told += b" /A << /O /Table /Scope /%s >>" % element.scope.encode()
        self._objects[own] = told + b" >>"

    def outline(self, entries: Sequence[OutlineEntry]) -> int:
        """The outline, all of it on one level; its number."""
        top = self._new()
        numbers = [self._new() for _ in entries]
        for place, (number, entry) in enumerate(zip(numbers, entries, strict=True)):
            told = b"<< /Title %s /Parent %d 0 R" % (_text(entry.title), top)
            if place > 0:
                told += b" /Prev %d 0 R" % numbers[place - 1]
            if place + 1 < len(numbers):
                told += b" /Next %d 0 R" % numbers[place + 1]
            told += b" /Dest [%d 0 R /XYZ null %.2f null] >>" % (self._pages[entry.page], entry.height)
            self._objects[number] = told
        ends = b" /First %d 0 R /Last %d 0 R" % (numbers[0], numbers[-1]) if numbers else b""
        self._objects[top] = b"<< /Type /Outlines%s /Count %d >>" % (ends, len(numbers))
        return top


def _all(element: Element) -> Iterator[Element]:
    """An element and all that are in it."""
    yield element
    for kid in element.kids:
        if isinstance(kid, Element):
            yield from _all(kid)


def _marked(body: bytes, begun: Sequence[Element | None], page: int) -> bytes:
    """The content of a page with its marks made tags; each element is told its place on the page."""
    found = _STREAM.search(body)
    if found is None:
        raise ValueError("a page has no content")
    told: list[Element] = []
    is_open = False

    def tag(mark: re.Match[bytes]) -> bytes:
        nonlocal is_open
        element = begun[int(mark[1]) - 1]
        end = b"EMC\n" if is_open else b""
        is_open = True
        if element is None:
            return end + b"/Artifact BMC\n"
        told.append(element)
        element.kids.append((page, len(told) - 1))
        return end + b"/%s << /MCID %d >> BDC\n" % (element.role.encode(), len(told) - 1)

    text = zlib.decompress(found[1]) if b"/FlateDecode" in body[: found.start()] else found[1]
    text, count = _MARK.subn(tag, text)
    if count != len(begun):
        raise ValueError("marks are missing on a page")
    text = zlib.compress(text + (b"\nEMC\n" if is_open else b""))
    return b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(text), text)


def _objects(pdf: bytes) -> dict[int, bytes]:
    """Objects by number, without their frame, taken where the file's table says that they are."""
    place = int(pdf[pdf.rindex(b"startxref") + 9 :].split()[0])
    lines = re.match(rb"xref\s+0 (\d+)\s+", pdf[place:])
    if lines is None:
        raise ValueError("no table of objects")
    first = place + lines.end()
    rows = (pdf[first + 20 * number : first + 20 * number + 20] for number in range(int(lines[1])))
    starts = sorted(int(row[:10]) for row in rows if row[17:18] == b"n")
    found = {}
    for start, end in zip(starts, [*starts[1:], place], strict=True):
        number, body = re.split(rb" 0 obj\s", pdf[start:end], maxsplit=1)
        found[int(number)] = body[: body.rindex(b"endobj")].rstrip()
    return found


def _with(body: bytes, more: bytes) -> bytes:
    """A dictionary with more entries."""
    end = body.rindex(b">>")
    return body[:end] + more + b"\n>>"


def _number(pattern: bytes, body: bytes) -> int:
    found = re.search(pattern, body)
    if found is None:
        raise ValueError(f"no {pattern.decode()}")
    return int(found[1])


def _text(text: str) -> bytes:
    return b"<FEFF%s>" % text.encode("utf-16-be").hex().upper().encode()


def _written(pdf: bytes, objects: dict[int, bytes]) -> bytes:
    """The file of these objects, with the head and the trailer of `pdf`."""
    out = bytearray(pdf[: re.search(rb"\d+ 0 obj", pdf).start()])  # type: ignore[union-attr]
    places = {}
    for number in sorted(objects):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
    size, place = max(objects) + 1, len(out)
    out += b"xref\n0 %d\n" % size
    free = b"0000000000 65535 f \n"
    for number in range(size):
        out += b"%010d 00000 n \n" % places[number] if number in places else free
    trailer = re.sub(rb"/Size \d+", b"/Size %d" % size, pdf[pdf.rindex(b"trailer") : pdf.rindex(b"startxref")])
    out += trailer + b"startxref\n%d\n%%%%EOF\n" % place
    return bytes(out)
