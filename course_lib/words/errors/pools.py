"""Errors of pooling."""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.elementwise import no_kernel

SERIES = {
    "kernel_size": "an int, list of ints or tuple",
    "stride": "None, an int, list of ints, or tuple",
    "padding": "an int, list of ints, or tuple",
    "dilation": "an int, list of ints or tuple",
}


def pool_numbers(name: str, word: str, n: int, found: int) -> str:
    if name == "max_pool1d":
        return f"{name}() {word} must be {SERIES[word]} of ints of size 1 but got size {found}"
    if n == 1:
        return f"{name}() argument '{word}' should contain one int (got {found})"
    verb = "must be either" if word == "dilation" else "must either be"
    kinds = "omitted, a single int, or a" if word == "stride" else "a single int, or a"
    return f"{name}: {word} {verb} {kinds} tuple of two ints"


def check_pool_numbers(name: str, kernel: Any, stride: Any, padding: Any, dilation: Any) -> None:
    """Raise unless kernel size, stride, padding and dilation make sense."""
    if name == "max_pool1d":
        check_series_numbers(name, kernel[0], stride[0], padding[0], dilation[0])
    if any(s == 0 for s in stride):
        raise RuntimeError("stride should not be zero")
    for k, p, d in zip(kernel, padding, dilation, strict=True):
        if p < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {p}")
        if p > int(((k - 1) * d + 1) / 2):
            raise RuntimeError(
                "pad should be at most half of effective kernel size, but got "
                f"pad={p}, kernel_size={k} and dilation={d}"
            )
    for words, letter, sizes in (
        ("kernel size", "k", kernel),
        ("stride", "d", stride),
        ("dilation", "dilation", dilation),
    ):
        if min(sizes) <= 0:
            whole = (1, *sizes) if len(sizes) == 1 else sizes
            raise RuntimeError(
                f"{words} should be greater than zero, but got "
                + " ".join(f"{letter}{a}: {n}" for a, n in zip("HW", whole, strict=True))
            )


def check_series_numbers(name: str, kernel: int, stride: int, padding: int, dilation: int) -> None:
    """The same for a series."""
    for word, found in (("kernel_size", kernel), ("stride", stride), ("dilation", dilation)):
        if found <= 0:
            raise RuntimeError(f"{name}() {word} must be greater than zero, but got {found}")
    if padding < 0:
        raise RuntimeError(f"{name}() padding must be non-negative, but got {padding}")
    if padding > kernel // 2:
        raise RuntimeError(
            f"{name}() padding should be at most half of kernel size, but got padding={padding} "
            f"and kernel_size={kernel}"
        )


def check_pool_input(name: str, shape: Any) -> None:
    """Raise unless the input has the rank of one image or of a batch, and is not empty."""
    if name == "avg_pool2d" and len(shape) < 3:
        from course_lib.words.errors.shapes import dim_range

        raise IndexError(dim_range(-3, len(shape)))
    fits = len(shape) in (3, 4)
    if (fits and 0 in shape[-3:]) or (not fits and name == "avg_pool2d"):
        raise RuntimeError(
            "Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but "
            f"got:{list(shape)}"
        )
    if not fits:
        raise RuntimeError("non-empty 3D or 4D (batch mode) tensor expected for input")


def check_max_series(shape: Any) -> None:
    """Raise unless the input is a series or a batch of series, and is not empty."""
    if len(shape) not in (2, 3) or 0 in shape[-2:]:
        raise RuntimeError(
            "max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for "
            f"input, but got:{list(shape)}"
        )


def check_max_series_result(size: int, dtype: Any, tracked: bool) -> None:
    """Raise unless there is a window, and a kernel for this dtype."""
    if size < 1:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {size}")
    if dtype.category != 2 and not tracked:
        raise NotImplementedError(no_kernel("max_pool1d_impl", dtype))


def check_pooled_sizes(self: Any, geometry: Any, ceil_mode: bool) -> None:
    """Raise if there is no room for a window."""
    shape = self._array.shape
    out = []
    for size, k, s, p, d in zip(shape[-2:], *geometry, strict=True):
        span = size + 2 * p - d * (k - 1) - 1
        out.append((span + (s - 1 if ceil_mode else 0)) // s + 1)
    if min(out) < 1:
        planes = shape[-3]
        raise RuntimeError(
            f"Given input size: ({planes}x{'x'.join(map(str, shape[-2:]))}). "
            f"Calculated output size: ({planes}x{'x'.join(str(max(o, 0)) for o in out)}). "
            "Output size is too small"
        )


def check_max_pool(self: Any, geometry: Any, ceil_mode: bool) -> None:
    """Raise if there is no room for a window, or if the dtype cannot be pooled."""
    check_pooled_sizes(self, geometry, ceil_mode)
    if self._dtype.category in (0, 3):
        raise NotImplementedError(no_kernel("max_pool2d", self._dtype))


def check_avg_pool(self: Any, geometry: Any, ceil_mode: bool, inside_only: bool) -> None:
    """Raise if there is no room for a window, or if the dtype cannot be pooled."""
    check_pooled_sizes(self, geometry, ceil_mode)
    if self._dtype.category in (0, 3):
        raise NotImplementedError(no_kernel("avg_pool2d", self._dtype))
