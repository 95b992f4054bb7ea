"""`gather` reads at the places that an index names, `scatter` writes there; each is the other's
gradient.

Note [Scatter]: with `dim=1`, `x.scatter(1, index, src)` does for every i, j
``x[i, index[i, j]] = src[i, j]``.  If several elements go to one place, the last one remains.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.dtypes import kinds
from course_lib.memory.dims import wrap_dim
from course_lib.memory.meta import MetaArray
from course_lib.memory.places import along, flat_places, taken
from course_lib.ops.make.fill import fits, scalar_like, written
from course_lib.ops.pick.index_put import add_at
from course_lib.words import errors

__all__ = ["gather", "scatter", "scatter_add"]


def part(src: Any, index: Any) -> Any:
    """The part of `src` that is scattered: as large as `index`."""
    return src[tuple(slice(n) for n in index.shape)] if np.ndim(src) else src


def spots(array: Any, index: Any, axis: int, values: Any) -> tuple[Any, Any, Any]:
    """Memory, the places in it that `index` names along `axis`, and what goes there.

    All of them are vectors if they can be; see Note [Places].
    """
    if not array.flags.c_contiguous:
        return array, along(index, axis), values
    places = flat_places(index, axis, array.shape).reshape(-1)
    return array.reshape(-1), places, values.reshape(-1) if np.ndim(values) else values


@op(kind="same", layout="contiguous", method=False, inplace=False, operands=("self",))
def empty_like_shape(self, shape):
    """Zeros of a shape, in the dtype of `self`."""
    return np.zeros_like(self, shape=shape, order="C", subok=False)


# ---- writing -------------------------------------------------------------------------------------


def scatter_kernel(self: Any, dim: int, index: Any, src: Any) -> None:
    scattered(self, dim, index, src)


def scattered(self: Any, dim: int, index: Any, src: Any, add: bool = False) -> None:
    """Write `src` into the array, or add it, at the places that `index` names."""
    if not np.size(index):
        return
    self, index = np.atleast_1d(self), np.atleast_1d(index)
    at = wrap_dim(dim, self.ndim)
    errors.check_along(index, at, self.shape[at])
    if isinstance(src, (bool, int, float, complex)):
        src = scalar_like(src, self)
    memory, place, values = spots(self, index, at, part(src, index))
    if add:
        add_at(memory, place, values)
    else:
        memory[place] = values


def scattering(name: str, node: str, kernel: Any, **formulas: Any) -> Any:
    """One of the forms of `scatter`."""
    return written(
        inplace=False,
        method=False,
        name=name,
        node=node,
        operands=("self",),
        saves=("index",),
        copy="contiguous",
        refuses=errors.check_scatter,
        **formulas,
    )(kernel)


scatter_src = scattering(
    "scatter",
    "ScatterBackward0",
    scatter_kernel,
    self=lambda grad, dim, index: cleared(grad, dim, index),
    src=lambda grad, dim, index: gather(grad, dim, index),
)
scatter_value = scattering(
    "scatter",
    "ScatterBackward1",
    scatter_kernel,
    self=lambda grad, dim, index: cleared(grad, dim, index),
)


def cleared(grad: Any, dim: int, index: Any) -> Any:
    """A copy of a gradient with zeros at the places that were overwritten."""
    return scatter_value(grad, dim, index, 0)


def chosen(self: Any, dim: Any, index: Any, src: Any, value: Any, reduce: Any, name: str) -> tuple:
    """The form of `scatter` that the arguments call for, and what to pass to it."""
    given = value if src is None else src
    if not isinstance(index, Tensor) or not isinstance(given, (Tensor, *kinds.NUMBERS)):
        raise TypeError(name)
    number = not isinstance(given, Tensor)
    if number:
        given = fits(given, self._dtype)
    if reduce is not None:
        raise NotImplementedError(errors.absent(f"torch.Tensor.{name}(reduce=…)"))
    return (scatter_value if number else scatter_src), (self, dim, index, given)


@composite()
def scatter(
    self: Any, dim: int, index: Any, src: Any = None, *, value: Any = None, reduce: Any = None
) -> Any:
    """A copy of `self` with `src` (a tensor or a number) written at `index` along `dim`.

    With `dim=1`: ``result[i, index[i, j]] = src[i, j]``.

    >>> x = torch.zeros(2, 3)
    >>> x.scatter(1, torch.tensor([[2], [0]]), 1.)
    tensor([[0., 0., 1.],
            [1., 0., 0.]])
    """
    form, args = chosen(self, dim, index, src, value, reduce, "scatter")
    return form(*args)


@composite()
def scatter_(
    self: Any, dim: int, index: Any, src: Any = None, *, value: Any = None, reduce: Any = None
) -> Any:
    """`scatter` in place; returns the tensor itself."""
    form, args = chosen(self, dim, index, src, value, reduce, "scatter_")
    return form.write(*args)


@written(
    operands=("self",),
    saves=("index",),
    copy="contiguous",
    refuses=errors.check_scatter_add,
    self=lambda grad: grad,
    src=lambda grad, dim, index: gather(grad, dim, index),
)
def scatter_add(self, dim, index, src):
    """A copy of `self` with the elements of `src` added at `index` along `dim`.

    >>> x = torch.zeros(3)
    >>> x.scatter_add(0, torch.tensor([0, 0, 2]), torch.tensor([1., 2., 3.]))
    tensor([3., 0., 3.])
    """
    scattered(self, dim, index, src, add=True)


@op(
    kind="same",
    layout="contiguous",
    operands=("self",),
    saves=("index",),
    refuses=errors.check_gather,
    self=lambda grad, self, dim, index: scatter_add(spread(grad, self.shape), dim, index, grad),
)
def gather(self, dim, index, *, sparse_grad=False):
    """The elements of `self` that `index` picks along `dim`, in the shape of `index`.

    With `dim=1`: ``result[i, j] = self[i, index[i, j]]``.

    >>> torch.tensor([[1, 2], [3, 4]]).gather(1, torch.tensor([[1], [0]]))
    tensor([[2],
            [3]])
    """
    if isinstance(self, MetaArray):
        return MetaArray(index.shape, self.dtype)
    if not index.size:
        return np.empty(index.shape, self.dtype)
    if not np.ndim(self):
        errors.check_along(index, 0, 1)
        return np.full(index.shape, self, self.dtype)
    at = wrap_dim(dim, self.ndim)
    errors.check_along(index, at, self.shape[at])
    if not np.ndim(index):
        return self[index].copy()
    return taken(self, index, at)


def spread(grad: Any, shape: tuple) -> Any:
    """Zeros of `shape`, with the dtype of `grad`: a buffer to add the gradient into."""
    return empty_like_shape(grad, shape)
