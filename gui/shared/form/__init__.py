"""A form made from the declaration of an entry of the recipe, and the list in which its kind is chosen."""
