"""What a function keeps for backward: its `_saved_*` attributes, and whether they are still good.

PyTorch checks versions when a saved tensor is read and says both numbers in its error; that error
is where a picture learns them. A graph that backward has run through answers with another error.
"""

import re
from dataclasses import dataclass
from typing import Any

from course_lib.viz.values import is_tensor

_VERSIONS = re.compile(r"is at version (\d+); expected version (\d+)")


@dataclass
class Saved:
    """One saved tensor: `state` is "good", "stale" (overwritten since) or "freed"."""

    name: str
    state: str
    tensor: Any = None
    version: int | None = None
    now: int | None = None
    message: str = ""  # PyTorch's, when it cannot be read


def saved_by(node: Any) -> list[Saved]:
    """All saved tensors of a node, in alphabetical order of their names; numbers are left out."""
    found = []
    for attribute in sorted(set(dir(node))):
        if attribute.startswith("_saved_"):
            found += _read(node, attribute, attribute.removeprefix("_saved_"))
        elif attribute == "saved_tensors":  # a Function written by the reader
            found += _read(node, attribute, attribute)
    return found


def _read(node: Any, attribute: str, name: str) -> list[Saved]:
    try:
        value = getattr(node, attribute)
    except Exception as error:
        return _from_error(name, str(error))
    if is_tensor(value):
        return [Saved(name, "good", value, value._version, value._version)]
    if isinstance(value, (tuple, list)):
        return [
            Saved(f"{name}[{i}]", "good", item, item._version, item._version)
            for i, item in enumerate(value)
            if is_tensor(item)
        ]
    return []


def _from_error(name: str, message: str) -> list[Saved]:
    versions = _VERSIONS.search(message)
    if versions:
        now, expected = map(int, versions.groups())
        return [Saved(name, "stale", None, expected, now, message)]
    return [Saved(name, "freed", message=message)] if "freed" in message else []
