"""Reading and writing files; `registry` says which module is for which format."""
