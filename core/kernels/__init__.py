"""Numba kernels: plain arrays in, plain arrays out, nogil, cached, no fastmath."""

import os

# numba would make colours ready for each of the thousands of errors by which it finds out types; nobody sees one
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")
