"""Numba kernels: plain arrays in, plain arrays out, nogil, cached, no fastmath."""
