"""Decoys: wrong answers of the grader's own. A check that finds one correct was tampered with.

After the student's answer has been shown, each name it binds is exchanged for something wrong, and
the same check looks again. The grader knows that this fails: it tried with the solution. Copies are
equal to what they are made of and share no memory with it: a check that asks about memory finds
them wrong, unless something was done to the functions that it asks.
"""

import itertools
import sys
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType
from typing import Any

GENUINE = "genuine"  # no decoy: the answer itself, only looked at when it is called
SPOILT, NOTHING, COPIED = KINDS = ("spoilt", "nothing", "copied")
LOOKED_AT = 1000  # parts of one result
# Of the seconds of a run that the check may take on one decoy; WebAssembly is slower.
SHARE = 0.2 if sys.platform == "emscripten" else 0.05


class Decoy:
    """What to put in the place of the answers, and whether that came to be something else.

    >>> [Decoy(kind, {"x": 3}, ["x"]).answers["x"] for kind in (SPOILT, NOTHING)]
    [8, None]
    """

    def __init__(
        self,
        name: str,
        names: dict[str, Any],
        answers: list[str],
        shared: Iterable[Any] = (),
        memory: bool = False,
    ) -> None:
        self.name, self._shared = name, shared
        self._memory = memory  # whether the check asks whose memory it is
        self._changed = self._kept = 0
        self.lies: list[str] = []  # what objects say of themselves in the place of their class
        self._make = copy_value if name == COPIED else spoilt
        make = {NOTHING: self._nothing, GENUINE: self._wrap_answer}.get(name, self._other_answer)
        self.answers = {key: make(names[key]) for key in answers if key in names}

    @property
    def counts(self) -> bool:
        """True when what the check was shown was another thing, as far as can be told."""
        return self._changed > 0 and self._kept == 0

    def _wrap_answer(self, value: Any) -> Any:
        """The answer itself; whatever a function gets and gives back is looked at."""
        if type(value) is not FunctionType:
            self._look_at(value)
            return value

        def answer(*arguments: Any, **named: Any) -> Any:
            places = list(_places([arguments, named])) if self._memory else []
            result = value(*arguments, **named)
            self._look_at([result, arguments, named])
            if any(_place(one) != place for one, place in places):
                self.lies.append("moved what it was given into other memory")
            return result

        return answer

    def _look_at(self, value: Any) -> None:
        self.lies += [f"made a tensor with {name} of its own" for name in own_names(value)]
        for kind, name, before in self._shared:
            if vars(kind).get(name) is not before:
                self.lies.append(f"changed {kind.__name__}.{name}")

    def _nothing(self, value: Any) -> Any:
        self._changed += 1
        return (lambda *_, **__: None) if callable(value) else None

    def _other_answer(self, value: Any) -> Any:
        """A function with other results, or another value."""
        if isinstance(value, type) or not callable(value):
            return self._other(value)

        def other(*arguments: Any, **named: Any) -> Any:
            return self._other(value(*arguments, **named))

        return other

    def _other(self, value: Any) -> Any:
        made = self._make(value)
        self._look_at(value)
        empty = type(value) in (list, tuple, dict) and not value
        self._kept += made is value and not empty
        self._changed += made is not value and not empty
        return made


def own_names(value: Any) -> list[str]:
    """Names that a tensor, or one inside a container, holds itself although its class has them.

    >>> class Tensor:
    ...     def data_ptr(self): return 1
    >>> class Parameter(Tensor): pass
    >>> one = Parameter(); one.data_ptr = lambda: 2; one.note = "free to use"
    >>> own_names([one])
    ['data_ptr']
    """
    found = list[str]()
    for one in _parts(value):
        if any(kind.__name__ == "Tensor" for kind in type(one).__mro__):  # a parameter is one, too
            found += [name for name in getattr(one, "__dict__", ()) if hasattr(type(one), name)]
    return found


def _parts(value: Any) -> list[Any]:
    """The value, and all that is inside of it."""
    parts = [value]
    for one in parts:  # which grows meanwhile, but not for ever
        kind = type(one)
        if kind in (list, tuple, dict) and len(parts) < LOOKED_AT:
            parts += itertools.islice(one.values() if kind is dict else one, LOOKED_AT)
    return parts


def _places(value: Any) -> Iterator[tuple[Any, int]]:
    """Each tensor in the value, and the address of its memory."""
    for one in _parts(value):
        if type(one).__name__ == "Tensor" and hasattr(one, "untyped_storage"):
            yield one, _place(one)


def _place(tensor: Any) -> int:
    return int(tensor.untyped_storage().data_ptr())


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
    if kind in (list, tuple, dict):
        return _inside(value, spoilt)
    if kind.__name__ == "Tensor" and hasattr(value, "detach"):
        return ~value if str(value.dtype) == "torch.bool" else value * 3 + 7
    return value


def copy_value(value: Any) -> Any:
    """The same with tensors and arrays that have memory of their own; the value where it has none.

    >>> import numpy as np
    >>> row = np.ones(2)
    >>> np.shares_memory(row, copy_value([row])[0])
    False
    """
    kind = type(value)
    if kind in (list, tuple, dict):
        return _inside(value, copy_value)
    if kind.__name__ == "Tensor" and hasattr(value, "clone"):
        return value.clone()
    return value.copy() if kind.__name__ == "ndarray" else value


def _inside(value: Any, change: Callable[[Any], Any]) -> Any:
    """A container with every part changed; itself where no part was."""
    old = list(value.values()) if type(value) is dict else list(value)
    parts = [change(part) for part in old]
    if all(part is before for part, before in zip(parts, old, strict=True)):
        return value
    return dict(zip(value, parts, strict=True)) if type(value) is dict else type(value)(parts)
