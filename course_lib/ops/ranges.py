"""Making tensors of evenly spaced values: `arange`, `linspace` and their relatives."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor
from course_lib.facts import dtypes, errors, fresh
from course_lib.facts.dtypes import dtype as DType
from course_lib.facts.gaussian import scaled
from course_lib.facts.overloads import FACTORY, accepts
from course_lib.ops.creation import chosen, deliver, located

__all__ = ["arange", "linspace", "logspace", "range"]

NO_OUT = FACTORY.removeprefix("Tensor out = None, ")


@accepts(
    "Number end, *, " + FACTORY,
    "Number start, Number end, *, " + NO_OUT,
    "Number start, Number end, Number step = 1, *, " + FACTORY,
)
def arange(
    start: Any = 0,
    end: Any = None,
    step: Any = 1,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """The values from `start` on, `step` apart, up to but without `end`.

    >>> torch.arange(5)
    tensor([0, 1, 2, 3, 4])
    >>> torch.arange(1, 2.5, 0.5)
    tensor([1.0000, 1.5000, 2.0000])
    """
    whole = all(isinstance(v, int) for v in (start, end, step))
    wanted = chosen(dtype, out, dtypes.int64 if whole else None)
    if wanted.category in (dtypes.BOOL, dtypes.COMPLEX):
        raise NotImplementedError(errors.no_kernel("arange_cpu", wanted))
    count = length(start, end, step, wanted)
    meta = located(device, out)
    array = fresh.empty((count,), wanted.numpy, meta)
    if not meta:
        array[...] = spaced(start, step, count, wanted)
    return deliver(array, wanted, out, requires_grad, pin_memory)


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
    """Raise PyTorch's error for ends that are not finite or a step that leads away."""
    if any(isinstance(v, complex) for v in (start, end, step)):
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
        return (int(start) + np.arange(count) * int(step)).astype(wanted.numpy)
    values = scaled(np.arange(count, dtype=np.float64), float(step), float(start))
    lanes = 32 // wanted.itemsize
    whole = count - count % (2 * lanes)
    first = narrowed(values[:whole:lanes], wanted).astype(np.float64)
    for lane in builtins.range(1, lanes):
        values[lane:whole:lanes] = scaled(np.full(first.shape, float(lane)), step, first)
    return narrowed(values, wanted)


def narrowed(values: np.ndarray, wanted: DType) -> np.ndarray:
    """float64 values in a floating dtype, those of 16 bits by way of float32."""
    with np.errstate(all="ignore"):
        return (values.astype(np.float32) if wanted.reduced else values).astype(wanted.numpy)


@accepts("Number start, Number end, Number step = 1, *, " + FACTORY)
def range(
    start: Any,
    end: Any = None,
    step: Any = 1,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """The values from `start` to `end`, which is included: deprecated, `arange` leaves it out."""
    errors.warn(errors.RANGE_DEPRECATED)
    check_ends(start, end, step)
    wanted = chosen(dtype, out)
    count = int((float(end) - float(start)) / float(step) + 1)
    meta = located(device, out)
    array = fresh.empty((count,), wanted.numpy, meta)
    if not meta:
        array[...] = spaced(start, step, count, wanted)
    return deliver(array, wanted, out, requires_grad, pin_memory)


# ---- a given number of values --------------------------------------------------------------------

ENDS = ("Tensor start, Tensor end", "Number start, Tensor end", "Tensor start, Number end")
ENDS = (*ENDS, "Number start, Number end")


@accepts(*(f"{ends}, int steps, *, {FACTORY}" for ends in ENDS))
def linspace(
    start: Any,
    end: Any,
    steps: int,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """`steps` values, evenly spaced from `start` to `end`, both included.

    >>> torch.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    first, last = number("linspace", "start", start), number("linspace", "end", end)
    wanted = chosen(dtype, out, usual_of(first, last))
    array = fresh.empty((check_steps(steps),), wanted.numpy, located(device, out))
    if array.__class__ is np.ndarray and steps:
        array[...] = between(first, last, steps, wanted, "linspace_cpu")
    return deliver(array, wanted, out, requires_grad, pin_memory)


@accepts(*(f"{ends}, int steps, float base = 10.0, *, {FACTORY}" for ends in ENDS))
def logspace(
    start: Any,
    end: Any,
    steps: int,
    base: float = 10.0,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """`steps` powers of `base` whose exponents are evenly spaced from `start` to `end`.

    >>> torch.logspace(0, 2, 3)
    tensor([  1.,  10., 100.])
    """
    first, last = number("logspace", "start", start), number("logspace", "end", end)
    wanted = chosen(dtype, out, usual_of(first, last))
    array = fresh.empty((check_steps(steps),), wanted.numpy, located(device, out))
    if array.__class__ is np.ndarray and steps:
        if wanted.category == dtypes.BOOL:
            raise NotImplementedError(errors.no_kernel("logspace_cpu", wanted))
        among = wanted
        if not wanted.is_complex:  # ends are rounded to the dtype, all else is in float64
            if steps > 1:
                first, last = (float(np.asarray(v).astype(wanted.numpy)) for v in (first, last))
            among = dtypes.float64
        with np.errstate(all="ignore"):
            exponents = between(first, last, steps, among, "logspace_cpu")
            array[...] = np.power(among.numpy.type(base), exponents).astype(wanted.numpy)
    return deliver(array, wanted, out, requires_grad, pin_memory)


def number(function: str, which: str, value: Any) -> Any:
    """An end given as a number or a tensor without dimensions."""
    if not isinstance(value, Tensor):
        return value
    if value._array.ndim:
        raise RuntimeError(errors.steps_ends(function, which, value._array.ndim))
    return value.item()  # type: ignore[attr-defined]


def usual_of(first: Any, last: Any) -> DType:
    """The default dtype, complex if an end is."""
    found = dtypes.default_dtype()
    return found.to_complex() if isinstance(first, complex) or isinstance(last, complex) else found


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
    if steps == 1:
        return np.array([first], target)
    indices = np.arange(steps)
    half = indices < steps // 2
    back = steps - 1 - indices
    if wanted.category == dtypes.FLOATING and not wanted.reduced:
        low, high = target.type(first), target.type(last)
        step = (high - low) / target.type(steps - 1)
        up = scaled(indices.astype(target), step, low)
        down = scaled(back.astype(target), -step, high)
        return np.where(half, up, down)
    with np.errstate(all="ignore"):
        if wanted.category == dtypes.INTEGER:
            low, high = int(first), int(last)
            step = (high - low) / (steps - 1)
            return np.where(half, low + step * indices, high - step * back).astype(target)
        low, high = np.asarray([first, last]).astype(target)
        step = (high - low) / target.type(steps - 1)
        up, down = low + step * indices.astype(target), high - step * back.astype(target)
        return np.where(half, up, down)
