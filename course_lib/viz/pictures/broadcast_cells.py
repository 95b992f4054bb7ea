"""The fitting of shapes as plain data, and in words."""

import itertools
import math
from dataclasses import dataclass, replace
from typing import Any

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


Cell = tuple[str, bool]  # what is in it, and whether it is a ghost


@dataclass(frozen=True)
class Broadcast:
    """What a picture of a broadcast says: `failed` is the dimension of the longest shape where the
    shapes do not fit, `message` what PyTorch says then, and `result` is (). `cells` tells the drawn
    corner of what `op` gives, None where the numbers are not known."""

    parts: tuple[Part, ...]
    result: tuple[int, ...] = ()
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

    @property
    def corner(self) -> tuple[int, ...]:
        """The shape of what is drawn of the result."""
        return shown(self.result)

    def size(self, part: Part, dim: int) -> int | None:
        """The size of a part in a dimension of the result; None where the part has no such one."""
        own = dim - self.dims + len(part.shape)
        return part.shape[own] if own >= 0 else None

    def repeats(self, part: Part, dim: int) -> bool:
        """Whether the part is read again and again along that dimension."""
        if self.failed is not None:
            return False
        return self.size(part, dim) in (None, 1) and self.result[dim] != 1

    def strides(self, part: Part) -> tuple[int, ...]:
        """The strides of a part once it is stretched: what `expand` would give it."""
        if not part.shape:
            return (0,) * self.dims
        found: list[int] = []
        for dim in reversed(range(self.dims)):
            own = dim - self.dims + len(part.shape)
            if self.repeats(part, dim):
                found.append(0)
            elif own >= 0:
                found.append(part.stride[own])
            else:  # a dimension of size 1 in front
                found.append(self.result[dim + 1] * found[-1])
        return tuple(reversed(found))

    # ---- the grids ----

    def grid(self, part: Part) -> list[Cell]:
        """The drawn cells of the stretched part."""
        cells = []
        missing = self.dims - len(part.shape)
        again = [self.repeats(part, dim) for dim in range(self.dims)]
        for index in itertools.product(*map(range, self.corner)):
            own = [0 if n == 1 else i for i, n in zip(index[missing:], part.shape, strict=True)]
            flat = sum(i * step for i, step in zip(own, in_order(part.shape), strict=True))
            told = str(own) if part.cells is None else part.cells[flat]
            cells.append((told, any(i and repeat for i, repeat in zip(index, again, strict=True))))
        return cells

    def grids(self) -> list[tuple[str, str, list[Cell]]]:
        """The operands as they are read, and the result: name, what is said of it, and cells."""
        found = []
        for part in self.parts:
            what = f"as {self.result}, stride {self.strides(part)}"
            found.append((part.name, what, self.grid(part)))
        if self.cells is not None:
            cells = [(told, False) for told in self.cells]
            found.append((self.formula, f"shape {self.result}", cells))
        return found

    def blocks(self, cells: list[Any]) -> list[tuple[str, list[list[Any]]]]:
        """The cells in rows, and these in blocks with their names: `[0]`, `[1]`; there is one
        without a name below three dimensions."""
        *outer, rows, columns = (1, 1, *self.corner)[-max(len(self.result), 2) :]
        lines = [cells[k : k + columns] for k in range(0, len(cells), max(columns, 1))]
        names = [
            str(list(index)) if outer else "" for index in itertools.product(*map(range, outer))
        ]
        return [(name, lines[k * rows : (k + 1) * rows]) for k, name in enumerate(names)]

    # ---- words ----

    def title(self) -> str:
        """The first line: what is fitted, and whether it fits."""
        *before, last = (f"{part.name} {part.shape}" for part in self.parts)
        to = f"broadcast to {self.result}" if self.failed is None else "cannot be broadcast"
        return f"{', '.join(before)} and {last} {to}"

    def sentences(self) -> list[str]:
        """What happens in the dimensions where something happens."""
        if self.failed is not None:
            sizes = [self.size(part, self.failed) for part in self.parts]
            one, other = list(dict.fromkeys(n for n in sizes if n not in (None, 1)))[:2]
            return [
                f"Dimension {self.failed}: {one} and {other} differ, and neither is 1.",
                f"PyTorch says: {self.message}",
            ]
        said = ["Sizes are compared from the right; a size of 1 fits every other."]
        for part in self.parts:
            for dim, there in enumerate(self.result):
                size = self.size(part, dim)
                stride = " (stride 0)" if self.repeats(part, dim) else ""
                what = f"has size 1 and is stretched to {there}"
                if size is None:
                    what = f"is missing, so it is added in front, with size {there}"
                if size is None or stride:
                    said.append(f"{part.name}: dimension {dim} {what}{stride}.")
        return said if said[1:] else ["The shapes are equal: nothing is stretched."]

    def words(self) -> list[str]:
        """The lines of the text form."""
        lines = [self.title(), *self._table(), *self.sentences()]
        if self.failed is not None:
            return lines
        for name, head, cells in self.grids():
            of_its_own = f"{name}, {head}, a tensor of its own"
            lines.append(f"{name} {head}" if head[:2] == "as" else of_its_own)
            told = [f"({cell})" if ghost else f" {cell} " for cell, ghost in cells]
            wide = max(map(len, told), default=0)
            for label, rows in self.blocks(told):
                lines += [f"    {label}"] if label and told else []
                lines += [f"    {' '.join(c.rjust(wide) for c in row)}".rstrip() for row in rows]
            lines += [] if told else ["    no elements"]
        return lines + self.notes()

    def result_in_words(self) -> list[str]:
        """The result as a sentence, for readers who cannot see it, if it is small."""
        if not self.cells or self.result != self.corner:
            return []
        columns, cells = (1, *self.result)[-1], self.cells
        lines = (", ".join(cells[at : at + columns]) for at in range(0, len(cells), columns))
        return [f"{self.formula} is {'; '.join(lines)}."]

    def notes(self) -> list[str]:
        """How to read the grids."""
        said = []
        if any(ghost for part in self.parts for _, ghost in self.grid(part)):
            said.append("Cells in (round brackets) are ghosts: they have no memory of their own.")
        if 0 not in self.result and any(part.cells is None for part in self.parts):
            said.append("Numbers in square brackets are indices of cells.")
        if self.corner != self.result:
            said.append("Only a corner is shown.")
        return said

    def entry(self, part: Part, dim: int) -> str:
        """A part's entry in the table of sizes: `3`, `1 -> 3`, `new -> 2`, `-`."""
        size = self.size(part, dim)
        if size is None:
            return "-" if self.failed is not None else f"new -> {self.result[dim]}"
        return f"{size} -> {self.result[dim]}" if self.repeats(part, dim) else str(size)

    def _table(self) -> list[str]:
        """The sizes, aligned from the right."""
        dims = range(self.dims)
        rows = [["dimension", *map(str, dims)]]
        rows += [[p.name, *(self.entry(p, dim) for dim in dims)] for p in self.parts]
        if self.failed is None:
            rows.append(["result", *map(str, self.result)])
        else:
            rows.append(["", *("^ here" if dim == self.failed else "" for dim in dims)])
        first = max(len(row[0]) for row in rows)
        wide = max((len(cell) for row in rows for cell in row[1:]), default=0)
        return [
            "  ".join([row[0].ljust(first), *(cell.rjust(wide) for cell in row[1:])]).rstrip()
            for row in rows
        ]


def describe_broadcast(*parts: Part) -> Broadcast:
    """The fitting of two or three shapes as plain data."""
    names = [part.name for part in parts]
    parts = tuple(
        replace(part, name=f"{part.name} ({letter})") if names.count(part.name) > 1 else part
        for part, letter in zip(parts, "abc")
    )
    broadcast = Broadcast(parts)
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
