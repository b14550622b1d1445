"""What a release profile can ask of a safe file, one check a file."""
