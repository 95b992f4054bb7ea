"""What a function keeps for backward: its `_saved_*` attributes, and whether they are still good.

PyTorch checks versions when a saved tensor is read and says both numbers in its error; that error
is where a picture learns them. Which tensor it is, `_raw_saved_*` tells: it does not check. A graph
that backward has run through answers with another error.
"""

import re
from dataclasses import dataclass
from typing import Any

from course_lib.viz.reading.values import is_tensor

_MADE = "which is output"  # said of a tensor that has a grad_fn
_VERSIONS = re.compile(r"is at version (\d+); expected version (\d+)")


@dataclass
class Saved:
    """One saved tensor: `state` is "good", "stale" (overwritten since) or "freed".

    Of a stale one, `tensor` is None where the function saved its own result: for that it keeps only
    the memory.
    """

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
        return _unreadable(node, attribute, name, str(error))
    if is_tensor(value):
        return [Saved(name, "good", value, value._version, value._version)]
    if isinstance(value, (tuple, list)):
        return [
            Saved(f"{name}[{i}]", "good", item, item._version, item._version)
            for i, item in enumerate(value)
            if is_tensor(item)
        ]
    return []


def _unreadable(node: Any, attribute: str, name: str, message: str) -> list[Saved]:
    if not _VERSIONS.search(message):
        return [Saved(name, "freed", message=message)] if "freed" in message else []
    raw = getattr(node, f"_raw_{attribute.lstrip('_')}", None)
    several = raw if isinstance(raw, (tuple, list)) else ()
    found = [s for i, one in enumerate(several) for s in _unpacked(one, f"{name}[{i}]")]
    return found or [_stale(name, message, raw)]


def _unpacked(raw: Any, name: str) -> list[Saved]:
    """One of several tensors that were saved together, if it is one that was overwritten."""
    try:
        raw.unpack()
    except Exception as error:
        return [_stale(name, str(error), raw)] if _VERSIONS.search(str(error)) else []
    return []


def _stale(name: str, message: str, raw: Any) -> Saved:
    versions = _VERSIONS.search(message)
    assert versions is not None
    now, expected = map(int, versions.groups())
    try:
        tensor = raw.data
    except (AttributeError, RuntimeError):  # nothing to look at, or a result of the function
        tensor = None
    known = is_tensor(tensor) and (tensor.grad_fn is not None or _MADE not in message)
    return Saved(name, "stale", tensor if known else None, expected, now, message)
