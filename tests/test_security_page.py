"""The page on security: each promise names the tests that hold it, and they are there."""

from __future__ import annotations

import re
from pathlib import Path


def test_every_promise_has_its_tests(repo: Path) -> None:
    page = (repo / "docs" / "security.md").read_text("utf-8")
    table = page[page.index("| Somebody controls") : page.index("## What an intruder finds")]
    rows = [row for row in table.splitlines() if row.startswith("| ")][1:]
    assert len(rows) > 15
    for row in rows:
        tests = re.findall(r"`(tests/[\w/]+\.py)`", row.rsplit(" | ", 1)[1])
        assert tests, row
        assert all((repo / test).is_file() for test in tests), tests
