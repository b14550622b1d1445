"""What follows from a recipe: the stages, their stores and the values they leave."""
