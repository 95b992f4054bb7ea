"""Bytes as plain data, in words and as bars: one row per line of a program or per function."""

from dataclasses import dataclass

from course_lib.viz.drawing.chart import Chart
from course_lib.viz.drawing.plot import sampled
from course_lib.viz.drawing.sheet import LETTER, PAD
from course_lib.viz.reading.saved import in_bytes

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


def words_of(memory: Memory) -> str:
    """The text form: a line for each row, then the sentences."""
    at = sampled(memory.rows, TOLD)
    rows = [memory.rows[i] for i in at]
    wide = max((len(row.where) for row in rows), default=0)
    lines = [memory.title]
    for row in rows:
        lines.append(f"{row.where:<{wide}}  {row.what}".rstrip())
        lines.append(f"    {memory.told(row)}")
    if len(rows) < len(memory.rows):
        lines.append(f"{len(rows)} of {len(memory.rows):,} rows are told, evenly spread.")
    return "\n".join([*lines, *memory.captions])


def memory_svg(memory: Memory, alt: str) -> str:
    """Rows with bars; many moments of a program as columns."""
    chart = Chart()
    chart.text(PAD, PAD + 6, memory.title, 14, face="Helvetica", bold=True)
    y = _key(chart, memory, PAD + 32.0)
    long = memory.time and len(memory.rows) > ROWS
    y = _columns(chart, memory, y + 14) if long else _rows(chart, memory, y + 8)
    chart.sentences(y + 22, list(memory.captions))
    return chart.svg(alt)


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
    whats = max((len(_cut(row.what)) for row in memory.rows), default=0)
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
        chart.text(code, y + 17, _cut(row.what))
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


def _cut(code: str) -> str:
    return code if len(code) <= LETTERS else code[: LETTERS - 3] + "..."


def _columns(chart: Chart, memory: Memory, top: float) -> float:
    """One column for each moment, its parts above one another; the highest one is named."""
    left, base = PAD + 78.0, top + 16 + TALL
    at = sampled(memory.rows, COLUMNS)
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
            chart.text(x, y - 7, f"{memory.rows[i].where}: {_cut(memory.rows[i].what)}", 11,
                       "ink", side)  # fmt: skip
    chart.line([(left, base), (left + WIDE, base)], "arrow", 1)
    ends = memory.rows[0], memory.rows[-1]
    chart.text(left, base + 16, f"{ends[0].where}", 11, "muted")
    last = f"{ends[1].where}, after {len(memory.rows):,} steps"
    chart.text(left + WIDE, base + 16, last, 11, "muted", "end")
    return base + 16
