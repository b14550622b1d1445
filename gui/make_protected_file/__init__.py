"""Make Protected File."""
