"""Errors of reductions, scans and sorting."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from course_lib.words.errors.elementwise import no_kernel
from course_lib.words.errors.sentence import Sentence, type_word
from course_lib.words.errors.writing import warn_once

BINCOUNT_INPUT = "bincount only supports 1-d non-negative integral inputs."
BINCOUNT_LENGTH = "minlength should be >= 0"
BINCOUNT_WEIGHTS = "weights should be 1-d and have the same length as input"
K_RANGE = "selected index k out of range"
DIFF_OF_SCALAR = "diff expects input to be at least one-dimensional"
COMPLEX_INPUT = Sentence("{name}(): does not support complex input")
BOOL_INPUT = Sentence("{name}(): does not support bool input")

SPREAD_OF_INTEGERS = "std and var only support floating point and complex dtypes"
too_few_degrees = Sentence(
    "{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction "
    "factor (input numel divided by output numel)."
)
empty_reduction = Sentence("{name}(): Expected reduction dim {dim} to have non-zero size.")
empty_argument = Sentence(
    "{name}(): Expected reduction dim to be specified for input.numel() == 0."
)
empty_without_dim = Sentence(
    "{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
    "reduction dim with the 'dim' argument."
)
negative_order = Sentence("order must be non-negative but got {n}")
derivative_missing = Sentence("the derivative for '{name}' is not implemented.")
not_expandable = Sentence("size {{{size:list}}} is not expandable to size {{{shape:list}}}.")
# A number as C++ prints it.
shown = Sentence("{number:g}")

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


def check_kind_dim(tensor: Any, dim: Any) -> int:
    """The dimension counted from the front; IndexError if there is none."""
    from course_lib.memory.dims import wrap_dim

    return wrap_dim(operator.index(dim), len(tensor._array.shape))


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
