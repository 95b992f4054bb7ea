"""Which bytes are kept alive, and by whom: each storage is counted once, however many share it."""

import math
from collections.abc import Iterable
from typing import Any

from course_lib.viz.reading.saved import saved_by
from course_lib.viz.reading.walk import walk

UNITS = ("KiB", "MiB", "GiB", "TiB")
Storages = dict[tuple[str, int], int]  # device and address of a storage: its bytes


def storages_of(tensors: Iterable[Any]) -> Storages:
    """The storages of some tensors. A view keeps the whole storage; meta tensors have no bytes.

    >>> import course_lib as torch
    >>> x = torch.ones(4)
    >>> list(storages_of([x, x[:1]]).values())
    [16]
    """
    found: Storages = {}
    for tensor in tensors:
        if tensor.device.type == "meta" or getattr(tensor, "is_sparse", False):
            continue
        storage = tensor.untyped_storage()
        if storage.nbytes():
            found[str(tensor.device), storage.data_ptr()] = storage.nbytes()
    return found


def saved_tensors(roots: list[Any]) -> list[Any]:
    """Everything that the functions of some graphs have saved and not freed."""
    return [t for node in walk(roots).nodes for item in saved_by(node) for t in item.held]


def total(storages: Storages, without: Storages | None = None) -> int:
    """Bytes of storages, without those that are counted elsewhere.

    >>> total({("cpu", 1): 8, ("cpu", 2): 4}, {("cpu", 1): 8})
    4
    """
    return sum(size for key, size in storages.items() if key not in (without or {}))


def in_bytes(size: int) -> str:
    """A number of bytes in words.

    >>> in_bytes(1), in_bytes(2000), in_bytes(3 * 1024**2)
    ('1 byte', '2.0 KiB', '3.0 MiB')
    """
    if size < 1024:
        return f"{size} byte" + "s" * (size != 1)
    power = min(int(math.log(size, 1024)), len(UNITS))
    return f"{size / 1024**power:.1f} {UNITS[power - 1]}"
