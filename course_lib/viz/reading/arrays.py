"""NumPy arrays in a picture of storage: each is drawn as a tensor over the array's own memory."""

import sys
from types import FrameType
from typing import Any

from course_lib.viz.reading.library import library_of
from course_lib.viz.reading.wanted import named


def over_arrays(
    things: tuple[Any, ...], names: Any, frame: FrameType | None
) -> tuple[tuple[Any, ...], Any]:
    """The things with every array replaced by a tensor on its memory, and the names with theirs.

    >>> import course_lib as torch
    >>> import numpy as np
    >>> tensors, names = over_arrays((torch.zeros(2), np.ones(2)), None, None)
    >>> tensors[1], list(names)
    (tensor([1., 1.], dtype=torch.float64), ['array'])
    """
    library = next(filter(None, map(library_of, things)), None)
    if library is None or not any(map(_has_numbers, things)):
        return things, names
    true_tensors = [thing for thing in things if library_of(thing)]
    tensors, found = [], dict(named("draw_storage", "names", names))
    for thing in things:
        if _has_numbers(thing):
            name = _name_of(thing, found, frame)
            thing = found[name] = _window(thing, true_tensors, library)
        tensors.append(thing)
    return tuple(tensors), found


def _has_numbers(thing: Any) -> bool:
    """Whether it is an array that a tensor could be made of."""
    np = sys.modules.get("numpy")  # without it there is no array
    return np is not None and isinstance(thing, np.ndarray) and thing.dtype.kind in "biufc"


def _window(array: Any, tensors: list[Any], library: Any) -> Any:
    """A tensor that looks where the array looks: at a tensor's storage or at the array's owner."""
    if any(step < 0 or step % array.itemsize for step in array.strides):
        raise ValueError(
            "draw_storage draws arrays whose steps are whole elements and go forwards, as those of "
            f"tensors do; this one has strides {array.strides}. Draw its base, or a copy."
        )
    import numpy as np

    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    low, high = np.lib.array_utils.byte_bounds(array)
    wanted = library.from_numpy(np.empty(0, array.dtype)).dtype
    whole = library.from_numpy(np.ndarray((owner.nbytes,), np.uint8, owner))
    for tensor in (*tensors, whole):
        start = tensor.untyped_storage().data_ptr()
        inside = start <= low and high <= start + tensor.untyped_storage().nbytes()
        if inside and (low - start) % array.itemsize == 0:
            flat = _whole(tensor).view(library.uint8)
            flat = flat[: flat.numel() // array.itemsize * array.itemsize].view(wanted)
            steps = [step // array.itemsize for step in array.strides]
            return flat.as_strided(array.shape, steps, (low - start) // array.itemsize)
    return library.from_numpy(array)


def _whole(tensor: Any) -> Any:
    """All elements of the storage of a tensor, as they stand there."""
    count = tensor.untyped_storage().nbytes() // tensor.element_size()
    flat = tensor.detach().as_strided((count,), (1,), 0)
    return flat.conj() if flat.is_conj() else flat


def _name_of(array: Any, names: dict[str, Any], frame: FrameType | None) -> str:
    """What the reader calls the array, with the word that tells it from a tensor."""
    scopes = [names, *([frame.f_locals, frame.f_globals] if frame else [])]
    for scope in scopes:
        for name, thing in list(scope.items()):
            if thing is array and not str(name).startswith("_"):
                return f"{name} (array)"
    return "array"
