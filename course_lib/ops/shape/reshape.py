"""Other shapes of the same elements: views where the strides allow it, copies where not."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.graph import Window
from course_lib.core.tensor import Tensor
from course_lib.core.views import viewing
from course_lib.declare.composite import composite
from course_lib.declare.fronts import dressed
from course_lib.declare.methods import attach_as
from course_lib.declare.op import op, view_op
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import layout
from course_lib.memory.dims import infer_size, numel, wrap_dim
from course_lib.memory.fresh import contiguous_format, memory_format
from course_lib.ops.make.clone import clone_in_rows
from course_lib.words import errors
from course_lib.words.errors import type_word

__all__ = [
    "flatten",
    "ravel",
    "reshape",
    "unflatten",
]


def _contiguous(self: Tensor, memory_format: memory_format = contiguous_format) -> Tensor:
    """The tensor itself if its elements lie row by row, else a copy in which they do.

    >>> torch.tensor([[1, 2], [3, 4]]).t().contiguous().stride()
    (2, 1)
    """
    return self if _is_contiguous(self) else clone_in_rows(self)


def _is_contiguous(self: Tensor, memory_format: memory_format = contiguous_format) -> bool:
    """Whether the elements lie row by row, without gaps.

    >>> torch.zeros(2, 3).is_contiguous(), torch.zeros(2, 3).t().is_contiguous()
    (True, False)
    """
    return layout.lies_in_rows(self._array)


def reshaped_in_rows(array: Any, size: Any) -> Any:
    """The fast path of `view`, by NumPy; None where PyTorch's strides or checks may differ."""
    if not array.flags.c_contiguous or not array.size or 1 in array.shape or min(size) < -1:
        return None
    return array.reshape(size), 0


# ---- shapes --------------------------------------------------------------------------------------


@view_op(
    name="view",
    varargs="size",
    native=reshaped_in_rows,
    self=lambda grad, self_shape: reshape(grad, self_shape),
)
def view_shape(self, size):
    """A view of the same elements with another shape."""
    shape = infer_size(size, self.size)
    strides = layout.viewed(self.shape, self.strides, shape, self.itemsize)
    if strides is None:
        raise RuntimeError(errors.VIEW_INCOMPATIBLE)
    return shape, strides, 0


@view_op(
    node="ReshapeAliasBackward0",
    method=False,
    self=lambda grad, self_shape: reshape(grad, self_shape),
)
def _reshape_alias(self, size):
    """`view_shape` with the node that `reshape` records if the elements do not lie row by row."""
    return size, layout.viewed(self.shape, self.strides, size, self.itemsize), 0


@op(
    kind="same",
    layout="kernel",
    method=False,
    operands=("self",),
    self=lambda grad, self_shape: reshape(grad, self_shape),
)
def _unsafe_view(self, size):
    """A new array, which no other tensor shares, with another shape."""
    array = np.asarray(self) if isinstance(self, np.generic) else self
    if array.__class__ is np.ndarray and (found := reshaped_in_rows(array, size)) is not None:
        return found[0]
    strides = layout.viewed(array.shape, array.strides, size, array.itemsize)
    return layout.restride(array, size, strides, layout.offset_of(array))


@composite(varargs="shape")
def reshape(self: Any, shape: Any) -> Any:
    """The same elements with another shape: a view if the strides allow it, else a copy.

    One size may be -1: it is inferred from the others.

    >>> torch.tensor([1, 2, 3, 4, 5, 6]).reshape(2, -1)
    tensor([[1, 2, 3],
            [4, 5, 6]])
    """
    if self.__class__ is np.ndarray:  # in a formula
        return self.reshape(shape)
    array = self._array if isinstance(self, Tensor) else self
    size = infer_size(shape, array.size)
    if layout.lies_in_rows(array):
        return view_shape(self, size)
    if layout.viewed(array.shape, array.strides, size, array.itemsize) is not None:
        return _reshape_alias(self, size)
    return _unsafe_view(clone_in_rows(self), size)


def _view(self: Tensor, *size: Any, **named: Any) -> Tensor:
    """The same memory with another shape; RuntimeError if that is not possible without a copy.

    Given a dtype, the same memory read as elements of that type.

    >>> torch.tensor([1, 2, 3, 4]).view(2, 2)
    tensor([[1, 2],
            [3, 4]])
    """
    dtype = size[0] if len(size) == 1 else named.get("dtype")
    if isinstance(dtype, DType):
        return seen_as(self, dtype)
    return shaped(self, *size, **named)


shaped = Tensor.view


def seen_as(self: Tensor, dtype: DType) -> Tensor:
    """The same memory read as elements of another type: shared, without history."""
    old, new, array = self._dtype, dtype, self._array
    shape, strides = array.shape, array.strides
    if old.itemsize != new.itemsize:
        shape, strides = resized(self, old, new)
    self._share()
    offset = self._offset()
    cell = self._share()
    out = Tensor._make(layout.restride(self._array, shape, strides, offset, new.numpy), new)
    out._cell = cell
    if offset:
        out._view = Window(offset)
    return out


def resized(self: Tensor, old: DType, new: DType) -> tuple[Any, Any]:
    """Shape and strides after reading the elements as larger or smaller ones."""
    words = type_word(old), type_word(new)
    shape, strides = self._array.shape, self._array.strides

    def refuse(what: str, ratio: int = 0, got: int = 0) -> RuntimeError:
        return RuntimeError(errors.view_dtype(what, *words, ratio, got))

    if not shape:
        raise refuse("dim")
    steps = [s // old.itemsize for s in strides]
    ratio = new.itemsize // old.itemsize or 1
    if shape[-1] % ratio:
        raise refuse("size(-1)", ratio, shape[-1])
    offset = self._offset() // old.itemsize
    if offset % ratio:
        raise refuse("storage_offset()", ratio, offset)
    if steps[-1] != 1:
        raise refuse("stride(-1)", 0, steps[-1])
    if old.itemsize > new.itemsize:
        last = shape[-1] * (old.itemsize // new.itemsize)
    else:
        for dim, step in enumerate(steps[:-1]):
            if step % ratio:
                raise refuse(f"stride({dim})", ratio, step)
        last = shape[-1] // ratio
    return (*shape[:-1], last), (*strides[:-1], new.itemsize)


def _view_as(self: Tensor, other: Tensor) -> Tensor:
    """The same memory in the shape of `other`."""
    return view_shape(self, tuple(other._array.shape))


def _reshape_as(self: Tensor, other: Tensor) -> Tensor:
    """The same elements in the shape of `other`."""
    return reshape(self, tuple(other._array.shape))


@composite()
def flatten(self: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    """The dimensions from `start_dim` to `end_dim` as one; a view if the strides allow it.

    >>> torch.zeros(2, 3, 4).flatten(1).shape
    torch.Size([2, 12])
    """
    ndim = self.ndim
    start, end = wrap_dim(start_dim, ndim), wrap_dim(end_dim, ndim)
    if start > end:
        raise RuntimeError(errors.FLATTEN_ORDER)
    shape = tuple(self.shape)
    if not ndim:
        return reshape(self, (1,))
    if start == end:
        return self
    return reshape(self, (*shape[:start], numel(shape[start : end + 1]), *shape[end + 1 :]))


@composite()
def ravel(self: Any) -> Any:
    """All elements in one dimension; a view if they lie row by row, else a copy.

    >>> torch.tensor([[1, 2], [3, 4]]).ravel()
    tensor([1, 2, 3, 4])
    """
    return view_shape(_contiguous(self), (-1,))


@composite()
def unflatten(self: Any, dim: int, sizes: Any) -> Any:
    """A view in which one dimension is split into `sizes`.

    >>> torch.zeros(2, 12).unflatten(1, (3, -1)).shape
    torch.Size([2, 3, 4])
    """
    at = wrap_dim(dim, self.ndim)
    if not sizes:
        raise RuntimeError(errors.UNFLATTEN_EMPTY)
    shape = tuple(self.shape)
    size = shape[at]
    try:
        split = infer_size(sizes, size)
    except RuntimeError as error:
        if str(error).startswith("shape '"):
            text = errors.unflatten_sizes(sizes, at, size)
        else:
            text = errors.unflatten_unexpected(str(error))
        raise RuntimeError(text) from None
    return view_shape(self, (*shape[:at], *split, *shape[at + 1 :]))


for _name, _method in {
    "contiguous": _contiguous,
    "is_contiguous": _is_contiguous,
    "view": _view,
    "view_as": _view_as,
    "reshape_as": _reshape_as,
}.items():
    _method.__name__ = _name
    attach_as(_name, _method)

# The fast path of both is `view_shape`, where elements lie row by row.
for _name in ("view", "reshape"):
    _front: Any = getattr(Tensor, _name)
    attach_as(_name, dressed(viewing(view_shape.op, _front, native_only=True), _front))
