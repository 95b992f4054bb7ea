"""Which numbers of a tensor are NaN or infinite, and where the first of them is."""

import math
from dataclasses import dataclass
from typing import Any

from course_lib.viz.reading.values import number


@dataclass(frozen=True)
class Look:
    """How many numbers are NaN, how many infinite, of how many; place and value of the first."""

    nan: int
    inf: int
    total: int
    place: tuple[int, ...] = ()
    first: float | complex = 0.0

    @property
    def bad(self) -> bool:
        """Whether there is one at all."""
        return self.nan + self.inf > 0

    def told(self) -> str:
        """In words.

        >>> Look(1, 2, 4).told(), Look(0, 1, 1).told(), Look(0, 0, 4).told()
        ('1 nan and 2 inf of 4 numbers', 'inf', 'finite')
        """
        if not self.bad:
            return "finite"
        if self.total == 1:
            return "nan" if self.nan else "inf"
        parts = [f"{n:,} {word}" for n, word in ((self.nan, "nan"), (self.inf, "inf")) if n]
        return f"{' and '.join(parts)} of {self.total:,} numbers"

    def word(self) -> str:
        """The first one: `nan`, `inf` or `-inf`."""
        return number(self.first)


def look_at(tensor: Any) -> Look | None:
    """What there is to see in a tensor; None where it has no numbers to read, as on meta.

    >>> import course_lib as torch
    >>> look_at(torch.tensor([[1., 2.], [float("nan"), 4.]]))
    Look(nan=1, inf=0, total=4, place=(1, 0), first=nan)
    """
    total = math.prod(tensor.shape)
    if tensor.device.type == "meta":
        return None
    if getattr(tensor, "is_sparse", False):
        tensor = tensor.to_dense()
    if not (tensor.is_floating_point() or tensor.is_complex()) or not total:
        return Look(0, 0, total)
    flat = tensor.detach().reshape(-1)
    bad = ~flat.isfinite()
    many = int(bad.sum().item())
    if not many:
        return Look(0, 0, total)
    nan = int(flat.isnan().sum().item())
    at = int(bad.nonzero()[0].item())
    return Look(nan, many - nan, total, place_of(at, tuple(tensor.shape)), flat[at].item())


def place_of(at: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The indices of number `at` of a tensor.

    >>> place_of(5, (2, 3))
    (1, 2)
    """
    places = []
    for size in reversed(shape):
        at, place = divmod(at, size)
        places.append(place)
    return tuple(reversed(places))


def at_place(tensor: Any, shape: tuple[int, ...], place: tuple[int, ...]) -> Any:
    """The number of a tensor that stands at a place once it is broadcast to a shape; None where it
    cannot be broadcast, as with the factors of a matrix product.

    >>> import course_lib as torch
    >>> at_place(torch.tensor([1., 2.]), (3, 2), (0, 1))
    2.0
    """
    if not hasattr(tensor, "shape"):
        return tensor
    own = tuple(tensor.shape)
    behind = shape[len(shape) - len(own) :]
    if len(own) > len(shape) or any(n not in (1, m) for n, m in zip(own, behind, strict=True)):
        return None
    inner = place[len(place) - len(own) :]
    index = tuple(0 if n == 1 else k for n, k in zip(own, inner, strict=True))
    return tensor.detach()[index].item()
