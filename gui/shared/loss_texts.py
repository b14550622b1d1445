"""What a loss of information is of, in words."""

from __future__ import annotations

from core.base.texts import mark

ABOUT_LOSS = mark(
    "In bits, by recoding and suppression together: what different recodes are compared by. Preview and report give"
    " the loss by suppression alone, which is less: what recoding took away is not in it."
)
