"""Tensors of evenly spaced values: `arange`, `linspace` and their relatives."""

import math
from typing import Any

import numpy as np

from course_lib.calls.overloads import accepts
from course_lib.calls.rules import lacking, refuse, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes, kinds
from course_lib.dtypes.dtypes import dtype as DType
from course_lib.memory import fresh
from course_lib.ops.make.creation import choose_dtype, deliver, is_on_meta, number_in
from course_lib.rng.gaussian import rescale
from course_lib.words import errors

__all__ = ["arange", "linspace"]


@accepts()
def arange(start: Any = 0, end: Any = None, step: Any = 1, **options: Any) -> Tensor:
    """The values from `start` up to but not including `end`, in steps of `step`.

    >>> torch.arange(5)
    tensor([0, 1, 2, 3, 4])
    >>> torch.arange(1, 2.5, 0.5)
    tensor([1.0000, 1.5000, 2.0000])
    """
    whole = isinstance(start, int) and isinstance(end, int) and isinstance(step, int)
    wanted = choose_dtype(options, dtypes.int64 if whole else None)
    if wanted.category in (dtypes.BOOL, dtypes.COMPLEX):
        raise NotImplementedError(errors.no_kernel("arange_cpu", wanted))
    count = length(start, end, step, wanted)
    meta = is_on_meta(options)
    if meta or not count:
        return deliver(fresh.empty((count,), wanted.numpy, meta), wanted, options)
    fresh.check_size((count,), wanted.itemsize)
    return deliver(space_values(start, step, count, wanted), wanted, options)


def length(start: Any, end: Any, step: Any, wanted: DType) -> int:
    """How many values there are from `start` on, before `end`."""
    given = (start, end, step)
    refuse(any(isinstance(value, complex) for value in given), errors.python_overflow, "double")
    refuse(not step, errors.STEP_ZERO)
    refuse(not (math.isfinite(start) and math.isfinite(end)), errors.unsupported_range, start, end)
    refuse((step > 0 and end < start) or (step < 0 and end > start), errors.STEP_SIGN)
    if any(isinstance(value, int) and value >= 2**63 for value in given):
        raise RuntimeError(errors.number_overflow(dtypes.int64))
    if wanted is dtypes.int64:
        refuse_value(not int(step), errors.STEP_ZERO)
        return -((int(start) - int(end)) // int(step))
    size = math.ceil((float(end) - float(start)) / float(step))
    refuse(not 0 <= size < 2**63, errors.TOO_LONG)
    return size


def space_values(start: Any, step: Any, count: int, wanted: DType) -> Any:
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
    values = rescale(np.arange(count, dtype=np.float64), float(step), float(start))
    lanes = 32 // wanted.itemsize
    whole = count - count % (2 * lanes)
    if whole:
        first = kinds.round_to(values[:whole:lanes], wanted.numpy).astype(np.float64)
        others = rescale(np.arange(1.0, lanes), step, first[:, None])
        values[:whole].reshape(-1, lanes)[:, 1:] = others
    return kinds.round_to(values, wanted.numpy)


# ---- a given number of values --------------------------------------------------------------------


@accepts()
def linspace(start: Any, end: Any, steps: int, **options: Any) -> Tensor:
    """`steps` values, evenly spaced from `start` to `end`, both included.

    >>> torch.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    if isinstance(start, (Tensor, complex)) or isinstance(end, (Tensor, complex)):
        raise NotImplementedError(
            errors.absent("torch.linspace between tensors or complex numbers")
        )
    wanted, meta = choose_dtype(options), is_on_meta(options)
    refuse(steps < 0, errors.NEGATIVE_STEPS)
    if meta or not steps:
        return deliver(fresh.empty((steps,), wanted.numpy, meta), wanted, options)
    lacking(wanted.category == dtypes.BOOL, errors.no_kernel, "linspace_cpu", wanted)
    low, high = number_in(start, wanted), number_in(end, wanted)
    return deliver(interpolate_values(low, high, steps, wanted), wanted, options)


def interpolate_values(low: Any, high: Any, steps: int, wanted: DType) -> Any:
    """Evenly spaced values: the first half counted from the start, the rest from the end."""
    target, indices = wanted.numpy, np.arange(steps, dtype=np.int64)
    if steps == 1:
        return np.array([low], target)
    half, back = indices < steps // 2, indices[::-1]
    with np.errstate(all="ignore"):
        if wanted.category == dtypes.INTEGER:
            step = (int(high) - int(low)) / (steps - 1)
        else:
            step = (high - low) / target.type(steps - 1)
            indices, back = indices.astype(target), back.astype(target)
        if wanted.plain:
            up, down = rescale(indices, step, low), rescale(back, -step, high)
        else:
            up, down = low + step * indices, high - step * back
        return np.where(half, up, down).astype(target)
