"""Which of several equal elements comes first: as PyTorch's algorithms leave them.

Note [Ties]: `topk`, `kthvalue`, `mode`, and `sort` without ``stable=True`` promise no order among
equal elements.  The indices that they return all the same depend on how the algorithm swaps
elements on its way, so an exercise that prints them must swap alike.  PyTorch's are those of GNU's
C++ library: D. Musser, Introspective sorting and selection algorithms, Software: Practice and
Experience 27 (1997), and heaps; `kthvalue` has Hoare's quickselect.  NumPy sorts first, and only
lines in which elements are equal are arranged here.  Above `MOST` elements that would take too
long: there equal elements stay in order.

A list here holds pairs of a rank (equal for equal elements) and an index.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from course_lib.memory.places import taken

__all__: list[str] = []

MOST = 5000
FEW = 16  # elements that are sorted by insertion, which keeps equal ones in order

Pairs = list[tuple[int, int]]


def rearranged(
    indices: Any, array: Any, axis: int, arrange: Callable[[Pairs], None], always: bool = False
) -> Any:
    """The `indices` that sort `array`, with equal elements as `arrange` leaves them.

    `always`: the unequal ones too, since `arrange` does not sort all of them.
    """
    if array.__class__ is not np.ndarray or array.size > MOST:
        return indices
    values = taken(array, indices, axis)
    values = values if axis == values.ndim - 1 else np.moveaxis(values, axis, -1)
    left, right = values[..., :-1], values[..., 1:]
    new = left != right
    if values.dtype.kind not in "iub":
        new &= (left == left) | (right == right)  # nan is a tie with nan
    if not always and new.all():
        return indices
    ranks = np.zeros(values.shape, np.int64)
    np.cumsum(new, axis=-1, out=ranks[..., 1:])
    lines = np.moveaxis(indices, axis, -1)
    for line in np.ndindex(lines.shape[:-1]):
        if always or not new[line].all():
            pairs = [(0, 0)] * len(lines[line])
            for rank, index in zip(ranks[line].tolist(), lines[line].tolist(), strict=True):
                pairs[index] = (rank, index)
            arrange(pairs)
            lines[line] = [index for _, index in pairs]
    return indices


# ---- what the operations do ----------------------------------------------------------------------


def introsort(a: Pairs, first: int = 0, last: int | None = None) -> None:
    """Sort ``a[first:last]``: by quicksort, then small parts by insertion."""
    last = len(a) if last is None else last
    if last - first > 1:
        quicksort(a, first, last, depth(last - first))
        insert_all(a, first, min(first + FEW, last))
        for i in range(first + FEW, last):
            insert(a, i)


def leading(k: int, ordered: bool) -> Callable[[Pairs], None]:
    """A function that brings the `k` first to the front: `topk`."""

    def arrange(a: Pairs) -> None:
        if k * 64 <= len(a):
            heapsort(a, 0, k, len(a))
        else:
            introselect(a, k - 1)
            if ordered:
                introsort(a, 0, k - 1)

    return arrange


# ---- quicksort, and its halt at one place --------------------------------------------------------


def depth(count: int) -> int:
    """How often a part may be divided before a heap takes over."""
    return 2 * (count.bit_length() - 1)


def quicksort(a: Pairs, first: int, last: int, limit: int) -> None:
    """Divide until the parts are small."""
    while last - first > FEW:
        if not limit:
            return heapsort(a, first, last, last)
        limit -= 1
        cut = divide(a, first, last)
        quicksort(a, cut, last, limit)
        last = cut


def introselect(a: Pairs, place: int) -> None:
    """Bring the element that belongs there to `place`, those before it to the left."""
    first, last, limit = 0, len(a), depth(len(a))
    while last - first > 3:
        if not limit:
            select(a, first, place + 1, last)
            return swap(a, first, place)
        limit -= 1
        cut = divide(a, first, last)
        first, last = (cut, last) if cut <= place else (first, cut)
    insert_all(a, first, last)


def divide(a: Pairs, first: int, last: int) -> int:
    """Part ``a[first:last]`` at the median of three elements; returns where."""
    three = [(a[i][0], i) for i in (first + 1, first + (last - first) // 2, last - 1)]
    (x, _), (y, _), (z, _) = three
    if x < y:
        middle = 1 if y < z else 2 if x < z else 0
    else:
        middle = 0 if x < z else 2 if y < z else 1
    swap(a, first, three[middle][1])
    pivot, left, right = a[first][0], first + 1, last - 1
    while True:
        while a[left][0] < pivot:
            left += 1
        while a[right][0] > pivot:
            right -= 1
        if left >= right:
            return left
        swap(a, left, right)
        left, right = left + 1, right - 1


def swap(a: Pairs, i: int, j: int) -> None:
    a[i], a[j] = a[j], a[i]


# ---- insertion -----------------------------------------------------------------------------------


def insert_all(a: Pairs, first: int, last: int) -> None:
    """Sort ``a[first:last]``; equal elements stay in order."""
    a[first:last] = sorted(a[first:last], key=rank_of)


def rank_of(pair: tuple[int, int]) -> int:
    return pair[0]


def insert(a: Pairs, i: int) -> None:
    """Move ``a[i]`` left, up to an element that is not larger."""
    pair = a[i]
    while pair[0] < a[i - 1][0]:
        a[i] = a[i - 1]
        i -= 1
    a[i] = pair


# ---- heaps ---------------------------------------------------------------------------------------


def heapsort(a: Pairs, first: int, middle: int, last: int) -> None:
    """Bring the smallest of ``a[first:last]`` to ``a[first:middle]``, in order."""
    select(a, first, middle, last)
    for end in range(middle - 1, first, -1):
        pair, a[end] = a[end], a[first]
        sink(a, first, 0, end - first, pair)


def select(a: Pairs, first: int, middle: int, last: int) -> None:
    """The smallest of ``a[first:last]`` as a heap in ``a[first:middle]``, the largest on top."""
    size = middle - first
    for hole in range(size // 2 - 1, -1, -1):
        sink(a, first, hole, size, a[first + hole])
    for i in range(middle, last):
        if a[i][0] < a[first][0]:
            pair, a[i] = a[i], a[first]
            sink(a, first, 0, size, pair)


def sink(a: Pairs, first: int, hole: int, size: int, pair: tuple[int, int]) -> None:
    """Fill a hole with the larger children down to a leaf, and let `pair` rise from there."""
    top = hole
    while (child := 2 * hole + 2) <= size:
        if child == size or a[first + child][0] < a[first + child - 1][0]:
            child -= 1
        a[first + hole] = a[first + child]
        hole = child
    while hole > top and a[first + (hole - 1) // 2][0] < pair[0]:
        a[first + hole] = a[first + (hole - 1) // 2]
        hole = (hole - 1) // 2
    a[first + hole] = pair
