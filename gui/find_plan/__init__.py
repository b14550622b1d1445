"""Find a Plan."""
