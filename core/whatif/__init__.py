"""Figures of a state or of a change: before and after, alternatives, the effect of a recode, merges."""
