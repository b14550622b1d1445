"""Release profiles: an office's rules for a safe file as data, and the checks that they are made of."""
