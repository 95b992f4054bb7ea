"""`gather` reads at the places that an index names, `scatter_add` adds there; each is the other's
gradient.
"""

from typing import Any

import numpy as np

from course_lib.calls.rules import Rule, within
from course_lib.core.tensor import Tensor
from course_lib.declare.op import op
from course_lib.memory.dims import wrap_dim
from course_lib.memory.places import flat_places, take_along
from course_lib.ops.make.fill import declare_filling
from course_lib.ops.pick.slices import blank_of
from course_lib.words import errors

__all__ = ["gather", "scatter_add"]

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
    fine = not index.size or (index.min() >= low and index.max() < size)
    return None if fine else int(index[(index < low) | (index >= size)][0])


def check_places(index: Any, dim: int, size: int, low: int = 0, error: type = RuntimeError) -> None:
    """Raise for an index that is out of range."""
    if (wrong := outside(index, size, low)) is not None:
        raise error(errors.index_range(wrong, dim, size))


# ---- writing -------------------------------------------------------------------------------------


def check_sizes(self: Tensor, dim: int, index: Tensor, src: Tensor) -> None:
    """Raise if an index is larger than what is added, or than where that goes."""
    at = wrap_dim(dim, self._array.ndim)
    if longer(index, self, at) is not None or longer(index, src) is not None:
        raise RuntimeError(errors.scatter_sizes(index, self, at, src))


@declare_filling(
    operands=("self",),
    saves=("index",),
    copy="contiguous",
    refuses=(
        within("dim"),
        of_integers("scatter"),
        Rule(lambda self, src: src._dtype is not self._dtype, errors.SCATTER_DTYPE),
        Rule(other_rank, errors.index_rank("self"), of=("self", "index")),
        Rule(other_rank, errors.index_rank("src"), of=("src", "index")),
        check_sizes,
    ),
    self=lambda grad: grad,
    src=lambda grad, dim, index: gather(grad, dim, index),
)
def scatter_add(self, dim, index, src):
    """A copy of `self` with the elements of `src` added at `index` along `dim`.

    >>> x = torch.zeros(3)
    >>> x.scatter_add(0, torch.tensor([0, 0, 2]), torch.tensor([1., 2., 3.]))
    tensor([3., 0., 3.])
    """
    if not index.size:
        return
    whole, index, src = np.atleast_1d(self, index, src)
    at = wrap_dim(dim, self.ndim)
    check_places(index, at, whole.shape[at])
    memory, places = self.reshape(-1), flat_places(index, at, whole.shape).reshape(-1)
    np.add.at(memory, places, src[tuple(map(slice, index.shape))].reshape(-1))
    if not self.flags.c_contiguous:  # then `memory` is a copy
        self[...] = memory.reshape(self.shape)


# ---- reading -------------------------------------------------------------------------------------


def check_index(self: Tensor, dim: int, index: Tensor) -> None:
    """Raise if an index is larger than the tensor from which it picks."""
    at = wrap_dim(dim, self._array.ndim)
    if (wide := longer(index, self, at)) is not None:
        raise RuntimeError(errors.gather_sizes(wide, index, self, at))


@op(
    layout="contiguous",
    saves=("index",),
    shows={"sparse_grad": False},
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
    found = take_along(whole, places, at)
    return found if np.ndim(index) else found.reshape(())
