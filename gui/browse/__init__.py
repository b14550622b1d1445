"""Browse Data, Browse Safe File and the records of a cell."""
