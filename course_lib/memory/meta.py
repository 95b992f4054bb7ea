"""Arrays without memory: the `meta` device computes shapes and dtypes only."""

import math
from typing import Any

import numpy as np

from course_lib.memory import devices, layout
from course_lib.words import errors


class MetaArray(np.lib.mixins.NDArrayOperatorsMixin):
    """Shape, strides and dtype of an array without its memory.

    NumPy's dispatch protocols send every kernel here.  The result of a ufunc is found by
    broadcasting, that of another function by running it on arrays that have the shape but memory
    for only one element.
    """

    torch_device = devices.META
    base = None

    def __init__(self, shape: Any, dtype: Any, strides: Any = None, offset: int = 0):
        self.shape = tuple(shape)
        self.dtype = np.dtype(dtype)
        self.strides = strides or layout.contiguous_strides(self.shape, self.dtype.itemsize)
        self.offset = offset

    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: math.prod(self.shape))
    itemsize = property(lambda self: self.dtype.itemsize)
    nbytes = property(lambda self: self.size * self.itemsize)

    def restride(self, shape: Any, strides: Any, offset: int, dtype: Any = None) -> "MetaArray":
        return MetaArray(shape, dtype or self.dtype, strides, offset)

    def astype(self, dtype: Any, copy: bool = True) -> "MetaArray":
        return MetaArray(self.shape, dtype)

    def copy(self, order: str = "C") -> "MetaArray":
        return MetaArray(self.shape, self.dtype)

    def __setitem__(self, index: Any, value: Any) -> None:
        """Nothing is stored."""

    def stand_in(self) -> np.ndarray:
        """An array of this shape and dtype that needs the memory of one element."""
        return np.broadcast_to(np.ones((), self.dtype), self.shape)

    def __getattr__(self, name: str) -> Any:
        """What an array has, such as `mT`; a method runs on a stand-in."""
        if name.startswith("_"):
            raise AttributeError(name)
        found = getattr(self.stand_in(), name)
        if not callable(found):
            return of_result(found)
        return lambda *args, **kwargs: of_result(found(*swap(args), **swap(kwargs)))

    def __getitem__(self, index: Any) -> Any:
        return of_result(self.stand_in()[swap(index)])

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if not ufunc.signature:
            check_devices(inputs)
        if method == "reduce" and inputs[0].__class__ is MetaArray:
            return reduce_shape(ufunc, inputs[0], **kwargs)
        if method == "at":  # nothing is stored
            return None
        if "out" in kwargs:  # written over, as in `a += b`, an array keeps its shape and dtype
            return kwargs["out"][0]
        values = [swap(v) for v in inputs]
        if method != "__call__" or ufunc.signature:
            return of_result(getattr(ufunc, method)(*values, **kwargs))
        shape = np.broadcast_shapes(*(np.shape(v) for v in values))
        tiny = [np.ones((), v.dtype) if np.ndim(v) else v for v in values]
        result = ufunc(*tiny, **kwargs)
        if isinstance(result, tuple):
            return tuple(MetaArray(shape, r.dtype) for r in result)
        return MetaArray(shape, result.dtype)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function is np.copyto and args[0].__class__ is not MetaArray:
            raise NotImplementedError(errors.META_COPY)
        if function in (np.concatenate, np.stack, np.where):
            check_devices(args if function is np.where else args[0])
        return of_result(function(*swap(args), **swap(kwargs)))


def reduce_shape(ufunc: Any, array: Any, axis: Any = 0, keepdims: bool = False, **how: Any) -> Any:
    """The result of a reduction, computed from the shape: a stand-in would take as long as data."""
    tiny = np.ones([min(n, 1) for n in array.shape], array.dtype)
    dtype = np.asarray(ufunc.reduce(tiny, axis=axis, **how)).dtype
    over = range(array.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    gone = {dim % max(array.ndim, 1) for dim in over}
    kept = enumerate(array.shape)
    if keepdims:
        return MetaArray((1 if dim in gone else n for dim, n in kept), dtype)
    return MetaArray((n for dim, n in kept if dim not in gone), dtype)


def swap(value: Any) -> Any:
    """`value` with every meta array in it replaced by its stand-in."""
    if isinstance(value, MetaArray):
        return value.stand_in()
    if isinstance(value, (list, tuple)):
        return type(value)(swap(v) for v in value)
    if isinstance(value, dict):
        return {k: swap(v) for k, v in value.items()}
    return value


def of_result(result: Any) -> Any:
    """The meta form of what a function returned."""
    if isinstance(result, (list, tuple)):
        return (list if isinstance(result, list) else tuple)(map(of_result, result))
    if isinstance(result, (np.ndarray, np.generic)):
        return MetaArray(result.shape, result.dtype)
    return result


def mixed_devices(operands: Any) -> list[devices.device]:
    """The devices of operands with and without memory, where they are mixed; numbers are fine."""
    arrays = [v for v in operands if v.__class__ is MetaArray or getattr(v, "ndim", 0)]
    found = dict.fromkeys(map(devices.of, arrays))
    return list(found) if len(found) > 1 else []


def check_devices(operands: Any) -> None:
    """Raise if operands with and without memory are mixed."""
    if mixed := mixed_devices(operands):
        raise RuntimeError(errors.other_device(mixed[1], mixed[0]))
