"""Other shapes of the same elements: views where the strides allow it, copies where not."""

import math
from typing import Any

import numpy as np

from course_lib.calls.overloads import choose
from course_lib.calls.rules import refuse
from course_lib.calls.signature import Signature
from course_lib.core.graph import Window
from course_lib.core.tensor import Tensor
from course_lib.core.views import viewing
from course_lib.declare.composite import composite
from course_lib.declare.fronts import stand_in
from course_lib.declare.methods import attach_as, method
from course_lib.declare.op import op, view_op
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import layout
from course_lib.memory.dims import infer_size, wrap_dim
from course_lib.memory.fresh import contiguous_format, memory_format
from course_lib.ops.make.clone import clone_in_rows
from course_lib.words import errors

__all__ = ["flatten", "ravel", "reshape", "unflatten"]
UNFLATTEN = Signature("unflatten(int64_t dim, SymIntArrayRef sizes)")


@method
def contiguous(self: Tensor, memory_format: memory_format = contiguous_format) -> Tensor:
    """The tensor itself if its elements lie row by row, else a copy in which they do.

    >>> torch.tensor([[1, 2], [3, 4]]).t().contiguous().stride()
    (2, 1)
    """
    return self if is_contiguous(self) else clone_in_rows(self)


@method
def is_contiguous(self: Tensor, memory_format: memory_format = contiguous_format) -> bool:
    """Whether the elements lie row by row, without gaps.

    >>> torch.zeros(2, 3).is_contiguous(), torch.zeros(2, 3).t().is_contiguous()
    (True, False)
    """
    return layout.lies_in_rows(self._array)


def reshape_in_rows(array: Any, size: Any) -> Any:
    """The fast path of `view`, by NumPy; None where PyTorch's strides or checks may differ."""
    if not array.flags.c_contiguous or not array.size or min(size) < -1:
        return None
    shape = array.shape
    if 1 in shape and array.strides != layout.contiguous_strides(shape, array.itemsize):
        return None
    return array.reshape(size), 0


# ---- shapes --------------------------------------------------------------------------------------


@view_op(
    name="view",
    varargs="size",
    native=reshape_in_rows,
    self=lambda grad, self_shape: reshape(grad, self_shape),
)
def view_shape(self, size):
    """A view of the same elements with another shape."""
    shape = infer_size(size, self.size)
    strides = layout.view_strides(self.shape, self.strides, shape, self.itemsize)
    refuse(strides is None, errors.VIEW_INCOMPATIBLE)
    return shape, strides, 0


@view_op(method=False, self=lambda grad, self_shape: reshape(grad, self_shape))
def _reshape_alias(self, size):
    """`view_shape` with the node that `reshape` records if the elements do not lie row by row."""
    return size, layout.view_strides(self.shape, self.strides, size, self.itemsize), 0


@op(layout="kernel", method=False, self=lambda grad, self_shape: reshape(grad, self_shape))
def _unsafe_view(self, size):
    """A new array, which no other tensor shares, with another shape."""
    array = np.asarray(self) if isinstance(self, np.generic) else self
    if array.__class__ is np.ndarray and (found := reshape_in_rows(array, size)) is not None:
        return found[0]
    strides = layout.view_strides(array.shape, array.strides, size, array.itemsize)
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
    if layout.view_strides(array.shape, array.strides, size, array.itemsize) is not None:
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
        return view_as_dtype(self, dtype)
    return shaped(self, *size, **named)


shaped = Tensor.view


def view_as_dtype(self: Tensor, dtype: DType) -> Tensor:
    """The same memory read as elements of another type: shared, without history."""
    array, itemsize = self._array, self._dtype.itemsize
    shape, strides = array.shape, array.strides
    if itemsize != dtype.itemsize:
        check_steps(self, dtype)
        shape = (*shape[:-1], shape[-1] * itemsize // dtype.itemsize)
        strides = (*strides[:-1], dtype.itemsize)
    cell, offset = self._share(), self._offset()
    out = Tensor._make(layout.restride(self._array, shape, strides, offset, dtype.numpy), dtype)
    out._cell = cell
    if offset:
        out._view = Window(offset)
    return out


def check_steps(self: Tensor, dtype: DType) -> None:
    """Raise if the elements cannot be read as larger or smaller ones."""
    shape, itemsize = self._array.shape, self._dtype.itemsize

    def check(wrong: Any, what: str, got: str = "") -> None:
        refuse(wrong, errors.view_dtype, what, self._dtype, dtype, got)

    check(not shape, "dim() cannot be 0")
    *steps, last = (step // itemsize for step in self._array.strides)
    ratio = dtype.itemsize // itemsize or 1
    facts = {"size(-1)": shape[-1], "storage_offset()": self._offset() // itemsize}
    facts |= {f"stride({dim})": step for dim, step in enumerate([last, *steps], -1)}
    for what, number in facts.items():
        got = f", but got {number}"
        if what == "stride(-1)":
            check(number != 1, "stride(-1) must be 1", got)
        else:
            check(number % ratio, f"{what} must be divisible by {ratio}", got)


@method
def view_as(self: Tensor, other: Tensor) -> Tensor:
    """The same memory in the shape of `other`."""
    return view_shape(self, tuple(other._array.shape))


@method
def reshape_as(self: Tensor, other: Tensor) -> Tensor:
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
    refuse(start > end, errors.FLATTEN_ORDER)
    shape = tuple(self.shape)
    if not ndim:
        return reshape(self, (1,))
    if start == end:
        return self
    return reshape(self, (*shape[:start], math.prod(shape[start : end + 1]), *shape[end + 1 :]))


@composite()
def ravel(self: Any) -> Any:
    """All elements in one dimension; a view if they lie row by row, else a copy.

    >>> torch.tensor([[1, 2], [3, 4]]).ravel()
    tensor([1, 2, 3, 4])
    """
    return view_shape(contiguous(self), (-1,))


@composite()
def unflatten(self: Any, dim: int, sizes: Any) -> Any:
    """A view in which one dimension is split into `sizes`.

    >>> torch.zeros(2, 12).unflatten(1, (3, -1)).shape
    torch.Size([2, 3, 4])
    """
    refuse(not sizes, errors.UNFLATTEN_EMPTY)
    choose([UNFLATTEN], (dim, sizes), {})
    at = wrap_dim(dim, self.ndim)
    shape = tuple(self.shape)
    size = shape[at]
    try:
        split = infer_size(sizes, size)
    except RuntimeError as error:
        text = errors.unflatten_unexpected(error)
        if str(error).startswith("shape '"):
            text = errors.unflatten_sizes(sizes, at, size)
        raise RuntimeError(text) from None
    return view_shape(self, (*shape[:at], *split, *shape[at + 1 :]))


_view.__name__ = "view"
attach_as("view", _view)

# The fast path of both is `view_shape`, where elements lie row by row.
for _name in ("view", "reshape"):
    _front: Any = getattr(Tensor, _name)
    attach_as(_name, stand_in(viewing(view_shape.op, _front, native_only=True), _front))
