"""Public modules: which names they have, and what they say for one that they lack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course_lib.calls.missing import no_name


def complete_module(
    names: dict[str, Any], module: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The ``__getattr__`` and ``__dir__`` of a public module.

    `names` are the module's ``globals()``, `module` its name below ``torch``.
    """

    def get(name: str) -> Any:
        if name == "__all__":
            return [known for known in names if not known.startswith("_")]
        if name == "__path__":  # `from … import` asks each module whether it is a package
            raise AttributeError(name)
        raise no_name(f"torch.{module}", name)

    return get, lambda: sorted(names)


__all__ = ["complete_module"]
