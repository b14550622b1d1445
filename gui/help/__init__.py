"""Help Contents."""
