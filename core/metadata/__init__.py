"""What is known and proposed about variables."""
