"""Classes and functions that files may name, because the user says that they are safe."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

from course_lib.words import errors

Global = Callable | tuple[Callable, str]

_allowed: set[Any] = set()


def add_safe_globals(safe_globals: list[Global]) -> None:
    """Let `torch.load` make objects of these classes, and call these functions.

    What a file can do with them is up to them: allow only what you know.  A tuple of a class and a
    string says under which name files know it.

    >>> from fractions import Fraction
    >>> torch.serialization.add_safe_globals([Fraction])
    >>> torch.serialization.get_safe_globals()
    [<class 'fractions.Fraction'>]
    >>> torch.serialization.clear_safe_globals()
    """
    _allowed.update(safe_globals)


def get_safe_globals() -> list[Global]:
    """What `add_safe_globals` has allowed so far."""
    return list(_allowed)


def clear_safe_globals() -> None:
    """Allow again only what `torch.load` knows by itself."""
    _allowed.clear()


class safe_globals:
    """Allows classes and functions for the length of a `with` block.

    >>> import io
    >>> from fractions import Fraction
    >>> buffer = io.BytesIO()
    >>> torch.save(Fraction(1, 3), buffer)
    >>> _ = buffer.seek(0)
    >>> with torch.serialization.safe_globals([Fraction]):
    ...     torch.load(buffer)
    Fraction(1, 3)
    """

    def __init__(self, safe_globals: list[Global]):
        self.safe_globals = safe_globals

    def __enter__(self) -> None:
        add_safe_globals(self.safe_globals)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        _allowed.difference_update(self.safe_globals)


def by_path() -> dict[str, Any]:
    """What is allowed, by the name that files have for it."""
    found = {}
    for value in _allowed:
        path = None
        if isinstance(value, tuple):
            if len(value) != 2:
                raise ValueError(errors.safe_pair(value))
            value, path = value
            if type(path) is not str:
                raise TypeError(errors.safe_name(path))
        found[path or f"{value.__module__}.{value.__qualname__}"] = value
    return found
