"""Attaching functions and properties to Tensor: the only way that operations become methods."""

from collections.abc import Callable
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.declare.fronts import make_public, present
from course_lib.lazy import ATTACHED, Later
from course_lib.words import errors


def attach(methods: dict[str, Callable]) -> None:
    """Make each function a method of Tensor; a special method also gets that name."""
    for name, function in methods.items():
        if name.startswith("__"):
            function.__name__, function.__qualname__ = name, f"Tensor.{name}"
        attach_as(name, function)


def attach_as(name: str, value: Any) -> None:
    """Give Tensor an attribute: a function, with its front if students call it, or a property."""
    value = make_public(value, "Tensor", name, "course_lib.core.tensor")
    if name.startswith("__") and "<locals>" in getattr(value, "__qualname__", ""):
        value = present(value, value, name)  # an operator
    if isinstance(value, property):
        value = guard_property(name, value)
    standing = vars(Tensor).get(name)
    if standing is ATTACHED.get(name) or isinstance(standing, Later) or name not in vars(Tensor):
        setattr(Tensor, name, value)  # otherwise a user has replaced the attribute: keep theirs
    ATTACHED[name] = value


def method(function: Callable) -> Callable:
    """Declare a function as a method of Tensor, under its own name."""
    attach_as(function.__name__, function)
    return function


def guard_property(name: str, value: property) -> property:
    """The property; if it is read-only, writing to it raises PyTorch's error."""

    def refuse(self: Tensor, value: Any = None) -> None:
        raise AttributeError(errors.not_writable(name))

    return value if value.fset else value.setter(refuse).deleter(refuse)
