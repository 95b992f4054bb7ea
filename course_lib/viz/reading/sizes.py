"""How large a gradient is, in numbers that add up over several tensors."""

import math
from dataclasses import dataclass
from typing import Any

MEASURES = {
    "mean": "mean |g|, the average size of its numbers",
    "norm": "the norm, the root of the sum of squares",
    "max": "max |g|, the size of its largest number",
}
# a size below the bound is told by the word; the last one has no bound
WORDS = (
    (1e-6, "vanishing"),
    (1e-4, "tiny"),
    (1e-2, "small"),
    (1e2, "ordinary"),
    (1e4, "large"),
    (1e6, "huge"),
    (math.inf, "exploding"),
)


@dataclass(frozen=True)
class Size:
    """Sums over the numbers of a gradient: of their sizes and of their squares; the largest; how
    many they are."""

    total: float = 0.0
    squares: float = 0.0
    largest: float = 0.0
    count: int = 0

    def __add__(self, other: "Size") -> "Size":
        return Size(
            self.total + other.total,
            self.squares + other.squares,
            max(self.largest, other.largest),
            self.count + other.count,
        )

    def by(self, measure: str) -> float:
        """One of the `MEASURES`.

        >>> Size(7.0, 25.0, 4.0, 2).by("mean"), Size(7.0, 25.0, 4.0, 2).by("norm")
        (3.5, 5.0)
        """
        if not math.isfinite(self.total):
            return self.total
        mean = self.total / max(self.count, 1)
        return {"mean": mean, "norm": math.sqrt(self.squares), "max": self.largest}[measure]


def size_of(gradient: Any) -> Size:
    """The size of one gradient, added up in float64.

    >>> import course_lib as torch
    >>> size_of(torch.tensor([3., -4.]))
    Size(total=7.0, squares=25.0, largest=4.0, count=2)
    """
    if getattr(gradient, "is_sparse", False):
        gradient = gradient.to_dense()
    count = math.prod(gradient.shape)
    if not count:
        return Size()
    sizes = gradient.abs().double()
    return Size(sizes.sum().item(), (sizes * sizes).sum().item(), sizes.max().item(), count)


def heat_of(size: float) -> int:
    """The step of heat that a size has, from 0 for vanishing to 6 for exploding.

    >>> heat_of(1e-9), heat_of(1.0), heat_of(1e9)
    (0, 3, 6)
    """
    return next(step for step, (bound, _) in enumerate(WORDS) if size < bound or step == 6)


def word_of(size: float) -> str:
    """What a size is called.

    >>> word_of(1e-9), word_of(0.5), word_of(0.0), word_of(float("nan"))
    ('vanishing', 'ordinary', 'zero', 'nan')
    """
    if not math.isfinite(size):
        return str(size)
    return "zero" if size == 0 else WORDS[heat_of(size)][1]
