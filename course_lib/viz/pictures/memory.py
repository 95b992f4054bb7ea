"""`draw_memory`: the bytes that a graph keeps for backward, function by function."""

import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import LETTER, PAD, Chart, drawn
from course_lib.viz.drawing.text import count, cut
from course_lib.viz.pictures.graph import FREED
from course_lib.viz.reading import arguments
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.saved import BEHIND, Storages, in_bytes, list_saved, storages_of, total
from course_lib.viz.reading.walk import FAR, in_turn, name_of, walk

ROWS, LETTERS = 32, 44  # that are drawn; of code
TOGETHER = "together"  # the note of a row that stands for many, and has words but no bar
KINDS = {  # of bytes: colour of the fill, of the line
    "tensors with a name": ("leaf", "leaf line"),
    "only the graph keeps them": ("saved", "saved line"),
}
SENTENCES = {
    "recomputed": "that backward recomputes. The inputs that a checkpoint keeps are not counted.",
    "packed": "behind hooks, which keep something else instead.",
}


@dataclass(frozen=True)
class Row:
    """Bytes of a function: `parts` has one number for each kind."""

    where: str
    what: str
    parts: tuple[int, ...]
    note: str = ""

    @property
    def total(self) -> int:
        return sum(self.parts)

    def describe(self) -> str:
        """The bytes in words."""
        parts = [f"{in_bytes(n)} {kind}" for kind, n in zip(KINDS, self.parts, strict=True) if n]
        words = f"{in_bytes(self.total)}" + (f": {', '.join(parts)}" if parts else "")
        return words + (f" ({self.note})" if self.note else "")


@dataclass(frozen=True)
class Memory:
    """Everything a picture of memory says."""

    title: str
    rows: tuple[Row, ...]
    captions: tuple[str, ...]


def draw_memory(of: Any, *, names: Any = None, params: Any = None) -> Picture:
    """The picture of the bytes that are kept for backward.

    Each function of the graph of `of` has a row with the bytes that it saved. A storage that
    several share is counted once, at the first of them.

    >>> import course_lib as torch
    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> y = (x * x).exp().sum()
    >>> draw_memory(y)
    Memory that the graph of y keeps
    [1] MulBackward0  other = x, self = x
        8 bytes: 8 bytes tensors with a name
    [2] ExpBackward0  result
        8 bytes: 8 bytes only the graph keeps them
    16 bytes are saved. 8 bytes of them have no name: backward() frees them.
    1 of 3 functions saves no tensor.
    """
    arguments.tensor("draw_memory", of)
    known = Names(names, params, sys._getframe(1), who="draw_memory")
    instead = " that could keep memory. Give it the loss before backward()."
    arguments.require_made("draw_memory", of, known.of(of) or "this", instead)
    memory = describe_memory(of, known)
    parts = [f"{memory.title}: {len(memory.rows)} rows."]
    lines = [memory.title]
    wide = max((len(row.where) for row in memory.rows), default=0)
    for row in memory.rows:
        lines += [f"{row.where:<{wide}}  {row.what}".rstrip(), f"    {row.describe()}"]
    most = max(memory.rows, key=lambda row: row.total, default=None)
    if most is not None:
        parts.append(f"The longest is {most.where} {most.what}: {most.describe()}.")
    alt = " ".join([*parts, *memory.captions])
    return drawn([*lines, *memory.captions], alt, lambda chart: _put_memory(chart, memory))


def describe_memory(output: Any, names: Names) -> Memory:
    """What each function of a graph keeps, in the order in which functions ran."""
    graph = walk([output.grad_fn])
    nodes = [graph.nodes[i] for i in in_turn(graph)]
    named = storages_of(names.tensors)
    owners: dict[tuple[str, int], int] = {}
    everything: Storages = {}
    rows, every = [], []
    for k, node in enumerate(nodes, start=1):
        saved = list_saved(node)
        every += saved
        items = [item for item in saved if item.tensor is not None or item.state in BEHIND]
        storages = storages_of(tensor for item in items for tensor in item.held)
        new = {key: size for key, size in storages.items() if key not in owners}
        others = sorted({owners[key] for key in storages if key in owners})
        owners.update(dict.fromkeys(new, k))
        everything.update(new)
        if not items:
            continue
        known = [(item.name, ", ".join(map(names.of, item.held))) for item in items]
        what = ", ".join(f"{n} = {own.partition(',')[0]}" if own else n for n, own in known)
        notes = [f"shares with {', '.join(f'[{other}]' for other in others)}"] if others else []
        notes += [BEHIND[state] for state in BEHIND if any(item.state == state for item in items)]
        inside = {key: size for key, size in new.items() if key in named}
        parts = (total(inside), total(new, named))
        rows.append(Row(f"[{k}] {name_of(node)}", what, parts, "; ".join(notes)))
    captions = [_summary(everything, named)]
    none = len(nodes) - len(rows)
    counts = Counter(item.state for item in every if item.state in BEHIND and not item.packed)
    captions += [f"Not kept: {count(counts[s], 'saved tensor')} {SENTENCES[s]}" for s in counts]
    if any(item.state == "freed" for item in every):
        captions.append(FREED)
    elif none:
        verb = "saves" if none == 1 else "save"
        captions.append(f"{none:,} of {len(nodes):,} functions {verb} no tensor.")
    captions += [f"Only the {FAR:,} functions nearest to the output are here."] if graph.cut else []
    title = f"Memory that the graph of {names.of(output) or 'the output'} keeps"
    return Memory(title, _largest(rows), tuple(captions))


def _summary(everything: Storages, named: Storages) -> str:
    free = total(everything, named)
    start = f"{in_bytes(total(everything))} are saved."
    if not everything:
        return start
    if not free:
        return f"{start} All of it is in tensors that have a name and stay."
    return f"{start} {in_bytes(free)} of them have no name: backward() frees them."


def _largest(rows: list[Row]) -> tuple[Row, ...]:
    """All rows, or the longest ones in their order and one more for the others."""
    if len(rows) <= ROWS:
        return tuple(rows)
    chosen = sorted(range(len(rows)), key=lambda k: -rows[k].total)[: ROWS - 1]
    rest = [row for k, row in enumerate(rows) if k not in chosen]
    sums = tuple(map(sum, zip(*(row.parts for row in rest), strict=True)))
    more = Row(f"{len(rest):,} more functions", "", sums, TOGETHER)
    return (*(rows[k] for k in sorted(chosen)), more)


# ---- the drawing ----

HIGH, LONG = 26.0, 300.0  # pixels: a row, its bar


def _put_memory(chart: Chart, memory: Memory) -> None:
    """What the colours mean, and a row with a bar for each function."""
    chart.heading(memory.title)
    x, y = float(PAD), PAD + 32.0
    for kind, look in KINDS.items():
        chart.frame(x, y - 10, 22, 12, *look, 1.4)
        chart.text(x + 28, y, kind, 11.5, "muted", face="Helvetica")
        x += 28 + len(kind) * 6.4 + 26
    wheres = max((len(row.where) for row in memory.rows), default=0)
    whats = max((len(cut(row.what, LETTERS)) for row in memory.rows), default=0)
    code = PAD + wheres * LETTER + 14
    left = code + whats * LETTER + 18
    single = [row.total for row in memory.rows if row.note != TOGETHER]
    most = max(single, default=0) or 1
    y += 8
    for row in memory.rows:
        chart.text(PAD, y + 17, row.where, 11, "muted")
        chart.text(code, y + 17, cut(row.what, LETTERS))
        x = left
        for look, size in zip(KINDS.values(), row.parts, strict=True):
            wide = size / most * LONG if row.note != TOGETHER else 0  # it would dwarf the others
            if wide:
                chart.frame(x, y + 4, max(wide, 1.5), HIGH - 8, *look, 1.4)
            x += wide
        words = in_bytes(row.total) + (f", {row.note}" if row.note else "")
        chart.text(x + 8, y + 17, words, 12, "muted")
        y += HIGH
    chart.line([(left, y - HIGH * len(memory.rows)), (left, y)], "arrow", 1)
    chart.sentences(y + 22, list(memory.captions))
