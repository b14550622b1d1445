"""What a release report says, as data, and its renderings."""
