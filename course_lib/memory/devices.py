"""Devices: where the memory of a tensor is."""

import re
import threading
from typing import Any

import numpy as np

from course_lib.words import errors


class device:
    """A place for tensors: ``torch.device("cpu")``, ``torch.device("cuda", 0)``, …

    As a context manager it is the device of new tensors:

    >>> with torch.device("meta"):
    ...     torch.zeros(2).device
    device(type='meta')
    """

    __slots__ = ("type", "index")
    type: str
    index: int | None

    def __new__(cls, *args: Any, **kwargs: Any) -> "device":
        if len(args) == 1 and not kwargs and isinstance(args[0], device):
            return args[0]
        kind, index = read(args, kwargs)
        self = object.__new__(cls)
        object.__setattr__(self, "type", kind)
        object.__setattr__(self, "index", index)
        return self

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(errors.read_only_device(name))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(errors.no_attribute("torch.device", name))

    def __repr__(self) -> str:
        if self.index is None:
            return f"device(type={self.type!r})"
        return f"device(type={self.type!r}, index={self.index})"

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __eq__(self, other: Any) -> bool:
        if not isinstance(other, device):
            return NotImplemented
        return (self.type, self.index) == (other.type, other.index)

    def __lt__(self, other: Any) -> bool:
        raise TypeError("comparison not implemented")

    __le__ = __gt__ = __ge__ = __lt__

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __reduce__(self) -> Any:
        return device, (self.type, self.index) if self.index is not None else (self.type,)

    def __enter__(self) -> "device":
        default.stack.append(self)
        return self

    def __exit__(self, *_: Any) -> None:
        default.stack.pop()


accepted: Any = None  # the arguments by name, or PyTorch's error: set by `declare/fronts.py`


def read(args: tuple, kwargs: dict) -> tuple[str, int | None]:
    """Type and index from the arguments of `torch.device`."""
    [value] = args if len(args) == 1 and not kwargs else [None]
    if isinstance(value, (str, bytes)):
        return parse(value if isinstance(value, str) else value.decode())
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
        raise RuntimeError(errors.NEGATIVE_DEVICE if value < 0 else errors.NO_ACCELERATOR)
    given = accepted(args, kwargs)
    if "device" in given:
        return given["device"].type, given["device"].index
    (kind, inside), index = parse(given["type"]), given.get("index")
    if inside is not None:
        raise RuntimeError(errors.device_index_twice(given["type"]))
    if index is not None and index < 0:
        raise RuntimeError(errors.NEGATIVE_DEVICE)
    return kind, index


TYPES = (
    "cpu cuda ipu xpu mkldnn opengl opencl ideep hip ve fpga maia xla lazy vulkan mps meta hpu "
    "mtia privateuseone"
).split()
WRITTEN = re.compile("([A-Za-z_]+)(?::(0|[1-9][0-9]*))?")  # cuda:1


def parse(text: str) -> tuple[str, int | None]:
    """Type and index from ``"cuda:1"``."""
    if not text:
        raise RuntimeError(errors.EMPTY_DEVICE)
    found = WRITTEN.fullmatch(text)
    if found is None:
        raise RuntimeError(errors.invalid_device(text))
    kind, number = found.groups()
    if kind not in TYPES:
        raise RuntimeError(errors.unknown_device(", ".join(TYPES), kind))
    return kind, None if number is None else int(number)


CPU, META = device("cpu"), device("meta")


class _Default(threading.local):
    """A thread's default device: of the innermost `with` block, or else the one that was set."""

    def __init__(self) -> None:
        self.stack: list[device] = []
        self.chosen: device | None = None


default = _Default()


def set_default_device(device: Any) -> None:
    """Make `device` the default for new tensors; None restores the CPU.

    >>> torch.set_default_device("meta"); torch.zeros(2).is_meta
    True
    >>> torch.set_default_device(None); torch.zeros(2).is_meta
    False
    """
    default.chosen = None if device is None else globals()["device"](device)


def get_default_device() -> device:
    """The device of new tensors: ``device(type='cpu')`` unless it was changed."""
    return default.stack[-1] if default.stack else default.chosen or CPU


def of(array: Any) -> device:
    """The device of an array: the CPU for a NumPy array, else its `torch_device`."""
    return getattr(array, "torch_device", CPU)


def usable(wanted: Any) -> device:
    """The device for a new tensor: `wanted`, or the default; raises if it is not available."""
    found = get_default_device() if wanted is None else wanted
    if found.__class__ is not device:
        found = device(found)
    if found.type == "cpu":
        return CPU
    if found.type == "meta":
        return META
    if found.type in ("cuda", "xpu", "mtia"):
        raise AssertionError(errors.not_compiled_with(found.type.upper()))
    raise NotImplementedError(errors.no_backend(found.type.upper()))
