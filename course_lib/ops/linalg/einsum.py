"""`einsum`, products and sums written with a letter for each dimension; and the cross product.

A letter in two operands multiplies along it, a letter missing from the output is summed over.
Operands are first brought to one order of dimensions, output letters first; then they are
multiplied from left to right, each pair as one batch of matrix products.
"""

import functools
import math
import re
from typing import Any

import numpy as np

from course_lib.calls.rules import Rule, lacking, lacks, refuse, refuse_type, refuse_value
from course_lib.core.tensor import Tensor
from course_lib.memory.dims import check_broadcast, wrap_dim
from course_lib.ops.linalg.matmul import bmm, dense, differ
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
    refuse_value(len(args) < 2, errors.EINSUM_ARGUMENTS)
    equation, *operands = args
    lacking(isinstance(equation, Tensor), errors.absent, "torch.einsum with lists of numbers")
    refuse_type(not isinstance(equation, str), errors.einsum_equation, equation)
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = list(operands[0])
    for at, operand in enumerate(operands):
        refuse_type(not isinstance(operand, Tensor), errors.element_no_tensor, at, 1, operand)
    inputs, order, kept = plan(equation, tuple(x._array.ndim for x in operands))
    aligned, counts = align(inputs, order, operands)
    return contract(aligned, counts, kept)


# ---- reading the equation ------------------------------------------------------------------------


@functools.lru_cache(maxsize=256)  # a training step has the same few equations each time
def plan(equation: str, ndims: tuple[int, ...]) -> tuple[list[list[Any]], dict[Any, int], int]:
    """The names of each operand's dimensions, the place of each, how many places the output has."""
    left, arrow, right = equation.partition("->")
    parts = left.split(",")
    inputs, covered, start = [], [], 0
    for at, part in enumerate(parts):
        refuse(at == max(len(ndims), 1), errors.einsum_operands, "fewer")
        twice, dot = errors.einsum_second_ellipsis(at), errors.einsum_dot(f"operand {at}", "")
        inputs.append(subscripts(part, start, twice, dot))
        start += len(part) + 1
    refuse(len(parts) != len(ndims), errors.einsum_operands, "more")
    for at, (letters, ndim) in enumerate(zip(inputs, ndims, strict=True)):
        named = len(letters) - (REST in letters)
        if named > ndim or (named < ndim and REST not in letters):
            says = errors.einsum_too_many if REST in letters else errors.einsum_subscripts
            raise RuntimeError(says(named, ndim, at))
        covered.append(ndim - named)
    every = [letter for letters in inputs for letter in letters]
    if arrow:
        dot = errors.einsum_dot("output", " (...)")
        output = subscripts(right, start + 1, errors.EINSUM_OUTPUT_ELLIPSIS, dot)
        check_output(output, every)
    else:
        output = [REST, *(letter for letter in LETTERS if every.count(letter) == 1)]
    summed = [letter for letter in (REST, *LETTERS) if letter in (REST, *every)]
    order = [*output, *(letter for letter in summed if letter not in output)]
    places = {name: place for place, name in enumerate(name_dims(order, max(covered)))}
    return list(map(name_dims, inputs, covered)), places, len(name_dims(output, max(covered)))


def subscripts(text: str, start: int, twice: str, dot: str) -> list[str]:
    """The letters of one operand; `twice` and `dot` say what is wrong with an ellipsis."""
    found: list[str] = []
    for match in re.finditer(r"\.{3}|[^ ]", text):
        piece = match[0]
        if piece[0] == "." and (REST in found or piece != REST):
            raise RuntimeError(twice if REST in found else dot)
        refuse(piece != REST and piece not in LETTERS, errors.einsum_letter, start + match.start())
        found.append(piece)
    return found


def check_output(output: list[str], every: list[str]) -> None:
    """Raise for a letter of the output that stands there twice, or in no operand."""
    for at, letter in enumerate(output):
        refuse(letter in output[:at], errors.einsum_output_twice, letter)
        refuse(letter not in (REST, *every), errors.einsum_output, letter)


def name_dims(letters: list[str], covered: int) -> list[Any]:
    """One name per dimension: what an ellipsis covers is numbered from the right.

    >>> name_dims(["...", "i"], 2)
    [('...', -2), ('...', -1), 'i']
    """
    rest = [(REST, n) for n in range(-covered, 0)]
    return [name for letter in letters for name in (rest if letter == REST else [letter])]


# ---- one order of dimensions for all -------------------------------------------------------------


def align(
    inputs: list[list[Any]], order: dict[Any, int], operands: list[Any]
) -> tuple[list[Tensor], list[int]]:
    """Every operand with all dimensions, in `order`; how many have each with a size above 1."""
    size: dict[Any, int] = {}
    counts = [0] * len(order)
    aligned = []
    for at, (names, operand) in enumerate(zip(inputs, operands, strict=True)):
        dims: dict[Any, int] = {}
        for name in names:
            dim = len(dims)
            n = operand._array.shape[dim]
            if name in dims:
                operand = diagonal(operand, dims[name], dim, name, at)
                continue
            if n != 1:
                if size.setdefault(name, n) != n:
                    if isinstance(name, tuple):
                        raise RuntimeError(errors.einsum_ellipsis_sizes(dim, at, n, size[name]))
                    raise RuntimeError(errors.einsum_sizes(name, n, at, size[name]))
                counts[order[name]] += 1
            dims[name] = dim
        for name in order:
            if name not in dims:
                operand = operand.unsqueeze(len(dims))
                dims[name] = len(dims)
        aligned.append(operand.permute(tuple([dims[name] for name in order])))
    return aligned, counts


def diagonal(operand: Any, first: int, second: int, letter: str, at: int) -> Any:
    """A letter used twice in one operand stands for the diagonal."""
    m, n = operand._array.shape[first], operand._array.shape[second]
    refuse(m != n, errors.einsum_repeated, letter, at, n, m)
    return operand.diagonal(0, first, second).movedim(-1, first)


# ---- products and sums ---------------------------------------------------------------------------


def contract(operands: list[Any], counts: list[int], kept: int) -> Any:
    """The product of all operands, from left to right; a dimension is summed with its last user."""
    result, *others = operands
    for other in others:
        left, right, both = [], [], []
        for dim in range(kept, len(counts)):
            one, two = result._array.shape[dim] != 1, other._array.shape[dim] != 1
            counts[dim] -= one and two
            if counts[dim] == 1 and (one or two):
                (both if one and two else left if one else right).append(dim)
                counts[dim] = 0
        result = result.sum(left, True) if left else result
        result = pair(result, other.sum(right, True) if right else other, both)
    if len(counts) == kept:
        return result
    if others:
        return result.view(result._array.shape[:kept])
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
    tall, wide = left._array.shape, right._array.shape
    batches, heights = [tall[d] for d in batch], [tall[d] for d in rows]
    widths, inner = [wide[d] for d in columns], math.prod([tall[d] for d in summed])
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
    refuse(a.ndim != b.ndim, errors.CROSS_RANKS)
    at = wrap_dim(dim, a.ndim)
    if not a.ndim or a.shape[at] != 3 or b.shape[at] != 3:
        sizes = (1, 1) if not a.ndim else (a.shape[at], b.shape[at])
        raise RuntimeError(errors.cross_length(dim, *sizes))
    check_broadcast([a, b])


@dense(
    method=False,
    refuses=(
        check_cross,
        lacks("bool", "cross"),
        Rule(differ, errors.expected_scalar_type, of=("self", "other")),
    ),
    self=lambda grad, other, dim: linalg_cross(other, grad, dim=dim),
    other=lambda grad, self, dim: linalg_cross(grad, self, dim=dim),
)
def linalg_cross(self, other, *, dim=-1):
    """The cross product of vectors of size 3 along `dim`, perpendicular to both.

    >>> torch.linalg.cross(torch.tensor([1., 0., 0.]), torch.tensor([0., 1., 0.]))
    tensor([0., 0., 1.])
    """
    return np.cross(self, other, axis=dim)
