"""From a recipe to its results: stages, each declared once, and kept by what their declarations say."""
