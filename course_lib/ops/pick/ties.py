"""Which of several equal elements comes first: as PyTorch's algorithms leave them.

Note [Ties]: `topk`, `mode`, and `sort` without ``stable=True`` promise no order among equal
elements.  The indices that they return all the same depend on how the algorithm swaps elements on
its way, so an exercise that prints them must swap alike.  PyTorch's are those of GNU's C++ library:
D. Musser, Introspective sorting and selection algorithms, Software: Practice and Experience 27
(1997).  NumPy sorts first, and only lines in which elements are equal are arranged here.  Above
`MOST` elements that would take too long: there equal elements stay in order, and so they do where
that library takes a heap.

A list here holds pairs of a rank (equal for equal elements) and an index.
"""

from collections.abc import Callable
from operator import itemgetter
from typing import Any

import numpy as np

from course_lib.memory.places import take_along

MOST = 5000
FEW = 16  # elements that are sorted by insertion, which keeps equal ones in order

Pairs = list[tuple[int, int]]


def rearrange_ties(
    indices: Any, array: Any, axis: int, arrange: Callable[[Pairs], None], always: bool = False
) -> Any:
    """The `indices` that sort `array`, with equal elements as `arrange` leaves them.

    `always`: the unequal ones too, since `arrange` does not sort all of them.
    """
    if array.__class__ is not np.ndarray or array.size > MOST:
        return indices
    values = take_along(array, indices, axis).swapaxes(axis, -1)
    left, right = values[..., :-1], values[..., 1:]
    new = (left != right) & ((left == left) | (right == right))  # nan is a tie with nan
    lines, tied = indices.swapaxes(axis, -1), ~new.all(axis=-1) | always
    for line in map(tuple, np.argwhere(tied)):
        ranks = [0, *new[line].cumsum().tolist()]
        pairs = [(0, 0)] * len(ranks)
        for rank, index in zip(ranks, lines[line].tolist(), strict=True):
            pairs[index] = (rank, index)
        arrange(pairs)
        lines[line] = [index for _, index in pairs]
    return indices


def introsort(a: Pairs, first: int = 0, last: int | None = None) -> None:
    """Sort ``a[first:last]``: divide it, and sort what is small by insertion."""
    last = len(a) if last is None else last
    while last - first > FEW:
        cut = divide(a, first, last)
        introsort(a, cut, last)
        last = cut
    a[first:last] = sorted(a[first:last], key=itemgetter(0))


def leading(k: int, ordered: bool) -> Callable[[Pairs], None]:
    """A function that brings the `k` first to the front: `topk`."""

    def arrange(a: Pairs) -> None:
        if k * 64 <= len(a):
            return a.sort()
        introselect(a, k - 1)
        if ordered:
            introsort(a, 0, k - 1)

    return arrange


def introselect(a: Pairs, place: int) -> None:
    """Bring the element that belongs there to `place`, those before it to the left."""
    first, last = 0, len(a)
    while last - first > 3:
        cut = divide(a, first, last)
        first, last = (cut, last) if cut <= place else (first, cut)
    a[first:last] = sorted(a[first:last], key=itemgetter(0))


def divide(a: Pairs, first: int, last: int) -> int:
    """Part ``a[first:last]`` at the median of three elements; returns where."""
    three = sorted((a[i][0], -i) for i in (first + 1, first + (last - first) // 2, last - 1))
    middle = -three[1][1]
    a[first], a[middle] = a[middle], a[first]
    pivot, left, right = a[first][0], first + 1, last - 1
    while True:
        while a[left][0] < pivot:
            left += 1
        while a[right][0] > pivot:
            right -= 1
        if left >= right:
            return left
        a[left], a[right] = a[right], a[left]
        left, right = left + 1, right - 1
