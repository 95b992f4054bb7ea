"""`torch.Size`: the shape of a tensor."""

import math
from typing import Any

from course_lib.words import errors


def as_index(value: Any, at: int) -> int:
    """A value with `__index__` as an integer; TypeError with PyTorch's message if it has none."""
    try:
        return int(value.__index__())
    except (AttributeError, TypeError):
        raise TypeError(errors.size_item(at, value)) from None


class Size(tuple):
    """The shape of a tensor: a tuple that prints as ``torch.Size([2, 3])``."""

    __slots__ = ()

    def __new__(cls, sizes: Any = ()) -> "Size":
        return tuple.__new__(
            cls, [n if n.__class__ is int else as_index(n, at) for at, n in enumerate(sizes)]
        )

    def numel(self) -> int:
        """The number of elements of a tensor of this size."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __getitem__(self, index: Any) -> Any:
        found = tuple.__getitem__(self, index)
        return tuple.__new__(Size, found) if isinstance(index, slice) else found

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, tuple):
            raise TypeError(errors.size_and_other(other))
        return Size(tuple.__add__(self, other))

    def __radd__(self, other: Any) -> Any:
        return Size(tuple(other) + tuple(self))

    def __mul__(self, count: Any) -> Any:
        return Size(tuple.__mul__(self, count))

    __rmul__ = __mul__

    def __reduce__(self) -> Any:
        return Size, (tuple(self),)
