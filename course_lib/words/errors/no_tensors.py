"""Errors of functions that get a list, a number, an array or None instead of a tensor."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from course_lib.words.errors.indexing import type_name_of

# PyTorch writes these functions in Python: the attribute that they read first is missing.
READ_FIRST = {
    "size": "mse_loss l1_loss binary_cross_entropy "
    "binary_cross_entropy_with_logits adaptive_avg_pool2d batch_norm",
    "dim": "dropout2d interpolate group_norm",
    "softmax": "softmax",
    "log_softmax": "log_softmax",
    "norm": "normalize",
    "sigmoid": "sigmoid",
    "tanh": "tanh",
    "layout": "norm",
    "split": "split",
}

# The others pass their arguments to a kernel, which may have another name.
KERNELS = {
    "cross_entropy": "cross_entropy_loss",
    "nll_loss": "nll_loss_nd",
    "logsigmoid": "log_sigmoid",
}


def untensored(
    function: Callable, name: str, args: tuple, kwargs: dict[str, Any], error: AttributeError
) -> Exception:
    """PyTorch's error, if this one is about an argument that should be a tensor; else this one."""
    given = inspect.signature(function).bind_partial(*args, **kwargs).arguments
    for place, (parameter, value) in enumerate(given.items(), 1):
        if value is error.obj and not hasattr(value, "_array"):
            kind = type_name_of(value)
            for attribute, names in READ_FIRST.items():
                if name in names.split():
                    if attribute.endswith("softmax") and given.get("dim") is None:
                        attribute = "dim"  # it is needed to choose a dimension
                    return AttributeError(f"'{kind}' object has no attribute '{attribute}'")
            return TypeError(
                f"{KERNELS.get(name, name)}(): argument '{parameter}' (position {place}) "
                f"must be Tensor, not {kind}"
            )
    return error


__all__ = ["untensored"]
