"""`torch.Generator`, a source of random numbers; its seed and its state."""

import contextlib
from collections.abc import Iterator
from typing import Any, Self

from course_lib.calls.overloads import overloads
from course_lib.calls.rules import refuse, refuse_type
from course_lib.core.tensor import Tensor
from course_lib.dtypes import dtypes
from course_lib.memory import devices
from course_lib.ops.make.creation import finish
from course_lib.rng import rng
from course_lib.words import errors

__all__ = ["Generator", "default_generator", "get_rng_state", "initial_seed", "manual_seed"]
__all__ += ["seed", "set_rng_state"]


class Generator(rng.Generator):
    """A source of random numbers, with its own seed and state.

    >>> g = torch.Generator().manual_seed(0)
    >>> torch.rand(2, generator=g)
    tensor([0.4963, 0.7682])
    """

    __slots__ = ()

    def __init__(self, *args: Any, **kwargs: Any):
        where = overloads("torch", "Generator").parse(args, kwargs).get("device", devices.CPU)
        refuse(where.type == "cuda", errors.no_cuda_library, "get CUDA generator")
        refuse(where.type != "cpu", errors.no_generator, where.type.upper())
        super().__init__()

    @property
    def device(self) -> devices.device:
        """Where its numbers are made: ``device(type='cpu')``."""
        return devices.CPU

    def get_state(self) -> Any:
        """The whole state of the generator, as a uint8 tensor."""
        return finish(super().get_state(), dtypes.uint8)

    def set_state(self, new_state: Any) -> Self:
        """Restore a state that `get_state` returned; returns the generator itself."""
        refuse_type(not isinstance(new_state, Tensor), errors.byte_tensor_expected, new_state)
        return super().set_state(new_state._array)

    def __repr__(self) -> str:
        return f"<torch._C.Generator object at {id(self):#x}>"

    def __reduce__(self) -> Any:
        return restore_generator, (self.get_state(),)


def restore_generator(state: Tensor) -> Generator:
    """The generator that a pickle describes."""
    return Generator().set_state(state)


default_generator = Generator()
default_generator.seed()  # without `manual_seed`, every run of a program gives other numbers


def manual_seed(seed: Any) -> Generator:
    """Restart the default generator from `seed`; returns that generator.

    >>> _ = torch.manual_seed(0)
    >>> torch.rand(2)
    tensor([0.4963, 0.7682])
    """
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Restart the default generator from a seed that the operating system supplies; returns it."""
    return default_generator.seed()


def initial_seed() -> int:
    """The seed that the default generator was last started from.

    >>> torch.manual_seed(7).initial_seed(), torch.initial_seed()
    (7, 7)
    """
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The whole state of the default generator, as a uint8 tensor.

    >>> torch.get_rng_state().dtype
    torch.uint8
    """
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Restore a state of the default generator that `get_rng_state` returned.

    >>> before = torch.get_rng_state(); a = torch.rand(3)
    >>> torch.set_rng_state(before); torch.equal(a, torch.rand(3))
    True
    """
    default_generator.set_state(new_state)


@contextlib.contextmanager
def fork_rng(
    devices: Any = None, enabled: bool = True, device_type: str = "cuda", **_: Any
) -> Iterator[None]:
    """A context that restores the state of the default generator at the end of the block.

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
