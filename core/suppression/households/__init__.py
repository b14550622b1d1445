"""Local suppression where the members of a household are coupled."""
