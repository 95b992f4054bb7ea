"""Functions that compile themselves when they are first called.

Note [Code of its own]: code composed for one operation is faster than code that serves all.  But
composing and compiling it takes half a millisecond, and an import should not pay for operations
that are never called.  So a function made here begins with the code of `first_of_many`, which has
the text composed, compiles it and replaces its own code by the result.  The function remains the
same object, so every reference to it stays valid.  In plain mode it has the code of `straight`: see
Note [Plain] in `declare/switch.py`.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from types import FunctionType
from typing import Any

from course_lib.declare import switch

Text = tuple[str, dict[str, Any]]


def becoming(name: str, compose: Callable[[], Text], slow: Callable, first: Any = None) -> Any:
    """A function that becomes the `run` of the text that `compose` gives, with the names it needs.

    In plain mode, `slow` does the same work.
    """
    scope = {"name": name, "compose": compose, "become": become}
    return in_place_of(slow, first or first_of_many, name, scope)


def in_place_of(slow: Callable, quick: Any, name: str, names: dict[str, Any]) -> Any:
    """A function with the code of `quick` and with `names` as globals; in plain mode, `slow`."""
    scope: dict[str, Any] = {"__name__": __name__, **names, "slow": slow}
    function: Any = FunctionType(straight.__code__.replace(co_name=name), scope, name)
    scope["function"] = function
    code = quick.__code__.replace(co_name=name)  # for tracebacks and profilers
    switch.faster(function, __code__=code, __defaults__=quick.__defaults__)
    return function


# The code of a function at its first call, and in plain mode.  In its globals, `function` is the
# function itself.  There are no docstrings here: help() would show them as the function's own.
function: Any = None
slow: Any = None


def first_of_many(*given: Any, **named: Any) -> Any:
    become(function)
    return function(*given, **named)


def first_of_one(self: Any) -> Any:
    become(function)
    return function(self)


def first_of_two(self: Any, other: Any) -> Any:
    become(function)
    return function(self, other)


def straight(*given: Any, **named: Any) -> Any:
    return slow(*given, **named)


def become(function: Any) -> None:
    """Give the function its own code."""
    scope = function.__globals__
    source, names = scope["compose"]()
    scope |= names
    exec(compile(source, filed(f"call of {scope['name']}", source), "exec"), scope)
    run = scope["run"]
    function.__defaults__ = run.__defaults__
    function.__code__ = run.__code__.replace(co_name=scope["name"])


def filed(title: str, source: str) -> str:
    """The name of an imaginary file, under which debuggers find the text.

    Each text of an operation has its own name: the second one is ``<call of mul 2>``.
    """
    lines = source.splitlines(True)
    number, file = 1, f"<{title}>"
    while linecache.cache.setdefault(file, (len(source), None, lines, file))[2] != lines:
        number += 1
        file = f"<{title} {number}>"
    return file


__all__ = ["becoming", "filed", "first_of_one", "first_of_two", "in_place_of"]
