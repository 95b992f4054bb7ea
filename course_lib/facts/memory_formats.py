"""Memory formats: the orders in which the elements of a batch of images may lie."""

from __future__ import annotations

from typing import Any

from course_lib.facts import errors


class memory_format:
    """An order of the elements in memory; its only instances are the four below."""

    __slots__ = ("name", "order")

    def __init__(self, name: str, order: tuple[int, ...] | None = None):
        self.name = name
        self.order = order  # the dimensions from the slowest to the fastest

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> Any:
        return named, (self.name,)


contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
channels_last = memory_format("channels_last", (0, 2, 3, 1))
channels_last_3d = memory_format("channels_last_3d", (0, 2, 3, 4, 1))


def named(name: str) -> memory_format:
    """The memory format called `name`."""
    found: memory_format = globals()[name]
    return found


def order_of(wanted: memory_format, ndim: int) -> tuple[int, ...]:
    """The dimensions from the slowest to the fastest; RuntimeError if `ndim` does not fit."""
    order = wanted.order or tuple(range(ndim))
    if len(order) != ndim:
        raise RuntimeError(errors.format_rank(len(order), wanted.name))
    return order
