"""`einsum`, products and sums written with a letter for each dimension; and the cross product.

A letter in two operands multiplies along it, a letter missing from the output is summed over.
Operands are first brought to one order of dimensions, output letters first; then they are
multiplied from left to right, each pair as one batch of matrix products.
"""

from __future__ import annotations

import functools
import math
import re
from typing import Any

import numpy as np

from course_lib.calls.rules import Rule
from course_lib.core.tensor import Tensor
from course_lib.memory.dims import check_broadcast, wrap_dim
from course_lib.ops.linalg.matmul import bmm, dense, differ, no_bools
from course_lib.words import errors

__all__ = ["einsum"]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
REST = "..."


def einsum(*args: Any) -> Tensor:
    """The sum of products that the equation names: ``ij,jk->ik`` is a matrix product.

    >>> a, b = torch.tensor([[1., 2.], [3., 4.]]), torch.tensor([[0., 1.], [1., 0.]])
    >>> torch.einsum("ij,jk->ik", a, b)
    tensor([[2., 1.],
            [4., 3.]])
    >>> torch.einsum("ii", a)
    tensor(5.)
    """
    if len(args) < 2:
        raise ValueError(errors.EINSUM_ARGUMENTS)
    equation, *operands = args
    if isinstance(equation, Tensor):
        raise NotImplementedError(errors.absent("torch.einsum with lists of numbers"))
    if not isinstance(equation, str):
        raise TypeError(errors.einsum_equation(equation))
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = list(operands[0])
    for at, operand in enumerate(operands):
        if not isinstance(operand, Tensor):
            raise TypeError(errors.einsum_operand(at, operand))
    inputs, order, kept = plan(equation, tuple(x._array.ndim for x in operands))
    aligned, counts = align(inputs, order, operands)
    return contract(aligned, counts, kept)


# ---- reading the equation ------------------------------------------------------------------------


@functools.lru_cache(maxsize=256)  # a training step has the same few equations each time
def plan(equation: str, ndims: tuple[int, ...]) -> tuple[list[list[str]], dict[Any, int], int]:
    """The letters of each operand, the place of each letter, how many places the output has."""
    inputs, output = parse(equation, ndims)
    return inputs, *arrange(inputs, output, ndims)


def parse(equation: str, ndims: tuple) -> tuple[list[list[str]], list[str] | None]:
    """The letters of each operand, and of the output (None: not given)."""
    left, arrow, right = equation.partition("->")
    inputs: list[list[str]] = []
    start = 0
    for number, part in enumerate(left.split(",")):
        if number == max(len(ndims), 1):
            raise RuntimeError(errors.EINSUM_FEWER)
        twice, where = errors.einsum_second_ellipsis(number), f"operand {number}"
        inputs.append(subscripts(part, start, twice, errors.einsum_dot(where, "")))
        start += len(part) + 1
    if len(inputs) != len(ndims):
        raise RuntimeError(errors.EINSUM_MORE)
    for at, (letters, ndim) in enumerate(zip(inputs, ndims, strict=True)):
        named = len(letters) - (REST in letters)
        if REST in letters and named > ndim:
            raise RuntimeError(errors.einsum_too_many(named, ndim, at))
        if REST not in letters and named != ndim:
            raise RuntimeError(errors.einsum_subscripts(named, ndim, at))
    if not arrow:
        return inputs, None
    dot = errors.einsum_dot("output", " (...)")
    output = subscripts(right, start + 1, errors.EINSUM_OUTPUT_ELLIPSIS, dot)
    known = {letter for letters in inputs for letter in letters}
    for at, letter in enumerate(output):
        if letter != REST and letter in output[:at]:
            raise RuntimeError(errors.einsum_output_twice(letter))
        if letter != REST and letter not in known:
            raise RuntimeError(errors.einsum_output(letter))
    return inputs, output


def subscripts(text: str, start: int, twice: str, dot: str) -> list[str]:
    """The letters of one operand; `twice` and `dot` say what is wrong with an ellipsis."""
    found: list[str] = []
    for match in re.finditer(r"\.{3}|.", text, re.DOTALL):
        piece = match[0]
        if piece[0] == ".":
            if REST in found:
                raise RuntimeError(twice)
            if piece != REST:
                raise RuntimeError(dot)
        elif piece not in LETTERS + " ":
            raise RuntimeError(errors.einsum_letter(start + match.start()))
        if piece != " ":
            found.append(piece)
    return found


# ---- one order of dimensions for all -------------------------------------------------------------


def arrange(
    inputs: list[list[str]], output: list[str] | None, ndims: tuple
) -> tuple[dict[Any, int], int]:
    """The place of each letter, and how many places the output has.

    A dimension covered by an ellipsis is the pair ``("...", number)``, numbered from the right.
    """
    rest = max(
        (ndim - len(letters) + 1 for letters, ndim in zip(inputs, ndims) if REST in letters),
        default=0,
    )
    dots = [(REST, -n) for n in range(rest, 0, -1)]
    every = [letter for letters in inputs for letter in letters if letter != REST]
    if output is None:
        shown = [*dots, *(x for x in LETTERS if every.count(x) == 1)]
    else:
        shown = []
        for letter in output:
            shown.extend(dots if letter == REST else [letter])
    summed = [*(dots if output is not None and REST not in output else [])]
    summed += [x for x in LETTERS if x in every and x not in shown]
    return {letter: place for place, letter in enumerate([*shown, *summed])}, len(shown)


def align(
    inputs: list[list[str]], order: dict[Any, int], operands: list[Any]
) -> tuple[list[Tensor], list[int]]:
    """Every operand with all dimensions, in `order`; how many have each with a size above 1."""
    size: dict[Any, int] = {}
    counts = [0] * len(order)
    aligned = []
    for at, (letters, operand) in enumerate(zip(inputs, operands, strict=True)):
        places: list[int | None] = [None] * len(order)
        dim = 0
        for letter in expanded(letters, operand._array.ndim):
            n = operand._array.shape[dim]
            place = order[letter]
            if places[place] is not None:
                operand = diagonal(operand, places[place], dim, letter, at)
                continue
            if n != 1:
                if size.setdefault(letter, n) != n:
                    if isinstance(letter, tuple):
                        raise RuntimeError(errors.einsum_ellipsis_sizes(dim, at, n, size[letter]))
                    raise RuntimeError(errors.einsum_sizes(letter, n, at, size[letter]))
                counts[place] += 1
            places[place] = dim
            dim += 1
        for place, found in enumerate(places):
            if found is None:
                operand = operand.unsqueeze(dim)
                places[place] = dim
                dim += 1
        aligned.append(operand.permute(tuple(places)))
    return aligned, counts


def expanded(letters: list[str], ndim: int) -> list[Any]:
    """One letter per dimension: the ellipsis becomes what it covers."""
    covered = ndim - len(letters) + 1
    found: list[Any] = []
    for letter in letters:
        found.extend([(REST, -n) for n in range(covered, 0, -1)] if letter == REST else [letter])
    return found


def diagonal(operand: Any, first: Any, second: int, letter: str, at: int) -> Any:
    """A letter used twice in one operand stands for the diagonal."""
    m, n = operand._array.shape[first], operand._array.shape[second]
    if m != n:
        raise RuntimeError(errors.einsum_repeated(letter, at, n, m))
    return operand.diagonal(0, first, second).movedim(-1, first)


# ---- products and sums ---------------------------------------------------------------------------


def contract(operands: list[Any], counts: list[int], kept: int) -> Any:
    """The product of all operands, from left to right; a dimension is summed with its last user."""
    result, *others = operands
    for other in others:
        alone: tuple[list[int], list[int]] = [], []
        both = []
        for dim in range(kept, len(counts)):
            one, two = result._array.shape[dim] != 1, other._array.shape[dim] != 1
            if one and two:
                counts[dim] -= 1
                if counts[dim] == 1:
                    both.append(dim)
                    counts[dim] = 0
            elif counts[dim] == 1 and (one or two):
                alone[0 if one else 1].append(dim)
                counts[dim] = 0
        if alone[0]:
            result = result.sum(alone[0], True)
        if alone[1]:
            other = other.sum(alone[1], True)
        result = pair(result, other, both)
    if len(counts) == kept:
        return result
    if others:
        return result.view(result.shape[:kept])
    return result.sum(list(range(kept, len(counts))))


def pair(left: Any, right: Any, summed: list[int]) -> Any:
    """The product of two operands, summed over some dimensions, by one batch of matrix products."""
    if not summed:
        return left * right
    batch, rows, columns = [], [], []
    for dim, (m, n) in enumerate(zip(left._array.shape, right._array.shape, strict=True)):
        if dim not in summed:
            (batch if m != 1 and n != 1 else rows if m != 1 else columns).append(dim)
    if rows and columns and columns[-1] < rows[0]:  # so that the result needs no reordering
        left, right, rows, columns = right, left, columns, rows
    batches = [left.shape[d] for d in batch]
    heights, widths = [left.shape[d] for d in rows], [right.shape[d] for d in columns]
    inner = math.prod(left.shape[d] for d in summed)
    one = left.permute((*batch, *rows, *summed, *columns))
    two = right.permute((*batch, *summed, *columns, *rows))
    result = bmm(
        one.reshape(math.prod(batches), math.prod(heights), inner),
        two.reshape(math.prod(batches), inner, math.prod(widths)),
    )
    places = [*batch, *rows, *summed, *columns]
    result = result.view((*batches, *heights, *[1] * len(summed), *widths))
    return result.permute(tuple(sorted(range(len(places)), key=places.__getitem__)))


# ---- the cross product ---------------------------------------------------------------------------


def check_cross(self: Any, other: Any, dim: int) -> None:
    """Raise PyTorch's error unless there are vectors of size 3 along `dim`."""
    a, b = self._array, other._array
    if a.ndim != b.ndim:
        raise RuntimeError(errors.CROSS_RANKS)
    at = wrap_dim(dim, a.ndim)
    if not a.ndim or a.shape[at] != 3 or b.shape[at] != 3:
        sizes = (1, 1) if not a.ndim else (a.shape[at], b.shape[at])
        raise RuntimeError(errors.cross_length(dim, *sizes))
    check_broadcast([a, b])


@dense(
    method=False,
    refuses=(
        check_cross,
        no_bools("cross"),
        Rule(differ, errors.cross_dtypes, of=("self", "other")),
    ),
    self=lambda grad, other, dim: linalg_cross(other, grad, dim=dim),
    other=lambda grad, self, dim: linalg_cross(grad, self, dim=dim),
    holomorphic=True,
)
def linalg_cross(self, other, *, dim=-1):
    """The cross product of vectors of size 3 along `dim`, perpendicular to both.

    >>> torch.linalg.cross(torch.tensor([1., 0., 0.]), torch.tensor([0., 1., 0.]))
    tensor([0., 0., 1.])
    """
    return np.cross(self, other, axis=dim)
