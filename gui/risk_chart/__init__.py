"""Risk Chart and Household Risk Chart."""
