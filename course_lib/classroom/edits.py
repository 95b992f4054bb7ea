"""Whether an answer was edited: what data cannot tell when the edit changes nothing visible."""

import ast
import linecache
import os
from collections.abc import Sequence
from types import FunctionType
from typing import Any


def is_edited(cells: Sequence[str], record: dict[str, Any]) -> bool:
    """True when the last of `cells` that makes an answer differs from what was handed out.

    Comments and layout do not count. Without such a cell it is False.

    >>> record = {"answers": ["f"], "stub": {"code": "def f(x):\\n    ..."}}
    >>> is_edited(["def f(x):\\n    # what now?\\n    ..."], record)
    False
    >>> is_edited(["def f(x):\\n    ...", "def f(x):\\n    x + 1", "def f(x"], record)
    True
    """
    handed_out, written = _dumps(record["stub"]["code"]), _dumps(latest(cells, record["answers"]))
    starts = range(len(written) - len(handed_out) + 1)
    return bool(written) and all(
        written[one : one + len(handed_out)] != handed_out for one in starts
    )


def of_the_course(cell: str) -> str:
    """The cell, line for line, with the course's library wherever it imports PyTorch.

    >>> of_the_course("import torch\\nfrom torch.nn import functional as F  # both")
    'import course_lib as torch\\nfrom course_lib.nn import functional as F  # both'
    """
    lines = cell.split("\n")
    found = [one for top in statements(cell) for one in ast.walk(top)]
    imports = [one for one in found if isinstance(one, (ast.Import, ast.ImportFrom))]
    for node in sorted(imports, key=lambda one: (one.lineno, one.col_offset), reverse=True):
        if not _of_torch(node):
            continue
        end = node.end_lineno or node.lineno
        before = lines[node.lineno - 1].encode()[: node.col_offset].decode()
        behind = lines[end - 1].encode()[node.end_col_offset :].decode()
        blank = [""] * (end - node.lineno)
        lines[node.lineno - 1 : end] = [before + ast.unparse(node) + behind, *blank]
    return "\n".join(lines)


def _of_torch(node: ast.Import | ast.ImportFrom) -> bool:
    """Let an import mean the course's library where it says `torch`; False if it does not."""
    if isinstance(node, ast.ImportFrom):
        first, _, rest = (node.module or "").partition(".")
        if first != "torch" or node.level:
            return False
        node.module = f"course_lib.{rest}" if rest else "course_lib"
        return True
    names = []
    for one in node.names:
        first, _, rest = one.name.partition(".")
        if first != "torch":
            names.append(one)
        elif rest and one.asname:
            names.append(ast.alias(f"course_lib.{rest}", one.asname))
        else:
            names += [ast.alias(f"course_lib.{rest}")] if rest else []
            names.append(ast.alias("course_lib", one.asname or "torch"))
    changed = names != node.names
    node.names = names
    return changed


def same_code(one: str, other: str) -> bool:
    """Whether two cells differ in comments and layout at most.

    >>> same_code("b *= 10", "b*=10  # now"), same_code("one", "other"), same_code("1 +", "2 +")
    (True, False, False)
    """
    return one == other or bool(statements(one)) and _dumps(one) == _dumps(other)


def latest(cells: Sequence[str], names: Sequence[str]) -> str:
    """The last of `cells` that makes one of the names; "" where there is none.

    >>> latest(["a = 1", "a = 2", "b = 3"], ["a"])
    'a = 2'
    """
    made = (text for text in reversed(cells) if any(binds(text, name) for name in names))
    return next(made, "")


def bound_names(node: ast.stmt) -> list[str]:
    """The names that a statement of a cell defines or assigns.

    >>> bound_names(ast.parse("a, (b, c[0]) = 1, (2, 3)").body[0])
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
    return any(name in bound_names(node) for node in statements(cell))


def makes(cell: str, name: str) -> bool:
    """True when a statement of the cell defines, assigns or imports `name`.

    >>> makes("import numpy as np", "np"), makes("from math import pi", "math")
    (True, False)
    """
    imports = [node for node in statements(cell) if isinstance(node, (ast.Import, ast.ImportFrom))]
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
    return _compiled_cells(os.path.dirname(file))


def _compiled_cells(folder: str) -> list[str]:
    """The cells that IPython compiled, each in the place where it ran first.

    nbval runs cells without history. What tracebacks quote is kept all the same: a file of the
    kernel's own for each cell, which exists in the cache of lines alone.
    """
    files = [name for name in linecache.cache if type(name) is str]
    return ["".join(linecache.getlines(name)) for name in files if os.path.dirname(name) == folder]


def _dumps(text: str) -> list[str]:
    """The statements without comments and layout; "" for one too deep to be written down."""
    found = []
    for node in statements(text):
        try:
            found.append(ast.dump(node))
        except RecursionError:
            found.append("")
    return found


def statements(text: str) -> list[ast.stmt]:
    """The statements of a cell; one that is no Python did not run, and has none.

    >>> len(statements("a = 1; b = 2")), statements("a = ")
    (2, [])
    """
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
