"""Builds the guide as web pages: ``python -m docs.website FOLDER``, in another language with ``--language de``.

The folder holds all that they need, and they ask for nothing from elsewhere: they can be read from a disk. Light and
dark follow the system; the pages can be read, and gone through, without scripts, which only search.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import shutil
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.base.texts import language_in_use, languages, of_guide
from gui.help.paragraphs import in_language
from gui.help.web_words import web_words
from gui.help.window import GUIDE, pages
from gui.theme.tokens import DARK, LIGHT, Colours

_SEARCH = """"use strict";
const box = document.getElementById("search"), list = document.getElementById("found");
const said = document.getElementById("said");
box.parentElement.hidden = false;
box.addEventListener("input", () => {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const found = words.length ? GUIDE.filter(page => words.every(word => page.text.includes(word))) : [];
  found.sort((a, b) => rank(b, words) - rank(a, words));
  list.replaceChildren(...found.map(page => {
    const item = document.createElement("li"), link = document.createElement("a");
    link.href = page.file;
    link.textContent = page.title;
    item.append(link);
    return item;
  }));
  said.textContent = words.length ? box.dataset.found.replace("{n}", found.length) : "";
});
function rank(page, words) {
  const title = page.title.toLowerCase();
  return words.filter(word => title.includes(word)).length;
}
"""

_STYLE = """
:root { color-scheme: light dark; %(light)s }
@media (prefers-color-scheme: dark) { :root { %(dark)s } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--canvas); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
a { color: var(--accent); }
a:hover { color: var(--accent-hover); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--surface); padding: .5rem 1rem; z-index: 1; }
.page { display: grid; grid-template-columns: minmax(13rem, 18rem) minmax(0, 1fr); min-height: 100vh; }
nav.pages { background: var(--rail); padding: 1rem; }
nav.pages ul { list-style: none; margin: 0; padding: 0; }
nav.pages li a { display: block; padding: .3rem .5rem; color: var(--text); text-decoration: none; border-radius: 6px; }
nav.pages li a:hover, nav.pages a[aria-current] { background: var(--soft); }
nav.pages a[aria-current] { font-weight: 600; }
.search label { display: block; font-weight: 600; }
.search input { width: 100%%; padding: .4rem; font: inherit; color: inherit; background: var(--surface);
  border: 1px solid var(--outline); border-radius: 5px; }
main { padding: 1.5rem clamp(1rem, 4vw, 3rem) 3rem; max-width: 62rem; }
h1, h2, h3 { line-height: 1.25; margin: 1.8em 0 .5em; }
h1 { margin-top: 0; }
p, li { max-width: 46rem; }
img { max-width: 100%%; height: auto; border: 1px solid var(--line); border-radius: 8px; }
pre { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem;
  overflow-x: auto; }
code { font: .92em ui-monospace, monospace; overflow-wrap: anywhere; }
pre code { overflow-wrap: normal; }
.table { overflow-x: auto; }
table { border-collapse: collapse; background: var(--surface); margin: .5rem 0 1rem; }
th, td { border: 1px solid var(--line); padding: .35rem .6rem; text-align: left; vertical-align: top; }
th { background: var(--rail); }
footer { display: flex; justify-content: space-between; gap: 1rem; margin-top: 3rem; border-top: 1px solid var(--line);
  padding-top: 1rem; }
@media (max-width: 50rem) { .page { display: block; } }
@media print { nav.pages, footer, .skip { display: none; } .page { display: block; } }
"""


def build(folder: Path, language: str = "en") -> list[Path]:
    """Write the guide into `folder`, which is made; the pages that were written, in the order of the work.

    Parameters
    ----------
    language : one of `core.base.texts.languages`; what has no translation in it stays English
    """
    with language_in_use(language):
        return _build(folder, language)


def _build(folder: Path, language: str) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    originals = {name: (GUIDE / f"{name}.md").read_text("utf-8") for name, _title in pages()}
    texts = {name: in_language(text, of_guide) for name, text in originals.items()}
    titles = {name: text.lstrip().splitlines()[0].lstrip("# ").strip() for name, text in texts.items()}
    shutil.copytree(GUIDE / "images", folder / "images", dirs_exist_ok=True)
    (folder / "style.css").write_text(_STYLE % {"light": _colours(LIGHT), "dark": _colours(DARK)}, encoding="utf-8")
    index = [{"file": f"{name}.html", "title": titles[name], "text": _plain(text)} for name, text in texts.items()]
    search = f"const GUIDE = {json.dumps(index, ensure_ascii=False)};\n{_SEARCH}"
    (folder / "search.js").write_text(search, encoding="utf-8")
    made = []
    for name, text in texts.items():
        made.append(folder / f"{name}.html")
        made[-1].write_text(_page(name, _body(text, originals[name]), titles, language), encoding="utf-8")
    return made


def _colours(of: Colours) -> str:
    used = ("canvas", "surface", "rail", "line", "outline", "text", "accent", "accent_hover", "soft")
    return " ".join(f"--{name.replace('_', '-')}: {getattr(of, name)};" for name in used)


def _plain(text: str) -> str:
    """What is searched in: the words of a page in small letters."""
    bare = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"[\s*`#|\\]+", " ", bare).strip().lower()


def _page(name: str, body: str, titles: dict[str, str], language: str) -> str:
    names = list(titles)
    place = names.index(name)
    said = {key: html.escape(word) for key, word in web_words().items()}
    here = {name: ' aria-current="page"'}
    links = "\n".join(
        f'<li><a href="{each}.html"{here.get(each, "")}>{html.escape(title)}</a></li>' for each, title in titles.items()
    )
    before = _link(names[place - 1], titles, said["before"]) if place else ""
    after = _link(names[place + 1], titles, said["after"]) if place + 1 < len(names) else ""
    return f"""<!DOCTYPE html>
<html lang="{html.escape(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(titles[name])} – Pavo</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<a class="skip" href="#text">{said["skip"]}</a>
<div class="page">
<nav class="pages" aria-label="{said["pages"]}">
<div class="search" role="search" hidden>
<label for="search">{said["search"]}</label>
<input id="search" type="search" autocomplete="off" data-found="{said["found"]}">
<p id="said" role="status"></p>
<ul id="found"></ul>
</div>
<ul>
{links}
</ul>
</nav>
<main id="text" tabindex="-1">
{body}
<footer><nav aria-label="{said["around"]}">{before} {after}</nav></footer>
</main>
</div>
<script src="search.js"></script>
</body>
</html>
"""


def _link(name: str, titles: dict[str, str], word: str) -> str:
    return f'<a href="{name}.html">{word}: {html.escape(titles[name])}</a>'


def _body(text: str, original: str) -> str:
    """The Markdown of a page as HTML; what stands in it as HTML is text, but for line breaks.

    Headings are called as in the English `original`: links are to its words in every language.
    """
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(text.replace("<br>", _BREAK))
    seen: dict[str, int] = {}
    anchors = [anchor(token.content, seen) for _opened, token in _headings(reader.parse(original))]
    for (opened, _token), name in zip(_headings(tokens), anchors, strict=True):
        opened.attrSet("id", name)
    for token in tokens:
        for inner in token.children or ():
            _lead(inner)
        if token.type == "th_open":
            token.attrSet("scope", "col")
    made = str(reader.renderer.render(tokens, reader.options, {})).replace(_BREAK, "<br>")
    made = re.sub(r"(<table>.*?</table>)", r'<div class="table">\1</div>', made, flags=re.DOTALL)
    made = made.replace('<th scope="col"></th>', "<td></td>")  # a heading that says nothing is none
    return re.sub(r'<img src="images/([^"]+)\.png"[^>]*>', _picture, made)


def _headings(tokens: Sequence[Token]) -> list[tuple[Token, Token]]:
    """The opening and the words of every heading."""
    return [(opened, words) for opened, words in pairwise(tokens) if opened.type == "heading_open"]


_BREAK = "\N{SYMBOL FOR NEWLINE}"


def _lead(token: Token) -> None:
    """Links to pages of the guide lead to their web pages."""
    target = str(token.attrs.get("href", ""))
    if token.type == "link_open" and "://" not in target:
        token.attrSet("href", re.sub(r"\.md(?=#|$)", ".html", target))


def _picture(found: re.Match[str]) -> str:
    image = found[0].replace("<img", '<img loading="lazy"')
    if not (GUIDE / "images" / f"{found[1]}-dark.png").is_file():
        return image
    dark = f'<source media="(prefers-color-scheme: dark)" srcset="images/{found[1]}-dark.png">'
    return f"<picture>{dark}{image}</picture>"


def anchor(heading: str, seen: dict[str, int]) -> str:
    """The id of a heading, as GitHub makes them: a second one of the same words is numbered."""
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    name = re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", "-")
    seen[name] = seen.get(name, -1) + 1
    return f"{name}-{seen[name]}" if seen[name] else name


def main(arguments: Sequence[str]) -> int:
    """Build into the folder that is named; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m docs.website", description="The guide as web pages.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--language", choices=languages(), default="en")
    asked = parser.parse_args(arguments)
    made = build(asked.folder, asked.language)
    sys.stdout.write(f"{made[0]}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
