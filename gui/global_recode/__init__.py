"""Global Recode."""
