"""What reductions, scans and sorting refuse."""

from __future__ import annotations

import math
import operator
from typing import Any

from course_lib.facts.errors.elementwise import no_kernel
from course_lib.facts.errors.shapes import inplace_shape
from course_lib.facts.errors.types import C_NAMES, type_word

STD_OF_INTEGERS = "std and var only support floating point and complex dtypes"
BINCOUNT_INPUT = "bincount only supports 1-d non-negative integral inputs."
K_RANGE = "selected index k out of range"


def nanmean_of_integers(dtype: Any) -> str:
    return (
        "nanmean(): expected input to have floating point or complex dtype but got "
        f"{type_word(dtype)}"
    )


def too_few_degrees(name: str) -> str:
    return (
        f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the "
        "reduction factor (input numel divided by output numel)."
    )


def empty_reduction(name: str, dim: int) -> str:
    brackets = "" if name == "aminmax" else "()"
    return f"{name}{brackets}: Expected reduction dim {dim} to have non-zero size."


def empty_without_dim(name: str) -> str:
    return (
        f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
        "reduction dim with the 'dim' argument."
    )


def kth_range(dim: int) -> str:
    return f"kthvalue(): selected number k out of range for dimension {dim}"


def norm_of_integers(dtype: Any) -> str:
    return (
        "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
        f"{type_word(dtype)}"
    )


# ---- checks that a declaration names -------------------------------------------------------------


def check_reduced_dim(name: str, tensor: Any, dim: Any) -> None:
    """Raise if a dimension that has to hold something is empty."""
    from course_lib.facts.dims import wrap_dims

    shape = tensor._array.shape
    many = name in ("amax", "amin") and isinstance(dim, (tuple, list))
    for axis in wrap_dims(dim if many else operator.index(dim), len(shape)):
        if shape and not shape[axis]:
            raise IndexError(empty_reduction(name, axis))


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
            raise NotImplementedError(no_kernel(f"{name}_cpu", self._dtype))

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


def check_aminmax(self: Any, dim: Any, keepdim: bool) -> None:
    """Raise for an empty tensor, or an empty dimension."""
    if dim is not None:
        check_reduced_dim("aminmax", self, dim)
    elif not self._array.size:
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no "
            "identity."
        )
    if self._dtype.category == 3:
        raise NotImplementedError(no_kernel("aminmax_cpu", self._dtype))


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


def check_median_along(name: str) -> Any:
    """A check for `median(input, dim)`."""

    def check(self: Any, dim: Any, keepdim: bool) -> None:
        check_reduced_dim("median", self, dim)

    return check


def check_kthvalue(self: Any, k: Any, dim: Any, keepdim: bool) -> None:
    """Raise for a rank that there is not."""
    from course_lib.facts.dims import wrap_dim

    shape = self._array.shape
    axis = wrap_dim(dim, len(shape))
    if shape and not shape[axis]:
        raise IndexError(empty_reduction("kthvalue", axis))
    if not 1 <= k <= (shape[axis] if shape else 1):
        raise RuntimeError(kth_range(axis))


def check_kind_dim(tensor: Any, dim: Any) -> int:
    """The dimension counted from the front; IndexError if there is none."""
    from course_lib.facts.dims import wrap_dim

    return wrap_dim(operator.index(dim), len(tensor._array.shape))


def check_logsumexp(self: Any, dim: Any, keepdim: bool) -> None:
    """Raise for no dimension at all."""
    if dim is None:
        raise TypeError(dim)
    ndim = len(self._array.shape)
    if dim in ((), []) and ndim and not keepdim:
        raise RuntimeError(inplace_shape((), (1,) * ndim))


def check_keepdim(self: Any, dim: Any, keepdim: Any, dtype: Any) -> None:
    """Raise for a second dimension where only `keepdim` can stand."""
    if not isinstance(keepdim, bool) or isinstance(dim, bool):
        raise TypeError(keepdim)


def check_one_dim(self: Any, dim: Any, keepdim: bool, dtype: Any) -> None:
    """Raise for anything but one dimension."""
    check_keepdim(self, dim, keepdim, dtype)
    check_kind_dim(self, dim)


def check_scan(name: str) -> Any:
    """A check for `cumsum` and `cumprod`."""

    def check(self: Any, dim: Any, dtype: Any) -> None:
        check_kind_dim(self, dim)
        if dtype is not None and dtype.category == 0:
            raise NotImplementedError(no_kernel(f"{name}_out_cpu", dtype))

    return check


def check_logcumsumexp(self: Any, dim: Any) -> None:
    """Raise for a dimension that there is not, or a dtype without logarithms."""
    check_kind_dim(self, dim)
    if self._dtype.category < 2:
        raise NotImplementedError(no_kernel("logcumsumexp_out_cpu", self._dtype))
    if self._dtype.category == 3:
        raise NotImplementedError("logcumsumexp(complex)")


def check_running_extreme(name: str) -> Any:
    """A check for `cummax` and `cummin`."""

    def check(self: Any, dim: Any) -> None:
        check_kind_dim(self, dim)
        if self._dtype.category == 3:
            raise NotImplementedError(no_kernel(f"{name}_cpu", self._dtype))

    return check


DIFF_OF_SCALAR = "diff expects input to be at least one-dimensional"


def negative_order(n: int) -> str:
    return f"order must be non-negative but got {n}"


def check_sort(self: Any, dim: Any, descending: Any, stable: Any) -> None:
    """Raise for a dimension that there is not, or numbers without order."""
    check_kind_dim(self, dim)
    if self._dtype.category == 3:
        raise RuntimeError(" Sort does not support complex dtypes on CPU")


def check_topk(self: Any, k: Any, dim: Any, largest: Any, sorted: Any) -> None:
    """Raise for more elements than there are."""
    shape = self._array.shape
    axis = check_kind_dim(self, dim)
    if not 0 <= k <= (shape[axis] if shape else 1):
        raise RuntimeError(K_RANGE)
    if self._dtype.category == 3:
        raise NotImplementedError("topk(complex)")


def derivative_missing(name: str) -> str:
    return f"the derivative for '{name}' is not implemented."


def boundaries_shape(ndim: int) -> str:
    return f"boundaries tensor must be 1 dimension, but got dim({ndim})"


def check_searchsorted(sequence: Any, values: Any, right: bool, side: Any, sorter: Any) -> None:
    """Raise for values that do not belong to the sorted ones, or a side that there is not."""
    if side not in (None, "left", "right"):
        raise RuntimeError(
            "torch.searchsorted(): side can only be 'left' or 'right' but got " + str(side)
        )
    if right and side == "left":
        raise RuntimeError(
            "torch.searchsorted(): side and right can't be set to opposites, got side of left "
            "while right was True"
        )
    shape = sequence._array.shape
    if not shape:
        raise RuntimeError(
            "torch.searchsorted(): input value can be a scalar only when boundaries tensor "
            "dimension is 1, but we got boundaries tensor dim(0) and input value's dim("
            f"{values._array.ndim if hasattr(values, '_array') else 0}) numel("
            f"{values._array.size if hasattr(values, '_array') else 1})"
        )
    if not hasattr(values, "_array"):
        return
    if values._dtype is not sequence._dtype:
        raise RuntimeError(
            "torch.searchsorted(): boundary tensor and input value tensor should have same dtype, "
            f"but got boundary tensor dtype {C_NAMES[sequence._dtype.name]} and input value "
            f"tensor dtype {C_NAMES[values._dtype.name]}"
        )
    if len(shape) > 1 and values._array.shape[:-1] != shape[:-1]:
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 "
            "dimensions of boundaries tensor and input value tensor must match, but we got "
            f"boundaries tensor {list(shape)} and input value tensor {list(values._array.shape)}"
        )


def check_bincount(input: Any, weights: Any, minlength: int) -> None:
    """Raise for what cannot be counted."""
    if input._dtype.category != 1:
        raise NotImplementedError(no_kernel("bincount_cpu", input._dtype))
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    array = input._array
    if array.ndim != 1 or (array.size and array.min() < 0):
        raise RuntimeError(BINCOUNT_INPUT)
    if weights is not None and weights._array.shape != array.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")


def not_expandable(size: tuple, shape: tuple) -> str:
    return f"size {{{list(size)}}} is not expandable to size {{{list(shape)}}}."


def norm_name(p: str) -> str:
    return f"only valid string values are 'fro' and 'nuc', found {p}"


def check_norm(self: Any, ord: float, dim: Any, keepdim: bool, dtype: Any) -> None:
    """Raise for integers, and for a largest element where there is none."""
    if self._dtype.category < 2:
        raise RuntimeError(norm_of_integers(self._dtype))
    shape = self._array.shape
    if not self._array.size and (ord == float("inf") or ord < 0):
        from course_lib.facts.dims import wrap_dims

        if dim is None or dim == ():
            raise RuntimeError(
                f"linalg.vector_norm cannot compute the {shown(ord)} norm on an empty tensor "
                "because the operation does not have an identity"
            )
        for axis in wrap_dims(dim, len(shape)):
            if not shape[axis]:
                raise RuntimeError(
                    f"linalg.vector_norm cannot compute the {shown(ord)} norm on the dimension "
                    f"{axis}because this dimension is empty and the operation does not have an "
                    "identity"
                )


def shown(number: float) -> str:
    """A number as C++ prints it."""
    return f"{number:g}"


def check_mode(self: Any, dim: Any, keepdim: Any) -> None:
    """Raise for an empty dimension and for complex numbers, which have no order."""
    check_reduced_dim("mode", self, dim)
    if self._dtype.is_complex:
        raise NotImplementedError(no_kernel("mode_cpu", self._dtype))


def check_histc(self: Any, bins: int, min: float, max: float) -> None:
    """Raise for numbers that are not real, for no bins, and for limits that bound nothing."""
    if not self._dtype.is_floating_point:
        kernel = "aminmax_cpu" if self._dtype.is_complex else "histogram_cpu"
        raise NotImplementedError(no_kernel(kernel, self._dtype))
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    low, high = min, max
    if low == high and self._array.size:
        low, high = self._array.min().item(), self._array.max().item()
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"torch.histc: range of [{low:g}, {high:g}] is not finite")
    if low > high:
        raise RuntimeError("torch.histc: max must be larger than min")


def check_isin(elements: Any, test_elements: Any, assume_unique: bool, invert: bool) -> None:
    """Raise for complex numbers."""
    for value in (elements, test_elements):
        if hasattr(value, "_dtype") and value._dtype.is_complex:
            name = type_word(value._dtype)
            raise RuntimeError(f"Unsupported input type encountered for isin(): {name}")


def check_quantile(name: str, input: Any, q: Any, interpolation: str) -> None:
    """Raise for what has no quantiles: no elements, other numbers than float32 and float64."""
    if not (input._dtype.is_floating_point and input._dtype.itemsize >= 4):
        raise RuntimeError(f"{name}() input tensor must be either float or double dtype")
    if hasattr(q, "_array"):
        if q._array.ndim > 1:
            raise RuntimeError(f"{name}() q must be a scalar or 1D tensor")
        if q._dtype is not input._dtype:
            raise RuntimeError(f"{name}() q tensor must be same dtype as the input tensor")
        if not ((q._array >= 0) & (q._array <= 1)).all():
            raise RuntimeError(f"{name}() q values must be in the range [0, 1]")
    elif not 0 <= q <= 1:
        raise RuntimeError(f"{name}() q must be in the range [0, 1] but got {q:g}")
    if not input._array.size:
        raise RuntimeError(f"{name}() input tensor must be non-empty")
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError(
            f"{name}() interpolation must be one of linear, lower, higher, midpoint or nearest, "
            f"but got {interpolation}"
        )
