"""View Report and Report Details."""
