"""Where the elements are: shapes, strides, new memory, devices; and sums along that memory."""
