"""Local suppression as one problem of the whole file: records are judged by the key under which they are released."""
