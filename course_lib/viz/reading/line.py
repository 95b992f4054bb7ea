"""What a line of the reader's code asks for, in the reader's own names, for advice about it."""

import ast
import itertools
import linecache
from dataclasses import dataclass
from types import FrameType
from typing import Any

from course_lib.viz.reading.code import parsed
from course_lib.viz.reading.writers import is_write

FIRST = ("grad", "deepcopy", "bool")  # whose subject is the first argument
LONGEST = 40  # letters of an expression that advice repeats


@dataclass(frozen=True)
class Write:
    """A write in place: `code`, the variable `name` that it goes into, and the expression that
    makes a new tensor instead, "" where only a copy helps.
    """

    code: str
    name: str
    value: str

    def on(self, copy: str) -> str:
        """The same write into another variable."""
        tree = ast.parse(self.code)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and node.id == self.name:
                node.id = copy
        return ast.unparse(tree)


def write_in(code: str, scope: dict[str, Any]) -> Write | None:
    """The first write in place of a line, None where there is none; `scope` has the variables.

    >>> write_in("s *= a + b", {})
    Write(code='s *= a + b', name='s', value='s * (a + b)')
    >>> write_in("s[0].zero_()", {}).value, write_in("t = s + 1", {})
    ('', None)
    """
    tree = parsed(code)
    for node in ast.walk(tree) if tree else ():
        target = _target(node)
        if target is not None:
            name = target
            while isinstance(name, ast.Subscript):
                name = name.value
            if isinstance(name, ast.Name):
                owner = scope.get(name.id)
                value = _value(node, owner) if name is target else ""
                return Write(ast.unparse(node), name.id, value)
    return None


def subject_of(code: str, calls: tuple[str, ...]) -> str:
    """What a call in a line is about: `out` in `out.backward()` and in `grad(out, w)`, or "".

    >>> subject_of("(x * x).backward()", ("backward",)), subject_of("grad(out, w)", ("grad",))
    ('(x * x)', 'out')
    """
    tree = parsed(code)
    for node in ast.walk(tree) if tree else ():
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func).rpartition(".")[2]
        if called not in calls:
            continue
        if called in FIRST:
            subject = node.args[0] if node.args else None
        else:
            subject = node.func.value if isinstance(node.func, ast.Attribute) else None
        if subject is not None:
            return as_owner(subject)
    return ""


def arguments_of(frame: FrameType | None) -> list[str]:
    """The arguments in the call that the frame is in, as they are written: those without a name.

    A long one is "". There are none where the call cannot be read, or has a `*`.
    """
    if frame is None:
        return []
    code = frame.f_code
    place = next(itertools.islice(code.co_positions(), frame.f_lasti // 2, None), ())
    source = "".join(linecache.getlines(code.co_filename, frame.f_globals))
    tree = parsed(source)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Call) and place == (
            node.lineno, node.end_lineno, node.col_offset, node.end_col_offset
        ):  # fmt: skip
            if not any(isinstance(one, ast.Starred) for one in node.args):
                found = [ast.get_source_segment(source, one) or "" for one in node.args]
                words = [" ".join(word.split()) for word in found]
                return [word if len(word) <= LONGEST else "" for word in words]
    return []


def as_owner(node: ast.expr) -> str:
    """An expression as it is written before a dot, "" where it is long."""
    words = ast.unparse(ast.Attribute(node, "a")).removesuffix(".a")
    return words if len(words) <= LONGEST else ""


def _target(node: ast.AST) -> ast.expr | None:
    """The expression that a node writes into."""
    if not is_write(node):
        return None
    if isinstance(node, ast.AugAssign):
        return node.target
    if isinstance(node, ast.Assign):
        return node.targets[0]
    assert isinstance(node, ast.Call)
    out = next((word.value for word in node.keywords if word.arg == "out"), None)
    return out or (node.func.value if isinstance(node.func, ast.Attribute) else None)


def _value(node: ast.AST, owner: Any) -> str:
    """The expression that makes a new tensor where a node writes into a variable."""
    if isinstance(node, ast.AugAssign):
        return ast.unparse(ast.BinOp(node.target, node.op, node.value))
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    words = [word for word in node.keywords if word.arg != "out"]
    if len(words) < len(node.keywords):
        return ast.unparse(ast.Call(node.func, node.args, words))
    method = node.func.attr.removesuffix("_")
    if not hasattr(type(owner), method):
        return ""
    call = ast.Attribute(node.func.value, method)
    return ast.unparse(ast.Call(call, node.args, node.keywords))
