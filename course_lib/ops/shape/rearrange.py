"""The same elements in other places: repeated, rolled, flipped; triangles; a margin around them."""

from typing import Any

import numpy as np

from course_lib.calls.overloads import overloads
from course_lib.calls.rules import Rule, refuse
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.memory import layout
from course_lib.memory.dims import wrap_dim, wrap_dims
from course_lib.ops.make.clone import copy_layout
from course_lib.ops.shape.reshape import reshape
from course_lib.words import errors

__all__ = ["constant_pad_nd", "flip", "roll", "tril", "triu"]


# ---- repeated ------------------------------------------------------------------------------------


@op(
    layout="contiguous",
    varargs="repeats",
    self=lambda grad, self_shape, repeats: sum_repeats(grad, self_shape, repeats),
)
def repeat(self, repeats):
    """A copy in which dimension d is repeated `repeats[d]` times, end to end.

    >>> torch.tensor([1, 2]).repeat(2, 2)
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """
    refuse(len(repeats) < self.ndim, errors.REPEAT_RANK)
    wide = (1,) * (len(repeats) - self.ndim) + tuple(self.shape)
    shape = [n * times for n, times in zip(wide, repeats, strict=True)]
    for size in shape:
        refuse(size < 0, errors.negative_dimension, size, shape)
    return np.tile(self, tuple(repeats))


def sum_repeats(grad: Any, shape: Any, repeats: Any) -> Any:
    """The adjoint of `repeat`: the copies added up."""
    wide = (1,) * (len(repeats) - len(shape)) + tuple(shape)
    pairs = tuple(n for pair in zip(repeats, wide, strict=True) for n in pair)
    return reshape(reshape(grad, pairs).sum(tuple(range(0, len(pairs), 2))), shape)


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
        return layout.own_array(np.roll(self, shifts[0]))
    if len(shifts) != len(dims) or not shifts:
        raise RuntimeError(errors.roll_align(len(shifts), len(dims)) if shifts else errors.ROLL)
    axes = [wrap_dim(dim, self.ndim, scalar=False) for dim in dims]
    if not self.size:
        return copy_layout(self, self)
    return layout.own_array(np.roll(self, shifts, axes))


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
    return copy_layout(np.flip(self, axes) if self.ndim else self, self)


# ---- triangles of matrices -----------------------------------------------------------------------

OF_MATRICES = Rule(lambda self: self._array.ndim < 2, errors.triangle_rank)


@op(
    layout="contiguous",
    inplace=True,
    refuses=OF_MATRICES,
    self=lambda grad, diagonal: tril(grad, diagonal),
)
def tril(self, diagonal=0):
    """The lower triangle of each matrix, up to a diagonal; the rest is 0.

    >>> torch.tril(torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 0],
            [3, 4]])
    """
    return np.tril(self, diagonal)


@op(
    layout="contiguous",
    inplace=True,
    refuses=OF_MATRICES,
    self=lambda grad, diagonal: triu(grad, diagonal),
)
def triu(self, diagonal=0):
    """The upper triangle of each matrix, from a diagonal on; the rest is 0.

    >>> torch.triu(torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 2],
            [0, 4]])
    """
    return np.triu(self, diagonal)


# ---- with a margin -------------------------------------------------------------------------------


def croppable(self: Any, pad: Any) -> None:
    """Raise if more is cropped than there is."""
    for size, before, after in zip(self._array.shape[::-1], pad[::2], pad[1::2], strict=False):
        refuse(size + min(before, after, before + after) < 0, errors.NARROW_LENGTH)


@op(
    method=False,
    layout="contiguous",
    refuses=(
        Rule(lambda pad: len(pad) % 2, errors.ODD_PADDING),
        Rule(lambda self, pad: len(pad) > 2 * self._array.ndim, errors.long_padding),
        croppable,
    ),
    self=lambda grad, pad: constant_pad_nd(grad, tuple(-n for n in pad), 0),
)
def constant_pad_nd(self, pad, value=0):
    """The tensor padded with one value around its last dimensions; negative numbers crop.

    >>> torch.constant_pad_nd(torch.tensor([1, 2, 3]), (1, -1))
    tensor([0, 1, 2])
    """
    edges = [(0, 0)] * (self.ndim - len(pad) // 2) + [*zip(pad[-2::-2], pad[::-2], strict=True)]
    sizes = list(zip(self.shape, edges, strict=True))
    wide = tuple([size + one + other for size, (one, other) in sizes])
    found = np.full_like(self, self.dtype.type(value), order="C", shape=wide)
    places = [slice(max(one, 0), size + one + min(other, 0)) for size, (one, other) in sizes]
    kept = [slice(max(-one, 0), size + min(other, 0)) for size, (one, other) in sizes]
    found[(..., *places)] = self[(..., *kept)]
    return found


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """The tensor padded around its last dimensions.

    `pad` lists the margins in pairs (before, after), beginning with the last dimension.

    >>> torch.nn.functional.pad(torch.tensor([1, 2, 3]), (1, 2))
    tensor([0, 1, 2, 3, 0, 0])
    """
    overloads("nn", "pad").examine((input, pad, mode, value), {})
    if mode == "constant":
        return constant_pad_nd(input, tuple(pad), 0 if value is None else value)
    if mode in ("reflect", "replicate", "circular"):
        raise NotImplementedError(errors.absent(f"torch.nn.functional.pad(mode={mode!r})"))
    raise NotImplementedError(errors.unknown_padding(mode))
