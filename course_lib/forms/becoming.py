"""Functions that compile themselves when they are first called.

Note [Code of its own]: what is composed for an operation is faster than what serves all, but
composing and compiling take half a millisecond, and an import would pay for operations that nobody
calls.  A function made here begins with the code of `first_of_many`.  That has the text composed,
compiles it, and puts it in its own place: the function stays the same object, wherever it is kept.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from types import FunctionType
from typing import Any

Text = tuple[str, dict[str, Any]]


def becoming(name: str, compose: Callable[[], Text], first: Any = None) -> Any:
    """The function `run` of the text that `compose` gives, with the names that it needs."""
    scope: dict[str, Any] = {
        "__name__": __name__,
        "name": name,
        "compose": compose,
        "become": become,
    }
    function: Any = FunctionType((first or first_of_many).__code__, scope, name)
    scope["function"] = function
    return function


# What a function runs when it is first called; `function` is the function itself there.  They
# have no docstrings: those would be taken for the function's.
function: Any = None


def first_of_many(*given: Any, **named: Any) -> Any:
    become(function)
    return function(*given, **named)


def first_of_one(self: Any) -> Any:
    become(function)
    return function(self)


def first_of_two(self: Any, other: Any) -> Any:
    become(function)
    return function(self, other)


def become(function: Any) -> None:
    """Give the function its own code."""
    scope = function.__globals__
    source, names = scope["compose"]()
    file = f"<call of {scope['name']}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    scope |= names
    exec(compile(source, file, "exec"), scope)
    run = scope["run"]
    function.__defaults__, function.__code__ = run.__defaults__, run.__code__


__all__ = ["becoming", "first_of_one", "first_of_two"]
