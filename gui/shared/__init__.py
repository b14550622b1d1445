"""What two or more windows are made of: the base of windows, their registry, widgets."""
