"""The bridge to NumPy: one memory, two names."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.methods import attach
from course_lib.dtypes import dtypes
from course_lib.memory import layout
from course_lib.memory.meta import MetaArray
from course_lib.modes import modes
from course_lib.words import errors

__all__ = []


def over(array: np.ndarray) -> Tensor:
    """A tensor over the memory of `array`."""
    return Tensor._make(layout.sharable(array), dtypes.of_numpy(array.dtype))


def numpy(self: Tensor, *, force: bool = False) -> np.ndarray:
    """A NumPy array over the same memory: a write to one changes the other.

    Raises RuntimeError for a tensor that requires grad, unless `force` or inside `no_grad`.

    >>> torch.tensor([1, 2]).numpy()
    array([1, 2])
    """
    if not isinstance(force, bool):
        raise TypeError(errors.flag_not_bool("numpy", "force", force))
    if self._array.__class__ is MetaArray:
        if force:
            raise NotImplementedError(errors.META_COPY)
        raise TypeError(errors.NUMPY_OF_META)
    if self.requires_grad and modes.grad and not force:
        raise RuntimeError(errors.NUMPY_OF_TRACKED)
    if self._dtype is dtypes.bfloat16:
        raise TypeError(errors.numpy_of(self._dtype))
    self._share()
    array = self._array
    if not array.size:  # as in PyTorch, an empty tensor has strides of 0
        return np.ndarray(array.shape, array.dtype, array, 0, (0,) * array.ndim)
    return array.view()  # a new array object: reshaping it does not affect the tensor


# NumPy calls the next two.  Their parameters are PyTorch's and lack those that NumPy 2 added, so
# NumPy warns of deprecation, with either library.


def as_array(self: Tensor, dtype: Any = None) -> np.ndarray:
    """The array that `np.asarray` gets: the same memory, or a copy of another dtype.

    >>> import numpy as np
    >>> np.asarray(torch.tensor([1., 2.]))
    array([1., 2.], dtype=float32)
    """
    array = numpy(self)
    return array if dtype is None else array.astype(dtype, copy=False)


def wrap_array(self: Tensor, array: np.ndarray) -> Tensor:
    """The result of a NumPy function of a tensor, as a tensor again."""
    return over(array.astype(np.uint8) if array.dtype == np.bool_ else array)


attach(
    {
        "numpy": numpy,
        "__array__": as_array,
        "__array_wrap__": wrap_array,
    }
)
