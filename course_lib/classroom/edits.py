"""Whether an answer was edited: what data cannot tell when the edit changes nothing visible."""

from __future__ import annotations

import ast
import linecache
import os
from collections.abc import Sequence
from types import FunctionType
from typing import Any


def edited(cells: Sequence[str], record: dict[str, Any]) -> bool:
    """True when the last of `cells` that makes an answer does not do so as it was handed out.

    Comments and layout do not count. Without such a cell nobody can tell, and it is False.

    >>> record = {"answers": ["f"], "stub": {"code": "def f(x):\\n    ..."}}
    >>> edited(["def f(x):\\n    # what now?\\n    ..."], record)
    False
    >>> edited(["def f(x):\\n    ...", "def f(x):\\n    x + 1", "def f(x"], record)
    True
    """
    handed_out = [_dump(node) for node in _statements(record["stub"]["code"])]
    for text in reversed(cells):
        nodes = _statements(text) if any(name in text for name in record["answers"]) else []
        if any(name in names_bound(node) for node in nodes for name in record["answers"]):
            written = [_dump(node) for node in nodes]
            starts = range(len(written) - len(handed_out) + 1)
            return all(written[one : one + len(handed_out)] != handed_out for one in starts)
    return False


def latest(cells: Sequence[str], names: Sequence[str]) -> str:
    """The last of `cells` that makes one of the names; "" where there is none.

    >>> latest(["a = 1", "a = 2", "b = 3"], ["a"])
    'a = 2'
    """
    made = (text for text in reversed(cells) if any(binds(text, name) for name in names))
    return next(made, "")


def names_bound(node: ast.stmt) -> list[str]:
    """The names that a statement of a cell defines or assigns.

    >>> names_bound(ast.parse("a, (b, c[0]) = 1, (2, 3)").body[0])
    ['a', 'b']
    """
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    if isinstance(node, (ast.AnnAssign, ast.AugAssign)):
        targets = [node.target]
    found = [name for target in targets for name in ast.walk(target)]
    return [
        name.id for name in found if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    ]


def binds(cell: str, name: str) -> bool:
    """True when a statement of the cell defines or assigns `name`.

    >>> binds("a = 1\\nb = a.no_such_thing", "b")
    True
    """
    return any(name in names_bound(node) for node in _statements(cell))


def makes(cell: str, name: str) -> bool:
    """True when a statement of the cell defines, assigns or imports `name`.

    >>> makes("import numpy as np", "np"), makes("from math import pi", "math")
    (True, False)
    """
    imports = [node for node in _statements(cell) if isinstance(node, (ast.Import, ast.ImportFrom))]
    imported = [one.asname or one.name for node in imports for one in node.names]
    return name in imported or binds(cell, name)


def cells_run(look: object) -> list[str]:
    """The cells that ran where the check `look` was written, in order; a script is a single one."""
    if type(look) is not FunctionType:
        return []
    cells = look.__globals__.get("_ih")  # IPython's own list of inputs
    file = look.__code__.co_filename
    if type(cells) is not list:
        return ["".join(linecache.getlines(file))]
    if len(cells) > 1:
        return [text for text in cells if type(text) is str]
    return _compiled(os.path.dirname(file))


def _compiled(folder: str) -> list[str]:
    """The cells that IPython compiled, each in the place where it ran first.

    nbval runs cells without history. What tracebacks quote is kept all the same: a file of the
    kernel's own for each cell, which exists in the cache of lines alone.
    """
    files = [name for name in linecache.cache if type(name) is str]
    return ["".join(linecache.getlines(name)) for name in files if os.path.dirname(name) == folder]


def _dump(node: ast.stmt) -> str:
    """The statement without its comments and layout; "" when it is too deep to be written down."""
    try:
        return ast.dump(node)
    except RecursionError:
        return ""


def _statements(text: str) -> list[ast.stmt]:
    """The statements of a cell; one that is no Python did not run, and has none."""
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
