"""What the released file still says: the original, recoded alike, compared with what is released."""
