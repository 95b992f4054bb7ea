"""NumPy arrays in a picture of storage: each is drawn as a tensor over the array's own memory."""

import sys
from types import FrameType
from typing import Any

import numpy as np

from course_lib.viz.reading.wanted import named


def over_arrays(
    things: tuple[Any, ...], names: Any, frame: FrameType | None
) -> tuple[tuple[Any, ...], Any]:
    """The things with every array replaced by a tensor on its memory, and the names with theirs.

    >>> import course_lib as torch
    >>> tensors, names = over_arrays((torch.zeros(2), np.ones(2)), None, None)
    >>> tensors[1], list(names)
    (tensor([1., 1.], dtype=torch.float64), ['array'])
    """
    library = next(filter(None, map(_library, things)), None)
    if library is None or not any(map(_has_numbers, things)):
        return things, names
    true_tensors = [thing for thing in things if _library(thing)]
    tensors, found = [], dict(named("draw_storage", "names", names))
    for thing in things:
        if _has_numbers(thing):
            name = _name_of(thing, found, frame)
            thing = found[name] = _window(thing, true_tensors, library)
        tensors.append(thing)
    return tuple(tensors), found


def _has_numbers(thing: Any) -> bool:
    """Whether it is an array that a tensor could be made of."""
    return isinstance(thing, np.ndarray) and thing.dtype.kind in "biufc"


def _window(array: Any, tensors: list[Any], library: Any) -> Any:
    """A tensor that looks where the array looks: at a tensor's storage or at the array's owner."""
    for tensor in tensors:
        storage = tensor.untyped_storage()
        start, end = storage.data_ptr(), storage.data_ptr() + storage.nbytes()
        low, high = np.lib.array_utils.byte_bounds(array)
        if max(low, start) < min(high, end):
            if not (start <= low and high <= end):
                raise ValueError("an array and a tensor that share only a part cannot be drawn")
            flat = tensor.detach().as_strided((storage.nbytes() // tensor.element_size(),), (1,), 0)
            return _over(flat, start, array)
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    return _over(library.from_numpy(owner), owner.ctypes.data, array)


def _over(whole: Any, start: int, array: Any) -> Any:
    """The array's shape, strides and place on a tensor that begins at address `start`."""
    strides = [step // array.itemsize for step in array.strides]
    return whole.as_strided(array.shape, strides, (array.ctypes.data - start) // array.itemsize)


def _library(thing: Any) -> Any:
    """The library of a tensor, None for anything else."""
    roots = [sys.modules.get(cls.__module__.partition(".")[0]) for cls in type(thing).__mro__]
    return next((root for root in roots if hasattr(root, "from_numpy")), None)


def _name_of(array: Any, names: dict[str, Any], frame: FrameType | None) -> str:
    """What the reader calls the array, with the word that tells it from a tensor."""
    scopes = [names, *([frame.f_locals, frame.f_globals] if frame else [])]
    for scope in scopes:
        for name, thing in list(scope.items()):
            if thing is array and not str(name).startswith("_"):
                return f"{name} (array)"
    return "array"
