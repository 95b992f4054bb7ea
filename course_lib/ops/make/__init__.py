"""New tensors: from data, from shapes, from random numbers; copies and conversions."""
