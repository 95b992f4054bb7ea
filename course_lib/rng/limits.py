"""The dtypes and parameters that PyTorch's samplers accept, and its errors for the others.

The checks raise PyTorch's error, or return.  PyTorch's kernels make some of them, and a kernel does
not start if there is nothing to fill: so the samplers skip these for an empty tensor.
"""

from __future__ import annotations

import functools

import numpy as np

# NumPy's name: the scalar type in PyTorch's messages, the C++ type in others
_NAMES = {
    "bool": ("Bool", "bool"),
    "uint8": ("Byte", "unsigned char"),
    "int8": ("Char", "signed char"),
    "int16": ("Short", "short int"),
    "int32": ("Int", "int"),
    "int64": ("Long", "long int"),
    "float16": ("Half", "c10::Half"),
    "bfloat16": ("BFloat16", "c10::BFloat16"),
    "float32": ("Float", "float"),
    "float64": ("Double", "double"),
    "complex64": ("ComplexFloat", "c10::complex<float>"),
    "complex128": ("ComplexDouble", "c10::complex<double>"),
}

# bits of a float's significand, its largest value, and the largest n of randperm
FLOATS = {
    "float16": (11, 65504.0, 2**11 + 1, "2049"),
    "bfloat16": (8, 3.3895313892515355e38, None, ""),
    "float32": (24, 3.4028234663852886e38, 2**24 + 1, "2^24+1"),
    "float64": (53, 1.7976931348623157e308, 2**53 + 1, "2^53+1"),
}
PARTS = {"complex64": np.dtype(np.float32), "complex128": np.dtype(np.float64)}


@functools.cache
def name(dtype: np.dtype) -> str:
    """NumPy's name of a dtype, cached: `dtype.name` builds the text each time, in 2 µs."""
    return dtype.name


def scalar_type(dtype: np.dtype) -> str:
    """The name in "not implemented for '…'": int64 gives Long."""
    return _NAMES[name(dtype)][0]


def require_kernel(kernel: str, dtype: np.dtype, allowed: bool) -> None:
    """Raise PyTorch's error for a dtype that a kernel does not support, unless `allowed`."""
    if not allowed:
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{scalar_type(dtype)}'")


def require(condition: bool, sentence: str) -> None:
    """Raise RuntimeError with `sentence` unless `condition`, as PyTorch refuses a parameter."""
    if not condition:
        raise RuntimeError(sentence)


def c_type(dtype: np.dtype) -> str:
    """The C++ type in "out of bounds for …": int8 gives signed char."""
    return _NAMES[name(dtype)][1]


def check_uniform(low: float, high: float, dtype: np.dtype) -> None:
    """Raise unless the bounds of `uniform_` are representable, in order and not too far apart."""
    require_kernel("check_uniform_bounds", dtype, name(dtype) in FLOATS)
    if low == 0 and high == 1:
        return
    limit = FLOATS[name(dtype)][1]
    if -limit <= low <= high <= limit and high - low <= limit:
        return
    for which, bound in (("from", low), ("to", high)):
        require(-limit <= bound <= limit, f"{which} is out of bounds for {c_type(dtype)}")
    require(
        low <= high,
        f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}",
    )
    require(
        high - low <= limit,
        f"uniform_ expects to-from <= std::numeric_limits<{scalar_type(dtype)}>::max(), "
        f"but found to={high:g} and from={low:g} which result in to-from to exceed the limit",
    )


# ---- integers ----------------------------------------------------------------------------------


def integer_range(low: int, high: int | None, dtype: np.dtype) -> tuple[int, int]:
    """The first value and the number of values of `random_(low, high)`.

    Without `high` the largest value of the dtype is included.

    >>> integer_range(0, None, np.dtype(np.int8))
    (0, 128)
    """
    if dtype.kind in "iu" and high is not None:
        smallest, largest = _whole_range(dtype)
        if smallest <= low < high <= largest + 1:
            return low, high - low
    if high is not None:
        require(
            low < high,
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}",
        )
    where = "check_random_bounds" if high is not None else "random_from_to_impl"
    require(
        dtype.kind != "c",
        f"{where} handles only integral, floating-point and boolean types",
    )
    if high is None:
        last = 2 ** FLOATS[name(dtype)][0] if name(dtype) in FLOATS else _whole_range(dtype)[1]
        _check_bounds(low, "from", int(last), "to_inc", dtype)
        return low, int(last) - low + 1
    _check_bounds(low, "from", high - 1, "to - 1", dtype)
    return low, high - low


def _check_bounds(low: int, low_name: str, last: int, last_name: str, dtype: np.dtype) -> None:
    smallest, largest = _whole_range(dtype)
    for value, which in ((low, low_name), (last, last_name)):
        require(smallest <= value <= largest, f"{which} is out of bounds for {c_type(dtype)}")


@functools.cache
def _whole_range(dtype: np.dtype) -> tuple[float, float]:
    if name(dtype) in FLOATS:
        return -FLOATS[name(dtype)][1], FLOATS[name(dtype)][1]
    if dtype.kind == "b":
        return 0, 1
    return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)


def check_permutation(n: int, dtype: np.dtype) -> None:
    """Raise PyTorch's error unless the dtype can represent the n of `randperm(n)`."""
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    require_kernel("randperm", dtype, dtype.kind not in "bc")
    if name(dtype) in FLOATS:
        _, _, largest, written = FLOATS[name(dtype)]
        require(
            largest is None or n <= largest,
            f"n cannot be greater than {written} for {scalar_type(dtype)} type.",
        )
    elif n > _whole_range(dtype)[1]:
        raise RuntimeError(f"value cannot be converted to type {name(dtype)}_t without overflow")
