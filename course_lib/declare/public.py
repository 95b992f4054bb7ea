"""Public modules: their names, and those whose files are read only on first use."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from course_lib import homes, lazy
from course_lib.declare.fronts import published
from course_lib.words.missing import no_name


def completed(
    names: dict[str, Any], module: str, place: str = ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The ``__getattr__`` and ``__dir__`` of a public module, with its names in `beyond/`.

    `names` are the module's ``globals()``, `module` its name below ``torch``.  If `place` is given,
    which is the module's name in messages, functions get fronts: see `declare/fronts.py`.
    """
    known = lazy.by_name(homes.BEYOND.get(module, {}))

    def get(name: str) -> Any:
        if name == "__all__":
            return [known for known in listed() if not known.startswith("_")]
        if name == "__path__":  # `from … import` asks each module whether it is a package
            raise AttributeError(name)
        if name not in known:
            raise no_name(f"torch.{module}", name)
        value = getattr(import_module(known[name]), name)
        if place:
            value = published(value, place, name, names["__name__"])
        names[name] = value
        return value

    def listed() -> list[str]:
        return sorted({*names, *known})

    return get, listed


__all__ = ["completed"]
