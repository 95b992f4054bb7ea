"""`gather` reads at the places that an index names, `scatter` writes there; each is the other's
gradient.

Note [Scatter]: with `dim=1`, `x.scatter(1, index, src)` does for every i, j
``x[i, index[i, j]] = src[i, j]``.  If several elements go to one place, the last one remains.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.calls.rules import Rule, within
from course_lib.core.tensor import Tensor
from course_lib.declare.composite import composite
from course_lib.declare.op import op
from course_lib.memory.dims import wrap_dim
from course_lib.memory.places import flat_places, taken
from course_lib.ops.make.fill import fits, scalar_like, written
from course_lib.ops.pick.slices import blank_of
from course_lib.words import errors

__all__ = ["gather", "scatter", "scatter_add"]

# ---- what an index must be -----------------------------------------------------------------------


def no_integers(index: Tensor) -> bool:
    """Whether a tensor is no index: those are int64 or int32."""
    return index._dtype.name not in ("int64", "int32")


def of_integers(name: str) -> Rule:
    """A rule that an index is one, unless it is empty."""
    says = errors.index_kind(name, "int32/int64")
    return Rule(lambda index: index._array.size and no_integers(index), says)


def other_rank(one: Tensor, index: Tensor) -> bool:
    """Whether an index has another number of dimensions; a number counts as having one."""
    return bool(index._array.size and max(one._array.ndim, 1) != max(index._array.ndim, 1))


def longer(index: Tensor, other: Tensor, dim: int | None = None) -> int | None:
    """The first dimension but `dim` in which an index that is not empty is larger."""
    sizes = zip(index._array.shape, other._array.shape, strict=False) if index._array.size else ()
    return next((at for at, (n, m) in enumerate(sizes) if n > m and at != dim), None)


def outside(index: Any, size: int, low: int = 0) -> int | None:
    """The first index that is not in ``low … size - 1``; None if there is none."""
    if index.__class__ is not np.ndarray:
        return None
    wrong = (index < low) | (index >= size)
    return int(index[wrong][0]) if wrong.any() else None


def check_places(index: Any, dim: int, size: int) -> None:
    """Raise for an index that is out of range."""
    if (wrong := outside(index, size)) is not None:
        raise RuntimeError(errors.index_range(wrong, dim, size))


# ---- writing -------------------------------------------------------------------------------------


def scatter_into(self: Any, dim: int, index: Any, src: Any, add: bool = False) -> None:
    """Write `src` into the array, or add it, at the places that `index` names."""
    if not np.size(index):
        return
    whole, index = np.atleast_1d(self, index)
    at = wrap_dim(dim, self.ndim)
    check_places(index, at, whole.shape[at])
    part = src[tuple(map(slice, index.shape))] if np.ndim(src) else scalar_like(src, self)
    memory, places = self.reshape(-1), flat_places(index, at, whole.shape).reshape(-1)
    values = np.broadcast_to(part, index.shape).reshape(-1)
    if add:
        np.add.at(memory, places, values)
    else:
        memory[places] = values
    if not self.flags.c_contiguous:  # then `memory` is a copy
        self[...] = memory.reshape(self.shape)


def scatter_kernel(self: Any, dim: int, index: Any, src: Any) -> None:
    scatter_into(self, dim, index, src)


def check_sizes(self: Tensor, dim: int, index: Tensor, src: Any) -> None:
    """Raise if an index is larger than what is written, or than where that goes."""
    at, tensor = wrap_dim(dim, self._array.ndim), isinstance(src, Tensor)
    wide = longer(index, self, at) is not None
    if tensor and (wide or longer(index, src) is not None):
        raise RuntimeError(errors.scatter_sizes(index, self, at) + errors.scatter_source(src))
    if wide:
        raise RuntimeError(errors.scatter_sizes(index, self, at))


SCATTERED = (
    within("dim"),
    of_integers("scatter"),
    Rule(
        lambda self, src: isinstance(src, Tensor) and src._dtype is not self._dtype,
        errors.SCATTER_DTYPE,
    ),
    Rule(other_rank, errors.index_rank("self"), of=("self", "index")),
    Rule(
        lambda src, index: isinstance(src, Tensor) and other_rank(src, index),
        errors.index_rank("src"),
    ),
    check_sizes,
)


def scattering(node: str, **formulas: Any) -> Any:
    """One of the two forms of `scatter`: what is written is a tensor, or a number."""
    return written(
        inplace=False,
        method=False,
        name="scatter",
        node=node,
        operands=("self",),
        saves=("index",),
        copy="contiguous",
        refuses=SCATTERED,
        self=lambda grad, dim, index: scatter_value(grad, dim, index, 0),
        **formulas,
    )(scatter_kernel)


scatter_src = scattering("ScatterBackward0", src=lambda grad, dim, index: gather(grad, dim, index))
scatter_value = scattering("ScatterBackward1")


def form_for(self: Tensor, given: Any) -> tuple[Any, Any]:
    """The form of `scatter` for what is written, and this, checked."""
    if isinstance(given, Tensor):
        return scatter_src, given
    return scatter_value, fits(given, self._dtype)


@composite()
def scatter(self: Any, dim: int, index: Any, src: Any = None, *, value: Any = None) -> Any:
    """A copy of `self` with `src` (a tensor or a number) written at `index` along `dim`.

    With `dim=1`: ``result[i, index[i, j]] = src[i, j]``.

    >>> x = torch.zeros(2, 3)
    >>> x.scatter(1, torch.tensor([[2], [0]]), 1.)
    tensor([[0., 0., 1.],
            [1., 0., 0.]])
    """
    form, src = form_for(self, value if src is None else src)
    return form(self, dim, index, src)


@composite()
def scatter_(self: Any, dim: int, index: Any, src: Any = None, *, value: Any = None) -> Any:
    """`scatter` in place; returns the tensor itself."""
    form, src = form_for(self, value if src is None else src)
    return form.write(self, dim, index, src)


@written(
    operands=("self",),
    saves=("index",),
    copy="contiguous",
    refuses=SCATTERED,
    self=lambda grad: grad,
    src=lambda grad, dim, index: gather(grad, dim, index),
)
def scatter_add(self, dim, index, src):
    """A copy of `self` with the elements of `src` added at `index` along `dim`.

    >>> x = torch.zeros(3)
    >>> x.scatter_add(0, torch.tensor([0, 0, 2]), torch.tensor([1., 2., 3.]))
    tensor([3., 0., 3.])
    """
    scatter_into(self, dim, index, src, add=True)


# ---- reading -------------------------------------------------------------------------------------


def check_index(self: Tensor, dim: int, index: Tensor) -> None:
    """Raise if an index is larger than the tensor from which it picks."""
    at = wrap_dim(dim, self._array.ndim)
    if (wide := longer(index, self, at)) is not None:
        raise RuntimeError(errors.gather_sizes(wide, index, self, at))


@op(
    layout="contiguous",
    saves=("index",),
    refuses=(
        within("dim"),
        of_integers("gather"),
        Rule(other_rank, errors.index_rank("input"), of=("self", "index")),
        check_index,
    ),
    self=lambda grad, self, dim, index: scatter_add(blank_of(grad, self.shape), dim, index, grad),
)
def gather(self, dim, index, *, sparse_grad=False):
    """The elements of `self` that `index` picks along `dim`, in the shape of `index`.

    With `dim=1`: ``result[i, j] = self[i, index[i, j]]``.

    >>> torch.tensor([[1, 2], [3, 4]]).gather(1, torch.tensor([[1], [0]]))
    tensor([[2],
            [3]])
    """
    if not index.size:
        return np.empty_like(self, shape=index.shape)
    whole, places = np.atleast_1d(self, index)
    at = wrap_dim(dim, self.ndim)
    check_places(places, at, whole.shape[at])
    found = taken(whole, places, at)
    return found if np.ndim(index) else found.reshape(())
