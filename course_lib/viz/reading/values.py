"""How a tensor is told inside a box: its values when they are few, else its shape and dtype.

The words are made from `tolist()` here, not taken from the tensor's own printing, because a box
wants four digits and short lines. Nothing in this file may raise: a picture says what it can.
"""

import math
import re
from inspect import getattr_static
from typing import Any

FEW = 24  # elements; more are told as shape and dtype
WIDE = 44  # characters in one line of a box


def is_tensor(thing: Any) -> bool:
    """Whether it behaves as a tensor; asks the class, so that no code of the object runs.

    >>> is_tensor(3), is_tensor([1, 2])
    (False, False)
    """
    return all(
        hasattr(type(thing), name) for name in ("grad_fn", "requires_grad", "_version", "shape")
    )


def has_history(thing: Any) -> bool:
    """Whether it says how it was made: a tensor, or a value of an engine that the reader wrote.

    Such a value needs `grad_fn`, `requires_grad` and `shape`; `tolist()` tells its numbers. A
    function in its graph needs `name()` and `next_functions`, and one at the end `variable`. No
    code of the object runs.
    """
    if issubclass(type(thing), type):
        return False
    words = ("grad_fn", "requires_grad", "shape")
    return is_tensor(thing) or all(
        getattr_static(thing, word, has_history) is not has_history for word in words
    )


def number(value: Any) -> str:
    """A number in at most four digits, floats with their point.

    >>> number(2), number(2.0), number(0.333333), number(1e-9), number(True)
    ('2', '2.', '0.3333', '1e-09', 'True')
    """
    if isinstance(value, complex):
        sign = "-" if math.copysign(1.0, value.imag) < 0 else "+"
        return f"{number(value.real)}{sign}{number(abs(value.imag))}j"
    if not isinstance(value, float) or not math.isfinite(value):
        return str(value)
    short = f"{value:.4g}"
    if "e" in short:
        return short
    return short if "." in short else short + "."


def format_nested(values: Any) -> tuple[str, ...]:
    """Lines for nested lists of numbers: one line per row, columns right-aligned.

    >>> format_nested([[1, 20], [3, 4]])
    ('[[ 1, 20],', ' [ 3,  4]]')
    """
    if not isinstance(values, list):
        return (number(values),)

    def rows(part: list[Any]) -> list[list[Any]]:
        nested = bool(part) and isinstance(part[0], list)
        return [row for inner in part for row in rows(inner)] if nested else [part]

    found = rows(values)
    wide = max((len(number(v)) for row in found for v in row if len(found) > 1), default=0)

    def told(part: list[Any]) -> str:
        if part and isinstance(part[0], list):
            return "[" + ",\n".join(map(told, part)).replace("\n", "\n ") + "]"
        return "[" + ", ".join(number(v).rjust(wide) for v in part) + "]"

    return tuple(told(values).split("\n"))


def shape_of(tensor: Any) -> str:
    """Shape and dtype: `(2, 3) float32`."""
    return f"{tuple(tensor.shape)} {dtype_of(tensor)}".rstrip()


def dtype_of(tensor: Any) -> str:
    """The dtype without the library's name: `float32`; "" where there is none."""
    return str(getattr(tensor, "dtype", "")).rpartition(".")[2]


def format_tensor(tensor: Any, show: str = "values") -> tuple[str, ...]:
    """The lines that tell a tensor or a plain number; `show="shapes"` never tells values."""
    if isinstance(tensor, (int, float, complex)):
        return (number(tensor),)
    if show != "shapes" and math.prod(tensor.shape) <= FEW and 0 not in tuple(tensor.shape):
        try:
            lines = format_nested(tensor.tolist())
        except Exception:  # no values to read: the meta device, a subclass that refuses
            return (shape_of(tensor),)
        if max(map(len, lines)) <= WIDE and len(lines) <= 8:
            return lines
    return (shape_of(tensor),)


def dense(tensor: Any) -> Any:
    """The tensor, with all its zeros if it is sparse."""
    return tensor.to_dense() if getattr(tensor, "is_sparse", False) else tensor


def short(tensor: Any) -> str:
    """A tensor in one short line: its values when they fit, else its shape and dtype."""
    line = " ".join(line.strip() for line in format_tensor(tensor))
    return line if len(line) <= 32 else shape_of(tensor)


def label_lines(label: str, lines: tuple[str, ...]) -> tuple[str, ...]:
    """The lines with `label` in front of the first and room below it.

    >>> label_lines("a = ", ("[1,", " 2]"))
    ('a = [1,', '     2]')
    """
    room = " " * len(label)
    return tuple((label if i == 0 else room) + line for i, line in enumerate(lines))


def details_of_tensor(tensor: Any) -> tuple[str, ...]:
    """The shape and dtype of a tensor, and its values when they are few.

    >>> import course_lib as torch
    >>> details_of_tensor(torch.tensor([1., 2.]))
    ('shape (2,), float32', '[1., 2.]')
    """
    values = format_tensor(tensor)
    return (_shape(tensor), *(() if values == (shape_of(tensor),) else values))


def details_of_function(node: Any) -> tuple[str, ...]:
    """The shape and dtype of each result, and where anomaly mode saw the call."""
    shapes = tuple(f"result: {_shape(one)}" for one in getattr(node, "_input_metadata", ()))
    *_, innermost = getattr(node, "metadata", {}).get("traceback_") or [""]
    found = re.search(r'File "([^"]*)", line (\d+)', innermost)
    if found is None:
        return shapes
    code = innermost.strip().partition("\n")[2].strip().partition("\n")[0]
    file = re.split(r"[/\\]", found[1])[-1]
    return (*shapes, f"called in line {found[2]} of {file}" + f": {code}" * bool(code))


def _shape(thing: Any) -> str:
    dtype = dtype_of(thing)
    return f"shape {tuple(thing.shape)}" + f", {dtype}" * bool(dtype)


_HOOKS = {"_backward_hooks": "hook", "_post_accumulate_grad_hooks": "post-accumulate hook"}
_NAMED = 2  # hooks that are told by name


def hooks_of(tensor: Any) -> tuple[str, ...]:
    """One line for each kind of hook that the tensor has."""
    lines = []
    for attribute, word in _HOOKS.items():
        hooks = list((getattr(tensor, attribute, None) or {}).values())
        if not hooks:
            continue
        names = [str(getattr(hook, "__name__", "")) for hook in hooks]
        many = f"{len(hooks)} {word}s" if len(hooks) > 1 else word
        # a lambda has no name, nor have some objects
        told = len(hooks) <= _NAMED and all(map(str.isidentifier, names))
        lines.append(f"{many}: {', '.join(names)}" if told else many)
    return tuple(lines)
