"""Qt item models over data that core derived."""
