"""Tensors of evenly spaced values: `arange`, `linspace` and their relatives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from course_lib.calls.overloads import accepts
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import fresh
from course_lib.ops.make.creation import chosen, deliver, located, number_in
from course_lib.rng.gaussian import scaled
from course_lib.words import errors

__all__ = [
    "arange",
    "linspace",
]


@accepts()
def arange(
    start: Any = 0,
    end: Any = None,
    step: Any = 1,
    **options: Any,
) -> Tensor:
    """The values from `start` up to but not including `end`, in steps of `step`.

    >>> torch.arange(5)
    tensor([0, 1, 2, 3, 4])
    >>> torch.arange(1, 2.5, 0.5)
    tensor([1.0000, 1.5000, 2.0000])
    """
    whole = isinstance(start, int) and isinstance(end, int) and isinstance(step, int)
    wanted = chosen(options, dtypes.int64 if whole else None)
    if wanted.category in (dtypes.BOOL, dtypes.COMPLEX):
        raise NotImplementedError(errors.no_kernel("arange_cpu", wanted))
    count = length(start, end, step, wanted)
    meta = located(options)
    fresh.check_size((count,), wanted.itemsize)
    if meta or not count:
        made = fresh.empty((count,), wanted.numpy, meta)
    else:
        made = spaced(start, step, count, wanted)
    return deliver(made, wanted, options)


def length(start: Any, end: Any, step: Any, wanted: DType) -> int:
    """How many values there are from `start` on, before `end`."""
    check_ends(start, end, step)
    for value in (start, end, step):
        if isinstance(value, int) and value >= 2**63:
            raise RuntimeError(errors.number_overflow(dtypes.int64))
    if wanted is dtypes.int64:
        start, end, step = int(start), int(end), int(step)
        if not step:
            raise ValueError(errors.STEP_ZERO)
        return -((start - end) // step)
    size = math.ceil((float(end) - float(start)) / float(step))
    if not 0 <= size < 2**63:
        raise RuntimeError(errors.TOO_LONG)
    return size


def check_ends(start: Any, end: Any, step: Any) -> None:
    """Raise PyTorch's error for ends that are not finite or a step in the wrong direction."""
    if isinstance(start, complex) or isinstance(end, complex) or isinstance(step, complex):
        raise RuntimeError("value cannot be converted to type double without overflow")
    if not step:
        raise RuntimeError(errors.STEP_ZERO)
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(errors.unsupported_range(start, end))
    if (step > 0 and end < start) or (step < 0 and end > start):
        raise RuntimeError(errors.STEP_SIGN)


def spaced(start: Any, step: Any, count: int, wanted: DType) -> Any:
    """``start + step * i``, rounded where PyTorch's kernel rounds.

    Note [Two rounds of rounding]: the kernel takes vectors of 32 bytes, two at a time.  It rounds
    the first value of a vector to the dtype and adds multiples of the step to that.
    """
    if wanted.category == dtypes.INTEGER:
        values = np.arange(count, dtype=np.int64)
        if (start, step) != (0, 1):
            values *= int(step)
            values += int(start)
        return values.astype(wanted.numpy, copy=False)
    values = scaled(np.arange(count, dtype=np.float64), float(step), float(start))
    lanes = 32 // wanted.itemsize
    whole = count - count % (2 * lanes)
    if whole:
        first = narrowed(values[:whole:lanes], wanted).astype(np.float64)
        others = scaled(np.arange(1.0, lanes), step, first[:, None])
        values[:whole].reshape(-1, lanes)[:, 1:] = others
    return narrowed(values, wanted)


def narrowed(values: np.ndarray, wanted: DType) -> np.ndarray:
    """float64 values in a floating dtype, those of 16 bits by way of float32."""
    with np.errstate(all="ignore"):
        return (values.astype(np.float32) if wanted.reduced else values).astype(wanted.numpy)


# ---- a given number of values --------------------------------------------------------------------


@accepts()
def linspace(
    start: Any,
    end: Any,
    steps: int,
    **options: Any,
) -> Tensor:
    """`steps` values, evenly spaced from `start` to `end`, both included.

    >>> torch.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    first, last = ends("linspace", start, end)
    wanted = chosen(options, usual_of(first, last))
    check_complex_ends("linspace", first, last, options.get("dtype"))
    meta = located(options)
    if not check_steps(steps) or meta:
        array = fresh.empty((steps,), wanted.numpy, meta)
    else:
        array = between(first, last, steps, wanted, "linspace_cpu")
    return deliver(array, wanted, options)


def ends(function: str, *given: Any) -> list[Any]:
    """Both ends, each given as a number or as a tensor without dimensions."""
    tensors = {
        which: value._array.ndim
        for which, value in zip(("start", "end"), given, strict=True)
        if isinstance(value, Tensor)
    }
    if any(tensors.values()):
        raise RuntimeError(errors.steps_ends(function, tensors))
    return [value.item() if isinstance(value, Tensor) else value for value in given]


def usual_of(first: Any, last: Any) -> DType:
    """The default dtype, or its complex counterpart if an end is complex."""
    found = dtypes.default_dtype()
    return found.to_complex() if isinstance(first, complex) or isinstance(last, complex) else found


def check_complex_ends(function: str, first: Any, last: Any, dtype: DType | None) -> None:
    """Raise PyTorch's error if an end is complex and `dtype` is not."""
    inferred = usual_of(first, last)
    if dtype is not None and inferred.is_complex and not dtype.is_complex:
        raise RuntimeError(errors.steps_complex(function, inferred, dtype))


def check_steps(steps: int) -> int:
    """`steps`, refused if negative."""
    if steps < 0:
        raise RuntimeError(errors.NEGATIVE_STEPS)
    return steps


def between(first: Any, last: Any, steps: int, wanted: DType, kernel: str) -> Any:
    """Evenly spaced values: the first half counted from the start, the rest from the end."""
    if wanted.category == dtypes.BOOL:
        raise NotImplementedError(errors.no_kernel(kernel, wanted))
    target = wanted.numpy
    first, last = number_in(first, wanted), number_in(last, wanted)
    if wanted.category == dtypes.INTEGER:
        first, last = int(first), int(last)
    if steps == 1:
        return np.array([first], target)
    if wanted.category == dtypes.FLOATING and not wanted.reduced:
        low, high = target.type(first), target.type(last)
        step, half = (high - low) / target.type(steps - 1), steps // 2
        indices = np.arange(steps - half).astype(target)
        made = np.empty(steps, target)
        made[:half] = scaled(indices[:half], step, low)
        made[half:] = scaled(indices, -step, high)[::-1]
        return made
    indices = np.arange(steps, dtype=np.int64)
    half = indices < steps // 2
    back = steps - 1 - indices
    with np.errstate(all="ignore"):
        if wanted.category == dtypes.INTEGER:
            step = (last - first) / (steps - 1)
            return np.where(half, first + step * indices, last - step * back).astype(target)
        low, high = np.asarray([first, last]).astype(target)
        step = (high - low) / target.type(steps - 1)
        up, down = low + step * indices.astype(target), high - step * back.astype(target)
        return np.where(half, up, down)
