"""The largest and the smallest elements, and where they are."""

from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np

from course_lib.calls.rules import Rule, lacks, no, refuse
from course_lib.core.tensor import Tensor
from course_lib.declare.methods import method
from course_lib.declare.op import op
from course_lib.dtypes import kinds
from course_lib.memory.dims import wrap_dim
from course_lib.memory.places import take_along
from course_lib.ops.elementwise.clamp import maximum, minimum
from course_lib.ops.elementwise.zeroing import masked
from course_lib.ops.pick.gather_scatter import scatter_add
from course_lib.ops.pick.slices import blank_of
from course_lib.ops.reduce.sums import axes, reducing, spread
from course_lib.ops.shape.squeeze import unsqueeze
from course_lib.words import errors

__all__ = ["amax", "amin", "argmax", "argmin", "max", "min"]


def placed(grad: Any, like: tuple, indices: Any, dim: int, keepdim: bool) -> Any:
    """Zeros, with each value at the index along `dim` that it was taken from."""
    if not like:
        return grad
    if not keepdim:
        grad, indices = unsqueeze(grad, dim), unsqueeze(indices, dim)
    return scatter_add(blank_of(grad, like), dim, indices, grad)


@reducing(
    method=False,
    node="DivBackward0",
    saves=("mask",),
    self=lambda grad, mask, dim, keepdim: shared_out(grad, mask, dim, keepdim),
)
def shared_out(self, mask, dim, keepdim):
    """`self` divided by how many elements along `dim` the mask marks."""
    over = axes(dim, mask.ndim)
    return self / np.add.reduce(mask, axis=over, keepdims=keepdim, dtype=self.dtype)


@op(kind="same", method=False, layout="contiguous")
def same(self, other):
    """Where elements are equal; nan equals nan here."""
    return np.equal(self, other) | ((self != self) & (other != other))


def nonempty(name: str) -> Callable:
    """A rule that what is reduced is there and has elements."""

    def check(self: Any, dim: Any) -> None:
        shape = self._array.shape
        if dim is None or dim in ((), []):
            if not self._array.size and name.startswith("arg"):
                raise IndexError(errors.empty_argument(name))
            refuse(not self._array.size, errors.empty_without_dim, name)
            return
        dims = dim if isinstance(dim, (tuple, list)) else (dim,)
        for one in dims:
            axis = wrap_dim(index(one), len(shape))
            if shape and not shape[axis]:
                shown = one if name in ("amax", "amin") else axis
                raise IndexError(errors.empty_reduction(name, shown))

    return check


# ---- over everything, or along a dimension, with indices -----------------------------------------


def extreme(kernel: Any, find: Any, name: str) -> tuple[Any, Any]:
    """`max` or `min`: of all elements, and along a dimension."""

    @op(
        kind="same",
        name=f"{name}_all",
        node=f"{name.title()}Backward1",
        method=False,
        layout="contiguous",
        refuses=(
            lacks("complex", f"{name}_all"),
            Rule(lambda self: not self._array.size, lambda **_: errors.empty_without_dim(name)),
        ),
        self=lambda grad, self, self_shape, result: evenly(
            grad, self, self_shape, None, False, result
        ),
    )
    def of_all(self):
        return kernel.reduce(self, axis=None)

    @reducing(
        kind="same",
        name=name,
        node=f"{name.title()}Backward0",
        method=False,
        returns=("values", "indices"),
        refuses=(nonempty(name), no("complex", errors.COMPLEX_INPUT)),
        self=lambda grad, self_shape, dim, keepdim, indices: placed(
            grad, self_shape, indices, dim, keepdim
        ),
    )
    def along_dim(self, dim, keepdim=False):
        return locate_extremes(self, find, dim, keepdim)

    return of_all, along_dim


def locate_extremes(array: Any, find: Any, dim: int, keepdim: bool) -> tuple[Any, Any]:
    """The values that `find` locates along `dim`, and their indices."""
    if not array.ndim:
        return array.copy(), np.zeros_like(array, np.int64)
    axis = wrap_dim(dim, array.ndim)
    indices = kinds.as_indices(find(array, axis=axis, keepdims=True))
    values = take_along(array, indices, axis)
    return (values, indices) if keepdim else (values.squeeze(axis), indices.squeeze(axis))


max_all, max_along = extreme(np.maximum, lambda x, **how: x.argmax(**how), "max")
min_all, min_along = extreme(np.minimum, lambda x, **how: x.argmin(**how), "min")


def chooser(whole: Any, part: Any, pairwise: Any, args: tuple, kwargs: dict) -> Any:
    """Call the form of `max` or `min` (there are three) that the second argument asks for."""
    if len(args) == 2 and isinstance(args[1], Tensor) or "other" in kwargs:
        return pairwise(*args, **kwargs)
    if len(args) > 1 or "dim" in kwargs or "axis" in kwargs:
        return part(*args, **kwargs)
    return whole(*args, **kwargs)


@method
def max(*args: Any, **kwargs: Any) -> Any:
    """The largest element; or, along `dim`, the largest elements and their indices.

    ``max(input)``, ``max(input, dim, keepdim=False)``, ``max(input, other)``, which is `maximum`.
    nan counts as the largest.  All elements that equal the maximum of the whole tensor share its
    gradient; along a dimension, the gradient goes to the one whose index is returned.

    >>> torch.max(torch.tensor([[1, 5], [7, 2]]), 1)
    torch.return_types.max(
    values=tensor([5, 7]),
    indices=tensor([1, 0]))
    """
    return chooser(max_all, max_along, maximum, args, kwargs)


@method
def min(*args: Any, **kwargs: Any) -> Any:
    """The smallest element; or, along `dim`, the smallest elements and their indices.

    ``min(input)``, ``min(input, dim, keepdim=False)``, ``min(input, other)``: see `max`.

    >>> torch.min(torch.tensor([[1, 5], [7, 2]]))
    tensor(1)
    """
    return chooser(min_all, min_along, minimum, args, kwargs)


# ---- values only, indices only -------------------------------------------------------------------


def evenly(grad: Any, self: Any, self_shape: Any, dim: Any, keepdim: bool, result: Any) -> Any:
    """The gradient of an extreme along dimensions, shared by all elements that equal it."""
    mask = same(self, spread(result, self_shape, dim, keepdim))
    share = shared_out(grad, mask, dim, keepdim)
    return masked(spread(share, self_shape, dim, keepdim), mask)


def by_count(grad: Any, self: Any, self_shape: Any, dim: Any, keepdim: bool, result: Any) -> Any:
    """The same, but a nan equals nothing: there all becomes nan."""
    mask = self == spread(result, self_shape, dim, keepdim)
    return spread(shared_out(grad, mask, dim, keepdim), self_shape, dim, keepdim) * mask


def values_only(kernel: Any) -> Any:
    """Declare `amax` or `amin`."""
    name = kernel.__name__
    missing = lacks("complex", f"{name[1:]}_values_cpu")
    return reducing(kind="same", refuses=(nonempty(name), missing), self=by_count)(kernel)


@values_only
def amax(self, dim=(), keepdim=False):
    """The largest elements along `dim`, one or several dimensions; equal ones share the gradient.

    >>> torch.tensor([[1, 5], [7, 2]]).amax(0)
    tensor([7, 5])
    """
    return np.maximum.reduce(self, axis=axes(dim, self.ndim), keepdims=keepdim)


@values_only
def amin(self, dim=(), keepdim=False):
    """The smallest elements along `dim`, one or several dimensions; equal ones share the gradient.

    >>> torch.tensor([[1, 5], [7, 2]]).amin(0)
    tensor([1, 2])
    """
    return np.minimum.reduce(self, axis=axes(dim, self.ndim), keepdims=keepdim)


def indices_only(kernel: Any) -> Any:
    """Declare `argmax` or `argmin`."""
    unordered = no("complex", errors.COMPLEX_INPUT), no("bool", errors.BOOL_INPUT)
    return reducing(kind="same", refuses=(*unordered, nonempty(kernel.__name__)))(kernel)


def index_of(find: Any, array: Any, dim: int | None, keepdim: bool) -> Any:
    """Where `find` finds the extreme: in the flattened array, or along `dim`."""
    if not array.ndim:
        return np.zeros_like(array, np.int64)
    axis = None if dim is None else wrap_dim(dim, array.ndim)
    return kinds.as_indices(find(array, axis=axis, keepdims=keepdim))[()]


@indices_only
def argmax(self, dim=None, keepdim=False):
    """The index of the (first) largest element: of the flattened tensor, or along `dim`.

    >>> torch.tensor([[1, 5], [7, 2]]).argmax(), torch.tensor([[1, 5], [7, 2]]).argmax(1)
    (tensor(2), tensor([1, 0]))
    """
    return index_of(np.argmax, self, dim, keepdim)


@indices_only
def argmin(self, dim=None, keepdim=False):
    """The index of the (first) smallest element: of the flattened tensor, or along `dim`.

    >>> torch.tensor([[1, 5], [7, 2]]).argmin(1)
    tensor([0, 1])
    """
    return index_of(np.argmin, self, dim, keepdim)
