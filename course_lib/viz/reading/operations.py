"""The forward name of a recorded function, what it worked on, and what it was told besides tensors.

A graph is written in terms of backward: `AddBackward0`, and for one `F.linear` up to four functions
(`TBackward0`, `ViewBackward0`, `AddmmBackward0`, `ViewBackward0`). This file reads it in the words
of the program. Several functions become one operation only where their shapes leave no doubt.

An exponent, a dim, a stride are the `_saved_*` attributes that are no tensors; `_input_metadata`
says the shape of each gradient that a function receives: that of an output it made.
"""

import math
import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from typing import Any

from course_lib.viz.reading.saved import as_signed, value_of
from course_lib.viz.reading.values import number
from course_lib.viz.reading.walk import is_leaf_node, name_of

Edge = tuple[Any, int]  # a function, and which of its outputs

# Where the name in the graph is not the one in a program.
FORWARD = {
    "bmm": "matmul", "constant_pad_nd": "pad", "copy_slices": "write into a view",
    "getitem": "index", "mm": "matmul", "mv": "matmul", "prelu_kernel": "prelu",
    "reshape_alias": "reshape", "rsub": "sub", "setitem": "write into a view", "to_copy": "to",
    "unsafe_split": "split", "unsafe_view": "reshape",
}  # fmt: skip
FAMILIES = ("layer_norm", "batch_norm", "group_norm", "dropout", "max_pool1d", "max_pool2d",
            "max_pool3d", "scaled_dot_product", "nll_loss")  # fmt: skip
RESHAPING = ("view", "reshape", "unsafe_view", "split")  # what several names of a program make
VIEWS = ("ViewBackward0", "UnsafeViewBackward0", "ReshapeAliasBackward0")


@dataclass(frozen=True)
class Operation:
    """What ran forward: its name, the edges to what it worked on, and the functions that it is made
    of besides the last one."""

    name: str
    inputs: tuple[Edge, ...]
    parts: tuple[Any, ...] = ()


def operation_of(node: Any, results: Container[int] = ()) -> Operation:
    """The operation whose result this function made: one of several functions, unless one of the
    `results`, which have the ids of functions, is a part of it; else that of the function alone."""
    several = _linear(node) or _matmul(node) or _reshape(node)
    if several is not None and not any(id(part) in results for part in several.parts):
        return several
    name = forward_name(name_of(node))
    if name == "convolution":
        shape = shape_at((node, 0)) or ()
        turned = "_transpose" if getattr(node, "_saved_transposed", False) else ""
        name = f"conv{turned}{len(shape) - 2}d" if len(shape) > 2 else name
    return Operation(name, tuple((n, nr) for n, nr in node.next_functions if n is not None))


def forward_name(name: str) -> str:
    """A function's name as a program says it; a function of the reader's own keeps its name.

    >>> [forward_name(n) for n in ("AddBackward0", "MaxPool2DWithIndicesBackward0", "MineBackward")]
    ['add', 'max_pool2d', 'Mine']
    """
    known = re.fullmatch(r"(\w+?)Backward(\d*)", name)
    if known and not known[2]:
        return known[1]
    words = re.sub(r"(\d)([A-Z])", lambda m: m[1] + m[2].lower(), known[1] if known else name)
    words = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", words).lower()
    if "scaled_dot_product" in words:
        return "scaled_dot_product_attention"
    family = next((kind for kind in FAMILIES if kind in words), "")
    return family or FORWARD.get(words, words)


def operation_name(name: str, said: str) -> str:
    """The name of an operation, as the program has called it: several functions make a `view`.

    >>> operation_name("view", "flatten"), operation_name("add", "__radd__")
    ('flatten', 'add')
    """
    return said if name in RESHAPING and said.isidentifier() and said[0] != "_" else name


def shape_at(edge: Edge) -> tuple[int, ...] | None:
    """The shape of an output of a function; None where the function does not say it."""
    node, output_nr = edge
    if is_leaf_node(node):
        return tuple(node.variable.shape)
    known = getattr(node, "_input_metadata", ())
    return tuple(known[output_nr].shape) if output_nr < len(known) else None


# ---- several functions, one operation ----


def _linear(node: Any) -> Operation | None:
    """`F.linear`: the weight turned, a product, and for more dimensions a view before and after."""
    product = _behind(node, *VIEWS) or node
    if name_of(product) not in ("AddmmBackward0", "MmBackward0"):
        return None
    *bias, rows, matrix = product.next_functions
    weight = _before(matrix, "TBackward0")
    if weight is matrix and matrix[0] is not None:
        return None
    if not bias and not (weight[0] is not None and is_leaf_node(weight[0])):
        return None  # without a bias it looks like `x @ w.t()`: that of a parameter is a layer
    parts = [node, product, matrix[0]]
    if product is not node:
        parts.append(rows[0])
        before = _before(rows, *VIEWS)
        after, given = shape_at((node, 0)), shape_at(before) if before[0] is not None else None
        # only the last dimension differs between the result and what went in
        if before is rows or after is None or given is None or after[:-1] != given[:-1]:
            return None
        rows = before
    return _join_parts("linear", (rows, weight, *bias), node, parts)


def _matmul(node: Any) -> Operation | None:
    """A product of more than two dimensions: both made a stack of matrices, or rows, and back."""
    product = _behind(node, "UnsafeViewBackward0")
    if product is None or name_of(product) not in ("BmmBackward0", "MmBackward0"):
        return None
    shape = shape_at((node, 0)) or ()
    parts, inputs = [node, product], []
    for edge, kept in zip(product.next_functions, (-2, -1), strict=True):
        for names in (VIEWS, ("CloneBackward0",), ("ExpandBackward0",)):
            before = _before(edge, *names)
            if before is edge and names is VIEWS:
                break  # what was not made a stack was not expanded for it either
            parts += [edge[0]] if before is not edge else []
            edge = before
        given = shape_at(edge) if edge[0] is not None else None
        if edge[0] is not None and (given is None or given[kept:][:1] != shape[kept:][:1]):
            return None
        inputs.append(edge)
    return _join_parts("matmul", tuple(inputs), node, parts)


def _reshape(node: Any) -> Operation | None:
    """`reshape` of what lies otherwise in memory: a copy, then a view of it."""
    copied = _behind(node, "UnsafeViewBackward0")
    if copied is None or name_of(copied) != "CloneBackward0":
        return None
    return _join_parts("reshape", copied.next_functions, node, [node, copied])


def _join_parts(name: str, inputs: Any, node: Any, parts: list[Any]) -> Operation:
    others = [part for part in parts if part is not None and part is not node]
    return Operation(name, tuple(edge for edge in inputs if edge[0] is not None), tuple(others))


def _behind(node: Any, *names: str) -> Any:
    """The only input of a function with one of these names; None for others."""
    return node.next_functions[0][0] if name_of(node) in names else None


def _before(edge: Edge, *names: str) -> Edge:
    """The edge one step further back, if the function there has one of these names."""
    known = edge[0] is not None and name_of(edge[0]) in names
    return edge[0].next_functions[0] if known else edge


# ---- what a function was told besides tensors ----

_TOP = 1 << 63  # PyTorch keeps a negative dim as an unsigned number of 64 bits
_FEW = 4  # facts in one line
# Attributes worth telling, in this order, each with the values that go without saying.
_WORTH: dict[str, tuple[Any, ...]] = {
    "exponent": (), "dim": (), "dims": (), "dim0": (), "dim1": (), "keepdim": (False,), "index": (),
    "start": (0,), "end": (_TOP - 1,), "step": (1,), "split_size": (), "shifts": (), "repeats": (),
    "diagonal": (0,), "kernel_size": (), "stride": (1,), "padding": (0,), "dilation": (1,),
    "groups": (1,), "pad": (), "min": (), "max": (), "min_val": (), "max_val": (),
    "negative_slope": (), "value": (), "alpha": (1,), "p": (), "ord": (2,), "correction": (1,),
    "reduction": ("none",), "approximate": ("none",),
}  # fmt: skip
# The same for a layer: what it was made with, beside the shapes of its parameters.
_SETTINGS: dict[str, tuple[Any, ...]] = {
    "kernel_size": (), "stride": (1,), "padding": (0,), "dilation": (1,), "groups": (1,),
    "output_size": (), "num_heads": (), "dim": (), "eps": (), "p": (), "negative_slope": (),
}  # fmt: skip
_REDUCTIONS = {0: "none", 1: "mean", 2: "sum"}


def attributes(node: Any) -> str:
    """What the function was told, in one line; "" when that is nothing unusual."""

    def read(name: str) -> Any:
        try:
            return value_of(node, name)
        except RuntimeError:  # a tensor that is freed or overwritten: `saved.py` tells about those
            return None

    return _facts(_WORTH, read)


def settings(module: Any) -> str:
    """What a layer was made with, in one line; "" when that is nothing unusual.

    >>> from course_lib import nn
    >>> settings(nn.Conv2d(1, 8, 3, stride=2)), settings(nn.LayerNorm(4)), settings(nn.ReLU())
    ('kernel_size = 3, stride = 2', 'eps = 1e-05', '')
    """
    return _facts(_SETTINGS, vars(module).get)


def _facts(worth: dict[str, tuple[Any, ...]], read: Callable[[str], Any]) -> str:
    """The first few values that are worth telling, as `name = value`."""
    facts = []
    for name, usual in worth.items():
        value = read(name)
        value = _decode_value(tuple(value) if isinstance(value, list) else value, name)
        items = value if isinstance(value, tuple) else (value,)
        if value is not None and not all(item in usual for item in items):
            facts.append(f"{name} = {_format_value(value)}")
    return ", ".join(facts[:_FEW])


def shapes(node: Any, outputs: Sequence[int] = (0,), few: int = 0) -> str:
    """The shapes of some outputs of the function, "" where they cannot be known or all of them have
    at most `few` elements.

    >>> import course_lib as torch
    >>> shapes(torch.ones(2, 3, requires_grad=True).exp().grad_fn)
    '(2, 3)'
    """
    metadata = getattr(node, "_input_metadata", None) or ()
    known = [tuple(metadata[k].shape) for k in outputs if k < len(metadata)]
    many = any(math.prod(shape) > few for shape in known) or not few
    return " ".join(str(shape) for shape in dict.fromkeys(known)) if many else ""


def _decode_value(value: Any, name: str) -> Any:
    """The value as the reader wrote it; None for what is no plain value."""
    if isinstance(value, (tuple, list)):
        items = tuple(_decode_value(item, name) for item in value)
        return None if None in items or not items else items
    if name == "reduction" and value in _REDUCTIONS:
        return _REDUCTIONS[value]
    if isinstance(value, int) and not isinstance(value, bool):
        return as_signed(value)
    return value if isinstance(value, (bool, float, complex, str)) else None


def _format_value(value: Any) -> str:
    if not isinstance(value, tuple):
        return value if isinstance(value, str) else number(value)
    if len(set(value)) == 1 and len(value) <= 3:  # a stride of (2, 2) is spoken of as 2
        return number(value[0])
    return f"({', '.join(map(number, value))})"
