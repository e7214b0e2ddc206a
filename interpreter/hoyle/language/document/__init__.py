"""From the text of a file to a single checked tree of named clauses: parsing, schema validation, merging of files."""
