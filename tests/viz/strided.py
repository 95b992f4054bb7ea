"""A stand-in for a tensor library: just enough strided memory to draw, on NumPy arrays.

It shows that `draw_storage` asks for nothing but PyTorch's public attributes.
"""

import numpy as np


class Storage:
    def __init__(self, array):
        self.array = array

    def data_ptr(self):
        return self.array.__array_interface__["data"][0] if self.array.size else 0

    def nbytes(self):
        return self.array.nbytes

    def __getitem__(self, part):
        return Storage(self.array.view(np.uint8)[part])

    def tolist(self):
        return self.array.tolist()


class Device:
    type = "cpu"


class Strided:
    grad_fn, requires_grad, _version, device = None, False, 0, Device()
    shape, dtype = (), ""

    def __init__(self, array, owner=None):
        self.array = array
        self.owner = array.reshape(-1) if owner is None else owner
        self.shape, self.dtype = array.shape, f"numpy.{array.dtype}"

    def untyped_storage(self):
        return Storage(self.owner)

    def element_size(self):
        return self.array.itemsize

    def stride(self):
        return tuple(step // self.array.itemsize for step in self.array.strides)

    def storage_offset(self):
        start = self.array.__array_interface__["data"][0]
        return (
            (start - Storage(self.owner).data_ptr()) // self.array.itemsize
            if self.owner.size
            else 0
        )

    def tolist(self):
        return self.array.tolist()

    def detach(self):
        return self

    def as_strided(self, size, stride, offset):
        steps = [step * self.array.itemsize for step in stride]
        part = self.owner[offset:]
        return Strided(np.lib.stride_tricks.as_strided(part, size, steps), self.owner)

    def t(self):
        return Strided(self.array.T, self.owner)

    def expand(self, *shape):
        return Strided(np.broadcast_to(self.array, shape), self.owner)

    def __getitem__(self, index):
        return Strided(self.array[index], self.owner)


def tensor(values):
    return Strided(np.array(values))
