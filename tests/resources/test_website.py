"""The guide as web pages: every link leads somewhere, nothing is asked for from elsewhere, everything has its name."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from docs.website import _body, anchor, build
from gui.help.window import GUIDE

_EMPTY = {"meta", "link", "input", "img", "source", "br", "hr"}


class Reader(HTMLParser):
    """What a page leads to, what its parts are called, and whether its elements are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.ids: list[str] = []
        self.levels: list[int] = []
        self.nameless = 0
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self.targets += [str(said[key]) for key in ("href", "src", "srcset") if key in said]
        if "id" in said:
            self.ids.append(str(said["id"]))
        if tag in ("h1", "h2", "h3"):
            self.levels.append(int(tag[1]))
        if (tag == "img" and not said.get("alt")) or (tag == "nav" and not said.get("aria-label")):
            self.nameless += 1
        if tag not in _EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in _EMPTY:  # <img />
            assert self.open.pop() == tag


@pytest.fixture(scope="module", params=["en", "de"])
def site(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[str, Reader]:
    """The pages by their names."""
    made = build(tmp_path_factory.mktemp("site"), request.param)
    return {str(path): Reader(path.read_text("utf-8")) for path in made}


def test_every_page_of_the_guide_is_there(site: dict[str, Reader]) -> None:
    assert {Path(name).stem for name in site} == {path.stem for path in GUIDE.glob("*.md")}


def test_every_link_leads_to_a_file_beside_the_page_and_to_a_heading_in_it(site: dict[str, Reader]) -> None:
    lost = []
    for name, page in site.items():
        for target in page.targets:
            file, _, heading = target.partition("#")
            path = Path(name).parent / file if file else Path(name)
            if not path.is_file() or (heading and heading not in site[str(path)].ids):
                lost.append((Path(name).name, target))
    assert lost == []


def test_pages_have_one_title_headings_in_steps_and_names(site: dict[str, Reader]) -> None:
    for name, page in site.items():
        assert page.levels[0] == 1, name
        assert page.levels.count(1) == 1, name
        assert all(after <= before + 1 for before, after in zip(page.levels, page.levels[1:], strict=False)), name
        assert page.nameless == 0, name
        assert len(page.ids) == len(set(page.ids)), name
        assert page.open == [], name


def test_pages_speak_the_language_and_headings_keep_their_anchors(tmp_path: Path) -> None:
    pages = {path.stem: path.read_text("utf-8") for path in build(tmp_path, "de")}
    assert all('<html lang="de">' in page for page in pages.values())
    assert '<h1 id="risk-chart">Risikodiagramm</h1>' in pages["risk-chart"]


def test_what_a_page_says_is_text_and_never_html() -> None:
    table = "| A | |\n|---|---|\n| 1<br>2 | 3 |\n"
    text = f"# A <script>\n\nA `<b>`, see [B](b.md#c), [D](https://example.org/e.md).\n\n{table}"
    body = _body(text, text)
    assert "<script>" not in body
    assert "<code>&lt;b&gt;</code>" in body
    assert 'href="b.html#c"' in body
    assert 'href="https://example.org/e.md"' in body
    assert '<th scope="col">A</th>\n<td></td>' in body
    assert "<td>1<br>2</td>" in body


def test_headings_of_the_same_words_are_told_apart() -> None:
    seen: dict[str, int] = {}
    assert [anchor(text, seen) for text in ("`[input]`: what", "`[input]`: what")] == ["input-what", "input-what-1"]
