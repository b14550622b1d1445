"""The search for few blanks by which all keys are frequent enough where a blank matches anything.

A lazy greedy start (lines in a heap by what they still are worth), a pass that drops what is not needed, then ruin and
recreate near single cells; a dearer outcome is taken back.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterable

from core.base.progress import SILENT, Progress
from core.suppression.counts.problem import CountsProblem

_RUINED = 6
_NOISE = 0.6
_NEAR = 8
"""Cells of each line whose lines are near, too."""


class CountsSearch:
    """A solution on its way: which record loses the values of which line."""

    def __init__(self, problem: CountsProblem, seed: int = 1) -> None:
        self._problem, self._random = problem, random.Random(seed)
        self.taken: dict[int, int] = {}
        self._f, self._people = list(problem.f), list(problem.people)
        self._cell = {record: cell for cell, records in enumerate(problem.own) for record in records}
        self._gone = [0] * len(problem.f)
        self._mean = float(problem.weight.mean()) if len(problem.weight) else 1.0
        self._lacking = [problem.rule.lacking(f, p, self._mean) for f, p in zip(self._f, self._people, strict=True)]
        self._members = [frozenset(line.cells) for line in problem.lines]
        self.cost = 0.0

    def done(self, cell: int) -> bool:
        """Whether a cell is frequent enough, or all its records have lost values."""
        return self._lacking[cell] <= 0 or self._gone[cell] == len(self._problem.own[cell])

    def _count(self, record: int, line: int, sign: int) -> None:
        own, weight = self._cell.get(record, -1), float(self._problem.weight[record])
        for cell in self._problem.lines[line].cells:
            if cell != own:
                self._f[cell] += sign
                self._people[cell] += sign * weight
                self._lacking[cell] = self._problem.rule.lacking(self._f[cell], self._people[cell], self._mean)
        if own >= 0:
            self._gone[own] += sign
        self.cost += sign * self._problem.lines[line].cost

    def take(self, record: int, line: int) -> None:
        """Let a record lose the values of a line."""
        self.taken[record] = line
        self._count(record, line, 1)

    def give_back(self, record: int) -> int:
        """Take that back; the line."""
        line = self.taken.pop(record)
        self._count(record, line, -1)
        return line

    def _best(self, line: int) -> tuple[float, int]:
        """What the best record of a line is worth there, and which it is; (0, -1) for none."""
        problem, rule = self._problem, self._problem.rule
        waiting = [cell for cell in problem.lines[line].cells if not self.done(cell)]
        if not waiting:
            return 0.0, -1
        best = (0.0, -1)
        free = next((record for record in problem.lines[line].pool if record not in self.taken), -1)
        weight = float(problem.weight[free]) if free >= 0 else self._mean
        drop = {
            cell: self._lacking[cell] - rule.lacking(self._f[cell] + 1, self._people[cell] + weight, self._mean)
            for cell in waiting
        }
        total = sum(drop.values())
        if free >= 0:
            best = (total, free)
        for cell in waiting:
            if line in problem.alone[cell]:
                own = next((record for record in problem.own[cell] if record not in self.taken), -1)
                left = len(problem.own[cell]) - self._gone[cell]
                worth = total - drop[cell] + self._lacking[cell] / max(1, left)
                if own >= 0 and worth > best[0]:
                    best = (worth, own)
        if best[1] < 0:  # a record of a cell that is done already
            for cell in problem.lines[line].cells:
                if line in problem.alone[cell] and self.done(cell):
                    own = next((record for record in problem.own[cell] if record not in self.taken), -1)
                    if own >= 0:
                        return total, own
        return best

    def repair(self, lines: Iterable[int], noise: float = 0.0, limit: float = float("inf")) -> bool:
        """Take records of `lines` until none is worth anything; False as soon as that costs more than `limit`."""
        heap = []
        disturbed: dict[int, float] = {}
        for line in lines:
            disturbed[line] = self._problem.lines[line].cost / (1 + noise * (self._random.random() - 0.5))
            worth, record = self._best(line)
            if record >= 0:
                heap.append((-worth / max(disturbed[line], 1e-12), line))
        heapq.heapify(heap)
        while heap:
            said, line = heapq.heappop(heap)
            worth, record = self._best(line)
            if record < 0 or worth <= 0:
                continue
            now = -worth / max(disturbed[line], 1e-12)
            if heap and now > heap[0][0] + 1e-12 and now > said + 1e-12:
                heapq.heappush(heap, (now, line))
                continue
            self.take(record, line)
            if self.cost > limit + 1e-9:
                return False
            heapq.heappush(heap, (now, line))
        return True

    def prune(self, records: Iterable[int]) -> None:
        """Give back what is not needed, the dearest first."""
        lines = self._problem.lines
        for record in sorted(records, key=lambda r: (-lines[self.taken[r]].cost, r)):
            line = self.give_back(record)
            own = self._cell.get(record, -1)
            if not all(self.done(cell) for cell in self._members[line]) or (own >= 0 and not self.done(own)):
                self.take(record, line)

    @property
    def left(self) -> list[int]:
        """Cells that are not frequent enough."""
        return [cell for cell in range(len(self._f)) if not self.done(cell)]

    def start(self, progress: Progress = SILENT) -> None:
        """A first solution."""
        progress.check()
        self.repair(range(len(self._problem.lines)))
        self.prune(list(self.taken))

    def improve(self, rounds: int, progress: Progress = SILENT) -> None:
        """So many rounds of ruin and recreate."""
        for _ in range(rounds if self.taken else 0):
            progress.check()
            self._round()

    def _round(self) -> None:
        problem, chance = self._problem, self._random
        before, cost, missing = dict(self.taken), self.cost, len(self.left)
        records = list(self.taken)
        if chance.random() < 0.35:
            ruined = chance.sample(records, min(len(records), chance.randint(1, _RUINED)))
        else:
            near = set(problem.through[chance.randrange(len(self._f))])
            near |= {
                line for one in near for cell in problem.lines[one].cells[:_NEAR] for line in problem.through[cell]
            }
            around = [record for record in records if self.taken[record] in near]
            ruined = chance.sample(around, min(len(around), chance.randint(1, _RUINED)))
        if not ruined:
            return
        touched = {cell for record in ruined for cell in self._members[self.taken[record]]}
        touched |= {self._cell[record] for record in ruined if record in self._cell}
        for record in ruined:
            self.give_back(record)
        waiting = {cell for cell in touched if not self.done(cell)}
        lines = sorted({line for cell in waiting for line in problem.through[cell]})
        cheap = self.repair(lines, _NOISE * chance.random(), cost)
        if cheap:
            self.prune([record for record in self.taken if self.taken[record] in set(lines)])
        if not cheap or self.cost > cost + 1e-9 or len(self.left) > missing:
            for record in [r for r, line in self.taken.items() if before.get(r) != line]:
                self.give_back(record)
            for record, line in before.items():
                if record not in self.taken:
                    self.take(record, line)
            self.cost = cost
