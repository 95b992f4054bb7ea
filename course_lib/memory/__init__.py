"""Where the elements are: shapes, strides, new memory, memory formats, devices."""
