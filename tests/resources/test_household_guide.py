"""The figures that the guide gives of the household rules are those that the program finds."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.bench_household_rules import lines


def test_what_the_exact_rule_saves_is_what_the_guide_says(repo: Path) -> None:
    guide = (repo / "resources" / "help" / "household-risk-chart.md").read_text(encoding="utf-8").splitlines()
    figures = list(lines())
    assert len(figures) == 4
    assert [line for line in guide if line.startswith("| 0.")] == figures
