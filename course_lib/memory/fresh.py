"""Memory for new tensors: uninitialised, with the wanted shape and order of elements."""

from typing import Any

import numpy as np

from course_lib.memory import layout as geometry
from course_lib.memory.meta import MetaArray
from course_lib.words import errors

Shape = tuple[int, ...]


class layout:
    """How memory is organised: ``torch.strided`` is its only instance here."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> Any:
        return self.name


class memory_format(layout):
    """An order of elements in memory: row by row, or that of another tensor."""

    __slots__ = ()


strided = layout("strided")
contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")


def empty(shape: Shape, dtype: np.dtype, meta: bool = False) -> Any:
    """Row-major memory; with `meta`, a shape without memory."""
    check_size(shape, dtype.itemsize)
    return MetaArray(shape, dtype) if meta else geometry.empty(shape, dtype)


def empty_strided(shape: Shape, strides: Shape, dtype: np.dtype, meta: bool = False) -> Any:
    """Memory with these strides, counted in bytes."""
    if strides == geometry.contiguous_strides(shape, dtype.itemsize):
        return empty(shape, dtype, meta)
    if meta:
        return MetaArray(shape, dtype, strides)
    return geometry.strided(shape, strides, dtype)


def empty_like(
    array: Any, dtype: np.dtype, meta: bool = False, order: memory_format | None = None
) -> Any:
    """Memory with the shape of `array`, in dtype `dtype`; row-major if `order` says so.

    Else the strides of a dense tensor are kept; if a tensor has gaps or repeats, only the order of
    its dimensions is kept.
    """
    shape, rows = array.shape, geometry.contiguous_strides(array.shape, array.itemsize)
    if order is contiguous_format or array.strides == rows:
        return empty(shape, dtype, meta)
    return empty_strided(shape, geometry.strides_like(array, dtype.itemsize), dtype, meta)


def check_size(shape: Shape, itemsize: int) -> None:
    """Raise PyTorch's error for an impossible shape."""
    count = itemsize
    for n in shape:
        if n < 0:
            raise RuntimeError(errors.negative_dimension(n, shape))
        count *= n
    if count >= 1 << 63:
        raise RuntimeError(errors.too_large(shape))


def resize_window(array: Any, shape: Shape, strides: Shape, start: int) -> Any:
    """A window of another shape on the memory of `array`, which grows if it is too small.

    New memory is zero.  A tensor that showed the old memory goes on showing it.
    """
    owner = geometry.owner(array)
    needed = start + geometry.extent(shape, strides, array.itemsize)
    if array.__class__ is np.ndarray and owner.nbytes < needed:
        grown = np.zeros(needed, np.uint8)
        old = owner.reshape(-1).view(np.uint8)
        grown[: old.size] = old
        array = grown.view(array.dtype)
    return geometry.restride(array, shape, strides, start)
