"""The same elements in another shape: reshape, transpose, split, join."""
