"""Start of the application, and what goes on behind its windows."""
