"""The table of the program."""
