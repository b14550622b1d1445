"""Pages of the guide in pieces, and put together in another language."""

from __future__ import annotations

from gui.help.paragraphs import in_language, paragraphs
from gui.help.window import GUIDE

PAGE = """# Risk: `risk`

A paragraph of
two lines with `code`.

![A picture](images/risk.png)

**Not for:** anything else.

1. First
- a bullet

| Name | Meaning |
|---|---|
| `k` | a bar \\| in `a|b` |
| 12 | 3 – 4 |

    some code, indented

```toml
variables = ["AGE"]
```
"""


def test_what_is_text_and_what_stays() -> None:
    found = [(piece.kind, piece.text) for piece in paragraphs(PAGE) if piece.text]
    assert found == [
        ("heading", "Risk"),
        ("paragraph", "A paragraph of two lines with `code`."),
        ("paragraph", "**Not for:**"),
        ("paragraph", "anything else."),
        ("list item", "First"),
        ("list item", "a bullet"),
        ("table cell", "Name"),
        ("table cell", "Meaning"),
        ("table cell", "a bar \\| in `a|b`"),
    ]


def test_a_page_keeps_its_signs_and_code() -> None:
    page = in_language(PAGE, lambda text: f"«{text}»")
    assert page.startswith("# «Risk»: `risk`\n")
    assert "1. «First»\n- «a bullet»\n" in page
    assert "| `k` | «a bar \\| in `a|b`» |\n| 12 | 3 – 4 |\n" in page
    assert '    some code, indented\n\n```toml\nvariables = ["AGE"]\n```\n' in page


def test_every_page_put_together_again_is_the_page() -> None:
    for path in GUIDE.glob("*.md"):
        page = path.read_text("utf-8")
        assert in_language(page, str).split() == page.split(), path.name
