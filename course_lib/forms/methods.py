"""Attaching plain functions to Tensor under the names that Python and NumPy call them by."""

from __future__ import annotations

from collections.abc import Callable

from course_lib.core.tensor import Tensor


def attach(methods: dict[str, Callable]) -> None:
    """Make each function a method of Tensor; messages and NumPy see the method's own name."""
    for name, function in methods.items():
        if name.startswith("__"):
            function.__name__, function.__qualname__ = name, f"Tensor.{name}"
        setattr(Tensor, name, function)


__all__ = ["attach"]
