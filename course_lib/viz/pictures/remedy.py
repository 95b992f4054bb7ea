"""How an entry of `remedies.py` is put into the reader's names."""

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from course_lib.viz.reading.code import Code, Write, as_owner, parsed, subject_of, write_in
from course_lib.viz.reading.values import is_tensor

Words = tuple[tuple[str, ...], tuple[str, ...]]  # what happened, what to do


@dataclass(frozen=True)
class Seen:
    """An error's message, the reader's line and its variables, its code, the library's frames."""

    message: str
    line: str = ""
    scope: dict[str, Any] = field(default_factory=dict)
    code: Code | None = None
    inside: tuple[FrameType, ...] = ()


@dataclass(frozen=True)
class Remedy:
    """What to say about the errors in whose message `sign` is found.

    In the sentences, `{x}` is the subject of one of the `calls`, or the variable of the line for
    which `which` holds; `{name}`, `{code}` and `{new}` are a write in place, and every group of
    `sign` has its name. `look` says more than that, or None where the error is another one.
    """

    sign: str
    title: str
    what: tuple[str, ...] = ()
    todo: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    which: Callable[[Any], bool] | None = None
    look: Callable[[Seen], Words | None] | None = None

    def told(self, seen: Seen) -> Words | None:
        """What happened and what to do, in the reader's names; None where it does not fit."""
        found = re.search(self.sign, seen.message)
        if not found or self.look:
            return self.look(seen) if found and self.look else None
        line = (seen.code.statement() if seen.code else "") or seen.line
        write = write_in(line, seen.scope) or Write("x += 1", "x", "x + 1")
        copied = f"new = {write.name}.clone(), then {write.on('new')},"
        words = {
            "x": self.variable(line, seen)
            or subject_of(line, self.calls)
            or _here(seen)
            or "result",
            "name": write.name,
            "code": write.code,
            "in_copy": write.on("copy"),
            "new": f"new = {write.value}" if write.value else copied,
            **found.groupdict(),
        }
        what, todo = ([s.format(**words) for s in part] for part in (self.what, self.todo))
        return tuple(what), tuple(todo)

    def variable(self, line: str, seen: Seen) -> str:
        """The variable that is meant, "" where none is known."""
        tree = parsed(line) if self.which else None
        for node in ast.walk(tree) if tree else ():
            held = seen.scope.get(node.id) if isinstance(node, ast.Name) else None
            if is_tensor(held) and self.which and self.which(held):
                return node.id  # type: ignore[attr-defined]
        return ""


def _here(seen: Seen) -> str:
    """The expression that ran last, if it is short and no call."""
    node = seen.code.node if seen.code else None
    node = node.test if isinstance(node, (ast.If, ast.While)) else node
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return "" if isinstance(node, ast.Call) or not isinstance(node, ast.expr) else as_owner(node)
