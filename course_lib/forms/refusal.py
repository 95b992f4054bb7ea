"""Fronts of functions that are attached to Tensor by hand; see `forms/fronts.py`."""

from __future__ import annotations

from collections.abc import Callable

from course_lib.forms.fronts import of_function


def as_function(call: Callable, name: str, varargs: int = 0) -> Callable:
    """`call`, guarded, as a function."""
    return of_function(call, "torch", name, varargs)


def as_method(call: Callable, name: str) -> Callable:
    """`call`, guarded, as a method."""
    return of_function(call, "Tensor", name)
