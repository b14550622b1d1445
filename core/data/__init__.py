"""A microdata file in memory: variables, encoded columns, weights, households."""
