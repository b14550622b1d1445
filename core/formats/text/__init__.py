"""Records cut out of text, fixed and delimited, and written back."""
