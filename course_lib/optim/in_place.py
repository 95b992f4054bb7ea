"""The arithmetic of a step, directly on the memory of parameters and state, without tensors.

A step of an ordinary network is many small operations.  On the arrays, with buffers for
intermediate results that are kept from step to step, it costs a third.  Special cases (complex or
half-precision numbers, options that are tensors, a differentiable step) go through tensors.
The order of operations is the same, and so is every bit of the result.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from course_lib.core.tensor import Tensor

Array = Any
MOST = 64  # arrays are kept as buffers
SMALL = 4096  # elements: up to here, a new array costs less than finding an old one
ARRAYS = (np.ndarray, np.float32, np.float64)


class Room(threading.local):
    """The buffers of one thread: one array for each use and shape that its steps asked for."""

    def __init__(self) -> None:
        self.kept: dict[tuple, Array] = {}


ROOM = Room()


def fields(*tensors: Tensor) -> list[Array] | None:
    """The arrays of tensors of one floating dtype, ready to be written; None in special cases."""
    dtype = tensors[0]._dtype
    if not dtype.plain:
        return None
    found = []
    for tensor in tensors:
        if tensor._dtype is not dtype or tensor.is_inference():
            return None
        tensor._share()
        if tensor._array.__class__ is not np.ndarray:
            return None
        found.append(tensor._array)
    return found


def room(like: Array, use: int = 0) -> Array:
    """A buffer with the shape of `like`; every call with this shape and `use` returns the same."""
    key = (use, like.shape, like.dtype.char)
    found = ROOM.kept.get(key)
    if found is None:
        if len(ROOM.kept) >= MOST:
            ROOM.kept.clear()
        found = ROOM.kept[key] = np.empty_like(like)
    return found


def written(*counts: tuple[Tensor, int]) -> None:
    """Bump the versions of these tensors, each as often as PyTorch would write into it."""
    for tensor, count in counts:
        tensor._bump(count)


def descend(param: Array, direction: Array, rate: float) -> None:
    """``param -= rate * direction``"""
    param += np.multiply(direction, -rate, out=room(param) if param.size > SMALL else None)


def descend_all(params: list[Tensor], rate: float) -> list[Tensor]:
    """``param -= rate * param.grad`` for plain parameters; returns the others."""
    left = []
    for param in params:
        more, dtype = param._extras, param._dtype
        if more is None or (grad := more.grad) is None:
            continue
        array = param._array
        plain = dtype.plain and grad._dtype is dtype and grad._array.__class__ in ARRAYS
        own = array.__class__ is np.ndarray and param._view is None and not more.inference
        if plain and own:
            descend(array, grad._array, rate)
            (param._cell or param._share()).bump()
        else:
            left.append(param)
    return left


def remember(buffer: Array, grad: Array, keep: float, take: float) -> None:
    """``buffer = keep * buffer + take * grad``"""
    np.multiply(buffer, keep, out=buffer)
    buffer += grad if take == 1 else np.multiply(grad, take, out=room(buffer))


def adapt(mean: Array, square: Array, grad: Array, beta1: float, beta2: float) -> None:
    """Move the running means of the gradient and of its square."""
    part = np.subtract(grad, mean, out=room(mean))
    mean += np.multiply(part, 1 - beta1, out=part)
    np.multiply(square, beta2, out=square)
    part = np.multiply(grad, 1 - beta2, out=part)
    square += np.multiply(part, grad, out=part)


def descend_by_size(
    param: Array, mean: Array, square: Array, rate: float, root: float, eps: float
) -> None:
    """``param -= rate * mean / (sqrt(square) / root + eps)``"""
    size = np.sqrt(square, out=room(param))
    np.divide(size, root, out=size)
    size += eps
    step = np.multiply(mean, -rate, out=room(param, 1))
    param += np.divide(step, size, out=step)


def accumulate(square: Array, grad: Array, keep: float | None) -> None:
    """``square = keep * square + (1 - keep) * grad²``; if `keep` is None, the squares add up."""
    part = grad if keep is None else np.multiply(grad, 1 - keep, out=room(square))
    if keep is not None:
        np.multiply(square, keep, out=square)
    square += np.multiply(part, grad, out=room(square))


def descend_by_root(param: Array, grad: Array, square: Array, rate: float, eps: float) -> None:
    """``param -= rate * grad / (sqrt(square) + eps)``"""
    size = np.sqrt(square, out=room(param))
    size += eps
    step = np.multiply(grad, -rate, out=room(param, 1))
    param += np.divide(step, size, out=step)
