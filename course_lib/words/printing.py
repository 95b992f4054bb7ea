"""The printed text of tensors, equal to PyTorch's character for character.

Three decisions shape the text, and each of them is made once for the whole tensor: how an element
looks (`formatting`), which elements are shown, and where lines break.

Because all elements have the same format, the text is laid out first with a placeholder for each,
and a single `%` fills them all: ten times faster than formatting element by element.
"""

import math
from collections.abc import Sequence

import numpy as np

from course_lib.words.formatting import OPTIONS, Cells, element_cells

# ---- which elements are shown, and where lines break ------------------------


def _edges_of(array: np.ndarray, edge: int) -> np.ndarray:
    """The elements a summary shows: `edge` at each end of every dimension longer than two edges.

    >>> _edges_of(np.arange(10), 2)
    array([0, 1, 8, 9])
    """
    kept = [[*range(edge), *range(n - edge, n)] if n > 2 * edge else range(n) for n in array.shape]
    return array[np.ix_(*kept)]


def _with_gap(items: list[str], gap: str | None) -> list[str]:
    """The items, with `gap` in the middle unless it is None."""
    if gap is None:
        return items
    middle = len(items) // 2
    return [*items[:middle], gap, *items[middle:]]


def _layout(shape: Sequence[int], gaps: Sequence[bool], cells: Cells, indent: int) -> str:
    """The text of a tensor with the placeholder instead of each element.

    `shape` counts the elements shown, `gaps` says in which dimensions others are left out.
    It is built from the innermost dimension outwards: all blocks of one depth have the same text.

    >>> print(_layout((2, 3), (False, False), Cells("%2s", 2, []), 0))
    [[%2s, %2s, %2s],
     [%2s, %2s, %2s]]
    """
    if not shape:
        return cells.hole
    last = len(shape) - 1
    room = OPTIONS.linewidth - (indent + last)
    per_line = max(1, math.floor(room / (cells.width + 2)))
    row = _with_gap([cells.hole] * shape[last], " ..." if gaps[last] else None)
    lines = [", ".join(row[i : i + per_line]) for i in range(0, len(row), per_line)]
    text = "[" + (",\n" + " " * (indent + last + 1)).join(lines) + "]"
    for axis in range(last - 1, -1, -1):
        blocks = _with_gap([text] * shape[axis], "..." if gaps[axis] else None)
        text = "[" + ("," + "\n" * (last - axis) + " " * (indent + axis + 1)).join(blocks) + "]"
    return text


def _elements_text(array: np.ndarray, indent: int) -> str:
    """The nested brackets and their contents; later lines are indented by `indent` spaces."""
    edge = OPTIONS.edgeitems
    if array.size == 0:
        return "[]"
    shown, gaps = array, [False] * array.ndim
    if array.size > OPTIONS.threshold and array.ndim:
        if not edge:
            return "[...]"
        gaps = [n > 2 * edge for n in array.shape]
        shown = _edges_of(array, edge)
    cells = element_cells(shown.reshape(-1))
    return _layout(shown.shape, gaps, cells, indent) % tuple(cells.values)


# ---- the whole text ---------------------------------------------------------


def tensor_text(
    array: np.ndarray,
    dtype: object,
    *,
    default_dtype: object = "torch.float32",
    device: object = "cpu",
    requires_grad: bool = False,
    grad_fn: str | None = None,
    name: str = "tensor",
    contents: str | None = None,
) -> str:
    """The `repr` of a tensor with these elements and properties.

    dtypes and devices are printed names, or objects whose `str` is that name; `grad_fn` is the
    node's name. For a tensor on the meta device only `array.shape` is used. `contents` replaces
    the text of the elements.

    >>> print(tensor_text(np.eye(2), "torch.float64", grad_fn="MulBackward0"))
    tensor([[1., 0.],
            [0., 1.]], dtype=torch.float64, grad_fn=<MulBackward0>)
    """
    indent = len(name) + 1
    dtype, default_dtype, device = str(dtype), str(default_dtype), str(device)
    meta = device == "meta"
    shape = array.shape
    empty = 0 in shape
    suffixes = []
    if device != "cpu":
        suffixes.append(f"device='{device}'")
    if meta or (empty and len(shape) != 1) or (not empty and not OPTIONS.edgeitems):
        suffixes.append(f"size={tuple(shape)}")
    # If no element is shown, every dtype but the default one has to be named.
    if dtype != default_dtype and (meta or empty or dtype not in _self_evident(default_dtype)):
        suffixes.append(f"dtype={dtype}")
    if grad_fn is not None:
        suffixes.append(f"grad_fn=<{grad_fn}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    if contents is None:
        contents = "..." if meta else _elements_text(array, indent)
    return _with_suffixes(f"{name}({contents}", suffixes, indent)


def _self_evident(default_dtype: str) -> tuple[str, ...]:
    """The dtypes, other than the default one, that are obvious from the printed elements."""
    complex_ = "torch.complex128" if default_dtype == "torch.float64" else "torch.complex64"
    return ("torch.int64", "torch.bool", complex_)


def _with_suffixes(text: str, suffixes: list[str], indent: int) -> str:
    """The text with its suffixes and a closing bracket; a suffix that does not fit wraps.

    >>> print(_with_suffixes("tensor([1.]", ["requires_grad=True"], 7))
    tensor([1.], requires_grad=True)
    """
    # Two more than the length of the last line, as PyTorch counts: room for the closing bracket.
    filled = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if filled + len(suffix) + 2 > OPTIONS.linewidth:
            text += ",\n" + " " * indent + suffix
            filled = indent + len(suffix)
        else:
            text += ", " + suffix
            filled += len(suffix) + 2
    return text + ")"
