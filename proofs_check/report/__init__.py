"""The report of a run: a page, a table for the terminal or in Markdown, a JSON document."""
