"""The source of random numbers as users hold it: `torch.Generator`, its seed and its state."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from course_lib.core.tensor import Tensor
from course_lib.facts import devices, dtypes, errors, rng
from course_lib.facts.overloads import Overloads
from course_lib.ops.creation import finish

__all__ = [
    "Generator",
    "default_generator",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
]


class Generator:
    """A source of random numbers with a seed and a state of its own.

    >>> g = torch.Generator().manual_seed(0)
    >>> torch.rand(2, generator=g)
    tensor([0.4963, 0.7682])
    """

    __slots__ = ("_stream", "__weakref__")
    _stream: rng.Generator

    _signature = Overloads("Generator", "torch.device device = None")

    def __init__(self, *args: Any, **kwargs: Any):
        where = self._signature.parse(args, kwargs).get("device", devices.CPU)
        if where.type == "cuda":
            raise RuntimeError(errors.CUDA_GENERATOR)
        if where.type != "cpu":
            raise RuntimeError(errors.no_generator(where.type))
        self._stream = rng.Generator()

    @property
    def device(self) -> devices.device:
        """Where its numbers are made: ``device(type='cpu')``."""
        return devices.CPU

    def manual_seed(self, seed: int) -> Generator:
        """Start anew from `seed`; gives the generator itself."""
        self._stream.manual_seed(seed)
        return self

    def seed(self) -> int:
        """Start anew from a number that the operating system made up; gives that number."""
        return self._stream.seed()

    def initial_seed(self) -> int:
        """The seed it was last started from, however much was drawn since.

        >>> torch.Generator().manual_seed(3).initial_seed()
        3
        """
        return self._stream.initial_seed()

    def get_state(self) -> Tensor:
        """All that decides the next numbers, as a tensor of bytes."""
        return finish(self._stream.get_state(), dtypes.uint8)

    def set_state(self, new_state: Tensor) -> Generator:
        """Continue where `new_state` was taken; gives the generator itself."""
        if not isinstance(new_state, Tensor):
            raise TypeError(errors.byte_tensor_expected(new_state))
        self._stream.set_state(new_state._array)
        return self

    def clone_state(self) -> Generator:
        """Another generator that gives the same numbers from here on."""
        return Generator().set_state(self.get_state())

    def get_offset(self) -> int:
        """Only generators of GPUs have one."""
        raise RuntimeError("CPU Generator does not use offset")

    def __repr__(self) -> str:
        return f"<torch._C.Generator object at {id(self):#x}>"

    def __reduce__(self) -> Any:
        return restored, (self.get_state(),)


def restored(state: Tensor) -> Generator:
    """The generator that a pickle describes."""
    return Generator().set_state(state)


default_generator = Generator()
default_generator._stream = rng.default_generator


def stream(generator: Generator | None) -> rng.Generator:
    """Where the words of a random function come from."""
    return rng.default_generator if generator is None else generator._stream


def manual_seed(seed: Any) -> Generator:
    """Start the default generator anew from `seed`; gives that generator.

    >>> _ = torch.manual_seed(0)
    >>> torch.rand(2)
    tensor([0.4963, 0.7682])
    """
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Start the default generator from a number that the operating system made up; gives it."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed that the default generator was last started from.

    >>> torch.manual_seed(7).initial_seed(), torch.initial_seed()
    (7, 7)
    """
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """All that decides the default generator's next numbers, as a tensor of bytes.

    >>> torch.get_rng_state().dtype
    torch.uint8
    """
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Let the default generator continue where `new_state` was taken.

    >>> before = torch.get_rng_state(); a = torch.rand(3)
    >>> torch.set_rng_state(before); torch.equal(a, torch.rand(3))
    True
    """
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(
    devices: Any = None, enabled: bool = True, device_type: str = "cuda", **_: Any
) -> Iterator[None]:
    """A block whose random numbers leave the default generator as it was.

    >>> _ = torch.manual_seed(0)
    >>> with torch.random.fork_rng():
    ...     noise = torch.rand(5)
    >>> torch.rand(2)
    tensor([0.4963, 0.7682])
    """
    before = get_rng_state()
    try:
        yield
    finally:
        if enabled:
            set_rng_state(before)
