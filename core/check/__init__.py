"""The independent check of a written file; it shares no code with what it checks."""
