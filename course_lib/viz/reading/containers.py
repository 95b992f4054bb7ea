"""Tensors inside what a model takes and gives back: tuples, lists, dicts, data classes, nested."""

import copy
import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from course_lib.viz.reading.values import is_tensor


def parts_of(thing: Any) -> Iterator[tuple[str, Any]]:
    """`(place, part)` for everything that is no container itself, in order; `""` is the thing.

    >>> list(parts_of({"a": 1, "b": [2, (3, None)]}))
    [('a', 1), ('b[0]', 2), ('b[1][0]', 3), ('b[1][1]', None)]
    """
    waiting = [("", thing)]
    opened: dict[int, Any] = {}  # a container that holds itself is opened once
    while waiting:
        place, now = waiting.pop()
        inner = _inner(now, place)
        if inner is None:
            yield place, now
        elif id(now) not in opened:
            opened[id(now)] = now
            waiting += inner[::-1]


def _inner(thing: Any, place: str) -> list[tuple[str, Any]] | None:
    """What a container holds, each with its place; None for anything else."""
    if is_tensor(thing):
        return None
    if isinstance(thing, Mapping):
        return [(f"{place}[{k!r}]" if place else str(k), v) for k, v in thing.items()]
    if isinstance(thing, tuple) and (named := _names(type(thing))):
        return [(f"{place}.{name}".lstrip("."), getattr(thing, name)) for name in named]
    if isinstance(thing, (tuple, list)):
        return [(f"{place}[{i}]", item) for i, item in enumerate(thing)]
    if dataclasses.is_dataclass(thing) and not isinstance(thing, type):
        names = [field.name for field in dataclasses.fields(thing)]
        return [(f"{place}.{name}".lstrip("."), getattr(thing, name, None)) for name in names]
    return None


def _names(kind: type) -> tuple[str, ...]:
    """The names of the parts of a named tuple, and of the pair that PyTorch's `max` gives back."""
    return getattr(kind, "_fields", ()) or getattr(kind, "__match_args__", ())


def tensors_in(thing: Any) -> Iterator[tuple[str, Any]]:
    """`(place, tensor)` for each tensor in nested containers, in order."""
    return ((place, part) for place, part in parts_of(thing) if is_tensor(part))


def with_tensors(thing: Any, change: Callable[[Any], Any]) -> Any:
    """The same containers with changed tensors in them; the thing itself where none changes.

    >>> given = {"a": [1, 2]}
    >>> with_tensors(given, lambda tensor: tensor) is given
    True
    """
    known: dict[int, Any] = {}
    changed = False
    for _, part in parts_of(thing):
        known[id(part)] = change(part) if is_tensor(part) and id(part) not in known else part
        changed = changed or known[id(part)] is not part
    # What `deepcopy` finds in its memo it takes from there: it copies the containers only.
    return copy.deepcopy(thing, known) if changed else thing
