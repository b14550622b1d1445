"""Least-loss hitting sets by branch and bound: the smallest choice of bits that meets every mask of a problem."""

from __future__ import annotations

import numpy as np
from numba import types

from .declare import kernel, part

_U8 = types.Array(types.uint64, 1, "C", readonly=True)
_I8 = types.Array(types.int64, 1, "C", readonly=True)
_F8 = types.Array(types.float64, 1, "C", readonly=True)
_U8_OUT = types.Array(types.uint64, 1, "C")
_I8_OUT = types.Array(types.int64, 1, "C")
_F8_OUT = types.Array(types.float64, 1, "C")
_LOOK = types.Tuple((types.float64, types.int64, types.int64, types.uint64, types.uint64))  # type: ignore[no-untyped-call]

NONE = np.uint64(0xFFFFFFFFFFFFFFFF)
"""The answer of a problem that has none."""

EQUAL_LOSS = 1e-9
STACK = 64 * 64
PROBLEM, PHASE, DEPTH = 0, 1, 2
BEGIN, LEAST_LOSS, TIES = 0, 1, 2

_ZERO, _ONE = np.uint64(0), np.uint64(1)
_M1, _M2, _M4 = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333), np.uint64(0x0F0F0F0F0F0F0F0F)
_S1, _S2, _S4 = np.uint64(1), np.uint64(2), np.uint64(4)
_S8, _S16, _S32, _BYTE = np.uint64(8), np.uint64(16), np.uint64(32), np.uint64(0x7F)


@part([types.int64(types.uint64)])
def bits_set(x):  # type: ignore[no-untyped-def]
    """Number of bits set."""
    x = x - (x >> _S1 & _M1)
    x = (x & _M2) + (x >> _S2 & _M2)
    x = x + (x >> _S4) & _M4
    x = x + (x >> _S8)
    x = x + (x >> _S16)
    x = x + (x >> _S32)
    return np.int64(x & _BYTE)


@part([types.int64(types.uint64)])
def first_bit(x):  # type: ignore[no-untyped-def]
    """Place of the lowest bit set; x must not be 0."""
    return bits_set((x & (~x + _ONE)) - _ONE)


@part([types.boolean(types.uint64, types.uint64, types.uint64)])
def comes_first(a, b, keys):  # type: ignore[no-untyped-def]
    """Whether a's ascending list of key bits comes before b's, a list before its own continuation."""
    a, b = a & keys, b & keys
    if a == b:
        return False
    place = np.uint64(first_bit(a ^ b))
    a_has = a >> place & _ONE == _ONE
    other = b if a_has else a
    other_goes_on = other >> place > _ZERO
    return a_has == other_goes_on


@part([types.uint64(types.uint64, _U8, types.uint64, types.uint64)])
def selectable(missing, closures, fixed, banned):  # type: ignore[no-untyped-def]
    """The bits that can be chosen: none of what goes with them is fixed or banned."""
    found = _ZERO
    for v in range(len(closures)):
        if closures[v] & ~missing & (fixed | banned) == _ZERO:
            found |= _ONE << np.uint64(v)
    return found


@part([types.float64(types.uint64, _F8)])
def loss_of(chosen, costs):  # type: ignore[no-untyped-def]
    """Sum of the costs of the bits set."""
    total = 0.0
    while chosen != _ZERO:
        total += costs[first_bit(chosen)]
        chosen &= chosen - _ONE
    return total


@part([types.float64(types.uint64, _F8)])
def least_cost(bits, costs):  # type: ignore[no-untyped-def]
    """The smallest cost of a bit set."""
    least = np.inf
    while bits != _ZERO:
        least = min(least, costs[first_bit(bits)])
        bits &= bits - _ONE
    return least


@part([_LOOK(_U8, types.uint64, types.uint64, _F8)])
def look(masks, chosen, free, costs):  # type: ignore[no-untyped-def]
    """What a choice leaves open.

    Returns
    -------
    bound, count : least loss and number of bits of any choice that contains `chosen` and else only `free` bits
    size, branch : of the mask not met that has the fewest free bits their number (65: all are met), and these bits
    reach : free bits of all masks not met
    """
    bound, count, size = loss_of(chosen, costs), bits_set(chosen), 65
    packed, reach, branch = _ZERO, _ZERO, _ZERO
    for e in range(len(masks)):
        if masks[e] & chosen != _ZERO:
            continue
        choices = masks[e] & free
        reach |= choices
        open_bits = bits_set(choices)
        if open_bits < size:
            size, branch = open_bits, choices
            if size == 0:
                break
        if choices & packed == _ZERO:
            packed |= choices
            bound += least_cost(choices, costs)
            count += 1
    return bound, count, size, branch, reach


@part([types.boolean(types.uint64, types.uint64, types.uint64, _U8, types.uint64)])
def never_first(chosen, banned, reach, closures, known):  # type: ignore[no-untyped-def]
    """Whether no choice with the bits `chosen`, some in `reach` and none `banned` comes before `known` of its size."""
    if known & banned == _ZERO:
        return False
    while reach != _ZERO:
        chosen |= closures[first_bit(reach)]
        reach &= reach - _ONE
    lower = (_ONE << np.uint64(first_bit(known & banned))) - _ONE
    return chosen & lower & ~known == _ZERO


@part(
    [types.int64(types.uint64, types.uint64, types.uint64, _U8, types.uint64, _U8_OUT, _U8_OUT, types.int64)]
)  # fmt: skip
def put_branches(chosen, banned, branch, closures, missing, chosen_stack, banned_stack, depth):  # type: ignore[no-untyped-def]
    """One choice for each bit of `branch`, those before it banned, on the stacks with the first on top; new depth."""
    count = bits_set(branch)
    for place in range(depth + count - 1, depth - 1, -1):
        v = first_bit(branch)
        chosen_stack[place] = chosen | closures[v] & ~missing
        banned_stack[place] = banned
        banned |= _ONE << np.uint64(v)
        branch &= branch - _ONE
    return depth + count


@part([types.boolean(_I8_OUT, _F8_OUT, _U8_OUT)])
def next_phase(state, best_loss, answer):  # type: ignore[no-untyped-def]
    """With the stack empty: go on from the least loss to its ties, or to the next problem; whether one is left."""
    i = state[PROBLEM]
    if state[PHASE] == LEAST_LOSS and answer[i] != NONE:
        state[PHASE] = TIES
        return True
    if state[PHASE] != BEGIN:
        i += 1
        state[PROBLEM] = i
        state[PHASE] = BEGIN
    if i == len(answer):
        return False
    state[PHASE], best_loss[i], answer[i] = LEAST_LOSS, np.inf, NONE
    return True


@kernel([types.void(_U8, _I8, _U8, _U8, _F8, types.uint64, types.uint64, _U8_OUT, _U8_OUT, _I8_OUT, _F8_OUT, _U8_OUT,
                  types.int64)])  # fmt: skip
def solve(  # type: ignore[no-untyped-def]
    masks, starts, missing, closures, costs, fixed, keys, chosen_stack, banned_stack, state, best_loss, answer, work
):  # fmt: skip
    """Go on with the problems ``state[PROBLEM]``, ... until all are solved or about `work` masks were looked at.

    A choice is closed (with bit v it contains ``closures[v]``, but for bits missing anyway), has no fixed bit and
    shares a bit with each mask of its problem. The best one: least sum of costs, equal within `EQUAL_LOSS`; then
    fewest bits; then the ascending list of its bits among `keys` that comes first. First the least loss is found,
    then the best of all choices that have it.

    Parameters
    ----------
    masks, starts : problem i has ``masks[starts[i]:starts[i + 1]]``, none with a bit missing in it
    missing : of each problem, bits that cost nothing and are never chosen
    closures, costs : of each bit, at most 60
    chosen_stack, banned_stack, state, best_loss, answer : what the search remembers between calls; the last one is
        its result, one mask a problem, `NONE` where there is no choice
    """
    only_keys = keys + _ONE == _ONE << np.uint64(len(closures))
    while work > 0:
        if state[DEPTH] == 0:
            if not next_phase(state, best_loss, answer):
                return
            chosen_stack[0] = banned_stack[0] = _ZERO
            state[DEPTH] = 1
        i = state[PROBLEM]
        state[DEPTH] -= 1
        chosen, banned = chosen_stack[state[DEPTH]], banned_stack[state[DEPTH]]
        of_problem = masks[starts[i] : starts[i + 1]]
        work -= len(of_problem) + 8
        free = selectable(missing[i], closures, fixed, banned)
        bound, count, size, branch, reach = look(of_problem, chosen, free, costs)
        known = bits_set(answer[i])
        if state[PHASE] == LEAST_LOSS:
            worse = bound >= best_loss[i]
        else:
            worse = bound > best_loss[i] + EQUAL_LOSS or count > known
            if only_keys and count == known:
                worse |= never_first(chosen, banned, reach, closures, answer[i])
        if size == 0 or worse:
            continue
        if size < 65:
            state[DEPTH] = put_branches(
                chosen, banned, branch, closures, missing[i], chosen_stack, banned_stack, state[DEPTH]
            )
        elif state[PHASE] == LEAST_LOSS:
            best_loss[i], answer[i] = bound, chosen
        elif count < known or comes_first(chosen, answer[i], keys):
            answer[i] = chosen
