"""The search for a plan on five keys: plans counted, and the best proven, by seconds of the processor.

Run as ``python -m tests.benchmarks.bench_plans [records in millions, default 1]``. Nearly every record has a key of its
own, the hardest case. Seconds of the processor are given, because other programs slow those of the clock.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from core.profiles.goals import Goal
from core.recipe.model import Combination, Input, Recipe, VariableEdit
from core.session import Session
from core.whatif.plans.aims import aimed
from core.whatif.plans.hierarchies import hierarchies
from core.whatif.plans.plan_figures import PlanProblem
from core.whatif.plans.search import ParetoFront, find_plans

_SECONDS = 60.0
_AT = (10, 100, 200, 400, 800)


def make_recipe(folder: Path, records: int) -> Recipe:
    """Weighted records on five keys, of which four have an order and one digits that can be removed."""
    random = np.random.default_rng(1)
    codes = {
        "AREA": 1000 + np.minimum(random.exponential(60, records), 399),
        "AGE": 10 + np.clip(random.normal(40, 20, records), 0, 99),
        "INCOME": 10 + np.minimum(random.exponential(20, records), 99),
        "EDUC": 1 + random.integers(0, 8, records),
        "CHILDREN": np.minimum(random.exponential(1.5, records), 9),
    }
    columns = [np.char.mod("%d", values.astype(int)) for values in (*codes.values(), random.integers(10, 90, records))]
    lines = "\n".join(";".join(row) for row in zip(*columns, strict=True))
    (folder / "five.csv").write_text(";".join((*codes, "W")) + "\n" + lines + "\n", encoding="ascii")
    area = VariableEdit("AREA", categorical=True, missing=("",), truncable=True)
    keys = (VariableEdit(name, categorical=True, missing=("",), ordered=True) for name in codes if name != "AREA")
    return Recipe(
        input=Input(data=folder / "five.csv"),
        variables=(area, *keys, VariableEdit("W", role="weight")),
        combinations=(Combination(tuple(codes)),),
    )


def search(recipe: Recipe, goal: Goal, most: int | None) -> None:
    """One search, and when it had counted so many plans."""
    derived = Session().derive(aimed(recipe, 0, goal))
    start, said = time.process_time(), list(_AT)

    def tell(front: ParetoFront) -> None:
        while said and front.counted >= said[0]:
            print(f"    {said.pop(0)} plans within {time.process_time() - start:.1f} s")

    problem = PlanProblem(derived, 0, hierarchies(derived, 0))
    front = find_plans(problem, _SECONDS, most, found=tell)
    proven = "proven" if front.is_best_proven else "not proven"
    print(f"    {front.counted} of {front.total} plans in {time.process_time() - start:.1f} s, best {proven}")


def main() -> None:
    """Both kinds of goal."""
    records = int(float(sys.argv[1] if len(sys.argv) > 1 else 1) * 1_000_000)
    with tempfile.TemporaryDirectory() as folder:
        recipe = make_recipe(Path(folder), records)
        for goal, most in ((Goal("largest-risk", 0.02), None), (Goal("least-records", 5), 0)):
            print(f"  {records:,} records, {goal.kind} {goal.limit}, suppressions at most {most}")
            search(recipe, goal, most)


if __name__ == "__main__":
    main()
