"""The recipe: its immutable model, its TOML form, its validation, and what changed between two of them."""
