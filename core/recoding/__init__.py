"""Global recodes, truncation, top and bottom coding, rounding."""
