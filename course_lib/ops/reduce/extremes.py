"""The largest and the smallest elements, and where they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.declare.composite import dispatcher
from course_lib.declare.op import op
from course_lib.dtypes import kinds
from course_lib.memory.dims import wrap_dim
from course_lib.memory.places import taken
from course_lib.ops.elementwise.clamp import maximum, minimum
from course_lib.ops.elementwise.zeroing import masked
from course_lib.ops.reduce.adjoints import axes, placed, shared_out, spread
from course_lib.words import errors

__all__ = [
    "amax",
    "amin",
    "argmax",
    "argmin",
    "max",
    "min",
]


def evenly(grad: Any, value: Any, result: Any) -> Any:
    """The gradient of an extreme over everything, shared by all elements that equal it."""
    mask = same(value, result)
    return masked(shared_out(grad, mask, None, False), mask)


@op(kind="same", method=False, layout="contiguous")
def same(self, other):
    """Where elements are equal; nan equals nan here."""
    equal = np.equal(self, other)
    if self.dtype.kind in "biu":
        return equal
    return np.logical_or(equal, np.logical_and(np.isnan(self), np.isnan(other)))


def along(kernel: Any, self: Any, dim: Any, keepdim: bool) -> Any:
    """A reduction of a nonempty array by `kernel`."""
    return kernel.reduce(self, axis=axes(dim, self.ndim), keepdims=keepdim)


# ---- over everything, or along a dimension, with indices -----------------------------------------


def extreme(kernel: Any, find: Any, name: str) -> tuple[Any, Any]:
    """`max` or `min`: of all elements, and along a dimension."""

    @op(
        kind="same",
        name=f"{name}_all",
        node=f"{name.title()}Backward1",
        method=False,
        layout="contiguous",
        refuses=errors.check_extreme_of_all(name),
        self=lambda grad, self, result: evenly(grad, self, result),
    )
    def of_all(self):
        return kernel.reduce(self, axis=None)

    @op(
        kind="same",
        name=name,
        node=f"{name.title()}Backward0",
        method=False,
        layout="contiguous",
        operands=("self",),
        returns=("values", "indices"),
        refuses=errors.check_extreme_along(name),
        self=lambda grad, self_shape, dim, keepdim, indices: placed(
            grad, self_shape, indices, dim, keepdim
        ),
    )
    def along_dim(self, dim, keepdim=False):
        return located(self, find, dim, keepdim)

    return of_all, along_dim


def located(array: Any, find: Any, dim: int, keepdim: bool) -> tuple[Any, Any]:
    """The values that `find` locates along `dim`, and their indices."""
    if not array.ndim:
        return array.copy(), np.zeros_like(array, np.int64)
    axis = wrap_dim(dim, array.ndim)
    indices = kinds.as_indices(find(array, axis=axis, keepdims=True))
    values = taken(array, indices, axis)
    if keepdim:
        return values, indices
    shape = array.shape[:axis] + array.shape[axis + 1 :]
    return values.reshape(shape), indices.reshape(shape)


max_all, max_along = extreme(np.maximum, np.argmax, "max")
min_all, min_along = extreme(np.minimum, np.argmin, "min")


def chooser(whole: Any, part: Any, pairwise: Any, args: tuple, kwargs: dict) -> Any:
    """Call the form of `max` or `min` (there are three) that the second argument asks for."""
    if len(args) == 2 and isinstance(args[1], Tensor) or "other" in kwargs:
        return pairwise(*args, **kwargs)
    if len(args) > 1 or "dim" in kwargs or "axis" in kwargs:
        return part(*args, **kwargs)
    return whole(*args, **kwargs)


@dispatcher
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


@dispatcher
def min(*args: Any, **kwargs: Any) -> Any:
    """The smallest element; or, along `dim`, the smallest elements and their indices.

    ``min(input)``, ``min(input, dim, keepdim=False)``, ``min(input, other)``: see `max`.

    >>> torch.min(torch.tensor([[1, 5], [7, 2]]))
    tensor(1)
    """
    return chooser(min_all, min_along, minimum, args, kwargs)


# ---- values only, indices only -------------------------------------------------------------------


def shared_evenly(grad: Any, value: Any, result: Any, shape: Any, dim: Any, keepdim: bool) -> Any:
    """The gradient of an extreme along dimensions, shared by all elements that equal it."""
    mask = same(value, spread(result, shape, dim, keepdim))
    share = shared_out(grad, mask, dim, keepdim)
    return masked(spread(share, shape, dim, keepdim), mask)


@op(
    kind="same",
    layout="contiguous",
    operands=("self",),
    refuses=errors.check_extreme_values("amax", "max_values_cpu"),
    self=lambda grad, self, self_shape, dim, keepdim, result: shared_evenly(
        grad, self, result, self_shape, dim, keepdim
    ),
)
def amax(self, dim=(), keepdim=False):
    """The largest elements along `dim`, one or several dimensions; equal ones share the gradient.

    >>> torch.tensor([[1, 5], [7, 2]]).amax(0)
    tensor([7, 5])
    """
    return along(np.maximum, self, dim, keepdim)


@op(
    kind="same",
    layout="contiguous",
    operands=("self",),
    refuses=errors.check_extreme_values("amin", "min_values_cpu"),
    self=lambda grad, self, self_shape, dim, keepdim, result: shared_evenly(
        grad, self, result, self_shape, dim, keepdim
    ),
)
def amin(self, dim=(), keepdim=False):
    """The smallest elements along `dim`, one or several dimensions; equal ones share the gradient.

    >>> torch.tensor([[1, 5], [7, 2]]).amin(0)
    tensor([1, 2])
    """
    return along(np.minimum, self, dim, keepdim)


def index_of(find: Any, array: Any, dim: int | None, keepdim: bool) -> Any:
    """Where `find` finds the extreme: in the flattened array, or along `dim`."""
    if not array.ndim:
        return np.zeros_like(array, np.int64)
    if dim is None:
        found = np.int64(find(array, axis=None))
        return np.reshape(found, (1,) * array.ndim) if keepdim else found
    found = find(array, axis=wrap_dim(dim, array.ndim), keepdims=keepdim)
    return kinds.as_indices(found)


@op(
    kind="same",
    layout="contiguous",
    operands=("self",),
    refuses=errors.check_index_of("argmax"),
)
def argmax(self, dim=None, keepdim=False):
    """The index of the (first) largest element: of the flattened tensor, or along `dim`.

    >>> torch.tensor([[1, 5], [7, 2]]).argmax(), torch.tensor([[1, 5], [7, 2]]).argmax(1)
    (tensor(2), tensor([1, 0]))
    """
    return index_of(np.argmax, self, dim, keepdim)


@op(
    kind="same",
    layout="contiguous",
    operands=("self",),
    refuses=errors.check_index_of("argmin"),
)
def argmin(self, dim=None, keepdim=False):
    """The index of the (first) smallest element: of the flattened tensor, or along `dim`.

    >>> torch.tensor([[1, 5], [7, 2]]).argmin(1)
    tensor([0, 1])
    """
    return index_of(np.argmin, self, dim, keepdim)
