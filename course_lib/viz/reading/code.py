"""The code of the reader: found at the place of an error, and taken apart.

Advice about a line is given in the reader's own names.
"""

import ast
import builtins
import inspect
import linecache
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from types import CodeType, FrameType, FunctionType, ModuleType, TracebackType
from typing import Any

LIBRARIES = ("torch", "course_lib")
MAGIC = re.compile(r"(?m)^[%!].*$")  # of a notebook
MODES = re.compile(r"(.*\.)?(no_grad|inference_mode|set_grad_enabled|enable_grad)(\(|$)")
ADDERS = ("append", "extend", "insert")
BRANCHES = (ast.If, ast.For, ast.While, ast.Try, ast.Match)
FUNCTIONS = (ast.FunctionDef, ast.Lambda)
MISSING = object()


@dataclass(eq=False)
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
        return found if isinstance(found.node, ast.Call) else None

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

    def live(self, node: Any) -> Any:
        """The value of a variable, or of an attribute or item of one, if it is still the same."""
        if isinstance(node, ast.Name):  # it may have been assigned to anew, after it was read here
            ends = [at for name, _, at in self.steps if name == node.id]
            stale = any(_start(node) < at < _end(self.node) for at in ends)
            return MISSING if stale else self.scope.get(node.id, MISSING)
        inner = isinstance(node, (ast.Attribute, ast.Subscript))
        owner = self.live(node.value) if inner else MISSING
        if isinstance(node, ast.Subscript):
            key = node.slice.value if isinstance(node.slice, ast.Constant) else None
            held = dict(enumerate(owner)) if isinstance(owner, (list, tuple)) else owner
            return held.get(key, MISSING) if isinstance(held, dict) else MISSING
        method = inspect.getattr_static(type(owner), getattr(node, "attr", ""), None)
        simple = isinstance(owner, ModuleType) or hasattr(type(owner), "named_parameters")
        simple = simple or (isinstance(method, FunctionType) and owner is not MISSING)
        if simple or getattr(node, "attr", "") in getattr(owner, "__dict__", {}):
            return getattr(owner, node.attr, MISSING)
        return MISSING

    def mode(self, node: Any) -> str:
        """The mode that switches recording off around a node, "" where it is on."""
        around = [words for block, words in self.blocks if holds(block, node)]
        return around[-1] if around else ""


def code_at(users: Sequence[TracebackType]) -> Code:
    """The code at the innermost of the reader's frames; `NO_CODE` if it cannot be found."""
    if not users:
        return NO_CODE
    frame = users[-1].tb_frame
    tree, labels, first = ast.Module([], []), dict[int, str](), 0
    for label, source in cells_of(frame):  # as one tree, its lines counted through
        first = len(labels)
        labels |= {first + n: f"{label}line {n}" for n in range(1, source.count("\n") + 2)}
        tree.body += ast.increment_lineno(parse_code(source), first).body
    found = _at(ast.walk(tree), frame.f_code, users[-1].tb_lasti, first)
    if not found:
        return NO_CODE
    return Code(tree, found[-1], frame.f_globals | frame.f_locals, labels, tuple(users))


def _at(nodes: Iterator[Any], code: CodeType, instruction: int, first: int = 0) -> list[Any]:
    """The nodes that an instruction comes from; `first` lines are before those of the code."""
    start, end, *columns = next(islice(code.co_positions(), instruction // 2, None))
    span = ((start or 0) + first, columns[0]), ((end or 0) + first, columns[1])
    return [n for n in nodes if hasattr(n, "lineno") and (_start(n), _end(n)) == span]


def cells_of(frame: FrameType) -> list[tuple[str, str]]:
    """The code of a frame and what comes before its line numbers: at the top of a notebook that of
    all cells so far, else that of its file."""
    cells: Any = frame.f_globals.get("In")
    own = "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    notebook = isinstance(cells, list) and "get_ipython" in frame.f_globals
    if not notebook or frame.f_code.co_name != "<module>":
        return [("", own)]
    same = [n for n, cell in enumerate(cells) if n and str(cell).strip() == own.strip()]
    last = same[-1] if same else len(cells)
    return [(f"In [{n}], ", str(cell)) for n, cell in enumerate(cells[: last + 1]) if n]


def parse_code(code: str) -> ast.Module:
    """Code as a tree, without a notebook's magic; an empty one for a part of a longer statement."""
    code = MAGIC.sub("", code)
    for source in (code, f"{code} pass"):  # `for row in rows:` has its body on the next line
        try:
            return ast.parse(source)
        except SyntaxError:
            continue
    return ast.Module([], [])


def nodes_of(code: str) -> Iterator[Any]:
    """All nodes of a piece of code."""
    return ast.walk(parse_code(code))


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


NO_CODE = Code(ast.Module([], []), ast.Module([], []), {}, {})

# ---- what writes in place ----

FUNCTIONS_OF = ("torch", "F", "nn", "init", "functional")  # what functions are reached through
HARMLESS = {"requires_grad_", "share_memory_", "detach_", "retain_grad_"}  # write no numbers


def writers(source: str, names: set[str]) -> list[int]:
    """The numbers of the lines that write into one of the names, from 1.

    >>> writers("y = x.exp()\\ny.add_(1)\\ny[0] = 2\\nz = y + 1\\ny += 1", {"y"})
    [2, 3, 5]
    """
    pairs = [(node, target) for node in nodes_of(source) for target in _targets(node)]
    return sorted({n.lineno for n, t in pairs if names & {*map(ast.unparse, _owners(t))}})


def _targets(node: Any) -> list[ast.expr]:
    """What a node writes into in place: `y` of `y += 1`, `y[0] = 1`, `y.add_(1)` and `out=y`."""
    if isinstance(node, ast.AugAssign):
        return [node.target]
    if isinstance(node, ast.Assign):
        return [target for target in node.targets if isinstance(target, ast.Subscript)]
    if not isinstance(node, ast.Call):
        return []
    found = [word.value for word in node.keywords if word.arg == "out"]
    found += [node.args[0]] if _is_function_that_writes(node) else []
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    writes = method.endswith("_") and not method.endswith("__") and method not in HARMLESS
    return [*found, node.func.value] if writes else found  # type: ignore[attr-defined]


def _is_function_that_writes(node: ast.Call) -> bool:
    """Whether a call is like `torch.relu_(y)` or `F.relu(y, inplace=True)`."""
    owner, _, name = ast.unparse(node.func).rpartition(".")
    if not node.args or owner.partition(".")[0] not in FUNCTIONS_OF:
        return False
    inplace = any(w.arg == "inplace" and getattr(w.value, "value", False) for w in node.keywords)
    return inplace or (name.endswith("_") and not name.endswith("__"))


def _owners(target: ast.expr) -> list[ast.expr]:
    """An expression and all that it is a part of: `y[0][1]`, `y[0]`, `y`."""
    return [target, *(_owners(target.value) if isinstance(target, ast.Subscript) else ())]


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


# ---- what a line asks for ----

FIRST = ("grad", "deepcopy", "bool", "asarray", "array", "float", "int")  # of the first argument
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
    """The first write in place of a line, None where there is none; `scope` has the variables."""
    for node in nodes_of(code):
        for target in _targets(node):
            name = _owners(target)[-1]
            if isinstance(name, ast.Name):
                value = _value(node, scope.get(name.id)) if name is target else ""
                return Write(ast.unparse(node), name.id, value)
    return None


def subject_of(code: str, calls: tuple[str, ...]) -> str:
    """What a call in a line is about: `out` in `out.backward()` and in `grad(out, w)`, or "".

    >>> subject_of("(x * x).backward()", ("backward",)), subject_of("grad(out, w)", ("grad",))
    ('(x * x)', 'out')
    """
    for node in nodes_of(code):
        called = name_of_call(node) if isinstance(node, ast.Call) else ""
        if called in calls:
            owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
            subject = next(iter(node.args if called in FIRST else owner), None)
            if subject is not None and not isinstance(subject, (ast.List, ast.ListComp)):
                return as_owner(subject)
    return ""


def arguments_of(frame: FrameType | None) -> list[str]:
    """The arguments in the call that the frame is in, as they are written: those without a name.

    A long one is "". There are none where the call cannot be read, or has a `*`.
    """
    if frame is None:
        return []
    source = "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))
    for node in _at(nodes_of(source), frame.f_code, frame.f_lasti):
        if isinstance(node, ast.Call) and not any(isinstance(n, ast.Starred) for n in node.args):
            found = [ast.get_source_segment(source, one) or "" for one in node.args]
            words = [" ".join(word.split()) for word in found]
            return [word if len(word) <= LONGEST else "" for word in words]
    return []


def name_of_call(node: ast.Call) -> str:
    """What is called: `exp` in `torch.exp(x)` and in `x.exp()`."""
    return ast.unparse(node.func).rpartition(".")[2]


def as_owner(node: ast.expr) -> str:
    """An expression as it is written before a dot, "" where it is long."""
    words = ast.unparse(ast.Attribute(node, "a")).removesuffix(".a")
    return words if len(words) <= LONGEST else ""


def _value(node: ast.AST, owner: Any) -> str:
    """The expression that makes a new tensor where a node writes into a variable."""
    if isinstance(node, ast.AugAssign):
        return ast.unparse(ast.BinOp(node.target, node.op, node.value))
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    words = [word for word in node.keywords if word.arg not in ("out", "inplace")]
    name = node.func.attr.removesuffix("_")
    is_function = len(words) < len(node.keywords) or _is_function_that_writes(node)
    if not is_function and not hasattr(type(owner), name):
        return ""
    return ast.unparse(ast.Call(ast.Attribute(node.func.value, name), node.args, words))
