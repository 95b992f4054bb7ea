"""Decoys: wrong answers of the grader's own. A check that finds one correct was tampered with.

After the student's answer has been shown, each name it binds is exchanged for something wrong, and
the same check looks again. The grader knows that this fails: it tried with the solution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

SPOILT, NOTHING = "spoilt", "nothing"


def decoys(names: dict[str, Any], answers: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The decoys for those answers: a name for each, and what to put into the namespace.

    >>> [(name, new["x"]) for name, new in decoys({"x": 3}, ["x"])]
    [('spoilt', 8), ('nothing', None)]
    """
    present = {name: names[name] for name in answers if name in names}
    if not present:
        return
    wrong = {name: _spoilt_answer(value) for name, value in present.items()}
    if any(wrong[name] is not value for name, value in present.items()):
        yield SPOILT, wrong
    yield NOTHING, {name: _nothing(value) for name, value in present.items()}


def _nothing(value: Any) -> Any:
    if not callable(value):
        return None
    return lambda *_, **__: None


def _spoilt_answer(value: Any) -> Any:
    """A function whose results are spoilt, or the spoilt value."""
    if isinstance(value, type) or not callable(value):
        return spoilt(value)
    return _spoiling(value)


def _spoiling(function: Callable[..., Any]) -> Callable[..., Any]:
    def other(*arguments: Any, **named: Any) -> Any:
        return spoilt(function(*arguments, **named))

    return other


def spoilt(value: Any) -> Any:
    """Something of the same kind that is not equal; the value itself where that is not known.

    >>> spoilt((1, [True, "a"])), spoilt(2.0)
    ((4, [False, 'no a']), 4.0)
    """
    kind = type(value)
    if kind is bool:
        return not value
    if kind in (int, float, complex):
        return value * 2 + (2 if kind is int else 0) if value else value + 3
    if kind is str:
        return f"no {value}"
    if kind in (list, tuple):
        return kind(spoilt(part) for part in value)
    if kind is dict:
        return {key: spoilt(part) for key, part in value.items()}
    if kind.__name__ == "Tensor" and hasattr(value, "detach"):
        return _spoilt_tensor(value)
    return value


def _spoilt_tensor(value: Any) -> Any:
    """Other numbers, with the same history."""
    if str(value.dtype) == "torch.bool":
        return ~value
    return value * 3 + 7
