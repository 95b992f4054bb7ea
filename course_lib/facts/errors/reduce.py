"""What reductions, scans and sorting refuse."""

from __future__ import annotations

from typing import Any

from course_lib.facts.errors.elementwise import no_kernel
from course_lib.facts.errors.types import type_word

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
    return f"{name}(): Expected reduction dim {dim} to have non-zero size."


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
    for axis in wrap_dims(dim, len(shape)):
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
        if self._dtype.category == 3:
            raise RuntimeError(f"{name}(): does not support complex input")
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
        check_reduced_dim(name, self, dim)

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
