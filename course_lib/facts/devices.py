"""Devices: where the memory of a tensor is."""

from __future__ import annotations

from typing import Any

from course_lib.facts import errors

TYPES = ("cpu", "cuda", "meta")


class device:  # noqa: N801 (PyTorch's name)
    """A place for tensors: ``torch.device("cpu")``, ``torch.device("cuda", 0)``, …"""

    __slots__ = ("type", "index")

    def __init__(self, type: Any = "cpu", index: int | None = None):
        if isinstance(type, device):
            type, index = type.type, type.index
        elif isinstance(type, int):
            type, index = "cuda", type
        elif ":" in type:
            if index is not None:
                raise RuntimeError(errors.device_index_twice(type))
            type, _, number = type.partition(":")
            if not number.isdigit() or (len(number) > 1 and number[0] == "0"):
                raise RuntimeError(errors.invalid_device(f"{type}:{number}"))
            index = int(number)
        if type not in errors.DEVICE_TYPES:
            raise RuntimeError(errors.unknown_device(type))
        self.type, self.index = type, index

    def __repr__(self) -> str:
        if self.index is None:
            return f"device(type={self.type!r})"
        return f"device(type={self.type!r}, index={self.index})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __reduce__(self) -> Any:
        return device, (self.type, self.index) if self.index is not None else (self.type,)


CPU, META = device("cpu"), device("meta")


def of(array: Any) -> device:
    """The device of an array: NumPy memory is the CPU's; others say it themselves."""
    return getattr(array, "torch_device", CPU)
