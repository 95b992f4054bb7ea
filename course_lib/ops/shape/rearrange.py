"""The same elements in other places: repeated, rolled, flipped, rotated."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.calls.rules import Rule
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.memory import layout
from course_lib.memory.dims import wrap_dim, wrap_dims
from course_lib.ops.make.clone import clone_in_rows, laid_like
from course_lib.ops.shape.expand import expand
from course_lib.ops.shape.reshape import flatten, reshape
from course_lib.ops.shape.squeeze import unsqueeze
from course_lib.words import errors

__all__ = ["flip", "repeat_interleave", "roll"]


# ---- repeated ------------------------------------------------------------------------------------


@op(
    layout="contiguous",
    varargs="repeats",
    self=lambda grad, self_shape, repeats: summed(grad, self_shape, repeats),
)
def repeat(self, repeats):
    """A copy in which dimension d is repeated `repeats[d]` times, end to end.

    >>> torch.tensor([1, 2]).repeat(2, 2)
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    if len(repeats) < self.ndim:
        raise RuntimeError(errors.REPEAT_RANK)
    wide = (1,) * (len(repeats) - self.ndim) + tuple(self.shape)
    shape = [n * times for n, times in zip(wide, repeats, strict=True)]
    for size in shape:
        if size < 0:
            raise RuntimeError(errors.negative_dimension(size, shape))
    return np.tile(self, tuple(repeats))


def summed(grad: Any, shape: Any, repeats: Any) -> Any:
    """The adjoint of `repeat`: the copies added up."""
    wide = (1,) * (len(repeats) - len(shape)) + tuple(shape)
    pairs = tuple(n for pair in zip(repeats, wide, strict=True) for n in pair)
    return reshape(reshape(grad, pairs).sum(tuple(range(0, len(pairs), 2))), shape)


@composite()
def repeat_interleave(self: Any = None, repeats: Any = None, dim: int | None = None) -> Any:
    """A copy with each entry along `dim` repeated in a row; without `dim`, each element, flattened.

    Called with the counts alone, it returns each index i, `repeats[i]` times.

    >>> torch.tensor([1, 2]).repeat_interleave(2)
    tensor([1, 1, 2, 2])
    >>> torch.repeat_interleave(torch.tensor([0, 2]))
    tensor([1, 1])
    """
    if self is None or repeats is None:
        return repeated_indices(repeats if self is None else self)
    self, dim = (flatten(self), 0) if dim is None else (self, wrap_dim(dim, self.ndim))
    self = self if self.ndim else reshape(self, (1,))
    if not isinstance(repeats, Tensor):
        return repeated_evenly(self, repeats, dim)
    if repeats.is_meta:
        raise RuntimeError(errors.REPEATS_META)
    if repeats._array.ndim > 1:
        raise RuntimeError(errors.REPEATS_RANK)
    count, size = repeats._array.size, self.shape[dim]
    if not repeats._array.ndim or count == 1:
        repeats = expand(reshape(repeats, (1,)), (size,))
    elif count != size:
        raise RuntimeError(errors.repeats_size(count, dim, size))
    return self.index_select(dim, repeated_indices(repeats))


def repeated_evenly(self: Any, repeats: int, dim: int) -> Any:
    """Each entry of `dim` the same number of times in a row."""
    if repeats < 0:
        raise RuntimeError(errors.NEGATIVE_REPEATS)
    shape = (*self.shape[: dim + 1], repeats, *self.shape[dim + 1 :])
    return flatten(clone_in_rows(expand(unsqueeze(self, dim + 1), shape)), dim, dim + 1)


@op(
    layout="contiguous",
    method=False,
    refuses=(
        Rule(lambda repeats: repeats._array.ndim != 1, errors.REPEATS_ONE_DIM),
        Rule(
            lambda repeats: repeats._dtype.name not in ("int64", "int32"),
            lambda repeats, **_: errors.no_kernel("repeat_interleave_cpu", repeats),
            NotImplementedError,
        ),
        Rule(lambda repeats: (repeats._array < 0).any(), errors.NEGATIVE_REPEAT),
    ),
)
def repeated_indices(repeats):
    """The index i, `repeats[i]` times, for each i in turn."""
    return np.repeat(np.arange(len(repeats), dtype=repeats.dtype), repeats)


# ---- moved ---------------------------------------------------------------------------------------


def tuple_of(value: Any) -> tuple[int, ...]:
    """One number or several, as a tuple."""
    return (value,) if isinstance(value, (int, np.integer)) else tuple(value)


@op(
    layout="kernel",
    method=False,
    name="roll",
    self=lambda grad, shifts, dims: roll_by(grad, tuple(-n for n in shifts), dims),
)
def roll_by(self, shifts, dims):
    """The elements shifted along dimensions; those pushed off the end return at the start."""
    if not dims and len(shifts) == 1:
        return layout.owned(np.roll(self, shifts[0]))
    if len(shifts) != len(dims) or not shifts:
        raise RuntimeError(errors.roll_align(len(shifts), len(dims)) if shifts else errors.ROLL)
    axes = [wrap_dim(dim, self.ndim, scalar=False) for dim in dims]
    if not self.size:
        return laid_like(self, self)
    return layout.owned(np.roll(self, shifts, axes))


@composite()
def roll(self: Any, shifts: Any, dims: Any = ()) -> Any:
    """A copy with the elements shifted along `dims`; those pushed off the end return at the start.

    >>> torch.roll(torch.tensor([1, 2, 3]), 1)
    tensor([3, 1, 2])
    """
    return roll_by(self, tuple_of(shifts), tuple_of(dims))


@op(layout="kernel", varargs="dims", self=lambda grad, dims: flip(grad, dims))
def flip(self, dims):
    """A copy with the order reversed along `dims`.

    >>> torch.flip(torch.tensor([1, 2, 3]), (0,))
    tensor([3, 2, 1])
    """
    axes = wrap_dims(tuple_of(dims), self.ndim)
    return laid_like(np.flip(self, axes) if self.ndim else self, self)
