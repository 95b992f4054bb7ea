"""Trees: tensors and other values in tuples, lists and dictionaries, inside one another.

The functions of `torch.func` take and return such trees.  Their shape is written as PyTorch
writes it: ``TreeSpec(tuple, None, [*, TreeSpec(dict, ['a'], [*])])`` for ``(x, {"a": y})``.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from course_lib.memory.size import Size

__all__ = ["leaves", "mapped", "rebuilt", "spread", "structure"]


def mapped(function: Callable, tree: Any) -> Any:
    """Tuples, lists and dictionaries as they are, with ``function`` of what is inside.

    >>> mapped(abs, (-1, [-2, {"a": -3}]))
    (1, [2, {'a': 3}])
    """
    if isinstance(tree, dict):
        made = {key: mapped(function, value) for key, value in tree.items()}
        return OrderedDict(made) if isinstance(tree, OrderedDict) else made
    if is_branch(tree):
        values = [mapped(function, value) for value in tree]
        return getattr(type(tree), "_make", type(tree))(values)
    return function(tree)


def is_branch(tree: Any) -> bool:
    """Whether this is a tuple or a list of trees; a `torch.Size` is one leaf."""
    return isinstance(tree, (tuple, list)) and not isinstance(tree, Size)


def leaves(tree: Any) -> list[Any]:
    """What is inside tuples, lists and dictionaries, in order.

    >>> leaves((1, [2, {"a": 3}]))
    [1, 2, 3]
    """
    found: list[Any] = []
    mapped(found.append, tree)
    return found


def rebuilt(tree: Any, values: Any) -> Any:
    """A tree like `tree`, of other values.

    >>> rebuilt(("a", ["b"]), [1, 2])
    (1, [2])
    """
    remaining = iter(values)
    return mapped(lambda _: next(remaining), tree)


def parts(tree: Any) -> list[Any] | None:
    """The branches of a tree; None if it is a leaf."""
    if isinstance(tree, dict):
        return list(tree.values())
    return list(tree) if is_branch(tree) else None


def structure(tree: Any, indent: int = 0) -> str:
    """The shape of a tree, as PyTorch prints it.

    >>> structure((1, [2]))
    'TreeSpec(tuple, None, [*,\\n  TreeSpec(list, None, [*])])'
    """
    branches = parts(tree)
    if branches is None:
        return "*"
    kind, context = type(tree).__name__, None
    if isinstance(tree, dict):
        context = list(tree)
    elif hasattr(tree, "_fields"):
        kind, context = "namedtuple", type(tree)
    gap = ",\n" + " " * (indent + 2)
    inside = gap.join(structure(branch, indent + 2) for branch in branches)
    return f"TreeSpec({kind}, {context}, [{inside}])"


def spread(short: Any, tree: Any) -> list[Any] | None:
    """A value for each leaf of `tree`, of a tree that may end earlier; None if it does not fit.

    >>> spread((0, None), (["x", "y"], "z"))
    [0, 0, None]
    >>> spread((0, 1), "x") is None
    True
    """
    values = parts(short)
    if values is None:
        return [short] * len(leaves(tree))
    branches = parts(tree)
    if branches is None or type(short) is not type(tree) or len(values) != len(branches):
        return None
    if isinstance(short, dict):
        if short.keys() != tree.keys():
            return None
        values = [short[key] for key in tree]
    found: list[Any] = []
    for value, branch in zip(values, branches, strict=True):
        inside = spread(value, branch)
        if inside is None:
            return None
        found += inside
    return found
