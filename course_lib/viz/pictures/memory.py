"""`draw_memory`: the bytes that a graph keeps; `record_memory`: a film of them, line by line."""

import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any

from course_lib.viz.drawing.film import Lines, sample_positions
from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import LETTER, PAD, Chart, drawn
from course_lib.viz.drawing.text import count, cut
from course_lib.viz.pictures.graph import FREED
from course_lib.viz.reading import arguments
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.saved import (
    BEHIND,
    Storages,
    collect_saved,
    in_bytes,
    list_saved,
    storages_of,
    total,
)
from course_lib.viz.reading.walk import FAR, in_turn, name_of, walk

# ---- in words and as bars ----

ROWS, COLUMNS, TOLD, LETTERS = 32, 240, 40, 44  # drawn as rows, as columns; in words; of code
ROW, LONG, TALL, WIDE = 26.0, 300.0, 200.0, 720.0  # pixels: a row, its bar; a column, all columns
TOGETHER = "together"  # the note of a row that stands for many, and has words but no bar
LOOKS = {  # kind of bytes: colour of the fill, of the line
    "tensors with a name": ("leaf", "leaf line"),
    "their gradients": ("result", "result line"),
    "only the graph keeps them": ("saved", "saved line"),
}


@dataclass(frozen=True)
class Row:
    """Bytes after a line of a program, or of a function: one number for each kind."""

    where: str
    what: str
    parts: tuple[int, ...]
    note: str = ""

    @property
    def total(self) -> int:
        return sum(self.parts)


@dataclass(frozen=True)
class Memory:
    """Everything a picture of memory says; `time` when rows come one after another."""

    title: str
    kinds: tuple[str, ...]
    rows: tuple[Row, ...]
    captions: tuple[str, ...]
    time: bool = True

    def told(self, row: Row) -> str:
        """The bytes of a row in words."""
        pairs = zip(self.kinds, row.parts, strict=True)
        parts = [f"{in_bytes(size)} {kind}" for kind, size in pairs if size]
        words = f"{in_bytes(row.total)}" + (f": {', '.join(parts)}" if parts else "")
        return words + (f" ({row.note})" if row.note else "")


def words_of(memory: Memory) -> list[str]:
    """The lines of the text form: a line for each row, then the sentences."""
    at = sample_positions(memory.rows, TOLD)
    rows = [memory.rows[i] for i in at]
    wide = max((len(row.where) for row in rows), default=0)
    lines = [memory.title]
    for row in rows:
        lines.append(f"{row.where:<{wide}}  {row.what}".rstrip())
        lines.append(f"    {memory.told(row)}")
    if len(rows) < len(memory.rows):
        lines.append(f"{len(rows)} of {len(memory.rows):,} rows are told, evenly spread.")
    return [*lines, *memory.captions]


def _put_memory(chart: Chart, memory: Memory) -> None:
    """Rows with bars; many moments of a program as columns."""
    chart.heading(memory.title)
    y = _key(chart, memory, PAD + 32.0)
    long = memory.time and len(memory.rows) > ROWS
    y = _columns(chart, memory, y + 14) if long else _rows(chart, memory, y + 8)
    chart.sentences(y + 22, list(memory.captions))


def _key(chart: Chart, memory: Memory, y: float) -> float:
    """What the colours mean, and in which order they stand."""
    x = float(PAD)
    for kind in memory.kinds:
        fill, line = LOOKS[kind]
        chart.frame(x, y - 10, 22, 12, fill, line, 1.4)
        chart.text(x + 28, y, kind, 11.5, "muted", face="Helvetica")
        x += 28 + len(kind) * 6.4 + 26
    return y


def _rows(chart: Chart, memory: Memory, y: float) -> float:
    wheres = max((len(row.where) for row in memory.rows), default=0)
    whats = max((len(cut(row.what, LETTERS)) for row in memory.rows), default=0)
    code = PAD + wheres * LETTER + 14
    left = code + whats * LETTER + 18
    single = [row for row in memory.rows if row.note != TOGETHER]
    most = max((row.total for row in single), default=0) or 1
    base = _base(memory, most)
    if base:
        chart.text(left, y + 12, f"bars begin at {in_bytes(base)}", 11, "muted", face="Helvetica")
        y += 20
    most -= base
    for row in memory.rows:
        chart.text(PAD, y + 17, row.where, 11, "muted")
        chart.text(code, y + 17, cut(row.what, LETTERS))
        x, rest = left, base
        for kind, size in zip(memory.kinds, row.parts, strict=True):
            hidden = min(size, rest)
            size, rest = size - hidden, rest - hidden
            wide = size / most * LONG if row.note != TOGETHER else 0  # it would dwarf the others
            if wide:
                chart.frame(x, y + 4, max(wide, 1.5), ROW - 8, *LOOKS[kind], 1.4)
            x += wide
        words = in_bytes(row.total) + (f", {row.note}" if row.note else "")
        words += f", + {in_bytes(row.total - base)}" if base and row.total > base else ""
        chart.text(x + 8, y + 17, words, 12, "muted")
        y += ROW
    chart.line([(left, y - ROW * len(memory.rows)), (left, y)], "arrow", 1)
    return y


def _base(memory: Memory, most: int) -> int:
    """Where the bars begin: what is alive all the time, if it would hide what changes."""
    least = min((row.total for row in memory.rows), default=0)
    return least if memory.time and least > most / 2 and least < most else 0


def _columns(chart: Chart, memory: Memory, top: float) -> float:
    """One column for each moment, its parts above one another; the highest one is named."""
    left, base = PAD + 78.0, top + 16 + TALL
    at = sample_positions(memory.rows, COLUMNS)
    most = max(row.total for row in memory.rows) or 1
    for share in (0.0, 0.5, 1.0):
        y = base - share * TALL
        chart.line([(left, y), (left + WIDE, y)], "function line", 0.5, "1,3")
        chart.text(left - 8, y + 4, in_bytes(round(most * share)), 11, "muted", "end")
    step = WIDE / len(at)
    peak = max(at, key=lambda i: memory.rows[i].total)
    for k, i in enumerate(at):
        y = base
        for kind, size in zip(memory.kinds, memory.rows[i].parts, strict=True):
            high = size / most * TALL
            if high:
                chart.frame(left + k * step, y - high, step, high, *LOOKS[kind], 0.6)
            y -= high
        if i == peak:
            x = left + k * step + step / 2
            side = "end" if k > len(at) / 2 else "start"
            chart.text(x, y - 7, f"{memory.rows[i].where}: {cut(memory.rows[i].what, LETTERS)}", 11,
                       "ink", side)  # fmt: skip
    chart.line([(left, base), (left + WIDE, base)], "arrow", 1)
    ends = memory.rows[0], memory.rows[-1]
    chart.text(left, base + 16, f"{ends[0].where}", 11, "muted")
    last = f"{ends[1].where}, after {len(memory.rows):,} steps"
    chart.text(left + WIDE, base + 16, last, 11, "muted", "end")
    return base + 16


# ---- what a graph keeps ----

NAMED, GRADIENTS, GRAPH = LOOKS
SENTENCES = {
    "recomputed": "that backward recomputes. The inputs that a checkpoint keeps are not counted.",
    "packed": "behind hooks, which keep something else instead.",
}


def draw_memory(of: Any, *, names: Any = None, params: Any = None) -> Picture:
    """The picture of the bytes that are kept for backward.

    `of` is a tensor: then each function of its graph has a row with the bytes that it saved. A
    storage that several share is counted once, at the first of them. Or `of` is a film of
    `record_memory`, which knows the bytes after each line of a program.

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
    if hasattr(of, "memory"):
        return of.picture()
    arguments.tensor("draw_memory", of, "a tensor or a film of record_memory")
    known = Names(names, params, sys._getframe(1), who="draw_memory")
    instead = " that could keep memory. Give it the loss before backward()."
    arguments.require_made("draw_memory", of, known.of(of) or "this", instead)
    return picture_of_memory(describe_memory(of, known))


def picture_of_memory(memory: Memory) -> Picture:
    """The picture of rows of bytes."""
    most = max(memory.rows, key=lambda row: row.total, default=None)
    parts = [f"{memory.title}: {len(memory.rows)} rows."]
    if most is not None:
        parts.append(f"The longest is {most.where} {most.what}: {memory.told(most)}.")
    alt = " ".join([*parts, *memory.captions])
    return drawn(words_of(memory), alt, lambda chart: _put_memory(chart, memory))


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
    return Memory(title, (NAMED, GRAPH), _largest(rows), tuple(captions), time=False)


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


# ---- a film of a program ----


class MemoryFilm(Lines):
    """How many bytes were alive after each line of a `with` block; shows itself as its picture."""

    @property
    def rows(self) -> list[Row]:
        return self.seen

    def look(self, where: str, what: str) -> None:
        """The bytes that are alive now, each storage in the first kind that it belongs to."""
        names = Names(None, None, self.frame)
        named = storages_of(names.tensors)
        grads = [t.grad for t in names.tensors if t.is_leaf and t.grad is not None]
        gradients = storages_of(grads)
        roots = [t.grad_fn for t in names.tensors if t.grad_fn is not None]
        graph = storages_of(collect_saved(roots))
        parts = (total(named), total(gradients, named), total(graph, named | gradients))
        again = any(row.where == where for row in self.rows)
        if not (again and parts == self.rows[-1].parts):  # a loop in which nothing changes
            self.rows.append(Row(where, what, parts))

    def memory(self) -> Memory:
        """The film as plain data."""
        return Memory(
            "Memory, line by line", (NAMED, GRADIENTS, GRAPH), tuple(self.rows), self._captions()
        )

    def _captions(self) -> tuple[str, ...]:
        captions = []
        if self.rows:
            most = max(self.rows, key=lambda row: row.total)
            after = f"{most.where}: {most.what}" if most.what else most.where
            captions.append(f"Most: {in_bytes(most.total)}, after {after}")
        drops = [
            (before.parts[2] - after.parts[2], after)
            for before, after in zip(self.rows, self.rows[1:], strict=False)
        ]
        freed, at = max(drops, key=lambda drop: drop[0], default=(0, None))
        if freed > 0 and at is not None:
            what = f": {at.what}" if at.what else ""
            captions.append(f"{at.where} frees {in_bytes(freed)} that only the graph kept{what}")
        captions.append(
            "Counted between two lines: tensors that have a name here, their .grad, and what "
            "their graphs saved. What lives only inside a line is not seen."
        )
        captions += ["The film was full and stopped."] if self.full() else []
        captions += [f"The program stopped with {self.error}"] if self.error else []
        return tuple(captions)

    def picture(self) -> Picture:
        return picture_of_memory(self.memory())


def record_memory() -> MemoryFilm:
    """A film of the bytes that are alive after each line of a `with` block.

    >>> import course_lib as torch
    >>> with record_memory() as film:
    ...     x = torch.ones(100, requires_grad=True)
    ...     y = x.exp().exp().sum()
    ...     y.backward()
    >>> [row.parts for row in film.rows[1:4]]
    [(400, 0, 0), (404, 0, 800), (404, 400, 0)]
    """
    return MemoryFilm()
