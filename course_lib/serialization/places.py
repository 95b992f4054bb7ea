"""`map_location`: where storages are to be, whatever device they were saved on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.memory import devices
from course_lib.memory.meta import MetaArray
from course_lib.ops.bridge.storage import UntypedStorage
from course_lib.words import errors

Place = Callable[[UntypedStorage, str], UntypedStorage]


def restored(storage: UntypedStorage, location: str) -> UntypedStorage:
    """The storage at a place that a file or a user named."""
    if location == "cpu":
        return storage
    if location == "meta":
        return UntypedStorage(MetaArray((storage.nbytes(),), np.uint8))
    if location.startswith("cuda"):
        devices.device(location)  # which says what is wrong with "cuda:x"
    raise RuntimeError(errors.unrestorable(location))


def place_of(map_location: Any) -> Place:
    """The function that `map_location` stands for."""
    if map_location is None:
        return restored
    if isinstance(map_location, dict):
        return lambda storage, saved: restored(storage, map_location.get(saved, saved))
    if isinstance(map_location, (str, devices.device)):
        return lambda storage, _: restored(storage, str(map_location))

    def asked(storage: UntypedStorage, saved: str) -> UntypedStorage:
        found = map_location(storage, saved)
        if found is None:
            return restored(storage, saved)
        if not isinstance(found, UntypedStorage):
            raise TypeError(errors.no_storage(found))
        return found

    return asked
