"""Attaching functions and properties to Tensor: the only way in which operations become methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.facts import errors
from course_lib.forms.fronts import is_ours, with_front


def attach(methods: dict[str, Callable]) -> None:
    """Make each function a method of Tensor; messages and NumPy see the method's own name."""
    for name, function in methods.items():
        if name.startswith("__"):
            function.__name__, function.__qualname__ = name, f"Tensor.{name}"
        attach_as(name, function)


def attach_as(name: str, value: Any) -> None:
    """Give Tensor an attribute: a function, with its front if students call it, or a property."""
    if is_ours(name, value):
        value = with_front(value, "Tensor", name)
    elif isinstance(value, property) and value.fset is None:
        refuse = read_only(name)
        value = value.setter(refuse).deleter(refuse)
    setattr(Tensor, name, value)


def read_only(name: str) -> Callable:
    """PyTorch's sentence for an attempt to write to an attribute that can only be read."""

    def refuse(self: Tensor, value: Any = None) -> None:
        raise AttributeError(errors.not_writable(name))

    return refuse


__all__ = ["attach", "attach_as"]
