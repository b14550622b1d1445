"""What each unit may suppress, best first: of all masks offered, those that make it safer than every one before."""

from __future__ import annotations

from numba import types

from .declare import kernel

_U4 = types.Array(types.uint32, 1, "C", readonly=True)
_I8 = types.Array(types.int64, 1, "C", readonly=True)
_F8 = types.Array(types.float64, 1, "C", readonly=True)
_U4_OUT = types.Array(types.uint32, 1, "C")
_I8_OUT = types.Array(types.int64, 1, "C")
_F8_OUT = types.Array(types.float64, 1, "C")


@kernel(
    types.int64(
        _I8, _U4, _U4, _F8, types.uint32, _F8_OUT, _I8_OUT, _U4_OUT, _U4_OUT, _F8_OUT
    )
)  # fmt: skip
def offer(rows, cell, group, margin, mask, best, options, of_unit, of_mask, of_risk):  # type: ignore[no-untyped-def]
    """Offer one more mask to the units `rows`: it becomes an option where it lowers the risk below all before.

    Parameters
    ----------
    cell : of each unit; group, margin : cell -> group of the mask's margin -> risk
    best, options : by unit, lowest risk so far and number of options; changed
    of_unit, of_mask, of_risk : (b,) filled, with room for all rows

    Returns
    -------
    number of options found
    """
    used = 0
    for i in range(len(rows)):
        u = rows[i]
        risk = margin[group[cell[u]]]
        if risk < best[u]:
            best[u] = risk
            options[u] += 1
            of_unit[used] = u
            of_mask[used] = mask
            of_risk[used] = risk
            used += 1
    return used


@kernel(types.void(_U4, _U4, _F8, _I8_OUT, _U4_OUT, _F8_OUT))
def arrange(of_unit, of_mask, of_risk, places, mask, risk):  # type: ignore[no-untyped-def]
    """Put options where those of their unit stand, in the order they come; places move on."""
    for i in range(len(of_unit)):
        place = places[of_unit[i]]
        mask[place] = of_mask[i]
        risk[place] = of_risk[i]
        places[of_unit[i]] = place + 1
