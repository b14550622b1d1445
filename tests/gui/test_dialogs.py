"""What the file dialogs offer."""

from __future__ import annotations

import re

from core.metadata import describe
from gui import dialogs


def test_every_kind_of_microdata_that_is_read_is_offered() -> None:
    assert set(re.findall(r"\*(\.\w+)", dialogs.MICRODATA)) == set(describe._SUFFIXES)
