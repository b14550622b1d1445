"""The release report on paper: pages, print and PDF."""
