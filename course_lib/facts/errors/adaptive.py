"""What pooling to a given number of windows, and its way back, refuse."""

from __future__ import annotations

from typing import Any

from course_lib.facts.errors.elementwise import no_kernel
from course_lib.facts.errors.types import type_word


def check_adaptive(n: int) -> Any:
    """A check that refuses integers, which have no means."""
    kernel = "adaptive_avg_pool2d" if n == 2 else "adaptive_avg_pool3d_cpu"

    def check(self: Any, output_size: Any) -> None:
        if self._dtype.category != 2:
            raise NotImplementedError(no_kernel(kernel, self._dtype))

    return check


def check_adaptive_max(n: int) -> Any:
    """A check that refuses what has no largest element."""
    name = f"adaptive_max_pool{n}d"

    def check(self: Any, output_size: Any) -> None:
        check_not_empty(name, n, self._array.shape)
        if self._dtype.category != 2:
            raise NotImplementedError(no_kernel(name, self._dtype))

    return check


def check_not_empty(name: str, n: int, shape: Any) -> None:
    """Raise if a dimension is empty, the batch's aside."""
    for dim in range(1 if name.startswith("adaptive_max") else len(shape) - n, len(shape)):
        if shape[dim] == 0:
            raise RuntimeError(
                f"{name}(): Expected input to have non-zero size for non-batch dimensions, but "
                f"input has sizes {list(shape)} with dimension {dim} being empty"
            )


def check_output_size(name: str, n: int, shape: Any, size: Any) -> None:
    """Raise unless so many windows can be."""
    largest = name.startswith("adaptive_max")
    given = [s for s in size if s is not None]
    if len(given) < len(size) and len(shape) <= len(size):
        raise ValueError(f"Input dimension should be at least {len(size) + 1}")
    if len(shape) not in (n + 1, n + 2):
        gap = "got: " if largest else "got "
        raise RuntimeError(
            f"{name}(): Expected {n + 1}D or {n + 2}D tensor, but {gap}{list(shape)}"
        )
    if len(size) != n:
        inner = "(): internal error: output_size.size()" if largest else ": output_size"
        raise RuntimeError(f"{name}{inner} must be {n}")
    if any(s < 0 for s in given):
        if largest:
            whole = [*shape[:-n], *size]
            text = f"Trying to create tensor with negative dimension {min(given)}: {whole}"
            raise RuntimeError(text)
        raise RuntimeError(
            f"{name}: elements of output_size must be greater than or equal to 0 but received "
            f"{{{', '.join(map(str, size))}}}"
        )
    check_not_empty(name, n, shape)


def one_output_size(name: str, found: int) -> str:
    return f"{name}() argument 'output_size' should contain one int (got {found})"


def check_adaptive_series(name: str, shape: Any) -> None:
    """Raise unless this is a series, or a batch of them."""
    if len(shape) not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {len(shape)}-dimensional tensor for argument #1 "
            f"'self' (while checking arguments for {name})"
        )
    if 0 in shape[1:]:
        check_not_empty(name, 1, shape)


# ---- back ----------------------------------------------------------------------------------------


def check_unpool(n: int) -> Any:
    """A check that the indices say where each element goes."""
    letters = "x".join(["{}"] * n)

    def check(self: Any, indices: Any, output_size: Any) -> None:
        import numpy as np

        if indices._dtype.name != "int64":
            raise RuntimeError(
                f"elements in indices should be type int64 but got: {type_word(indices._dtype)}"
            )
        shape = self._array.shape
        if len(shape) not in (n + 1, n + 2):
            raise RuntimeError(
                f"Input to max_unpooling{n}d should be a {n + 1}d or {n + 2}d Tensor, but got a "
                f"tensor with {len(shape)} dimensions."
            )
        if indices._array.shape != shape:
            raise RuntimeError(
                "Expected shape of indices to be same as that of the input tensor "
                f"({list(shape)}) but got indices tensor with shape: {list(indices._array.shape)}"
            )
        room = 1
        for size in output_size:
            room *= size
        places = np.asarray(indices._array)
        wrong = places[(places < 0) | (places >= room)]
        if wrong.size:
            raise RuntimeError(
                f"Found an invalid max index: {wrong.flat[0]} (output volumes are of size "
                f"{letters.format(*output_size)})"
            )

    return check


def unpooled_size(size: Any, dim: int, low: int, high: int) -> str:
    return f'invalid output_size "{size}" (dim {dim} must be between {low} and {high})'


def unpooled_count(spatial: int, found: int) -> str:
    return (
        f"output_size should be a sequence containing {spatial} or {spatial + 2} elements, but it "
        f"has a length of '{found}'"
    )
