"""Errors of adaptive pooling and of unpooling."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.elementwise import no_kernel


def check_adaptive(n: int) -> Any:
    """A check that refuses dtypes without a mean: all but floating ones."""
    kernel = "adaptive_avg_pool2d" if n == 2 else "adaptive_avg_pool3d_cpu"

    def check(self: Any, output_size: Any) -> None:
        if self._dtype.category != 2:
            raise NotImplementedError(no_kernel(kernel, self._dtype))

    return check


def check_adaptive_max(n: int) -> Any:
    """A check that refuses empty dimensions and dtypes that are not floating."""
    name = f"adaptive_max_pool{n}d"

    def check(self: Any, output_size: Any) -> None:
        check_not_empty(name, n, self._array.shape)
        if self._dtype.category != 2:
            raise NotImplementedError(no_kernel(name, self._dtype))

    return check


def check_not_empty(name: str, n: int, shape: Any) -> None:
    """Raise if a dimension other than the batch is empty."""
    for dim in range(1 if name.startswith("adaptive_max") else len(shape) - n, len(shape)):
        if shape[dim] == 0:
            raise RuntimeError(
                f"{name}(): Expected input to have non-zero size for non-batch dimensions, but "
                f"input has sizes {list(shape)} with dimension {dim} being empty"
            )


def check_enough_dims(shape: Any, count: int) -> None:
    """Raise unless there are more dimensions than sizes in a list."""
    if len(shape) <= count:
        raise ValueError(f"Input dimension should be at least {count + 1}")


def check_gradient_size(name: str, shape: Any) -> None:
    """Raise if a gradient has a dimension other than the batch that is empty."""
    for dim, size in enumerate(shape[1:], 1):
        if not size:
            raise RuntimeError(
                f"{name}_backward(): Expected grad_output to have non-zero size for non-batch "
                f"dimensions, but grad_output has sizes {list(shape)} with dimension {dim} being "
                "empty"
            )


def check_output_size(name: str, n: int, shape: Any, size: Any) -> None:
    """Raise unless the output size is valid for an input of this shape."""
    largest = name.startswith("adaptive_max")
    given = [s for s in size if s is not None]
    if len(shape) not in (n + 1, n + 2):
        gap = "got: " if largest else "got "
        raise RuntimeError(
            f"{name}(): Expected {n + 1}D or {n + 2}D tensor, but {gap}{list(shape)}"
        )
    if len(size) != n:
        inner = "(): internal error: output_size.size()" if largest else ": output_size"
        raise RuntimeError(f"{name}{inner} must be {n}")
    if any(s < 0 for s in given):
        wanted = [o if s is None else s for s, o in zip(size, shape[-n:], strict=True)]
        if largest:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {min(given)}: "
                f"{[*shape[:-n], *wanted]}"
            )
        raise RuntimeError(
            f"{name}: elements of output_size must be greater than or equal to 0 but received "
            f"{{{', '.join(map(str, wanted[:2]))}{',' * (n == 3)}{''.join(map(str, wanted[2:]))}}}"
        )
    check_not_empty(name, n, shape)


def check_adaptive_series(name: str, shape: Any) -> None:
    """Raise unless the input is a series or a batch of series."""
    if len(shape) not in (2, 3):
        raise RuntimeError(
            f"Expected 2 to 3 dimensions, but got {len(shape)}-dimensional tensor for argument #1 "
            f"'self' (while checking arguments for {name})"
        )
    if 0 in shape[1:] and name == "adaptive_max_pool1d":
        check_not_empty(name, 1, shape)


# ---- back ----------------------------------------------------------------------------------------
