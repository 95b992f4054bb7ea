"""`draw_memory`: the bytes that a graph keeps, or the bytes after each line of a program."""

import sys
from collections import Counter
from typing import Any

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.text import count
from course_lib.viz.pictures.graph import FREED
from course_lib.viz.pictures.memory_chart import (
    LOOKS,
    ROWS,
    TOGETHER,
    Memory,
    Row,
    memory_svg,
    words_of,
)
from course_lib.viz.reading import arguments
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.saved import (
    BEHIND,
    Saved,
    Storages,
    in_bytes,
    saved_by,
    storages_of,
    total,
)
from course_lib.viz.reading.walk import FAR, is_leaf_node, name_of, walk

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
        return picture_of_memory(of.memory())
    arguments.tensor("draw_memory", of, "a tensor or a film of record_memory")
    known = Names(names, params, sys._getframe(1), who="draw_memory")
    if of.grad_fn is None:
        raise ValueError(
            f"draw_memory wants a tensor that functions made, and {known.of(of) or 'this'} has no "
            "graph that could keep memory. Give it the loss before backward()."
        )
    return picture_of_memory(describe_memory(of, known))


def picture_of_memory(memory: Memory) -> Picture:
    """The picture of rows of bytes."""
    most = max(memory.rows, key=lambda row: row.total, default=None)
    parts = [f"{memory.title}: {len(memory.rows)} rows."]
    if most is not None:
        parts.append(f"The longest is {most.where} {most.what}: {memory.told(most)}.")
    alt = " ".join([*parts, *memory.captions])
    return Picture(words_of(memory), alt, make_svg=lambda: memory_svg(memory, alt))


def describe_memory(output: Any, names: Names) -> Memory:
    """What each function of a graph keeps, in the order in which functions ran."""
    graph = walk([output.grad_fn])
    nodes = [node for node in graph.nodes if not is_leaf_node(node)]
    nodes.sort(key=lambda node: getattr(node, "_sequence_nr", lambda: 0)())
    named = storages_of(names.tensors)
    owners: dict[tuple[str, int], int] = {}
    everything: Storages = {}
    rows, every = [], []
    for k, node in enumerate(nodes, start=1):
        saved = saved_by(node)
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
    captions += _hooked(every)
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


def _hooked(saved: list[Saved]) -> list[str]:
    """What is to say about saved tensors of which hooks keep nothing that can be counted."""
    counts = Counter(item.state for item in saved if item.state in BEHIND and not item.packed)
    return [f"Not kept: {count(counts[s], 'saved tensor')} {SENTENCES[s]}" for s in counts]


def _largest(rows: list[Row]) -> tuple[Row, ...]:
    """All rows, or the longest ones in their order and one more for the others."""
    if len(rows) <= ROWS:
        return tuple(rows)
    chosen = sorted(range(len(rows)), key=lambda k: -rows[k].total)[: ROWS - 1]
    rest = [row for k, row in enumerate(rows) if k not in chosen]
    sums = tuple(map(sum, zip(*(row.parts for row in rest), strict=True)))
    more = Row(f"{len(rest):,} more functions", "", sums, TOGETHER)
    return (*(rows[k] for k in sorted(chosen)), more)
