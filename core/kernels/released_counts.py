"""Which records lose values where a blank matches anything: lazy greedy, ruin and recreate, and a bound by a packing.

A *line* is what records have in common that lose one set of variables; such a record counts for every unsafe cell of
its line but its own. People and what a cell lacks are whole numbers, so that what is taken back is as it was.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numba import types

from core.kernels.declare import kernel, part
from core.kernels.order import quick_order
from core.kernels.released_keys import below, draw

# Columns of the tables.
F, PEOPLE, OWN, GONE, LACKING, VALUE = range(6)
SCORE, SEEN, HEAD = range(3)
WEIGHT, CELL, LINE, NEXT, BEFORE, PLACE = range(6)
# Places in `num`.
WRITTEN, CLOCK, TAKEN, WAITING, WORK, USUAL, BIAS = range(7)
LOOK, HALF = 20, 100
"""Steps of the bound between two looks at what they give, and between two beginnings of their mean."""
ONE = 1 << 20
"""One helper of the usual weight, as lacking is counted."""
BY_CHANCE, BY_LINE = 0.25, 0.65
"""Rounds up to the first share begin anywhere, up to the second around a line, others near a cell."""
FORCED = 4
"""Records that such a line is given first, at most."""
MOST_NEAR = 256
"""Losses among which those are drawn that are taken back."""
STEP = 4
"""Work of counting a cell anew."""
NEAR = 4
"""Cells of each line whose helpers are near, too."""
WIDE = 64
"""Cells of each line changed whose other helpers may be needed no more."""
SLACK = 1e-9
VALUE_ALL, START, IMPROVE, RESTORE = range(4)
"""What `search` does."""

_LONG = types.int64[::1]
_TABLE = types.int64[:, ::1]
_INT = types.int32[::1]
_GRID = types.int32[:, ::1]
_REAL = types.float64[::1]
_FLAG = types.boolean[::1]

State = namedtuple(
    "State", "cells lines recs price ptr member fine through pool own least taken journal todo noise num cost random"
)
"""What the search works on.

cells : (u, 6) records and people that count for each unsafe cell, its own records, how many of them lost values, what
    it lacks (in helpers of the usual weight, times ONE) and what of that one helper gives; 0 where it is done
lines : (l, 3) sum of the values of the cells, mark, first record taken
recs : (r, 6) weight, unsafe cell or -1, line or -1, next and previous record of the line, place in `taken`
price : (l,) loss of one record; ptr, member : cells by line; fine : whether their own records are safe there
through : (u, s) lines of each cell, -1 for none; pool : (l, h) records of safe cells, heaviest first, then -1
own : (u + 1,) where the records of each cell begin in `recs`; least : people needed by f, scaled like the weights
"""

_STATE = types.NamedTuple(  # type: ignore[no-untyped-call]
    [
        _TABLE, _TABLE, _TABLE, _REAL, _LONG, _INT, _FLAG, _GRID, _GRID, _LONG, _LONG, _INT, _GRID, _INT, _REAL, _LONG,
        _REAL, types.uint64[::1],
    ],
    State,
)  # fmt: skip
_RATED = types.Tuple((types.int64, types.int64))  # type: ignore[no-untyped-call]


@part(types.int64(_LONG, types.int64, types.int64, types.int64))
def lacking(least, f, people, usual):  # type: ignore[no-untyped-def]
    """How many records of the usual weight a cell needs yet, times ONE; the last one by its share."""
    more, before = 0, 0
    while f + more < len(least):
        short = least[f + more] - people - more * usual
        if short <= 0:
            if more == 0:
                return np.int64(0)
            return np.int64(max(1, math.ceil((more - 1 + before / (before - short)) * ONE)))
        before, more = short, more + 1
    return np.int64(more * ONE)


@part(types.void(_STATE, types.int64))
def value(s, c):  # type: ignore[no-untyped-def]
    """Say anew what a cell lacks, to its lines as well."""
    s.cells[c, LACKING] = lacking(s.least, s.cells[c, F], s.cells[c, PEOPLE], s.num[USUAL])
    now = np.int64(0)
    if s.cells[c, GONE] < s.cells[c, OWN]:
        now = min(np.int64(ONE), s.cells[c, LACKING])
    more = now - s.cells[c, VALUE]
    if more == 0:
        return
    if s.cells[c, VALUE] == 0:
        s.num[WAITING] += 1
    elif now == 0:
        s.num[WAITING] -= 1
    s.cells[c, VALUE] = now
    s.num[WORK] += STEP
    for j in range(s.through.shape[1]):
        if s.through[c, j] >= 0:
            s.lines[s.through[c, j], SCORE] += more


@part(types.void(_STATE))
def value_all(s):  # type: ignore[no-untyped-def]
    """Say what each cell lacks."""
    for c in range(len(s.cells)):
        value(s, c)


@part(types.void(_STATE, types.int64, types.int64, types.int64))
def count(s, r, line, sign):  # type: ignore[no-untyped-def]
    """Let a record count for the cells of a line, or no more, and write it down."""
    own, weight = s.recs[r, CELL], s.recs[r, WEIGHT]
    s.num[WORK] += s.ptr[line + 1] - s.ptr[line]
    for i in range(s.ptr[line], s.ptr[line + 1]):
        c = s.member[i]
        if c == own:
            s.cells[c, GONE] += sign
        else:
            s.cells[c, F] += sign
            s.cells[c, PEOPLE] += sign * weight
        value(s, c)
    s.cost[0] += sign * s.price[line]
    written = s.num[WRITTEN]
    if written < len(s.journal):
        s.journal[written, 0], s.journal[written, 1], s.journal[written, 2] = r, line, sign
        s.num[WRITTEN] = written + 1


@part(types.void(_STATE, types.int64, types.int64))
def take(s, r, line):  # type: ignore[no-untyped-def]
    """Let a record lose the values of a line."""
    head = s.lines[line, HEAD]
    s.recs[r, LINE], s.recs[r, NEXT], s.recs[r, BEFORE] = line, head, -1
    if head >= 0:
        s.recs[head, BEFORE] = r
    s.lines[line, HEAD] = r
    s.recs[r, PLACE] = s.num[TAKEN]
    s.taken[s.num[TAKEN]] = r
    s.num[TAKEN] += 1
    count(s, r, line, 1)


@part(types.void(_STATE, types.int64))
def give_back(s, r):  # type: ignore[no-untyped-def]
    """Take that back."""
    line, after, before = s.recs[r, LINE], s.recs[r, NEXT], s.recs[r, BEFORE]
    if after >= 0:
        s.recs[after, BEFORE] = before
    if before >= 0:
        s.recs[before, NEXT] = after
    else:
        s.lines[line, HEAD] = after
    s.num[TAKEN] -= 1
    last = s.taken[s.num[TAKEN]]
    s.taken[s.recs[r, PLACE]] = last
    s.recs[last, PLACE] = s.recs[r, PLACE]
    s.recs[r, LINE] = -1
    count(s, r, line, -1)


@part(types.void(_STATE, _LONG))
def restore(s, lines):  # type: ignore[no-untyped-def]
    """Let each record lose the values of its line in `lines` (r,), nothing where that is -1."""
    for r in range(len(lines)):
        if s.recs[r, LINE] >= 0 and s.recs[r, LINE] != lines[r]:
            give_back(s, r)
    for r in range(len(lines)):
        if lines[r] >= 0 and s.recs[r, LINE] != lines[r]:
            take(s, r, lines[r])


@part(types.void(_STATE))
def take_back(s):  # type: ignore[no-untyped-def]
    """Undo what the journal says."""
    for i in range(s.num[WRITTEN] - 1, -1, -1):
        if s.journal[i, 2] > 0:
            give_back(s, s.journal[i, 0])
        else:
            take(s, s.journal[i, 0], s.journal[i, 1])
    s.num[WRITTEN] = 0


@part(types.int64(_STATE, types.int64))
def free_of(s, c):  # type: ignore[no-untyped-def]
    """The heaviest record of a cell that lost nothing yet, -1 for none."""
    for r in range(s.own[c], s.own[c + 1]):
        if s.recs[r, LINE] < 0:
            return np.int64(r)
    return np.int64(-1)


@part(_RATED(_STATE, types.int64))
def rate(s, line):  # type: ignore[no-untyped-def]
    """What the best record of a line is worth there, and which it is; -1 for none."""
    score = s.lines[line, SCORE]
    if score == 0:
        return np.int64(0), np.int64(-1)
    more, cell = np.int64(0), -1
    best_any, any_cell = np.int64(0), -1
    s.num[WORK] += s.ptr[line + 1] - s.ptr[line]
    for i in range(s.ptr[line], s.ptr[line + 1]):
        c = s.member[i]
        left = s.cells[c, OWN] - s.cells[c, GONE]
        if not s.fine[i] or left == 0:
            continue
        gain = -s.cells[c, VALUE]
        if s.cells[c, VALUE] > 0:
            gain += s.cells[c, LACKING] // left
        else:
            gain += s.num[BIAS] // left
        if gain > more:
            more, cell = gain, c
        if any_cell < 0 or gain > best_any:
            any_cell, best_any = c, gain
    if cell >= 0:
        return score + more, free_of(s, cell)
    for j in range(s.pool.shape[1]):
        r = s.pool[line, j]
        if r < 0:
            break
        if s.recs[r, LINE] < 0:
            return score, np.int64(r)
    if any_cell >= 0 and score + best_any > 0:
        return score + best_any, free_of(s, any_cell)
    return np.int64(0), np.int64(-1)


@part(types.void(_REAL, _LONG, types.int64, types.float64, types.int64))
def push(keys, lines, size, key, line):  # type: ignore[no-untyped-def]
    """Put a line on a heap of `size`, the least key first, of equal ones the first line."""
    i = size
    while i > 0:
        parent = (i - 1) // 2
        if keys[parent] < key or (keys[parent] == key and lines[parent] < line):
            break
        keys[i], lines[i] = keys[parent], lines[parent]
        i = parent
    keys[i], lines[i] = key, line


@part(types.void(_REAL, _LONG, types.int64))
def pop(keys, lines, size):  # type: ignore[no-untyped-def]
    """Take the first line off a heap of `size`."""
    size -= 1
    key, line = keys[size], lines[size]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        right = child + 1
        if right < size and (keys[right] < keys[child] or (keys[right] == keys[child] and lines[right] < lines[child])):
            child = right
        if key < keys[child] or (key == keys[child] and line < lines[child]):
            break
        keys[i], lines[i] = keys[child], lines[child]
        i = child
    keys[i], lines[i] = key, line


@part(types.boolean(_STATE, types.int64, types.float64, types.float64))
def repair(s, marked, noise, limit):  # type: ignore[no-untyped-def]
    """Take records of the first `marked` lines of `todo` until none is worth anything.

    False as soon as that costs more than `limit`.
    """
    size, keys, lines = 0, np.empty(marked), np.empty(marked, np.int64)
    for i in range(marked):
        line = s.todo[i]
        s.noise[line] = 1.0 + noise * (draw(s.random) - 0.5)
        worth, r = rate(s, line)
        if r >= 0:
            push(keys, lines, size, -worth * s.noise[line] / max(s.price[line], 1e-12), line)
            size += 1
    while size > 0:
        said, line = keys[0], lines[0]
        pop(keys, lines, size)
        size -= 1
        worth, r = rate(s, line)
        if r < 0:
            continue
        now = -worth * s.noise[line] / max(s.price[line], 1e-12)
        if size == 0 or now <= said + 1e-12 or now <= keys[0] + 1e-12:
            take(s, r, line)
            if s.cost[0] > limit + SLACK:
                return False
        push(keys, lines, size, now, line)
        size += 1
    return True


@part(types.boolean(_STATE, types.int64))
def needed(s, r):  # type: ignore[no-untyped-def]
    """Whether a cell that is done would not be without a record's loss."""
    line, own, weight = s.recs[r, LINE], s.recs[r, CELL], s.recs[r, WEIGHT]
    for i in range(s.ptr[line], s.ptr[line + 1]):
        c = s.member[i]
        s.num[WORK] += 1
        if c == own:
            if s.cells[c, GONE] == s.cells[c, OWN] and s.cells[c, LACKING] > 0:
                return True
        elif s.cells[c, GONE] < s.cells[c, OWN]:
            f = s.cells[c, F] - 1
            if f < len(s.least) and s.cells[c, PEOPLE] - weight < s.least[f]:
                return True
    return False


@part(types.void(_STATE, types.int64))
def prune(s, marked):  # type: ignore[no-untyped-def]
    """Give back what is not needed on the first `marked` lines of `todo`, from the last of them on."""
    for i in range(marked - 1, -1, -1):
        r = s.lines[s.todo[i], HEAD]
        while r >= 0:
            after = s.recs[r, NEXT]
            if not needed(s, r):
                give_back(s, r)
            r = after


@part(types.void(_STATE))
def start(s):  # type: ignore[no-untyped-def]
    """A first solution, and by `todo` all lines."""
    for line in range(len(s.price)):
        s.todo[line] = line
    repair(s, len(s.price), 0.0, math.inf)
    quick_order(s.price, s.todo)
    prune(s, len(s.price))
    s.num[WRITTEN] = 0


@part(types.int64(_STATE, types.int64, types.int64))
def mark(s, c, marked):  # type: ignore[no-untyped-def]
    """Add the lines of a cell to the first `marked` of `todo`; how many they are."""
    for j in range(s.through.shape[1]):
        line = s.through[c, j]
        if line >= 0 and s.lines[line, SEEN] != s.num[CLOCK]:
            s.lines[line, SEEN] = s.num[CLOCK]
            s.todo[marked] = line
            marked += 1
    return marked


@part(types.void(_STATE, types.int64, types.int64))
def give_back_near(s, marked, number):  # type: ignore[no-untyped-def]
    """Take so many losses back that stand on the first `marked` lines of `todo`."""
    found, near = 0, np.empty(MOST_NEAR, np.int64)
    for i in range(marked):
        r = s.lines[s.todo[i], HEAD]
        while r >= 0 and found < MOST_NEAR:
            near[found] = r
            found += 1
            r = s.recs[r, NEXT]
    for _ in range(min(number, found)):
        at = below(s.random, found)
        r = near[at]
        found -= 1
        for i in range(at, found):  # in their order
            near[i] = near[i + 1]
        give_back(s, r)


@part(types.int64(_STATE, types.int64, types.int64))
def ruin(s, most, whole):  # type: ignore[no-untyped-def]
    """Take losses back: up to `most` near one cell or anywhere, up to `whole` around a line, which is given; or -1."""
    chance = draw(s.random)
    if chance < BY_CHANCE:
        for _ in range(min(1 + below(s.random, most), s.num[TAKEN])):
            give_back(s, s.taken[below(s.random, s.num[TAKEN])])
        return np.int64(-1)
    cell = below(s.random, len(s.cells))
    if chance < BY_LINE:
        line = s.through[cell, below(s.random, s.through.shape[1])]
        if line >= 0:
            size = s.ptr[line + 1] - s.ptr[line]
            marked, at = np.int64(0), below(s.random, size)
            for _ in range(min(WIDE, size)):
                marked = mark(s, s.member[s.ptr[line] + at], marked)
                at = at + 1 if at + 1 < size else 0
            give_back_near(s, marked, 1 + below(s.random, whole))
            s.num[CLOCK] += 1
            return np.int64(line)
    marked = mark(s, cell, 0)
    for i in range(marked):
        line = s.todo[i]
        begin, size = s.ptr[line], s.ptr[line + 1] - s.ptr[line]
        for _ in range(min(NEAR, size)):
            marked = mark(s, s.member[begin + below(s.random, size)], marked)
    give_back_near(s, marked, 1 + below(s.random, most))
    s.num[CLOCK] += 1
    return np.int64(-1)


@part(
    types.int64(
        _STATE,
        types.int64,
        types.int64,
        types.int64,
        types.float64,
        types.float64,
        types.float64,
        types.float64,
        _LONG,
        _REAL,
    )
)
def improve(s, rounds, most, whole, noise, penalty, heat, bias, best, standing):  # type: ignore[no-untyped-def]
    """So many rounds of ruin and recreate; each is taken back if it makes things dearer.

    Parameters
    ----------
    most, whole : losses taken back at most in a round, and in one around a line
    noise : by which what lines are worth is disturbed at most
    penalty : what a cell that is not done costs
    heat : by how much a round may make things dearer in the mean, where that much is drawn
    bias : share of the rounds that let records of cells that are done lose values, so that their helpers need not
    best : what has been taken in the best solution; (r,) lines
    standing : what that one costs, cells that are not done included

    Returns
    -------
    rounds that made it cheaper
    """
    better = 0
    for _ in range(rounds):
        if s.num[TAKEN] == 0:
            break
        s.num[CLOCK] += 1
        s.num[WRITTEN] = 0
        before = s.cost[0]
        total = before + penalty * s.num[WAITING]
        first = ruin(s, most, whole)
        ruined = s.num[WRITTEN]
        s.num[BIAS] = 0
        if draw(s.random) < bias:
            s.num[BIAS] = below(s.random, ONE)
        marked = 0
        for i in range(ruined):
            line, own = s.journal[i, 1], s.recs[s.journal[i, 0], CELL]
            for at in range(s.ptr[line], s.ptr[line + 1]):
                if s.cells[s.member[at], VALUE] > 0:
                    marked = mark(s, s.member[at], marked)
            if own >= 0 and s.cells[own, VALUE] > 0:
                marked = mark(s, own, marked)
        if first >= 0:
            for _ in range(1 + below(s.random, FORCED)):
                _, r = rate(s, first)
                if r >= 0:
                    take(s, r, first)
        limit = total - heat * math.log(1.0 - draw(s.random))
        cheap = repair(s, marked, noise * draw(s.random), limit)
        if cheap:
            for i in range(ruined, s.num[WRITTEN]):
                line, own = s.journal[i, 1], s.recs[s.journal[i, 0], CELL]
                size = s.ptr[line + 1] - s.ptr[line]
                at = below(s.random, size)
                for _ in range(min(WIDE, size)):
                    marked = mark(s, s.member[s.ptr[line] + at], marked)
                    at = at + 1 if at + 1 < size else 0
                if own >= 0:
                    marked = mark(s, own, marked)
            used = 0
            for i in range(marked):
                line = s.todo[i]
                if s.lines[line, HEAD] < 0:
                    continue
                s.noise[line] = s.price[line] * (1.0 + 0.2 * draw(s.random))
                j = used
                while j > 0 and s.noise[s.todo[j - 1]] > s.noise[line]:
                    s.todo[j] = s.todo[j - 1]
                    j -= 1
                s.todo[j] = line
                used += 1
            prune(s, used)
        now = s.cost[0] + penalty * s.num[WAITING]
        if not cheap or now > limit + SLACK:
            take_back(s)
            s.cost[0] = before
        elif now < standing[0] - SLACK:
            standing[0] = now
            for r in range(len(best)):
                best[r] = s.recs[r, LINE]
            better += 1
    return better


@kernel(
    types.int64(
        _STATE,
        types.int64,
        _LONG,
        _REAL,
        types.int64,
        types.int64,
        types.int64,
        types.float64,
        types.float64,
        types.float64,
        types.float64,
    )
)
def search(s, what, lines, standing, rounds, most, whole, noise, penalty, heat, bias):  # type: ignore[no-untyped-def]
    """One step of the search. One kernel for all of them: what they call is then optimised once.

    Parameters
    ----------
    what : `VALUE_ALL`; `START`; `RESTORE` with `lines` (r,); `IMPROVE` with all others and `lines` as `best`

    Returns
    -------
    of `IMPROVE` what this returns, otherwise 0
    """
    if what == IMPROVE:
        return improve(s, rounds, most, whole, noise, penalty, heat, bias, lines, standing)
    if what == RESTORE:
        restore(s, lines)
    elif what == START:
        start(s)
    else:
        value_all(s)
    return 0


@kernel(types.void(_INT, _INT, types.int64, _GRID))
def fill_pool(line_of_cell, of_record, first, pool):  # type: ignore[no-untyped-def]
    """Write the place of the first records of each line into `pool`, -1 before; cells of no line have a line < 0."""
    used = np.zeros(len(pool), np.int64)
    for i in range(len(of_record)):
        line = line_of_cell[of_record[i]] - first
        if line >= 0 and used[line] < pool.shape[1]:
            pool[line, used[line]] = i
            used[line] += 1


@part(types.float64(_LONG, _INT, _REAL, _REAL, _REAL, _REAL))
def packed(ptr, member, share, own, price, now):  # type: ignore[no-untyped-def]
    """Make prices of cells feasible, then as high as each can be for itself; their sum."""
    lines, cells = len(ptr) - 1, len(now)
    ratio = np.zeros(cells)
    for line in range(lines):
        load, more = 0.0, 0.0
        for i in range(ptr[line], ptr[line + 1]):
            load += share[i] * now[member[i]]
            more = max(more, (own[member[i]] - share[i]) * now[member[i]])
        for i in range(ptr[line], ptr[line + 1]):
            ratio[member[i]] = max(ratio[member[i]], (load + more) / price[line])
    for c in range(cells):
        if ratio[c] > 0.0:
            now[c] /= ratio[c]
    left, most = np.zeros(lines), np.zeros(lines)
    through = np.zeros(cells + 1, np.int64)
    for i in range(len(member)):
        through[member[i] + 1] += 1
    for c in range(cells):
        through[c + 1] += through[c]
    at = np.empty(cells, np.int64)
    for c in range(cells):
        at[c] = through[c]
    place, line_of = np.zeros(len(member), np.int64), np.zeros(len(member), np.int64)
    for line in range(lines):
        left[line] = price[line]
        for i in range(ptr[line], ptr[line + 1]):
            c = member[i]
            left[line] -= share[i] * now[c]
            most[line] = max(most[line], (own[c] - share[i]) * now[c])
            place[at[c]], line_of[at[c]] = i, line
            at[c] += 1
    total = 0.0
    for c in range(cells):
        raised = math.inf
        for j in range(through[c], through[c + 1]):
            line, i = line_of[j], place[j]
            if share[i] > 0.0:
                raised = min(raised, (left[line] - most[line]) / share[i])
            if own[c] > 0.0:
                raised = min(raised, (left[line] - (own[c] - share[i]) * now[c]) / own[c])
        if through[c] < through[c + 1] and 0.0 < raised < math.inf:
            now[c] += raised
            for j in range(through[c], through[c + 1]):
                line, i = line_of[j], place[j]
                left[line] -= share[i] * raised
                most[line] = max(most[line], (own[c] - share[i]) * now[c])
        total += now[c]
    return total


@kernel(types.float64(_LONG, _INT, _REAL, _REAL, _REAL, _REAL, _REAL, types.int64, _REAL))
def pack(ptr, member, share, own, price, best, now, rounds, room):  # type: ignore[no-untyped-def]
    """Prices of the cells, so that no record of any line brings more than it loses; their sum is the bound.

    The packing's linear programme by primal-dual steps (Chambolle and Pock 2011; steps by Pock and Chambolle 2011):
    sum over the cells of a line of share * price <= what its record loses, and the same with `own` in the place of a
    cell's share for the records of that cell.

    Parameters
    ----------
    ptr, member : cells by line; share : by member, what a helper gives at most of what the cell needs
    own : (u,) what one record of the cell itself gives
    price : (l,) loss of one record
    best : (u,) filled with the prices found; now : (u,) where to begin, changed
    room : (u,) to work in

    Returns
    -------
    sum of the prices
    """
    lines, cells = len(ptr) - 1, len(best)
    dual, apart = np.zeros(lines), np.zeros(len(member))
    steps = np.zeros(cells)
    for line in range(lines):
        for i in range(ptr[line], ptr[line + 1]):
            more = max(0.0, own[member[i]] - share[i])
            steps[member[i]] += share[i] * (1.0 + (more > 0.0)) + more
    before, mean, grad = np.empty(cells), np.zeros(cells), np.zeros(cells)
    for c in range(cells):
        before[c] = now[c]
    found = 0.0
    for step in range(rounds):
        grad[:] = 0.0
        for line in range(lines):
            load, width = 0.0, 0.0
            for i in range(ptr[line], ptr[line + 1]):
                load += share[i] * (2.0 * now[member[i]] - before[member[i]])
                width += share[i]
            total = 0.0
            if width > 0.0:
                dual[line] = max(0.0, dual[line] + (load - price[line]) / width)
                total = dual[line]
            for i in range(ptr[line], ptr[line + 1]):
                c = member[i]
                more = own[c] - share[i]
                if more > 0.0:
                    ahead = 2.0 * now[c] - before[c]
                    apart[i] = max(0.0, apart[i] + (load + more * ahead - price[line]) / (width + more))
                    total += apart[i]
                    grad[c] += more * apart[i]
            for i in range(ptr[line], ptr[line + 1]):
                grad[member[i]] += share[i] * total
        for c in range(cells):
            before[c] = now[c]
            if steps[c] > 0.0:
                now[c] = max(0.0, now[c] + (1.0 - grad[c]) / steps[c])
            mean[c] += (now[c] - mean[c]) / (1 + step % HALF)
        if step % LOOK == LOOK - 1 or step == rounds - 1:
            for which in range(2):
                for c in range(cells):  # arrays assigned to slices would bring along numba's text of an error
                    room[c] = now[c] if which == 0 else mean[c]
                value_here = packed(ptr, member, share, own, price, room)
                if value_here > found:
                    found = value_here
                    for c in range(cells):
                        best[c] = room[c]
        if step % HALF == HALF - 1:
            mean[:] = 0.0
    return found
