"""Errors of reductions, scans and sorting."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from course_lib.words.errors.elementwise import no_kernel
from course_lib.words.errors.sentence import Sentence, type_word
from course_lib.words.errors.shapes import inplace_shape
from course_lib.words.errors.writing import warn_once

BINCOUNT_INPUT = "bincount only supports 1-d non-negative integral inputs."
K_RANGE = "selected index k out of range"


def spread_of_integers(name: str) -> str:
    who = name if name.endswith("_mean") else "std and var"
    return f"{who} only support floating point and complex dtypes"


too_few_degrees = Sentence(
    "{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction "
    "factor (input numel divided by output numel)."
)


def empty_reduction(name: str, dim: int) -> str:
    brackets = "" if name == "aminmax" else "()"
    return f"{name}{brackets}: Expected reduction dim {dim} to have non-zero size."


empty_without_dim = Sentence(
    "{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
    "reduction dim with the 'dim' argument."
)

# ---- checks that a declaration names -------------------------------------------------------------


def check_reduced_dim(name: str, tensor: Any, dim: Any) -> None:
    """Raise if a reduced dimension is empty."""
    shape = tensor._array.shape
    if dim.__class__ is int and -len(shape) <= dim < len(shape) and shape[dim]:
        return
    from course_lib.memory.dims import wrap_dims

    dims = dim if name in ("amax", "amin") and isinstance(dim, (tuple, list)) else (dim,)
    for one in dims:
        (axis,) = wrap_dims(operator.index(one), len(shape))
        if shape and not shape[axis]:
            raise IndexError(empty_reduction(name, one if name in ("amax", "amin") else axis))
    wrap_dims(tuple(dims), len(shape))


def check_extreme_of_all(name: str) -> Any:
    """A check for `max(input)` and `min(input)`."""

    def check(self: Any) -> None:
        if self._dtype.category == 3:
            raise NotImplementedError(no_kernel(f"{name}_all", self._dtype))
        if not self._array.size:
            raise RuntimeError(empty_without_dim(name))

    return check


def check_extreme_along(name: str) -> Any:
    """A check for `max(input, dim)` and `min(input, dim)`."""

    def check(self: Any, dim: Any, keepdim: bool) -> None:
        check_reduced_dim(name, self, dim)
        if self._dtype.category == 3:
            raise RuntimeError(f"{name}(): does not support complex input")

    return check


def check_extreme_values(name: str, kernel: str) -> Any:
    """A check for `amax` and `amin`."""

    def check(self: Any, dim: Any, keepdim: bool) -> None:
        if dim is None or dim in ((), []):
            if not self._array.size:
                raise RuntimeError(empty_without_dim(name))
        else:
            check_reduced_dim(name, self, dim)
        if self._dtype.category == 3:
            raise NotImplementedError(no_kernel(kernel, self._dtype))

    return check


def check_index_of(name: str) -> Any:
    """A check for `argmax` and `argmin`."""

    def check(self: Any, dim: Any, keepdim: bool) -> None:
        if self._dtype.category in (0, 3):
            word = "complex" if self._dtype.category else "bool"
            raise RuntimeError(f"{name}(): does not support {word} input")
        if dim is not None:
            check_reduced_dim(name, self, dim)
        elif not self._array.size:
            raise IndexError(
                f"{name}(): Expected reduction dim to be specified for input.numel() == 0."
            )

    return check


def check_kind_dim(tensor: Any, dim: Any) -> int:
    """The dimension counted from the front; IndexError if there is none."""
    from course_lib.memory.dims import wrap_dim

    return wrap_dim(operator.index(dim), len(tensor._array.shape))


def check_logsumexp(self: Any, dim: Any, keepdim: bool) -> None:
    """Raise if no dimension is given."""
    if dim is None:
        raise TypeError(dim)
    ndim = len(self._array.shape)
    if dim in ((), []) and ndim and not keepdim and self._array.size:
        raise RuntimeError(inplace_shape((), (1,) * ndim))


def check_keepdim(self: Any, dim: Any, keepdim: Any, dtype: Any) -> None:
    """Raise if `keepdim` is not a bool (a second dimension, say), or `dim` is one."""
    if not isinstance(keepdim, bool) or isinstance(dim, bool):
        raise TypeError(keepdim)


def check_one_dim(self: Any, dim: Any, keepdim: bool, dtype: Any) -> None:
    """Raise unless there is exactly one valid dimension."""
    check_keepdim(self, dim, keepdim, dtype)
    check_kind_dim(self, dim)


def check_scan(name: str) -> Any:
    """A check for `cumsum` and `cumprod`."""

    def check(self: Any, dim: Any, dtype: Any) -> None:
        check_kind_dim(self, dim)
        if dtype is not None and dtype.category == 0:
            raise NotImplementedError(no_kernel(f"{name}_out_cpu", dtype))

    return check


DIFF_OF_SCALAR = "diff expects input to be at least one-dimensional"

negative_order = Sentence("order must be non-negative but got {n}")


def check_sort(self: Any, dim: Any, descending: Any, stable: Any) -> None:
    """Raise for a dimension that does not exist, or for complex numbers, which have no order."""
    check_kind_dim(self, dim)
    if self._dtype.category == 3:
        raise RuntimeError(" Sort does not support complex dtypes on CPU")


def check_topk(self: Any, k: Any, dim: Any, largest: Any, sorted: Any) -> None:
    """Raise if `k` is larger than the dimension."""
    shape = self._array.shape
    axis = check_kind_dim(self, dim)
    if not 0 <= k <= (shape[axis] if shape else 1):
        raise RuntimeError(K_RANGE)
    if self._dtype.category == 3:
        raise RuntimeError(" topk does not support complex dtypes on CPU")
    if self._dtype.category == 0:
        raise RuntimeError("topk does not support bool dtypes on CPU")


derivative_missing = Sentence("the derivative for '{name}' is not implemented.")


def check_searchsorted(sequence: Any, values: Any, right: bool, side: Any, sorter: Any) -> None:
    """Raise if the values or `sorter` do not fit the sorted sequence, or `side` is unknown."""
    if side not in (None, "left", "right"):
        raise RuntimeError(
            "torch.searchsorted(): side can only be 'left' or 'right' but got " + str(side)
        )
    if right and side == "left":
        raise RuntimeError(
            "torch.searchsorted(): side and right can't be set to opposites, got side of left "
            "while right was True"
        )
    shape, found = sequence._array.shape, getattr(values, "_array", np.zeros(()))
    if sorter is not None:
        check_sorter(shape, sorter)
    if len(shape) != 1 and not found.ndim:
        raise RuntimeError(
            "torch.searchsorted(): input value can be a scalar only when boundaries tensor "
            f"dimension is 1, but we got boundaries tensor dim({len(shape)}) and input value's "
            "dim(0) numel(1)"
        )
    if not shape:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 "
            "dimension"
        )
    if len(shape) > 1 and found.shape[:-1] != shape[:-1]:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 "
            "dimensions of boundaries tensor and input value tensor must match, but we got "
            f"boundaries tensor {list(shape)} and input value tensor {list(found.shape)}"
        )
    for kind, tensor in (("input value", values), ("boundary", sequence), ("sorter", sorter)):
        if hasattr(tensor, "_array") and not tensor.is_contiguous():
            warn_once(
                f"torch.searchsorted(): {kind} tensor is non-contiguous, this will lower the "
                "performance due to extra data copy when converting non-contiguous tensor to "
                f"contiguous, please use contiguous {kind} tensor if possible. This message will "
                "only appear once per program."
            )


def check_sorter(shape: tuple, sorter: Any) -> None:
    """Raise unless `sorter` has a place in the sequence, of this shape, for each of its places."""
    if sorter._array.shape != shape:
        raise RuntimeError(
            "torch.searchsorted(): boundary and sorter must have the same size, but got boundary "
            f"tensor {list(shape)}and got sorter tensor {list(sorter._array.shape)}"
        )
    if sorter._dtype.name != "int64":
        raise RuntimeError(
            "torch.searchsorted(): sorter must be a tensor of long dtype but got dtype "
            f"{type_word(sorter._dtype)}"
        )
    places = sorter._array
    if places.size and not (0 <= places.min() and places.max() < (shape[-1] if shape else 1)):
        raise RuntimeError("torch.searchsorted(): sorter index out of range")


def check_places(self: Any, sorted_sequence: Any, side: str, narrow: bool) -> None:
    """Raise for a bool or a complex dtype, in which nothing is searched."""
    if self._dtype.category in (0, 3) and self._array.size:
        raise NotImplementedError(no_kernel("searchsorted_out_cpu", self._dtype))


def check_diff_part(input: Any, part: Any, dim: int) -> None:
    """Raise unless `part` may be put before or after the elements of `input` along `dim`."""
    shape, other = input._array.shape, part._array.shape
    if len(shape) != len(other):
        raise RuntimeError("diff expects prepend or append to be the same dimension as input")
    for at, (one, two) in enumerate(zip(shape, other, strict=True)):
        if one != two and at != dim % len(shape):
            raise RuntimeError(
                "diff expects the shape of tensor to prepend or append to match that of input "
                f"except along the differencing dimension; input.size({at}) = {one}, but got "
                f"tensor.size({at}) = {two}"
            )


def check_bincount(input: Any, weights: Any, minlength: int) -> None:
    """Raise unless the input is a vector of integers from 0 on, and weights and minlength fit."""
    if input._dtype.category != 1:
        raise NotImplementedError(no_kernel("bincount_cpu", input._dtype))
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    array = input._array
    if array.ndim != 1 or (array.size and array.min() < 0):
        raise RuntimeError(BINCOUNT_INPUT)
    if weights is not None and weights._array.shape != array.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")


not_expandable = Sentence("size {{{size:list}}} is not expandable to size {{{shape:list}}}.")
# A number as C++ prints it.
shown = Sentence("{number:g}")


def check_mode(self: Any, dim: Any, keepdim: Any) -> None:
    """Raise for an empty dimension and for complex numbers, which have no order."""
    check_reduced_dim("mode", self, dim)
    if self._dtype.is_complex and self._array.ndim:
        raise NotImplementedError(no_kernel("mode_cpu", self._dtype))


def check_isin(elements: Any, test_elements: Any, assume_unique: bool, invert: bool) -> None:
    """Raise for complex numbers and bools."""
    from course_lib.dtypes import kinds

    for value in (elements, test_elements):
        kind = kinds.folded([value])
        if kind.category in (0, 3):
            raise RuntimeError(f"Unsupported input type encountered for isin(): {type_word(kind)}")
