"""Files with types: SPSS, Stata, SAS, Parquet, Excel."""
