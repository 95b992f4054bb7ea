"""`draw_storage`: the memory behind tensors, and each tensor as a window on it."""

import sys
from typing import Any

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import drawn
from course_lib.viz.pictures.storage_cells import Bar, Window, describe_storage, put_storage
from course_lib.viz.reading import arguments
from course_lib.viz.reading.memory import over_arrays
from course_lib.viz.reading.names import Names

PAIRS = 4  # of tensors that have a sentence each


def draw_storage(*tensors: Any, names: Any = None) -> Picture:
    """The picture of the memory behind tensors: which cell of which tensor is which place.

    >>> import course_lib as torch
    >>> a = torch.tensor([[1, 2], [3, 4]])
    >>> b = a.t()
    >>> draw_storage(a, b)
    Storage of 4 cells, int64: 1 2 3 4
    a  shape (2, 2), stride (2, 1), offset 0
        1 @0  2 @1
        3 @2  4 @3
    b  shape (2, 2), stride (1, 2), offset 0
        1 @0  3 @2
        2 @1  4 @3
    @ is the place in the storage.
    a and b share memory: a write through one is seen through the other.

    Memory is compared byte by byte, so a view with another dtype stands over the same bytes. Of a
    large storage the parts around both ends of each tensor are drawn. NumPy arrays may stand beside
    the tensors.
    """
    frame = sys._getframe(1)
    names = arguments.in_order("draw_storage", names, tensors)
    tensors, names = over_arrays(tensors, names, frame)
    arguments.tensors("draw_storage", tensors)
    bars, refused = describe_storage(tensors, Names(names, None, frame, who="draw_storage"))
    sentences = refused + notes(bars)
    lines, alt = [], []
    for bar in bars:
        lines += _head(bar)
        for window in bar.windows:
            lines += [f"{window.name}  {bar.describe(window)}", *_grid(window)]
        seen = "; ".join(f"{window.name} has {window.layout.describe()}" for window in bar.windows)
        alt.append(f"A storage of {bar.counted(bar.nbytes)}, {_dtypes(bar)}. {seen}.")
    said = " ".join([*alt, *sentences])
    return drawn([*lines, *sentences], said, lambda chart: put_storage(chart, bars, sentences))


# ---- the sentences under the picture ----


def notes(bars: list[Bar]) -> list[str]:
    """How to read the picture, and what is special in it."""
    one_dtype = all(len(bar.rows) == 1 for bar in bars)
    counted = "" if one_dtype else ", counted in elements of the dtype"
    said = [f"@ is the place in the storage{counted}."] if bars else []
    for bar in bars:
        said += _sharing(bar)
        for window in bar.windows:
            said += _special(window)
        if bar.unused:
            said.append("Dotted cells of the storage belong to none of these tensors.")
        if bar.hidden():
            verb = "is" if bar.hidden() == bar.unit()[0] else "are"
            said.append(f"{bar.counted(bar.hidden())} of the storage {verb} not drawn.")
    if len(bars) > 1:
        said.append(f"{len(bars)} storages: no write into one is seen in another.")
    return said


def _sharing(bar: Bar) -> list[str]:
    """Who shares with whom, and who does not although the storage is the same."""
    said = []
    if bar.storages > 1:
        said.append(f"{bar.storages} storages lie over each other in this memory.")
    together = bar.sharing()
    if len(together) <= PAIRS:
        for *names, last in together:
            others = "other" if len(names) == 1 else "others"
            said.append(
                f"{', '.join(names)} and {last} share memory: "
                f"a write through one is seen through the {others}."
            )
    else:
        said.append(f"These share memory, pair by pair: {_list_groups(together)}.")
    apart = bar.sharing(False)
    if len(apart) == 1:
        who = "they" if len(apart[0]) == 2 else "no two of them"
        said.append(
            f"{_list_groups(apart)} are in one storage, but {who} have no element in common."
        )
    elif apart:
        said.append(f"One storage, but no element in common: {_list_groups(apart)}.")
    unknown = bar.sharing(None)
    if unknown:
        said.append(
            f"Nobody can say in short time whether these share memory: {_list_groups(unknown)}."
        )
    return said


def _list_groups(groups: list[tuple[str, ...]]) -> str:
    """`a and b; b, c and d`."""
    return "; ".join(f"{', '.join(names)} and {last}" for *names, last in groups)


def _special(window: Window) -> list[str]:
    said = []
    if any(map(window.seen_before, range(len(window.places)))):
        said.append(f"{window.name}: dashed cells have no memory of their own.")
    if window.layout.turned:
        said.append(
            f"{window.name} is {window.layout.turned}: signs change while it is read, "
            "the bytes stay as they are."
        )
    shown, shape = window.shown, window.layout.shape
    if shown != shape and len(shape) == 1:
        said.append(f"{window.name}: the first {shown[0]} of {shape[0]:,} elements are shown.")
    elif shown != shape:
        said.append(f"{window.name}: only a corner is shown, {shown} of {shape}.")
    return said


# ---- words ----


def _head(bar: Bar) -> list[str]:
    """The storage itself: one line, or one for each part and each row."""
    head = f"Storage of {bar.counted(bar.nbytes)}"
    if bar.storages > 1:
        head = f"Memory of {bar.counted(bar.nbytes)}"
    if len(bar.rows) == 1 and len(bar.parts) <= 1:
        values = " ".join(cell.value for part in bar.rows[0].parts for cell in part)
        return [f"{head}, {bar.rows[0].layout.dtype}: {values}".rstrip(": ")]
    lines = [f"{head}, {_dtypes(bar)}"]
    several = len(bar.rows) > 1
    labels = [bar.label(row) + "  " if several else "" for row in bar.rows]
    wide = max(map(len, labels))
    for k, (start, _) in enumerate(bar.parts):
        if k:
            lines.append(f"    ... {bar.counted(start - bar.parts[k - 1][1])} not drawn ...")
        if several:
            lines.append(f"    {'bytes'.ljust(wide)}@{start}: {bar.content[k].hex(' ')}")
        for row, label in zip(bar.rows, labels, strict=True):
            if cells := row.parts[k]:
                told = " ".join(cell.value for cell in cells)
                lines.append(f"    {label.ljust(wide)}@{cells[0].place}: {told}")
    return lines


def _dtypes(bar: Bar) -> str:
    """`float32`; `complex64 and float32`."""
    *others, last = dict.fromkeys(row.layout.dtype for row in bar.rows)
    return f"{', '.join(others)} and {last}" if others else last


def _grid(window: Window) -> list[str]:
    lines = []
    width = window.shown[-1] if window.shown else 1
    pairs = zip(window.values, window.places, strict=True)
    cells = [f"{value} @{place}" for value, place in pairs]
    wide = max(map(len, cells), default=0)
    cells = [cell.rjust(wide) for cell in cells]
    rows = [cells[i : i + width] for i in range(0, len(cells), max(width, 1))]
    for i, row in enumerate(rows):
        if len(window.shown) > 2 and i and i % window.shown[-2] == 0:
            lines.append("")
        lines.append("    " + "  ".join(row))
    return lines
