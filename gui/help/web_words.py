"""What the guide's web pages say beside the guide's own text; they are built by ``python -m docs.website``."""

from __future__ import annotations

from core.base.texts import mark, translate


def web_words() -> dict[str, str]:
    """The words in the language in use, by what they are for."""
    return {
        "skip": translate(mark("To the text")),
        "pages": translate("Pages of the guide"),
        "search": translate("Search the guide"),
        "found": translate(mark("Pages found: {n}")),
        "around": translate(mark("Page before and after")),
        "before": translate(mark("Before")),
        "after": translate(mark("After")),
    }
