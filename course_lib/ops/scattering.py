"""Scattering: the elements of one tensor written to, or combined at, the places that another names.

Note [Scatter]: with `dim=1`, `x.scatter(1, index, src)` does for every i, j
``x[i, index[i, j]] = src[i, j]``; where several go to one place the last one stays, and the
reducing forms combine them all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import errors, kinds
from course_lib.facts.dims import wrap_dim
from course_lib.forms.composite import composite
from course_lib.forms.declare import op
from course_lib.ops.advanced import add_at
from course_lib.ops.writing import fits, scalar_like, written

__all__ = ["scatter", "scatter_add"]


def along(index: Any, dim: int) -> tuple:
    """The places that `index` names along `dim`, as NumPy takes them."""
    grid: list[Any] = list(np.ogrid[tuple(slice(n) for n in index.shape)])
    grid[dim] = index
    return tuple(grid)


def part(src: Any, index: Any) -> Any:
    """The part of `src` that is scattered: as large as `index`."""
    return src[tuple(slice(n) for n in index.shape)] if np.ndim(src) else src


def one_dim(self: Any, index: Any, src: Any = None) -> tuple:
    """0-dim arrays as vectors of one element (views of the same memory)."""
    given = (self, np.asarray(index), None if src is None else np.asarray(src))
    return tuple(a if a is None or a.ndim else a.reshape(1) for a in given)


@op(kind="same", layout="contiguous", method=False, inplace=False, operands=("self",))
def empty_like_shape(self: Any, shape: Any) -> Any:
    """Zeros of a shape, in the dtype of `self`."""
    return np.zeros_like(self, shape=shape, order="C", subok=False)


# ---- writing -------------------------------------------------------------------------------------


def scatter_kernel(self: Any, dim: int, index: Any, src: Any) -> None:
    if not np.size(index):
        return
    self, index, _ = one_dim(self, index)
    at = wrap_dim(dim, self.ndim)
    errors.check_along(index, at, self.shape[at])
    if isinstance(src, (bool, int, float, complex)):
        src = scalar_like(src, self)
    self[along(index, at)] = part(src, index)


def combine_kernel(self: Any, dim: int, index: Any, src: Any, reduce: str) -> None:
    if not np.size(index):
        return
    self, index, _ = one_dim(self, index)
    at = wrap_dim(dim, self.ndim)
    errors.check_along(index, at, self.shape[at])
    src = scalar_like(src, self) if isinstance(src, (bool, int, float, complex)) else src
    values = part(src, index)
    if reduce == "add":
        add_at(self, along(index, at), values)
    else:
        at_places(np.multiply, self, along(index, at), values)


def at_places(ufunc: Any, array: Any, place: tuple, values: Any) -> None:
    """``ufunc.at`` in place, also for the dtypes in which NumPy has none."""
    if array.dtype.kind == "V":
        wide = array.astype(np.float32)
        ufunc.at(wide, place, np.asarray(values).astype(np.float32))
        array[...] = wide
    else:
        ufunc.at(array, place, np.asarray(values).astype(array.dtype))


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
        check=errors.check_scatter,
        **formulas,
    )(kernel)


def gathered(grad: Any, dim: int, index: Any) -> Any:
    """What `gather` reads (imported late: gathering needs scattering for its own gradient)."""
    from course_lib.ops.gathering import gather

    return gather(grad, dim, index)


scatter_src = scattering(
    "scatter",
    "ScatterBackward0",
    scatter_kernel,
    self=lambda grad, dim, index: cleared(grad, dim, index),
    src=lambda grad, dim, index: gathered(grad, dim, index),
)
scatter_value = scattering(
    "scatter",
    "ScatterBackward1",
    scatter_kernel,
    self=lambda grad, dim, index: cleared(grad, dim, index),
)
scatter_combine = scattering(
    "scatter",
    "NotImplemented",
    combine_kernel,
    self=lambda grad: errors.raise_no_derivative("scatter"),
    src=lambda grad: errors.raise_no_derivative("scatter"),
)


scatter_combine.op.Node.name = lambda node: "torch::autograd::NotImplemented"


def cleared(grad: Any, dim: int, index: Any) -> Any:
    """A copy of a gradient with zeros at the places that were overwritten."""
    return scatter_value(grad, dim, index, 0)


def chosen(self: Any, dim: Any, index: Any, src: Any, value: Any, reduce: Any, name: str) -> tuple:
    """Which form of `scatter` is meant, and its arguments."""
    given = value if src is None else src
    if not isinstance(index, Tensor) or not isinstance(given, (Tensor, *kinds.NUMBERS)):
        raise TypeError(errors.scatter_arguments(name, dim, index, given, reduce))
    number = not isinstance(given, Tensor)
    if number:
        given = fits(given, self._dtype)
    if reduce is not None:
        if not number:
            errors.warn(errors.SCATTER_SRC_REDUCE)
        if reduce not in ("add", "multiply"):
            raise RuntimeError(errors.SCATTER_REDUCE)
        return scatter_combine, (self, dim, index, given, reduce)
    return (scatter_value if number else scatter_src), (self, dim, index, given)


@composite()
def scatter(
    self: Any, dim: int, index: Any, src: Any = None, *, value: Any = None, reduce: Any = None
) -> Any:
    """A copy of `self` with `src` (a tensor or a number) at `index` along `dim`.

    See Note [Scatter]; `reduce` ("add" or "multiply") combines instead.

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
    """`scatter`, written into the tensor itself; gives that tensor."""
    form, args = chosen(self, dim, index, src, value, reduce, "scatter_")
    return form.write(*args)


@written(
    operands=("self",),
    saves=("index",),
    copy="contiguous",
    check=errors.check_scatter_add,
    self=lambda grad: grad,
    src=lambda grad, dim, index: gathered(grad, dim, index),
)
def scatter_add(self: Any, dim: int, index: Any, src: Any) -> Any:
    """A copy of `self` with the elements of `src` added at `index` along `dim`.

    >>> x = torch.zeros(3)
    >>> x.scatter_add(0, torch.tensor([0, 0, 2]), torch.tensor([1., 2., 3.]))
    tensor([3., 0., 3.])
    """
    combine_kernel(self, dim, index, src, "add")
