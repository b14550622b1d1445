"""Files of mu-ARGUS: metadata, codelists, recodes."""
