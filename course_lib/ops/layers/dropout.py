"""Dropout: in training, random elements are set to 0 and the others scaled up to compensate."""

from __future__ import annotations

import math
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.ops.elementwise.arithmetic import mul
from course_lib.ops.make.random import drawn_like
from course_lib.rng.choices import bernoulli

__all__: list[str] = []

ALPHA = 1.7580993408473766  # minus the limit of `selu` far below zero


def dropped(input: Any, p: float, training: bool, inplace: bool, shape: Any = None) -> Tensor:
    """The input times a mask of 0 and ``1 / (1 - p)``; without training, the input itself.

    If `shape` is given, the mask is drawn in this shape, and broadcast.
    """
    if not training or p == 0 or not input._array.size:
        return input
    mask = input.new_zeros(()) if p == 1 else drawn(input, p, shape).div_(1 - p)
    return input.mul_(mask) if inplace else mul(input, mask)


def drawn(input: Any, p: float, shape: Any) -> Any:
    """Ones (with probability ``1 - p``) and zeros, drawn in the input's memory order."""
    if shape is None:
        return drawn_like(input, bernoulli, (1 - p,), {})
    return input.new_empty(shape).bernoulli_(1 - p)


def alpha_dropped(input: Any, p: float, training: bool, inplace: bool, shape: Any = None) -> Tensor:
    """Dropout for `selu`, which keeps mean and variance as they were."""
    if not training or p == 0 or not input._array.size:
        return input
    if p == 1:
        zero = input.new_zeros(())
        return input.mul_(zero) if inplace else mul(input, zero)
    mask = drawn(input, p, shape)
    scale = 1 / math.sqrt((ALPHA * ALPHA * p + 1) * (1 - p))
    shift = (mask - 1).mul_(ALPHA * scale).add_(ALPHA * scale * p)
    mask.mul_(scale)
    result: Any = input.mul_(mask) if inplace else mul(input, mask)
    return result.add_(shift)
