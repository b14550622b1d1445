"""The verdict: whether a safe file is ready for release, by the rules of its target."""
