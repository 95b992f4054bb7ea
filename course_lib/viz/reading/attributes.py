"""What a function was told besides tensors: an exponent, a dim, a stride; and the shapes it made.

Both are read from the node: its `_saved_*` attributes that are no tensors, and `_input_metadata`,
which says the shape of each gradient that the function receives: that of an output it made.
"""

import math
from typing import Any

from course_lib.viz.reading.saved import value_of
from course_lib.viz.reading.values import number

_TOP = 1 << 63  # PyTorch keeps a negative dim as an unsigned number of 64 bits
_FEW = 4  # facts in one line
# Attributes worth telling, in this order, each with the values that go without saying.
_WORTH: dict[str, tuple[Any, ...]] = {
    "exponent": (),
    "dim": (),
    "dims": (),
    "dim0": (),
    "dim1": (),
    "keepdim": (False,),
    "index": (),
    "start": (0,),
    "end": (_TOP - 1,),
    "step": (1,),
    "split_size": (),
    "shifts": (),
    "repeats": (),
    "diagonal": (0,),
    "kernel_size": (),
    "stride": (1,),
    "padding": (0,),
    "dilation": (1,),
    "groups": (1,),
    "pad": (),
    "min": (),
    "max": (),
    "min_val": (),
    "max_val": (),
    "negative_slope": (),
    "value": (),
    "alpha": (1,),
    "p": (),
    "ord": (2,),
    "correction": (1,),
    "reduction": ("none",),
    "approximate": ("none",),
}
# The same for a layer: what it was made with, beside the shapes of its parameters.
_SETTINGS: dict[str, tuple[Any, ...]] = {
    "kernel_size": (),
    "stride": (1,),
    "padding": (0,),
    "dilation": (1,),
    "groups": (1,),
    "output_size": (),
    "num_heads": (),
    "dim": (),
    "eps": (),
    "p": (),
    "negative_slope": (),
}
_REDUCTIONS = {0: "none", 1: "mean", 2: "sum"}


def attributes(node: Any) -> str:
    """What the function was told, in one line; "" when that is nothing unusual.

    >>> import course_lib as torch
    >>> x = torch.ones(2, 3, requires_grad=True)
    >>> attributes((x ** 3).grad_fn), attributes(x.sum(-1, keepdim=True).grad_fn)
    ('exponent = 3', 'dim = -1, keepdim = True')
    """
    facts = []
    for name, usual in _WORTH.items():
        try:
            value = _decoded(value_of(node, name), name)
        except RuntimeError:  # a tensor that is freed or overwritten: `saved.py` tells about those
            continue
        items = value if isinstance(value, tuple) else (value,)
        if value is not None and not all(item in usual for item in items):
            facts.append(f"{name} = {_told(value)}")
    return ", ".join(facts[:_FEW])


def settings(module: Any) -> str:
    """What a layer was made with, in one line; "" when that is nothing unusual.

    >>> from course_lib import nn
    >>> settings(nn.Conv2d(1, 8, 3, stride=2)), settings(nn.LayerNorm(4)), settings(nn.ReLU())
    ('kernel_size = 3, stride = 2', 'eps = 1e-05', '')
    """
    facts = []
    for name, usual in _SETTINGS.items():
        value = vars(module).get(name)
        value = _decoded(tuple(value) if isinstance(value, list) else value, name)
        items = value if isinstance(value, tuple) else (value,)
        if value is not None and not all(item in usual for item in items):
            facts.append(f"{name} = {_told(value)}")
    return ", ".join(facts[:_FEW])


def shapes(node: Any, outputs: tuple[int, ...] = (0,), few: int = 0) -> str:
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


def _decoded(value: Any, name: str) -> Any:
    """The value as the reader wrote it; None for what is no plain value."""
    if isinstance(value, (tuple, list)):
        items = tuple(_decoded(item, name) for item in value)
        return None if None in items or not items else items
    if name == "reduction" and value in _REDUCTIONS:
        return _REDUCTIONS[value]
    if isinstance(value, int) and value >= _TOP:
        return value - 2 * _TOP
    return value if isinstance(value, (bool, int, float, complex, str)) else None


def _told(value: Any) -> str:
    if not isinstance(value, tuple):
        return value if isinstance(value, str) else number(value)
    if len(set(value)) == 1 and len(value) <= 3:  # a stride of (2, 2) is spoken of as 2
        return number(value[0])
    return f"({', '.join(map(number, value))})"
