"""The fitting of shapes as plain data, and in words."""

import itertools
import math
from dataclasses import dataclass, replace

CORNER = (4, 6)  # rows and columns that are drawn of each block; of further dimensions, BLOCKS
BLOCKS = 2
MESSAGE = (
    "The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton dimension {}"
)


@dataclass(frozen=True)
class Part:
    """An operand: `cells` tells its elements in row order, None where that would be too much
    or where only a shape is known; then cells are told by their index."""

    name: str
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    cells: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Broadcast:
    """What a picture of a broadcast says: `result` is None where the shapes do not fit, `failed`
    the dimension of the longest shape where they do not, `message` what PyTorch says then.
    `cells` tells the drawn corner of what `op` gives, None where the numbers are not known."""

    parts: tuple[Part, ...]
    result: tuple[int, ...] | None
    failed: int | None = None
    message: str = ""
    op: str = "+"
    cells: tuple[str, ...] | None = None

    @property
    def formula(self) -> str:
        """What is computed, in the names of the operands."""
        return f" {self.op} ".join(part.name for part in self.parts)

    @property
    def dims(self) -> int:
        """How many dimensions the longest shape has."""
        return max(len(part.shape) for part in self.parts)

    def size(self, part: Part, dim: int) -> int | None:
        """The size of a part in a dimension of the result; None where the part has no such one."""
        own = dim - self.dims + len(part.shape)
        return part.shape[own] if own >= 0 else None

    def repeats(self, part: Part, dim: int) -> bool:
        """Whether the part is read again and again along that dimension."""
        if self.result is None:
            return False
        return self.size(part, dim) in (None, 1) and self.result[dim] != 1


def in_order(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The strides of a tensor whose elements lie in row order.

    >>> in_order((2, 3))
    (3, 1)
    """
    return tuple(math.prod(max(n, 1) for n in shape[dim + 1 :]) for dim in range(len(shape)))


def shown(result: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of the corner that is drawn.

    >>> shown((7, 7, 100, 100))
    (1, 2, 4, 6)
    """
    blocks = [1] * max(len(result) - 3, 0) + [BLOCKS] * (len(result) > 2)
    limits = [*blocks, *CORNER[max(2 - len(result), 0) :]]
    return tuple(min(n, limit) for n, limit in zip(result, limits, strict=True))


def strides(broadcast: Broadcast, part: Part) -> tuple[int, ...]:
    """The strides of a part once it is stretched: what `expand` would give it."""
    assert broadcast.result is not None
    if not part.shape:
        return (0,) * broadcast.dims
    found: list[int] = []
    for dim in reversed(range(broadcast.dims)):
        own = dim - broadcast.dims + len(part.shape)
        if broadcast.repeats(part, dim):
            found.append(0)
        elif own >= 0:
            found.append(part.stride[own])
        else:  # a dimension of size 1 in front
            found.append(broadcast.result[dim + 1] * found[-1])
    return tuple(reversed(found))


Cell = tuple[str, bool]  # what is in it, and whether it is a ghost


def grid(broadcast: Broadcast, part: Part | None) -> list[Cell]:
    """The drawn cells of the stretched part, or of the result."""
    assert broadcast.result is not None
    if part is None:
        return [(told, False) for told in broadcast.cells or ()]
    cells = []
    missing = broadcast.dims - len(part.shape)
    again = [broadcast.repeats(part, dim) for dim in range(broadcast.dims)]
    for index in itertools.product(*map(range, shown(broadcast.result))):
        own = tuple(0 if n == 1 else i for i, n in zip(index[missing:], part.shape, strict=True))
        flat = sum(i * step for i, step in zip(own, in_order(part.shape), strict=True))
        told = str(list(own)) if part.cells is None else part.cells[flat]
        cells.append((told, any(i and repeat for i, repeat in zip(index, again, strict=True))))
    return cells


def blocks(result: tuple[int, ...]) -> list[str]:
    """The names of the drawn blocks: `[0]`, `[1]`; one without a name below three dimensions.

    >>> blocks((2, 4, 6)), blocks((4, 6))
    (['[0]', '[1]'], [''])
    """
    outer = shown(result)[:-2]
    return [str(list(index)) if outer else "" for index in itertools.product(*map(range, outer))]


def describe_broadcast(*parts: Part) -> Broadcast:
    """The fitting of two or three shapes as plain data."""
    names = [part.name for part in parts]
    parts = tuple(
        replace(part, name=f"{part.name} ({letter})") if names.count(part.name) > 1 else part
        for part, letter in zip(parts, "abc")
    )
    broadcast = Broadcast(parts, None)
    fitted = parts[0].shape
    for part in parts[1:]:  # from the left, as an operation on several is computed
        dims = max(len(fitted), len(part.shape))
        result = []
        for back in range(1, dims + 1):  # from the right, as PyTorch does
            one, other = (s[-back] if back <= len(s) else 1 for s in (fitted, part.shape))
            if one != other and 1 not in (one, other):
                said = MESSAGE.format(one, other, dims - back)
                return replace(broadcast, failed=broadcast.dims - back, message=said)
            result.append(other if one == 1 else one)
        fitted = tuple(reversed(result))
    return replace(broadcast, result=fitted)


# ---- words ----


def title(broadcast: Broadcast) -> str:
    """The first line: what is fitted, and whether it fits."""
    *before, last = (f"{part.name} {part.shape}" for part in broadcast.parts)
    to = "cannot be broadcast" if broadcast.result is None else f"broadcast to {broadcast.result}"
    return f"{', '.join(before)} and {last} {to}"


def sentences(broadcast: Broadcast) -> list[str]:
    """What happens in the dimensions where something happens."""
    if broadcast.result is None:
        sizes = [broadcast.size(part, broadcast.failed or 0) for part in broadcast.parts]
        one, other = list(dict.fromkeys(n for n in sizes if n not in (None, 1)))[:2]
        return [
            f"Dimension {broadcast.failed}: {one} and {other} differ, and neither is 1.",
            f"PyTorch says: {broadcast.message}",
        ]
    said = ["Sizes are compared from the right; a size of 1 fits every other."]
    for part in broadcast.parts:
        for dim, there in enumerate(broadcast.result):
            size = broadcast.size(part, dim)
            stride = " (stride 0)" if broadcast.repeats(part, dim) else ""
            if size is None:
                what = f"is missing, so it is added in front, with size {there}"
            else:
                what = f"has size 1 and is stretched to {there}"
            if size is None or stride:
                said.append(f"{part.name}: dimension {dim} {what}{stride}.")
    return said if said[1:] else ["The shapes are equal: nothing is stretched."]


def words_of(broadcast: Broadcast) -> list[str]:
    """The lines of the text form."""
    lines = [title(broadcast), *_table(broadcast), *sentences(broadcast)]
    if broadcast.result is None:
        return lines
    for name, head, cells in grids(broadcast):
        lines.append(
            f"{name} {head}" if head[:2] == "as" else f"{name}, {head}, a tensor of its own"
        )
        lines += _rows(broadcast, cells)
    return lines + notes(broadcast)


def grids(broadcast: Broadcast) -> list[tuple[str, str, list[Cell]]]:
    """The operands as they are read, and the result: name, what is said of it, and cells."""
    found = [
        (part.name, f"as {broadcast.result}, stride {strides(broadcast, part)}",
         grid(broadcast, part))
        for part in broadcast.parts
    ]  # fmt: skip
    if broadcast.cells is not None:
        found.append((broadcast.formula, f"shape {broadcast.result}", grid(broadcast, None)))
    return found


def in_a_sentence(broadcast: Broadcast) -> list[str]:
    """The result as a sentence, for readers who cannot see it, if it is small."""
    if not broadcast.cells or broadcast.result != shown(broadcast.result or ()):
        return []
    columns, cells = (1, *broadcast.result)[-1], broadcast.cells
    lines = (", ".join(cells[at : at + columns]) for at in range(0, len(cells), columns))
    return [f"{broadcast.formula} is {'; '.join(lines)}."]


def notes(broadcast: Broadcast) -> list[str]:
    """How to read the grids."""
    assert broadcast.result is not None
    said = []
    if any(ghost for part in broadcast.parts for _, ghost in grid(broadcast, part)):
        said.append("Cells in (round brackets) are ghosts: they have no memory of their own.")
    if 0 not in broadcast.result and any(part.cells is None for part in broadcast.parts):
        said.append("Numbers in square brackets are indices of cells.")
    if shown(broadcast.result) != broadcast.result:
        said.append("Only a corner is shown.")
    return said


def entry(broadcast: Broadcast, part: Part, dim: int) -> str:
    """A part's entry in the table of sizes: `3`, `1 -> 3`, `new -> 2`, `-`."""
    size = broadcast.size(part, dim)
    wanted = None if broadcast.result is None else broadcast.result[dim]
    if size is None:
        return "-" if wanted is None else f"new -> {wanted}"
    return f"{size} -> {wanted}" if broadcast.repeats(part, dim) else str(size)


def _table(broadcast: Broadcast) -> list[str]:
    """The sizes, aligned from the right."""
    dims = range(broadcast.dims)
    rows = [["dimension", *map(str, dims)]]
    rows += [[p.name, *(entry(broadcast, p, dim) for dim in dims)] for p in broadcast.parts]
    if broadcast.result is None:
        rows.append(["", *("^ here" if dim == broadcast.failed else "" for dim in dims)])
    else:
        rows.append(["result", *map(str, broadcast.result)])
    first = max(len(row[0]) for row in rows)
    wide = max((len(cell) for row in rows for cell in row[1:]), default=0)
    return [
        "  ".join([row[0].ljust(first), *(cell.rjust(wide) for cell in row[1:])]).rstrip()
        for row in rows
    ]


def _rows(broadcast: Broadcast, told: list[Cell]) -> list[str]:
    """The cells of a grid, row by row."""
    assert broadcast.result is not None
    cells = [f"({cell})" if ghost else f" {cell} " for cell, ghost in told]
    if not cells:
        return ["    no elements"]
    wide = max(map(len, cells))
    rows, columns = (1, 1, *shown(broadcast.result))[-2:]
    lines = []
    for block, label in enumerate(blocks(broadcast.result)):
        lines += [f"    {label}"] if label else []
        for row in range(block * rows, (block + 1) * rows):
            line = " ".join(cell.rjust(wide) for cell in cells[row * columns : (row + 1) * columns])
            lines.append(f"    {line}".rstrip())
    return lines
