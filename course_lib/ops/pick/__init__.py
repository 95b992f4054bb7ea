"""Some of the elements: indexing, slices, masks, gather, scatter, sort."""
