"""The report of a run: a page (`page`), a table (`terminal`), a document (`json`)."""
