"""What a function keeps for backward: its `_saved_*` attributes, and whether they are still good.

PyTorch checks versions when a saved tensor is read and says both numbers in its error; that error
is where a picture learns them. Which tensor it is, `_raw_saved_*` tells: it does not check. A graph
that backward has run through answers with another error.

Reading a value that `saved_tensors_hooks` have packed calls a function of the reader: that of a
checkpoint computes everything again. No picture does so: `_raw_saved_*` tells that there is a hook.
"""

import re
from dataclasses import dataclass
from typing import Any

from course_lib.viz.reading.containers import tensors_in
from course_lib.viz.reading.values import is_tensor

_MADE = "which is output"  # said of a tensor that has a grad_fn
_VERSIONS = re.compile(r"is at version (\d+); expected version (\d+)")
_CHECKPOINTS = ("torch.utils.checkpoint", "course_lib.beyond.replay")  # where their hooks come from
# states of what a hook has packed, in words
BEHIND = {"recomputed": "recomputed by backward, not kept", "packed": "behind a hook"}


@dataclass
class Saved:
    """One saved tensor: `state` is "good", "stale" (overwritten since), "freed", or, where a hook
    has packed it, one of `BEHIND`.

    Of a stale one, `tensor` is None where the function saved its own result: for that it keeps only
    the memory. `held` is what the graph keeps alive for it.
    """

    name: str
    state: str
    tensor: Any = None
    version: int | None = None
    now: int | None = None
    message: str = ""  # PyTorch's, when it cannot be read
    packed: tuple[Any, ...] = ()  # the tensors in what a hook made of it

    @property
    def held(self) -> tuple[Any, ...]:
        return self.packed if self.tensor is None else (self.tensor,)


def saved_by(node: Any) -> list[Saved]:
    """All saved tensors of a node, in alphabetical order of their names; numbers are left out."""
    found = []
    for attribute in sorted(set(dir(node))):
        # `saved_tensors` is what a Function has that the reader wrote
        if attribute.startswith("_saved_") or attribute == "saved_tensors":
            found += _read(node, attribute, attribute.removeprefix("_saved_"))
    return found


def value_of(node: Any, name: str) -> Any:
    """`node._saved_<name>`; None where there is no such value, or a hook has packed it.

    >>> import course_lib as torch
    >>> value_of((torch.ones(2, requires_grad=True) ** 3).grad_fn, "exponent")
    3
    """
    hooked = any(one.unpack_hook for _, one in _raw(node, f"_saved_{name}"))
    return None if hooked else getattr(node, f"_saved_{name}", None)


def _raw(node: Any, attribute: str) -> list[tuple[str, Any]]:
    """`(place, SavedTensor)` for what was saved under a name: reading that calls no hook."""
    try:
        raw = getattr(node, f"_raw_{attribute.lstrip('_')}", None)
    except RuntimeError:  # it is freed
        return []
    places = [(f"[{i}]", one) for i, one in enumerate(raw)] if isinstance(raw, tuple) else None
    return places or ([("", raw)] if hasattr(raw, "unpack_hook") else [])


def _read(node: Any, attribute: str, name: str) -> list[Saved]:
    raws = _raw(node, attribute)
    if any(one.unpack_hook for _, one in raws):
        return [saved for place, one in raws for saved in _unpacked(one, name + place)]
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
    raws = _raw(node, attribute)
    if [place for place, _ in raws] == [""]:
        return [_stale(name, message, raws[0][1])]
    found = [saved for place, one in raws for saved in _unpacked(one, name + place)]
    return [saved for saved in found if saved.state == "stale"] or [_stale(name, message, None)]


def _unpacked(raw: Any, name: str) -> list[Saved]:
    """One of several tensors that were saved together, or one that a hook has packed."""
    if raw.unpack_hook is not None:
        again = getattr(raw.unpack_hook, "__module__", "") in _CHECKPOINTS
        packed = tuple(tensor for _, tensor in tensors_in(raw.data))
        return [Saved(name, "recomputed" if again else "packed", packed=packed)]
    try:
        value = raw.unpack()
    except Exception as error:
        return [_stale(name, str(error), raw)] if _VERSIONS.search(str(error)) else []
    return [Saved(name, "good", value, value._version, value._version)] if is_tensor(value) else []


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
