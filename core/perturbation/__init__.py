"""Values changed at random, one file a method."""
