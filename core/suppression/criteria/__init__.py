"""Criteria that the whole released file has to meet, one file each."""
