"""From the text of a file to one checked tree of named clauses: reading, shape, and how files are put together."""
