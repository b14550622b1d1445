"""Local suppression judged by counts on the released file, where a blank matches anything: for comparison only."""
