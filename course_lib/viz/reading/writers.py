"""Lines of code that write into a variable in place, found by reading the code."""

import ast
import inspect
import textwrap
from types import FrameType

from course_lib.viz.reading.code import MAGIC, cells_of

HARMLESS = {"requires_grad_", "share_memory_", "detach_", "retain_grad_"}  # write no numbers


def writers(source: str, names: set[str]) -> list[int]:
    """The numbers of the lines that write into one of the names, from 1.

    >>> writers("y = x.exp()\\ny.add_(1)\\ny[0] = 2\\nz = y + 1\\ny += 1", {"y"})
    [2, 3, 5]
    """
    try:
        tree = ast.parse(MAGIC.sub("", source))
    except SyntaxError:  # a part of a file
        return []
    lines = {node.lineno for node in ast.walk(tree) if _writes(node, names)}  # type: ignore[attr-defined]
    return sorted(lines)


def _writes(node: ast.AST, names: set[str]) -> bool:
    if isinstance(node, ast.AugAssign):
        return _is_or_inside(node.target, names)
    if isinstance(node, ast.Assign):
        parts = [t for t in node.targets if isinstance(t, ast.Subscript)]
        return any(_is_or_inside(target, names) for target in parts)
    if isinstance(node, ast.Call):
        given = [word.value for word in node.keywords if word.arg == "out"]
        if any(_is_or_inside(value, names) for value in given):
            return True
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if method.endswith("_") and not method.endswith("__") and method not in HARMLESS:
            return _is_or_inside(node.func.value, names)  # type: ignore[attr-defined]
    return False


def is_write(node: ast.AST) -> bool:
    """Whether a node writes into anything in place: `y += 1`, `y[0] = 1`, `y.add_(1)`, `out=y`."""
    names = {ast.unparse(part) for part in ast.walk(node) if isinstance(part, ast.Name)}
    return _writes(node, names)


def _is_or_inside(target: ast.expr, names: set[str]) -> bool:
    """Whether an expression is one of the names, or a part of it: `y`, `y[0]`, `y[0][1]`."""
    while ast.unparse(target) not in names:
        if not isinstance(target, ast.Subscript):
            return False
        target = target.value
    return True


def lines_that_write(frame: FrameType, names: set[str]) -> list[tuple[str, str]]:
    """Where in the code of a frame the names are written into, and what stands there.

    At the top of a notebook that is the code of all cells so far, else the function or the file.
    """
    numbered = [(label, source, 1) for label, source in cells_of(frame)]
    if frame.f_code.co_name != "<module>":
        first = frame.f_code.co_firstlineno
        lines = numbered[0][1].splitlines(keepends=True)[first - 1 :]
        numbered = [("", "".join(inspect.getblock(lines)), first)]
    found = []
    for label, source, first in numbered:
        rows = source.splitlines()
        for line in writers(textwrap.dedent(source), names):
            found.append((f"{label}line {line + first - 1}", rows[line - 1].strip()))
    return found
