"""Finding a plan: the hierarchies of the keys, the lattice of their levels, and the plans on it that none beats."""
