"""What is wrong with a rule file, as values: the codes, the report that collects findings, and how they are shown."""
