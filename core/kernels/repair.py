"""Annealing over single records where members of a household lose household variables together or not at all.

What the release costs is the losses and, for every record that a key lacks, a fine. A round moves one record to another
choice; where the household variables of that choice are others, all members of its household take their best choices
with these. Up to three lenders come where the key lacks records. Every step is written into a journal, so that a round
is taken back without copying anything.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np
from numba import types

from .declare import kernel, part
from .released_keys import below, draw

HOUSE, UNIT, CHOICE, NEXT, BEFORE, PLACE, CHANGED = range(7)
NEED, CLASS = range(2)
COUNT, DEMAND, HEAD = range(3)
WRITTEN, LACKING, AWAY, DIRTY = range(4)
NOW, BEST = range(2)
BEGIN, EMPTY, ANNEAL, GO_FAR, GO_BACK = range(5)
"""What `search` does."""

_TABLE = types.int32[:, ::1]
_INT = types.int32[::1]
_LONG = types.int64[::1]
_REAL = types.float64[::1]

State = namedtuple(
    "State",
    "rec uni grp homes goes gid first shared price gptr gmid gunit gchoice uptr urec away dirty best journal num cost "
    "random",
)
"""What the search works on.

rec : (n, 7) int32 of the records, household after household: household, unit, choice, next and previous record that
    asks in its group, place in `away`, whether it is in `dirty`
uni : (u, 2) int32: records that a key with records of the unit must have, class; grp : (g, 3) int32: records, the most
    that one of them asks for, first record that asks
homes : (h + 1,) where households begin; goes : (u,) so that ``gid[goes[u] + c]`` is the group of unit u by choice c
first : (classes, shared choices + 1) int32 where the choices of a class with that shared part begin, the cheapest first
shared, price : (c,) of the choices; gptr, gmid, gunit, gchoice : by group the units that can come, those that ask first
    and up to gmid, and by which choice; uptr, urec : records by unit
away : records that lose something, ``num[AWAY]`` of them; dirty : those changed since `best` was written
"""

_STATE = types.NamedTuple(  # type: ignore[no-untyped-call]
    [
        _TABLE, _TABLE, _TABLE, _LONG, _LONG, _INT, _TABLE, _INT, _REAL, _LONG, _LONG, _INT, _INT, _LONG, _INT, _INT,
        _INT, _INT, _TABLE, _LONG, _REAL, types.uint64[::1],
    ],
    State,
)  # fmt: skip
_ONE = types.int64
SLACK = 1e-9
MOST_MOVED = 4
"""Records that a round moves by themselves, one of them and its lenders; the others follow with their households."""
_TRIED = 4


@part(_ONE(_STATE, _ONE, _ONE))
def group_of(s, r, c):  # type: ignore[no-untyped-def]
    """The group of record r by choice c."""
    return np.int64(s.gid[s.goes[s.rec[r, UNIT]] + c])


@part(_ONE(_STATE, _ONE))
def lack(s, g):  # type: ignore[no-untyped-def]
    """How many records a group lacks."""
    return np.int64(max(0, s.grp[g, DEMAND] - s.grp[g, COUNT]))


@part(types.void(_STATE, _ONE))
def leave(s, r):  # type: ignore[no-untyped-def]
    """Take a record out of its group."""
    c = s.rec[r, CHOICE]
    g = group_of(s, r, c)
    before = lack(s, g)
    need = s.uni[s.rec[r, UNIT], NEED]
    s.grp[g, COUNT] -= 1
    if need > 1:
        after, ahead = s.rec[r, NEXT], s.rec[r, BEFORE]
        if after >= 0:
            s.rec[after, BEFORE] = ahead
        if ahead >= 0:
            s.rec[ahead, NEXT] = after
        else:
            s.grp[g, HEAD] = after
        if need == s.grp[g, DEMAND]:
            most = np.int32(0)
            other = s.grp[g, HEAD]
            while other >= 0 and most < need:
                most = max(most, s.uni[s.rec[other, UNIT], NEED])
                other = s.rec[other, NEXT]
            s.grp[g, DEMAND] = most
    s.num[LACKING] += lack(s, g) - before
    s.cost[NOW] -= s.price[c]
    if s.rec[r, PLACE] >= 0:
        s.num[AWAY] -= 1
        last = s.away[s.num[AWAY]]
        s.away[s.rec[r, PLACE]] = last
        s.rec[last, PLACE] = s.rec[r, PLACE]
        s.rec[r, PLACE] = -1


@part(types.void(_STATE, _ONE, _ONE))
def enter(s, r, c):  # type: ignore[no-untyped-def]
    """Put a record that is in no group where choice c leads it."""
    g = group_of(s, r, c)
    before = lack(s, g)
    need = s.uni[s.rec[r, UNIT], NEED]
    s.rec[r, CHOICE] = c
    s.grp[g, COUNT] += 1
    if need > 1:
        head = s.grp[g, HEAD]
        s.rec[r, NEXT], s.rec[r, BEFORE] = head, -1
        if head >= 0:
            s.rec[head, BEFORE] = r
        s.grp[g, HEAD] = r
        s.grp[g, DEMAND] = max(s.grp[g, DEMAND], need)
    s.num[LACKING] += lack(s, g) - before
    s.cost[NOW] += s.price[c]
    if s.price[c] > 0:
        s.away[s.num[AWAY]] = r
        s.rec[r, PLACE] = s.num[AWAY]
        s.num[AWAY] += 1


@part(types.void(_STATE))
def begin(s):  # type: ignore[no-untyped-def]
    """Release all records as they are; each class loses nothing by its first choice."""
    for r in range(len(s.rec)):
        enter(s, r, s.first[s.uni[s.rec[r, UNIT], CLASS], 0])
        s.best[r] = s.rec[r, CHOICE]
    s.cost[NOW] = 0.0
    if s.num[LACKING] == 0:
        s.cost[BEST] = 0.0


@part(types.void(_STATE, _ONE, _ONE))
def shift(s, r, c):  # type: ignore[no-untyped-def]
    """Give a record another choice, and write down which it had."""
    old = s.rec[r, CHOICE]
    if old != c:
        s.journal[s.num[WRITTEN], 0] = r
        s.journal[s.num[WRITTEN], 1] = old
        s.num[WRITTEN] += 1
        leave(s, r)
        enter(s, r, c)


@part(types.void(_STATE))
def take_back(s):  # type: ignore[no-untyped-def]
    """Undo what the journal says."""
    for i in range(s.num[WRITTEN] - 1, -1, -1):
        leave(s, s.journal[i, 0])
        enter(s, s.journal[i, 0], s.journal[i, 1])
    s.num[WRITTEN] = 0


@part(types.float64(_STATE, _ONE, _ONE, types.float64))
def rate(s, r, c, fine):  # type: ignore[no-untyped-def]
    """What it costs that record r comes where choice c leads it."""
    g = group_of(s, r, c)
    need = s.uni[s.rec[r, UNIT], NEED]
    if g == group_of(s, r, s.rec[r, CHOICE]):
        return s.price[c]
    asked = max(s.grp[g, DEMAND], need if need > 1 else 0)
    return s.price[c] + fine * (max(0, asked - s.grp[g, COUNT] - 1) - lack(s, g))


@part(types.boolean(_STATE, _ONE, _ONE, types.float64))
def take(s, r, c, fine):  # type: ignore[no-untyped-def]
    """Record r takes choice c, and its household follows; False where a member cannot, and then it is half done."""
    together = s.shared[c]
    if together != s.shared[s.rec[r, CHOICE]]:
        house = s.rec[r, HOUSE]
        for other in range(s.homes[house], s.homes[house + 1]):
            if other == r:
                continue
            kind = s.uni[s.rec[other, UNIT], CLASS]
            best, least = -1, math.inf
            for way in range(s.first[kind, together], s.first[kind, together + 1]):
                found = rate(s, other, way, fine)
                if found < least:
                    best, least = way, found
            if best < 0:
                return False
            shift(s, other, best)
    shift(s, r, c)
    return True


@part(_ONE(_STATE, _ONE, types.float64))
def pick(s, r, fine):  # type: ignore[no-untyped-def]
    """A choice for a record that asks: the best of some; -1: none but the one that it has."""
    kind = s.uni[s.rec[r, UNIT], CLASS]
    begin, end = s.first[kind, 0], s.first[kind, s.first.shape[1] - 1]
    now = s.rec[r, CHOICE]
    members = s.homes[s.rec[r, HOUSE] + 1] - s.homes[s.rec[r, HOUSE]]
    best, least = np.int64(-1), math.inf
    for _ in range(1 + below(s.random, _TRIED)):
        c = begin + below(s.random, end - begin)
        if c != now:
            times = 1 if s.shared[c] == s.shared[now] else members
            found = (s.price[c] - s.price[now]) * times + rate(s, r, c, fine) - s.price[c]
            if found < least:
                best, least = c, found
    return best


@part(types.boolean(_STATE, _ONE, types.float64))
def lend(s, g, fine):  # type: ignore[no-untyped-def]
    """Let the cheapest of some records that could come to group g do so; False where it is half done."""
    best, by, least = np.int64(-1), np.int64(-1), math.inf
    for _ in range(_TRIED):
        begin, end = s.gptr[g], s.gptr[g + 1]
        if s.gmid[g] > begin and draw(s.random) < 0.5:
            end = s.gmid[g]
        e = begin + below(s.random, end - begin)
        u, c = s.gunit[e], s.gchoice[e]
        r = s.urec[s.uptr[u] + below(s.random, s.uptr[u + 1] - s.uptr[u])]
        now = s.rec[r, CHOICE]
        home = group_of(s, r, now)
        if home == g:
            continue
        times = 1
        if s.shared[c] != s.shared[now]:
            times = s.homes[s.rec[r, HOUSE] + 1] - s.homes[s.rec[r, HOUSE]]
        found = (s.price[c] - s.price[now]) * times
        if s.grp[home, COUNT] <= s.grp[home, DEMAND]:
            found += fine
        if found < least:
            best, by, least = np.int64(r), np.int64(c), found
    return best >= 0 and take(s, best, by, fine)


@part(types.boolean(_STATE, types.float64))
def back(s, fine):  # type: ignore[no-untyped-def]
    """Let a record that loses something take another choice, a cheap one rather."""
    r = s.away[below(s.random, s.num[AWAY])]
    kind = s.uni[s.rec[r, UNIT], CLASS]
    together = s.shared[s.rec[r, CHOICE]]
    if draw(s.random) < 0.5:
        together = 0 if draw(s.random) < 0.5 else below(s.random, s.first.shape[1] - 1)
    begin, end = s.first[kind, together], s.first[kind, together + 1]
    return begin < end and take(s, r, begin + below(s.random, 1 + below(s.random, end - begin)), fine)


@part(types.void(_STATE))
def keep(s):  # type: ignore[no-untyped-def]
    """Write down the release as the best one."""
    for i in range(s.num[DIRTY]):
        r = s.dirty[i]
        s.best[r] = s.rec[r, CHOICE]
        s.rec[r, CHANGED] = 0
    s.num[DIRTY] = 0
    s.cost[BEST] = s.cost[NOW]


@part(types.void(_STATE))
def accept(s):  # type: ignore[no-untyped-def]
    """Let what the journal says stand; the best release so far is kept."""
    for i in range(s.num[WRITTEN]):
        r = s.journal[i, 0]
        if s.rec[r, CHANGED] == 0:
            s.rec[r, CHANGED] = 1
            s.dirty[s.num[DIRTY]] = r
            s.num[DIRTY] += 1
    s.num[WRITTEN] = 0
    if s.num[LACKING] == 0 and s.cost[NOW] < s.cost[BEST] - SLACK:
        keep(s)


@part(types.void(_STATE))
def empty(s):  # type: ignore[no-untyped-def]
    """Let all records lose nothing."""
    while s.num[AWAY] > 0:
        house = s.rec[s.away[0], HOUSE]
        for r in range(s.homes[house], s.homes[house + 1]):
            shift(s, r, s.first[s.uni[s.rec[r, UNIT], CLASS], 0])
        accept(s)
    s.cost[NOW] = 0.0


@part(types.void(_STATE))
def go_back(s):  # type: ignore[no-untyped-def]
    """Give every record its choice of the best release."""
    for r in range(len(s.rec)):
        shift(s, r, s.best[r])
        s.num[WRITTEN] = 0
    for i in range(s.num[DIRTY]):
        s.rec[s.dirty[i], CHANGED] = 0
    s.num[DIRTY] = 0
    s.cost[NOW] = s.cost[BEST]


@part(types.void(_STATE, _INT, _ONE, types.float64, types.float64))
def anneal(s, asking, rounds, heat, fine):  # type: ignore[no-untyped-def]
    """So many rounds at one temperature.

    asking : the records that are moved first of all; fine : for every record that a key lacks
    """
    for _ in range(rounds):
        cost, lacking = s.cost[NOW], s.num[LACKING]
        if s.num[AWAY] > 0 and draw(s.random) < 0.4:
            whole = back(s, fine)
        else:
            r = asking[below(s.random, len(asking))]
            c = pick(s, r, fine)
            whole = c >= 0 and take(s, r, c, fine)
            if whole:
                g, come = group_of(s, r, c), 0
                while whole and come < MOST_MOVED - 1 and lack(s, g) > 0:  # one that comes may bring others of its home
                    whole = lend(s, g, fine)
                    come += 1
        more = s.cost[NOW] - cost + fine * (s.num[LACKING] - lacking)
        if whole and (more <= SLACK or draw(s.random) < math.exp(-more / heat)):
            accept(s)
        else:
            take_back(s)


@part(types.boolean(_STATE, _ONE, _INT))
def go_bare(s, house, barest):  # type: ignore[no-untyped-def]
    """All members of a household lose as much as they can; whether they had not."""
    together = barest[house]
    if together < 0:
        return False
    for r in range(s.homes[house], s.homes[house + 1]):
        shift(s, r, s.first[s.uni[s.rec[r, UNIT], CLASS], together + 1] - 1)
    changed = s.num[WRITTEN] > 0
    accept(s)
    return changed


@part(types.void(_STATE, _INT, _INT))
def go_far(s, order, barest):  # type: ignore[no-untyped-def]
    """Households with a record whose key lacks some lose as much as they can; then others, until no key lacks any.

    order : the households; barest : (h,) the shared choice by which each loses the most, -1: it has none
    """
    changed = True
    while changed and s.num[LACKING] > 0:
        changed = False
        for lending in range(2):
            for i in range(len(order)):
                if changed and lending:
                    break
                house = order[i]
                wanted = False
                for r in range(s.homes[house], s.homes[house + 1]):
                    c = s.rec[r, CHOICE]
                    if lending and barest[house] >= 0:
                        c = s.first[s.uni[s.rec[r, UNIT], CLASS], barest[house] + 1] - 1
                    asks = lending or s.uni[s.rec[r, UNIT], NEED] > 1
                    wanted = wanted or (asks and lack(s, group_of(s, r, c)) > 0)
                if wanted and go_bare(s, house, barest):
                    changed = True


@kernel(types.void(_STATE, _ONE, _INT, _INT, _ONE, types.float64, types.float64))
def search(s, what, records, barest, rounds, heat, fine):  # type: ignore[no-untyped-def]
    """One step of the search. One kernel for all of them: what they call is then optimised once.

    Parameters
    ----------
    what : `BEGIN`; `EMPTY`; `GO_BACK`; `ANNEAL` with `records` (r,) that ask, `rounds`, `heat` and `fine`; `GO_FAR`
        with `records` (h,), the households in their order, and `barest` (h,)
    """
    if what == BEGIN:
        begin(s)
    elif what == EMPTY:
        empty(s)
    elif what == ANNEAL:
        anneal(s, records, rounds, heat, fine)
    elif what == GO_BACK:
        go_back(s)
    else:
        go_far(s, records, barest)
