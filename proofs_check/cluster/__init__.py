"""A Dask cluster as the place where tasks run, checked before anything is sent to it."""
