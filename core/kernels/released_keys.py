"""Records of cells released under keys with blanks: ruin and recreate over the whole file, and a bound by prices.

An *entry* is one way to release records of a *unit* (records alike in all that counts): the *group* they come into,
a released key, and what each of them loses. A unit needs its records' groups to have so many records in all. What
changes is written into a journal, so that a round is taken back without copying anything.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numba import types

from .declare import kernel, part

# Columns of the three tables.
UNIT, GROUP, TAKEN, NEXT, BEFORE, OTHER, CHAIN = range(7)
COUNT, DEMAND, HEAD, TOTAL, SEEN, BARRED, FIRST, MOST_LENT, KNOWN = range(9)
SAFE, NEED, HOME, PRESENT, FREE, MARK = range(6)
# Places in `num` and `cost`.
WRITTEN, CLOCK, LEFT = range(3)
NOW, ROOM = range(2)
GO_HOME, BEGIN, REPAIR, IMPROVE = range(4)
"""What `search` does."""

_INT = types.int32[::1]
_TABLE = types.int32[:, ::1]
_LONG = types.int64[::1]
_REAL = types.float64[::1]

State = namedtuple(
    "State", "ent grp uni ptr gptr gmid gent price worth noise journal num cost random heap at todo few lent"
)
"""What the search works on, and the room it works in.

ent : (e, 7) int32 entries by unit: unit, group, records taken, next and previous entry in use of the group, next one
    of the unit, next one in the line that is looked at
grp : (g, 9) int32: records, what they demand, first entry in use, records that could come, and marks of the round
uni : (u, 6) int32: whether it is safe as it is, need, entry without loss or -1, first entry in use, records free, mark
ptr : (u + 1,) where the entries of each unit begin; gptr, gent : entries by group, up to gmid those of unsafe units
price : (e,) float64, loss of one record; worth : (u,) float64, the bound's price of a record
"""

_STATE = types.NamedTuple(  # type: ignore[no-untyped-call]
    [
        _TABLE, _TABLE, _TABLE, _LONG, _LONG, _LONG, _INT, _REAL, _REAL, _REAL, _TABLE, _LONG, _REAL, types.uint64[::1],
        _REAL, _INT, _INT, _TABLE, _REAL,
    ],
    State,
)  # fmt: skip
_BEST = types.Tuple((types.float64, types.int64))  # type: ignore[no-untyped-call]
SLACK = 1e-9


@kernel(types.void(_INT, _LONG, _INT))
def sort_by(of, starts, order):  # type: ignore[no-untyped-def]
    """Stable counting sort: places of `of` in ascending order; `starts` (n + 1,) is filled with where each begins."""
    starts[:] = 0
    for i in range(len(of)):
        starts[of[i] + 1] += 1
    for g in range(len(starts) - 1):
        starts[g + 1] += starts[g]
    at = np.empty(len(starts) - 1, np.int64)
    for g in range(len(at)):
        at[g] = starts[g]
    for i in range(len(of)):
        order[at[of[i]]] = i
        at[of[i]] += 1


@kernel(types.void(types.uint32[::1], types.uint32[::1], types.int64, types.boolean[::1]))
def find_varying(group, code, groups, varies):  # type: ignore[no-untyped-def]
    """Mark the groups whose rows do not all have one code."""
    first = np.empty(groups, np.int64)
    for g in range(groups):
        first[g] = -1
    for i in range(len(group)):
        g = group[i]
        if first[g] < 0:
            first[g] = code[i]
        elif first[g] != code[i]:
            varies[g] = True


@part(types.float64(types.uint64[::1]))
def draw(random):  # type: ignore[no-untyped-def]
    """The next number in [0, 1) by splitmix64 (Steele, Lea and Flood 2014)."""
    random[0] += np.uint64(0x9E3779B97F4A7C15)
    z = random[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) / 9007199254740992.0


@part(types.int64(types.uint64[::1], types.int64))
def below(random, n):  # type: ignore[no-untyped-def]
    """A whole number from 0 to n - 1."""
    return min(np.int64(draw(random) * n), n - 1)


@part(types.void(_STATE, types.int64, types.int64))
def shift(s, e, records):  # type: ignore[no-untyped-def]
    """Release so many more records of a unit by entry `e`, or fewer, and write it down."""
    u, g = s.ent[e, UNIT], s.ent[e, GROUP]
    old = s.ent[e, TAKEN]
    new = old + records
    s.ent[e, TAKEN] = new
    s.grp[g, COUNT] += records
    s.uni[u, FREE] -= records
    s.cost[NOW] += records * s.price[e]
    if old == 0:
        head = s.grp[g, HEAD]
        s.ent[e, NEXT] = head
        s.ent[e, BEFORE] = -1
        if head >= 0:
            s.ent[head, BEFORE] = e
        s.grp[g, HEAD] = e
        s.ent[e, OTHER] = s.uni[u, PRESENT]
        s.uni[u, PRESENT] = e
        s.grp[g, DEMAND] = max(s.grp[g, DEMAND], s.uni[u, NEED])
    elif new == 0:
        after, before = s.ent[e, NEXT], s.ent[e, BEFORE]
        if after >= 0:
            s.ent[after, BEFORE] = before
        if before >= 0:
            s.ent[before, NEXT] = after
        else:
            s.grp[g, HEAD] = after
        place = s.uni[u, PRESENT]
        if place == e:
            s.uni[u, PRESENT] = s.ent[e, OTHER]
        else:
            while s.ent[place, OTHER] != e:
                place = s.ent[place, OTHER]
            s.ent[place, OTHER] = s.ent[e, OTHER]
        if s.uni[u, NEED] == s.grp[g, DEMAND] and s.uni[u, NEED] > 0:
            most = np.int32(0)
            place = s.grp[g, HEAD]
            while place >= 0 and most < s.uni[u, NEED]:
                most = max(most, s.uni[s.ent[place, UNIT], NEED])
                place = s.ent[place, NEXT]
            s.grp[g, DEMAND] = most
    written = s.num[WRITTEN]
    if written < len(s.journal):
        s.journal[written, 0] = e
        s.journal[written, 1] = records
    s.num[WRITTEN] = written + 1


@part(types.void(_STATE))
def go_home(s):  # type: ignore[no-untyped-def]
    """Release all safe units as they are."""
    for u in range(len(s.uni)):
        if s.uni[u, SAFE] != 0:
            shift(s, s.uni[u, HOME], s.uni[u, FREE])
    s.num[WRITTEN] = 0


@part(types.void(_STATE, types.int64))
def take_back(s, until):  # type: ignore[no-untyped-def]
    """Undo what was written after the first `until` lines of the journal."""
    for i in range(s.num[WRITTEN] - 1, until - 1, -1):
        shift(s, s.journal[i, 0], -s.journal[i, 1])
    s.num[WRITTEN] = until


@part(_BEST(_STATE, types.int64, types.float64))
def rate(s, g, trust):  # type: ignore[no-untyped-def]
    """What a free record costs if group g takes the free ones of its line, up to some need; that need (-1: none).

    The line stands in `ent`, ascending by need. `trust`: how much of the bound's price is taken off.
    """
    free, loss, gain = 0, 0.0, 0.0
    best, until = math.inf, -1
    e = s.grp[g, FIRST]
    count, demand, total = s.grp[g, COUNT], s.grp[g, DEMAND], s.grp[g, TOTAL]
    while e >= 0:
        u = s.ent[e, UNIT]
        more = s.uni[u, FREE]
        need = s.uni[u, NEED]
        free += more
        loss += more * s.price[e]
        gain += more * s.worth[u]
        e = s.ent[e, CHAIN]
        if more > 0 and need > total:
            break
        if free > 0 and (e < 0 or s.uni[s.ent[e, UNIT], NEED] > need):
            lacking = max(0, max(need, demand) - count - free)
            if lacking <= s.grp[g, MOST_LENT] and count + free + lacking <= total:
                score = (loss * (1.0 + lacking / free) * s.noise[g] - trust * gain) / free
                if score < best:
                    best, until = score, need
    return best, until


@part(types.void(_STATE, types.int64, types.float64, types.int64))
def push(s, size, key, value):  # type: ignore[no-untyped-def]
    """Put a line on the heap of `size`."""
    i = size
    while i > 0:
        parent = (i - 1) // 2
        if s.heap[parent] <= key:
            break
        s.heap[i] = s.heap[parent]
        s.at[i] = s.at[parent]
        i = parent
    s.heap[i] = key
    s.at[i] = value


@part(types.void(_STATE, types.int64))
def pop(s, size):  # type: ignore[no-untyped-def]
    """Take the first off the heap of `size`."""
    key, value = s.heap[size - 1], s.at[size - 1]
    size -= 1
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and s.heap[child + 1] < s.heap[child]:
            child += 1
        if s.heap[child] >= key:
            break
        s.heap[i] = s.heap[child]
        s.at[i] = s.at[child]
        i = child
    s.heap[i] = key
    s.at[i] = value


@part(types.int64(_STATE, types.int64, types.int64))
def spare(s, e, whole):  # type: ignore[no-untyped-def]
    """How many records can go from entry e with what stays safe; with `whole`, all if nobody else is there."""
    g = s.ent[e, GROUP]
    if whole and s.ent[e, TAKEN] == s.grp[g, COUNT]:
        return np.int64(s.ent[e, TAKEN])
    return np.int64(min(s.ent[e, TAKEN], s.grp[g, COUNT] - s.grp[g, DEMAND]))


@part(types.int64(_STATE, types.int64, types.int64, types.int64, types.int64))
def find_lenders(s, g, need, whole, wanted):  # type: ignore[no-untyped-def]
    """Fill `few` with (entry of g, entry now) of records that could come, `lent` with what that costs; their number.

    Begins anywhere in the line and stops early where there are many.
    """
    begin, end = s.gptr[g], s.gptr[g + 1]
    n = end - begin
    start = below(s.random, n)
    found, records = 0, 0
    for i in range(n):
        e = s.gent[begin + (start + i) % n]
        v = s.ent[e, UNIT]
        if s.uni[v, NEED] > need or s.uni[v, FREE] > 0:
            continue
        now = s.uni[v, PRESENT]
        while now >= 0:
            if now != e:
                more = spare(s, now, whole)
                if more > 0:
                    s.few[found, 0] = e
                    s.few[found, 1] = now
                    s.lent[found] = s.price[e] - s.price[now]
                    if whole:
                        s.lent[found] *= more / min(more, wanted)
                    found += 1
                    records += more
                    if found == len(s.few):
                        return found
            now = s.ent[now, OTHER]
        if i >= 48 and records >= 3 * wanted:
            break
    return found


@part(types.int64(_STATE, types.int64, types.int64, types.int64))
def borrow(s, g, wanted, need):  # type: ignore[no-untyped-def]
    """Let records come to group g from where they can be spared, those first that lose least; how many came.

    Where these are too few, cells come that are alone in their group and leave it altogether.
    """
    got = 0
    for whole in range(2):
        if got >= wanted:
            break
        found = find_lenders(s, g, need, whole, wanted - got)
        while got < wanted and found > 0:
            best = 0
            for i in range(1, found):
                if s.lent[i] < s.lent[best]:
                    best = i
            e, now = s.few[best, 0], s.few[best, 1]
            more = spare(s, now, whole)
            if not whole or s.ent[now, TAKEN] < s.grp[s.ent[now, GROUP], COUNT]:
                more = min(more, wanted - got)
            if more > 0:
                shift(s, now, -more)
                shift(s, e, more)
                got += more
            found -= 1
            s.few[best, 0], s.few[best, 1] = s.few[found, 0], s.few[found, 1]
            s.lent[best] = s.lent[found]
    return got


@part(types.boolean(_STATE, types.int64, types.int64))
def fill(s, g, need):  # type: ignore[no-untyped-def]
    """Let the free records of g's line come, up to a need, and others that they lack; False: taken back."""
    until = s.num[WRITTEN]
    e = s.grp[g, FIRST]
    while e >= 0:
        u = s.ent[e, UNIT]
        if s.uni[u, NEED] > need:
            break
        if s.uni[u, FREE] > 0:
            shift(s, e, s.uni[u, FREE])
        e = s.ent[e, CHAIN]
    lacking = s.grp[g, DEMAND] - s.grp[g, COUNT]
    if lacking <= 0:
        return True
    got = borrow(s, g, lacking, s.grp[g, DEMAND])
    if got >= lacking:
        return True
    take_back(s, until)
    s.grp[g, MOST_LENT] = got
    return False


@part(types.int64(_STATE, types.int64))
def left_free(s, todo):  # type: ignore[no-untyped-def]
    """Move the units of the first `todo` that have free records to the front; how many they are."""
    kept = 0
    for i in range(todo):
        u = s.todo[i]
        if s.uni[u, FREE] > 0:
            s.todo[i] = s.todo[kept]  # changed places, so that none stands there twice when this is asked again
            s.todo[kept] = u
            kept += 1
    return kept


@part(types.boolean(_STATE, types.int64, types.int64, types.float64, types.float64))
def recreate(s, todo, first, trust, noise):  # type: ignore[no-untyped-def]
    """Release the free records of the first `todo` units by the cheapest lines first; whether all are.

    `first` is the line that is opened before any other, -1 for none. Stops where it costs more than ``cost[ROOM]`` or
    the journal is full.
    """
    clock = s.num[CLOCK]
    room = len(s.journal) - len(s.uni) - 4 * len(s.few)
    # By need, falling, so that the chains, which are filled from the back, ascend.
    for i in range(1, todo):
        u = s.todo[i]
        j = i
        while j > 0 and s.uni[s.todo[j - 1], NEED] < s.uni[u, NEED]:
            s.todo[j] = s.todo[j - 1]
            j -= 1
        s.todo[j] = u
    size, lines = 0, 0
    for i in range(todo):
        u = s.todo[i]
        for e in range(s.ptr[u], s.ptr[u + 1]):
            g = s.ent[e, GROUP]
            if s.grp[g, BARRED] == clock:
                continue
            if s.grp[g, SEEN] != clock:
                s.grp[g, SEEN] = clock
                s.grp[g, FIRST] = -1
                s.grp[g, MOST_LENT] = s.grp[g, TOTAL]
                s.noise[g] = 1.0 + noise * (draw(s.random) - 0.5)
                s.at[lines] = g
                lines += 1
            s.ent[e, CHAIN] = s.grp[g, FIRST]
            s.grp[g, FIRST] = e
    if first >= 0 and s.grp[first, SEEN] == clock:
        _, need = rate(s, first, trust)
        if need >= 0:
            fill(s, first, need)
    for i in range(lines):
        g = s.at[i]
        score, need = rate(s, g, trust)
        if need >= 0:
            push(s, size, score, g)
            size += 1
    while size > 0:
        score, g = s.heap[0], s.at[0]
        now, need = rate(s, g, trust)
        if need < 0:
            pop(s, size)
            size -= 1
        elif now > score + SLACK:
            pop(s, size)
            push(s, size - 1, now, g)
        elif s.num[WRITTEN] > room:
            return False
        elif fill(s, g, need):
            if s.cost[NOW] > s.cost[ROOM]:
                return False
            if s.cost[ROOM] == math.inf:
                s.num[WRITTEN] = 0
    return left_free(s, todo) == 0


@part(types.int64(_STATE, types.int64, types.int64))
def ruin(s, g, todo):  # type: ignore[no-untyped-def]
    """Empty a group; who can go where nothing is lost goes there, the others are added to the `todo` first units."""
    clock = s.num[CLOCK]
    while s.grp[g, HEAD] >= 0:
        e = s.grp[g, HEAD]
        v = s.ent[e, UNIT]
        shift(s, e, -s.ent[e, TAKEN])
        home = s.uni[v, HOME]
        if home >= 0 and home != e:
            there = s.ent[home, GROUP]
            need = max(s.grp[there, DEMAND], s.uni[v, NEED])
            if s.grp[there, BARRED] != clock and s.grp[there, COUNT] + s.uni[v, FREE] >= need:
                shift(s, home, s.uni[v, FREE])
                continue
        if s.uni[v, MARK] != clock:
            s.uni[v, MARK] = clock
            s.todo[todo] = v
            todo += 1
    return todo


@part(types.void(_STATE, types.int64))
def settle_unit(s, u):  # type: ignore[no-untyped-def]
    """Let records of a unit go where they lose less, into groups in use, as long as all stays safe."""
    now = s.uni[u, PRESENT]
    while now >= 0:
        after = s.ent[now, OTHER]
        more = spare(s, now, 1)
        if more > 0 and s.price[now] > 0:
            best, least = -1, s.price[now] - SLACK
            for e in range(s.ptr[u], s.ptr[u + 1]):
                if s.price[e] < least:
                    g = s.ent[e, GROUP]
                    if s.grp[g, COUNT] + more >= max(s.grp[g, DEMAND], s.uni[u, NEED]):
                        best, least = e, s.price[e]
            if best >= 0:
                shift(s, now, -more)
                shift(s, best, more)
        now = after


@part(types.void(_STATE, types.int64))
def settle(s, since):  # type: ignore[no-untyped-def]
    """`settle_unit` for everybody in the groups that the journal names from line `since` on."""
    end = min(s.num[WRITTEN], len(s.journal))
    for i in range(since, end):
        g = s.ent[s.journal[i, 0], GROUP]
        if s.grp[g, KNOWN] == s.num[CLOCK]:
            continue
        s.grp[g, KNOWN] = s.num[CLOCK]
        if s.grp[g, COUNT] < s.grp[g, DEMAND]:
            continue
        e = s.grp[g, HEAD]
        for _ in range(64):
            if e < 0 or s.num[WRITTEN] > len(s.journal) - 8 * len(s.few):
                break
            after = s.ent[e, NEXT]
            settle_unit(s, s.ent[e, UNIT])
            # What stood behind may have gone as well.
            e = after if after >= 0 and s.ent[after, TAKEN] > 0 else -1


@part(types.boolean(_STATE, types.int64, types.float64))
def begin(s, todo, trust):  # type: ignore[no-untyped-def]
    """Release the free records of the first `todo` units, which fall by need, by the greedy of `recreate`."""
    s.num[CLOCK] += 1
    s.num[WRITTEN] = 0
    s.cost[ROOM] = math.inf
    return recreate(s, todo, -1, trust, 0.0)


@part(types.int64(_STATE, types.int64))
def line_of(s, u):  # type: ignore[no-untyped-def]
    """A line through unit u, small ones more often."""
    n = s.ptr[u + 1] - s.ptr[u]
    g = s.ent[s.ptr[u] + below(s.random, n), GROUP]
    other = s.ent[s.ptr[u] + below(s.random, n), GROUP]
    return np.int64(other if s.grp[other, TOTAL] < s.grp[g, TOTAL] else g)


@part(types.int64(_STATE, types.int64, types.int64, types.int64))
def ruin_member(s, g, place, todo):  # type: ignore[no-untyped-def]
    """Empty a group in which the unit at a place of line g stands; sometimes it stays barred."""
    now = s.uni[s.ent[s.gent[place], UNIT], PRESENT]
    if now < 0:
        return todo
    if s.ent[now, OTHER] >= 0 and draw(s.random) < 0.5:
        now = s.ent[now, OTHER]
    there = s.ent[now, GROUP]
    if there == g:
        return todo
    count, demand = s.grp[there, COUNT], s.grp[there, DEMAND]
    if s.price[now] == 0:
        if demand == 0 or count > 3 * demand or draw(s.random) < 0.8:
            return todo
        s.grp[there, BARRED] = s.num[CLOCK]
    elif count > 64 and draw(s.random) > 32.0 / count:
        return todo
    elif draw(s.random) < 0.15:
        s.grp[there, BARRED] = s.num[CLOCK]
    return ruin(s, there, todo)


@part(types.int64(_STATE, types.int64, types.int64))
def ruin_near(s, u, todo):  # type: ignore[no-untyped-def]
    """Empty one group from which records could come together with those of unit u."""
    g = line_of(s, u)
    if s.grp[g, COUNT] > 0 and draw(s.random) < 0.3:
        return ruin(s, g, todo)
    begin = s.gptr[g]
    end = s.gmid[g] if draw(s.random) < 0.7 else s.gptr[g + 1]
    return ruin_member(s, g, begin + below(s.random, end - begin), todo)


@part(types.float64(_STATE, types.int64))
def share_of(s, g):  # type: ignore[no-untyped-def]
    """What a group costs for each record in it that could not stay as it is."""
    loss, asking = 0.0, 0
    e = s.grp[g, HEAD]
    for _ in range(64):
        if e < 0:
            break
        loss += s.ent[e, TAKEN] * s.price[e]
        if s.uni[s.ent[e, UNIT], SAFE] == 0:
            asking += s.ent[e, TAKEN]
        e = s.ent[e, NEXT]
    return loss / max(asking, 1)


@part(types.int64(_STATE, types.int64, types.int64, types.int64))
def ruin_line(s, g, number, todo):  # type: ignore[no-untyped-def]
    """Empty groups of unsafe units in line g, so that they may meet there; at most so many units are looked at.

    Those go that cost more where they are than they would in g, and as many others as they lack, the dearest first;
    both not too strictly.
    """
    begin = s.gptr[g]
    n = s.gmid[g] - begin
    start = below(s.random, n)
    found = 0
    for i in range(min(n, number)):
        e = s.gent[begin + (start + i) % n]
        now = s.uni[s.ent[e, UNIT], PRESENT]
        if now >= 0 and s.ent[now, GROUP] != g:
            s.few[found, 0], s.few[found, 1] = e, now
            s.lent[found] = share_of(s, s.ent[now, GROUP]) * (0.75 + 0.5 * draw(s.random)) - s.price[e]
            found += 1
    count, demand = s.grp[g, COUNT], s.grp[g, DEMAND]
    while found > 0 and s.num[WRITTEN] <= 2 * len(s.uni):
        best = 0
        for i in range(1, found):
            if s.lent[i] > s.lent[best]:
                best = i
        if s.lent[best] < 0 and count >= demand:
            break
        e, now = s.few[best, 0], s.few[best, 1]
        if s.ent[now, TAKEN] > 0:
            todo = ruin(s, s.ent[now, GROUP], todo)
        count += s.uni[s.ent[e, UNIT], FREE]
        demand = max(demand, s.uni[s.ent[e, UNIT], NEED])
        found -= 1
        s.few[best, 0], s.few[best, 1] = s.few[found, 0], s.few[found, 1]
        s.lent[best] = s.lent[found]
    return todo


@part(types.int64(_STATE, _INT, types.int64, types.int64, types.float64))
def improve(s, unsafe, rounds, most, worth):  # type: ignore[no-untyped-def]
    """So many rounds of ruin and recreate; each is taken back if it makes the release dearer.

    Parameters
    ----------
    unsafe : units near which rounds begin
    most : groups emptied at most in a round
    worth : 1.0 where the bound's prices are used in most rounds, each time so far as is drawn, otherwise 0.0

    Returns
    -------
    rounds that made it cheaper
    """
    better = 0
    for _ in range(rounds):
        s.num[CLOCK] += 1
        s.num[WRITTEN] = 0
        before = s.cost[NOW]
        s.cost[ROOM] = before + SLACK
        u = unsafe[below(s.random, len(unsafe))]
        todo, first = 0, -1
        number = 1 + below(s.random, most)
        if draw(s.random) < 0.5:
            first = line_of(s, u)
            todo = ruin_line(s, first, 8 * number, todo)
            if draw(s.random) < 0.3:
                first = -1
        else:
            for _attempt in range(number):
                if s.num[WRITTEN] <= 2 * len(s.uni):
                    todo = ruin_near(s, u, todo)
        if todo == 0:
            take_back(s, 0)
            continue
        trust = min(1.0, 2.0 * draw(s.random)) * worth if draw(s.random) < 0.7 else 0.0
        done = recreate(s, todo, first, trust, 0.6 * draw(s.random))
        if done:
            settle(s, 0)
        if not done or s.cost[NOW] > s.cost[ROOM]:
            take_back(s, 0)
        elif s.cost[NOW] < before - SLACK:
            better += 1
    return better


@part(types.int64(_STATE, _INT, types.int64, types.int64))
def repair(s, free, rounds, since):  # type: ignore[no-untyped-def]
    """Release records for which `begin` found no place, at any cost; how many units are still left in `free`.

    Rounds empty more and more groups of a line in which such a unit stands, and let all that is free meet there. They
    are counted from `since` on; 0 begins with all of `free`, any other goes on where the last call ended.
    """
    left = len(free) if since == 0 else s.num[LEFT]
    for done in range(since, since + rounds):
        if left == 0:
            break
        s.num[CLOCK] += 1
        s.num[WRITTEN] = 0
        s.cost[ROOM] = 1e300
        before, todo = 0, left
        for i in range(left):
            s.todo[i] = free[i]
            s.uni[free[i], MARK] = s.num[CLOCK]
            before += s.uni[free[i], FREE]
        u = free[below(s.random, left)]
        g = s.ent[s.ptr[u] + below(s.random, s.ptr[u + 1] - s.ptr[u]), GROUP]
        begin, n = s.gptr[g], s.gptr[g + 1] - s.gptr[g]
        start = below(s.random, n)
        for i in range(min(n, 1 + below(s.random, 2 + done // 8))):
            now = s.uni[s.ent[s.gent[begin + (start + i) % n], UNIT], PRESENT]
            if now >= 0 and s.num[WRITTEN] <= 2 * len(s.uni):
                if s.ent[now, GROUP] != g:
                    s.grp[s.ent[now, GROUP], BARRED] = s.num[CLOCK]
                todo = ruin(s, s.ent[now, GROUP], todo)
        recreate(s, todo, g, 0.0, 1.0)
        todo = left_free(s, todo)
        after = 0
        for i in range(todo):
            after += s.uni[s.todo[i], FREE]
        if after > before or todo > len(free):
            take_back(s, 0)
        else:
            left = todo
            for i in range(left):  # arrays assigned to slices would bring along numba's text of an error
                free[i] = s.todo[i]
    s.num[LEFT] = left
    return left


@kernel(types.int64(_STATE, types.int64, _INT, types.int64, types.int64, types.float64))
def search(s, what, units, number, most, trust):  # type: ignore[no-untyped-def]
    """One step of the search. One kernel for all of them: what they call is then optimised once.

    Parameters
    ----------
    what : `GO_HOME`; `BEGIN` with the first `number` units of `todo` and `trust`; `REPAIR` and `IMPROVE` with `number`
        rounds for `units` (u,), the latter with `most` and `trust` as `worth`, the former from round `most` on

    Returns
    -------
    of `BEGIN` 1 where all records found a place, otherwise 0; of `REPAIR` and `IMPROVE` what these return
    """
    if what == GO_HOME:
        go_home(s)
        return 0
    if what == BEGIN:
        return np.int64(begin(s, number, trust))
    if what == REPAIR:
        return repair(s, units, number, most)
    return improve(s, units, number, most, trust)


@part(_BEST(_REAL, types.int64, types.int64, _INT, _REAL, _INT, _INT, types.int64, types.float64, _REAL, _INT))
def best_of_group(worth, begin, end, unit, price, records, need, safe, cost, rest, order):  # type: ignore[no-untyped-def]
    """The most that a group can bring at these prices, and the need up to which it then takes records (-1: none).

    Parameters
    ----------
    worth : (u,) price of a record of each unit
    begin, end : its entries in `unit` and `price`, ascending by need
    safe, cost : how many records of other units could come, and what each loses at least
    rest, order : room to work in; filled with the gains that are not above 0 and whose they are, falling, then -inf
    """
    room = len(rest) - 1
    best, until = 0.0, -1
    value, count, waiting = 0.0, 0, 0
    for i in range(begin, end):
        u = unit[i]
        gain = worth[u] - price[i]
        if gain > 0:
            value += gain * records[u]
            count += records[u]
        else:
            # The dearest last; more than a group demands are never needed.
            j = waiting
            while j > 0 and rest[j - 1] < gain:
                if j < room:
                    rest[j] = rest[j - 1]
                    order[j] = order[j - 1]
                j -= 1
            if j < room:
                rest[j] = gain
                order[j] = u
                waiting = min(waiting + 1, room)
        if count == 0 or (i + 1 < end and need[unit[i + 1]] == need[u]):
            continue
        total, lacking, at, others = value, need[u] - count, 0, safe
        while lacking > 0 and total > best and (at < waiting or others > 0):
            if others > 0 and (at == waiting or rest[at] <= -cost):
                more = min(lacking, others)
                others = 0
                total -= more * cost
            else:
                more = min(lacking, records[order[at]])
                total += more * rest[at]
                at += 1
            lacking -= more
        if lacking <= 0 and total > best:
            best, until = total, need[u]
    rest[waiting] = -math.inf
    return best, until


@part(types.float64(_REAL, _LONG, _INT, _REAL, _INT, _INT, _INT, _REAL, _REAL))
def value_of(worth, ptr, unit, price, records, need, safe, cost, load):  # type: ignore[no-untyped-def]
    """What releasing must cost at least, by any prices; `load` is filled with the records that groups would take.

    Sum of the prices of all records less the most that each group can bring: each unit's records may come into every
    group, so it is the value of a relaxation.
    """
    most = 1
    for u in range(len(need)):
        most = max(most, need[u])
    rest, order = np.empty(most + 1), np.empty(most + 1, np.int32)
    total = 0.0
    load[:] = 0.0
    for u in range(len(worth)):
        total += worth[u] * records[u]
    for g in range(len(ptr) - 1):
        best, until = best_of_group(
            worth, ptr[g], ptr[g + 1], unit, price, records, need, safe[g], cost[g], rest, order
        )
        if until < 0:
            continue
        total -= best
        end = ptr[g]
        lacking = until
        while end < ptr[g + 1] and need[unit[end]] <= until:
            u = unit[end]
            if worth[u] > price[end]:
                load[u] += records[u]
                lacking -= records[u]
            end += 1
        if lacking <= 0:
            continue
        if end < ptr[g + 1]:
            best_of_group(worth, ptr[g], end, unit, price, records, need, safe[g], cost[g], rest, order)
        at = 0
        while lacking > 0 and rest[at] > -cost[g]:
            more = min(lacking, records[order[at]])
            load[order[at]] += more
            lacking -= more
            at += 1
        lacking -= safe[g]
        while lacking > 0 and rest[at] > -math.inf:
            more = min(lacking, records[order[at]])
            load[order[at]] += more
            lacking -= more
            at += 1
    return total


@kernel(
    types.void(
        _REAL, _LONG, _INT, _REAL, _INT, _INT, _INT, _REAL, _REAL, types.float64, types.int64, _REAL, _REAL, _REAL
    )
)
def climb(worth, ptr, unit, price, records, need, safe, cost, most, target, rounds, best, way, steps):  # type: ignore[no-untyped-def]
    """Raise the bound by steps along deflected subgradients, their length after Polyak (1969).

    Parameters
    ----------
    most : (u,) price of each unit's record at most
    target : cost of a solution
    best : (u,) prices of the best bound; way : (u,) direction; both go on from call to call
    steps : best bound, length of steps, rounds without progress; likewise
    """
    load = np.empty(len(worth))
    for _ in range(rounds):
        value = value_of(worth, ptr, unit, price, records, need, safe, cost, load)
        if steps[0] > -math.inf and value > steps[0] + 1e-7 * abs(steps[0]):
            steps[2] = 0.0
        else:
            steps[2] += 1.0
        if value > steps[0]:
            steps[0] = value
            for u in range(len(worth)):
                best[u] = worth[u]
        norm = 0.0
        for u in range(len(worth)):
            way[u] = 0.7 * way[u] + records[u] - load[u]
            norm += way[u] * way[u]
        if steps[2] >= 12.0:
            steps[2] = 0.0
            steps[1] *= 0.7
            for u in range(len(worth)):
                worth[u] = best[u]
                way[u] = 0.0
            continue
        if norm == 0.0 or target - value <= 0.0:
            return
        step = steps[1] * (target - value) / norm
        for u in range(len(worth)):
            worth[u] = min(most[u], max(0.0, worth[u] + step * way[u]))
