"""From plan to files: the run, the safe file, its codelists, summary and record file."""
