"""Export for sdcMicro and for mu-ARGUS."""
