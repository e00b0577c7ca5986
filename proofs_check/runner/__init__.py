"""Runs claims: seeds, processes, cache, and the folder that a run leaves."""
