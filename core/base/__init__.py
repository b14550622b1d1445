"""What everything stands on: errors, progress, texts, child processes, outputs that appear together."""
