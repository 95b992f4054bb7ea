"""Whether a recorded mistake is the one a student made: by what was shown, and by the code.

Note [A message needs proof]
Two mistakes may show the same. A message that explains a mistake the student did not make is worse
than none. Numbers and shapes say enough by themselves, unless the code is that of another recorded
mistake. A `None`, a truth value or an exception has many causes: there the code, where it is known,
has to use the same functions and attributes as the recorded mistake, no more and no fewer.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import json
from typing import Any

Data = dict[str, Any]


def message_for(data: Data, record: Data, alike: list[Data], source: str) -> str:
    """The message of the recorded mistake in `alike` that the student made for certain, or "".

    `alike` are the recorded wrong answers that show the same as `data`; `source` is the student's
    cell, "" where it is not known: then only what was shown can decide.
    """
    for wrong in alike:
        if source:
            certain = _made(wrong, record, source, _says_much(data, record))
        else:
            certain = _says_much(data, record)
        if certain:
            return str(wrong["message"])
    return ""


def _made(wrong: Data, record: Data, source: str, telling: bool) -> bool:
    mine, its = marks(parts(source)), _marks_of(wrong)
    if mine[0] == its[0]:
        return True
    if any(mine[0] == _marks_of(other)[0] for other in record["wrong"] if other is not wrong):
        return False
    return telling or mine[1] == its[1]


def marks(found: frozenset[str]) -> list[str]:
    """Two digests, of the parts and of what they use: enough to compare, and no code to read.

    >>> marks(parts("a = 2 * b")) == marks(parts("c = d * 2")), len(marks(parts("")))
    (True, 2)
    """
    texts = (json.dumps(sorted(one)) for one in (found, uses(found)))
    return [hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16] for text in texts]


def _marks_of(wrong: Data) -> list[str]:
    """Those of a recorded answer; a handout and a grader's helper get them without its code."""
    return wrong["marks"] if "marks" in wrong else marks(parts(wrong.get("code", "")))


def _says_much(data: Data, record: Data) -> bool:
    """Whether what was shown has numbers that are not there by chance."""
    if data["error"]:
        return False
    values = [entry["value"] for entry in data["entries"]]
    right = [entry["value"] for entry in record["solution"]["data"]["entries"]]
    other = [value for k, value in enumerate(values) if k >= len(right) or value != right[k]]
    return any(value["kind"] not in ("None", "...", "bool", "unreadable") for value in other)


@functools.lru_cache(maxsize=256)
def parts(source: str) -> frozenset[str]:
    """What a piece of code does, without the names that its author chose.

    >>> sorted(parts("def f(x):\\n    return x.sum() * 2"))
    ['*', '.sum', '2', 'return']
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(found for node in ast.walk(tree) if (found := _part(node)))


def uses(found: frozenset[str]) -> frozenset[str]:
    """The functions, attributes and keywords among the parts.

    >>> sorted(uses(parts("y = f(x).sum() * 2")))
    ['.sum', 'f()']
    """
    return frozenset(part for part in found if part[0] == "." or part[-1] in ")=")


_SIGNS = {
    ast.Mult: "*", ast.MatMult: "@", ast.Add: "+", ast.Sub: "-", ast.Div: "/", ast.Pow: "**",
    ast.FloorDiv: "//", ast.Mod: "%", ast.Return: "return", ast.For: "for", ast.While: "while",
    ast.If: "if", ast.With: "with", ast.Try: "try", ast.AugAssign: "in place", ast.Not: "not",
    ast.USub: "minus", ast.Invert: "~", ast.Delete: "del", ast.Subscript: "[]", ast.Slice: ":",
}  # fmt: skip


def _part(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f".{node.attr}"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return f"{node.func.id}()"
    if isinstance(node, ast.keyword):
        return f"{node.arg}="
    if isinstance(node, ast.Constant):
        return repr(node.value)
    if isinstance(node, ast.Compare):
        return " ".join(type(op).__name__ for op in node.ops)
    return _SIGNS.get(type(node), "")
