"""`torch.save` and `torch.load`: PyTorch's files, read and written.

    __init__   save, load
    archive    the zip file around the data
    writing    from a value to a pickle           reading   and back
    rebuild    how a tensor is said in a pickle   machine   a reader of pickles that runs no code
    places     `map_location`                     safe      what the user allows beyond that
    former     files of this library's version 1

`save` writes PyTorch's format.  Data can be loaded in the other library, in both directions:
tensors, numbers, text and containers of them, and so every `state_dict()`.  A whole module is saved
as the name of its class, and only the library that has the class can load it.
"""

from __future__ import annotations

import os
import pickle
from typing import IO, Any

from course_lib.declare.fronts import marked
from course_lib.serialization.safe import (
    add_safe_globals,
    clear_safe_globals,
    get_safe_globals,
    safe_globals,
)
from course_lib.words import errors

__all__ = [
    "add_safe_globals",
    "clear_safe_globals",
    "get_safe_globals",
    "get_unsafe_globals_in_checkpoint",
    "load",
    "safe_globals",
    "save",
]


def save(
    obj: Any,
    f: str | os.PathLike[str] | IO[bytes],
    pickle_module: Any = None,
    pickle_protocol: int | None = None,
) -> None:
    """Write `obj` to a file that PyTorch can read, too.

    Tensors that share memory still share it after loading.  A file on disk appears complete or
    not at all.

    >>> import io
    >>> buffer = io.BytesIO()
    >>> torch.save({"weight": torch.tensor([1., 2.])}, buffer)
    >>> _ = buffer.seek(0)
    >>> torch.load(buffer)
    {'weight': tensor([1., 2.])}

    Of a model, save the `state_dict()`: numbers by name, which outlive changes of the class.

    >>> model, again, buffer = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1), io.BytesIO()
    >>> torch.save(model.state_dict(), buffer)
    >>> _ = buffer.seek(0)
    >>> again.load_state_dict(torch.load(buffer))
    <All keys matched successfully>
    """
    from course_lib.serialization import archive, writing

    protocol = 2 if pickle_protocol is None else pickle_protocol
    path = os.fspath(f) if isinstance(f, (str, os.PathLike)) else None
    if path is None and not hasattr(f, "write"):
        raise AttributeError(errors.NOT_A_FILE)
    pickled, storages = writing.pickled(obj, pickle_module or pickle, protocol)
    if path is None:
        archive.write(f, "archive", pickled, storages)
        return
    with archive.replacing(path) as file:
        archive.write(file, archive.folder_in(path), pickled, storages)


def load(
    f: str | os.PathLike[str] | IO[bytes],
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """What `save`, or PyTorch, wrote to a file.

    A file that holds data is read by a machine that runs nothing.  If the file asks for more than
    data, that is an error.  With ``weights_only=False``, whatever the file names is imported and
    called, **which can do anything**: use it only for files that you trust, such as your own.

    `map_location` says where the tensors are to be: ``"cpu"`` or ``"meta"``, a dictionary from
    saved places to these, or a function of a storage and its saved place.  `mmap` is accepted for
    files on disk, which are then read as ever.

    >>> import io
    >>> buffer = io.BytesIO()
    >>> torch.save([1, torch.tensor([2])], buffer)
    >>> _ = buffer.seek(0)
    >>> torch.load(buffer)
    [1, tensor([2])]
    >>> _ = buffer.seek(0)
    >>> torch.load(buffer, map_location="meta")
    [1, tensor(..., device='meta', size=(1,), dtype=torch.int64)]
    """
    from course_lib.serialization import places, reading

    if weights_only is None:
        weights_only = pickle_module is None
    if weights_only and pickle_module is not None:
        raise RuntimeError(errors.UNSAFE_MODULE)
    if weights_only and pickle_load_args:
        errors.warn(errors.ARGUMENTS_IGNORED)
    arguments = {"encoding": "utf-8", **pickle_load_args}
    place = places.place_of(map_location)
    how = reading.Reading(place, bool(weights_only), pickle_module or pickle, arguments)
    if mmap and not isinstance(f, (str, os.PathLike)):
        raise ValueError(errors.MMAP_OF_OBJECT)
    file, ours = reading.opened(f)
    try:
        return reading.read(file, how)
    finally:
        if ours:
            file.close()


def get_unsafe_globals_in_checkpoint(f: str | os.PathLike[str] | IO[bytes]) -> list[str]:
    """The classes and functions that a file names and `torch.load` refuses; none of them is used.

    >>> import io
    >>> buffer = io.BytesIO()
    >>> torch.save(torch.nn.ReLU, buffer)
    >>> _ = buffer.seek(0)
    >>> torch.serialization.get_unsafe_globals_in_checkpoint(buffer)
    ['course_lib.nn.activation.ReLU']
    """
    from course_lib.serialization import reading

    file, ours = reading.opened(f)
    try:
        return reading.unsafe_names(file)
    finally:
        if ours:
            file.close()


for _function in (save, load):  # Python checks their arguments, as PyTorch's; they never run twice
    marked(_function, _function, f"torch.{_function.__name__}")
