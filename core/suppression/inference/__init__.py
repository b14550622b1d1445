"""What gives a suppressed value away."""
