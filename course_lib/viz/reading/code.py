"""The code of the reader at the place of an error, and the variables that it sees."""

import ast
import builtins
import inspect
import linecache
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from types import FrameType, FunctionType, TracebackType
from typing import Any

LIBRARIES = ("torch", "course_lib")
MAGIC = re.compile(r"(?m)^[%!].*$")  # of a notebook
MODES = re.compile(r"(.*\.)?(no_grad|inference_mode|set_grad_enabled|enable_grad)(\(|$)")
ADDERS = ("append", "extend", "insert")
BRANCHES = (ast.If, ast.For, ast.While, ast.Try, ast.Match)
FUNCTIONS = (ast.FunctionDef, ast.Lambda)


@dataclass
class Code:
    """A tree of code, the `node` in it that ran last, the variables that it sees, what its lines
    are called, and the frames that led to it."""

    tree: Any
    node: Any
    scope: dict[str, Any]
    labels: dict[int, str]
    users: tuple[TracebackType, ...] = ()
    home: Any = field(init=False)

    def __post_init__(self) -> None:
        self.scope = vars(builtins) | self.scope
        around = [n for n in ast.walk(self.tree) if holds(n, self.node)]
        self.home = next((n for n in reversed(around) if isinstance(n, FUNCTIONS)), self.tree)
        self.loops = [n for n in around if isinstance(n, (ast.For, ast.While))]
        self.branches = [n for n in ast.walk(self.home) if isinstance(n, BRANCHES)]
        self.steps = list(_steps(self.home))
        self.blocks = list(_blocks(self.tree))

    def statement(self) -> str:
        """The statement that ran last; "" for one with a block of statements below it."""
        found = [n for n in ast.walk(self.home) if isinstance(n, ast.stmt) and holds(n, self.node)]
        return "" if not found or hasattr(found[-1], "body") else ast.unparse(found[-1])

    def caller(self) -> "Code | None":
        """The code that called this function, None where a library or nobody did."""
        outer, here = self.users[:-1], self.users[-1:]
        if not outer or here[0].tb_frame.f_back is not outer[-1].tb_frame:
            return None
        found = code_at(outer)
        return found if found and isinstance(found.node, ast.Call) else None

    def says(self, words: str) -> bool:
        """Whether a statement of the code ends with these words."""
        lines = (ast.unparse(n) for n in ast.walk(self.tree) if isinstance(n, ast.Expr))
        return any(line.endswith(words) for line in lines)

    def made(self, node: ast.Name) -> tuple[list[Any], bool]:
        """What may have been assigned to a variable last, before it is read here; and whether it
        may still be what a parameter was given."""
        own = [step for step in self.steps if step[0] == node.id]
        found = [value for _, value, _ in own if any(holds(loop, value) for loop in self.loops)]
        for _, value, place in reversed(own):
            if place <= _start(node):
                found.append(value)
                if all(holds(b, node) for b in self.branches if holds(b, value)):
                    return found, False
        args = getattr(self.home, "args", None)
        parameters = [n.arg for n in ast.walk(args) if isinstance(n, ast.arg)] if args else []
        return found, node.id in parameters

    def stale(self, node: ast.Name) -> bool:
        """Whether a variable was assigned to anew, after it was read here."""
        end = _end(self.node)
        return any(name == node.id and _start(node) < at < end for name, _, at in self.steps)

    def mode(self, node: Any) -> str:
        """The mode that switches recording off around a node, "" where it is on."""
        around = [words for block, words in self.blocks if holds(block, node)]
        return around[-1] if around else ""


def code_at(users: Sequence[TracebackType]) -> Code | None:
    """The code at the innermost of the reader's frames; None where it is not to be had."""
    if not users:
        return None
    frame = users[-1].tb_frame
    tree, first, labels = _tree_of(frame)
    start, end, *columns = next(islice(frame.f_code.co_positions(), users[-1].tb_lasti // 2, None))
    span = ((start or 0) + first, columns[0], (end or 0) + first, columns[1])
    nodes: list[Any] = [n for n in ast.walk(tree) if hasattr(n, "lineno")]
    found = [n for n in nodes if (*_start(n), *_end(n)) == span]
    if not found:
        return None
    return Code(tree, found[-1], frame.f_globals | frame.f_locals, labels, tuple(users))


def code_of(function: FunctionType) -> Code | None:
    """The code of a function up to its only return, None where it has several or none."""
    file, line = function.__code__.co_filename, function.__code__.co_firstlineno
    tree = _parsed("".join(linecache.getlines(file, function.__globals__)))
    homes = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for home in homes:
        if line in [home.lineno, *(node.lineno for node in home.decorator_list)]:
            ends = [node for node in ast.walk(home) if isinstance(node, ast.Return) and node.value]
            labels = {n: f"line {n}" for n in range(line, (home.end_lineno or line) + 1)}
            scope = function.__globals__ | dict(inspect.getclosurevars(function).nonlocals)
            return Code(tree, ends[0], scope, labels) if len(ends) == 1 else None
    return None


def cells_of(frame: FrameType) -> list[tuple[str, str]]:
    """The code of a frame and what comes before its line numbers: at the top of a notebook that of
    all cells so far, else that of its file."""
    cells = frame.f_globals.get("In")
    own = "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    if frame.f_code.co_name != "<module>" or not isinstance(cells, list):
        return [("", own)]
    if "get_ipython" not in frame.f_globals:
        return [("", own)]
    same = [n for n, cell in enumerate(cells) if n and str(cell).strip() == own.strip()]
    last = same[-1] if same else len(cells)
    return [(f"In [{n}], ", str(cell)) for n, cell in enumerate(cells[: last + 1]) if n]


def parsed(code: str) -> ast.Module | None:
    """Code as a tree; None for a part of a longer statement."""
    for source in (code, f"{code} pass"):  # `for row in rows:` has its body on the next line
        try:
            return ast.parse(source)
        except SyntaxError:
            continue
    return None


def _parsed(source: str) -> ast.Module:
    return parsed(MAGIC.sub("", source)) or ast.Module([], [])


def _tree_of(frame: FrameType) -> tuple[ast.Module, int, dict[int, str]]:
    """The code of a frame as one tree, how many lines come before its own, and their labels."""
    tree, labels, first = ast.Module([], []), dict[int, str](), 0
    for label, source in cells_of(frame):
        first = len(labels)
        labels |= {first + n: f"{label}line {n}" for n in range(1, source.count("\n") + 2)}
        tree.body += ast.increment_lineno(_parsed(source), first).body
    return tree, first, labels


def _start(node: Any) -> tuple[int, int]:
    return (node.lineno, node.col_offset)


def _end(node: Any) -> tuple[int, int]:
    return (node.end_lineno, node.end_col_offset)


def holds(outer: Any, inner: Any) -> bool:
    """Whether a node lies in another, or is it."""
    return (
        hasattr(outer, "lineno") and _start(outer) <= _start(inner) and _end(inner) <= _end(outer)
    )


def _steps(home: Any) -> Iterator[tuple[str, Any, tuple[int, int]]]:
    """The assignments of a function, without those of functions in it: name, value and end."""
    for node in ast.iter_child_nodes(home):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            continue
        pairs: list[tuple[Any, Any]] = []
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value:
            pairs = [(node.target, node.value)]
        elif isinstance(node, ast.AugAssign):
            both = ast.BinOp(node.target, node.op, node.value)
            pairs = [(node.target, ast.copy_location(both, node))]
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            func = node.value.func  # `y.detach_()` is another y
            if isinstance(func, ast.Attribute) and (func.attr[-1] == "_" or func.attr in ADDERS):
                pairs = [(func.value, node.value)]
        for target, value in pairs:
            while isinstance(target, ast.Subscript):  # `y[0] = x` is made of both
                target = target.value
                value = ast.copy_location(ast.Tuple([target, value]), node)
            parts, values = getattr(target, "elts", [target]), getattr(value, "elts", [])
            for n, part in enumerate(parts):
                if isinstance(part, ast.Name):
                    own = values[n] if len(values) == len(parts) and part is not target else value
                    yield part.id, own, _end(node)
        yield from _steps(node)


def _blocks(tree: Any) -> Iterator[tuple[Any, str]]:
    """The blocks and functions in a mode, outer ones first, and the mode where it switches
    recording off."""
    for node in ast.walk(tree):
        heads = [item.context_expr for item in node.items] if isinstance(node, ast.With) else []
        for head in map(ast.unparse, heads + getattr(node, "decorator_list", [])):
            found = MODES.match(head)
            if found:
                no = "False" in head
                off = {"no_grad": True, "enable_grad": False, "inference_mode": not no}
                yield node, head if off.get(found[2], no) else ""
