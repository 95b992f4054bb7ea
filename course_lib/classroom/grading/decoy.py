"""Decoys: wrong answers of the grader's own. A check that finds one correct was tampered with.

After the student's answer has been shown, each name it binds is exchanged for something wrong, and
the same check looks again. The grader knows that this fails: it tried with the solution.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

SPOILT, NOTHING = "spoilt", "nothing"


class Decoy:
    """What to put in the place of the answers, and whether that came to be something else."""

    def __init__(self, name: str, answers: dict[str, Any]) -> None:
        self.name = name
        self._changed = self._kept = 0
        wrong = self._nothing if name == NOTHING else self._spoilt
        self.answers = {key: wrong(value) for key, value in answers.items()}

    @property
    def counts(self) -> bool:
        """True when what the check was shown was another thing, as far as can be told."""
        return self._changed > 0 and self._kept == 0

    def _nothing(self, value: Any) -> Any:
        self._changed += 1
        return (lambda *_, **__: None) if callable(value) else None

    def _spoilt(self, value: Any) -> Any:
        """A function whose results are spoilt, or the spoilt value."""
        if isinstance(value, type) or not callable(value):
            return self._other(value)

        def other(*arguments: Any, **named: Any) -> Any:
            return self._other(value(*arguments, **named))

        return other

    def _other(self, value: Any) -> Any:
        made = spoilt(value)
        empty = type(value) in (list, tuple, dict) and not value
        self._kept += made is value and not empty
        self._changed += made is not value and not empty
        return made


def decoys(names: dict[str, Any], answers: list[str]) -> list[Decoy]:
    """The decoys for those answers, made of what stands behind their names.

    >>> [(one.name, one.answers["x"]) for one in decoys({"x": 3}, ["x"])]
    [('spoilt', 8), ('nothing', None)]
    """
    present = {name: names[name] for name in answers if name in names}
    return [Decoy(SPOILT, present), Decoy(NOTHING, present)] if present else []


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
        return _all_spoilt(value, kind)
    if kind is dict:
        return {key: spoilt(part) for key, part in value.items()}
    if kind.__name__ == "Tensor" and hasattr(value, "detach"):
        return ~value if str(value.dtype) == "torch.bool" else value * 3 + 7
    return value


def _all_spoilt(value: Any, kind: Callable[[Any], Any]) -> Any:
    parts = [spoilt(part) for part in value]
    same = all(part is old for part, old in zip(parts, value, strict=True))
    return value if same and parts else kind(parts)
