"""What statements bind and need, read from their text: an answer brings what it rests on."""

import ast
import builtins
import contextlib
import re
import symtable
from collections.abc import Iterable
from dataclasses import dataclass, field

_BUILTINS = frozenset(vars(builtins)) | {"display", "get_ipython", "__name__"}


@dataclass
class Statement:
    """One statement at the top of a cell."""

    cell: int
    text: str
    binds: set[str] = field(default_factory=set)
    needs: set[str] = field(default_factory=set)
    changes: set[str] = field(default_factory=set)  # names whose value it changes in place
    same: str = ""  # equal for statements that mean the same


def parse(text: str) -> ast.Module | None:
    """The syntax tree, None where there is none."""
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.parse(text)
    return None


def statements(cell: int, text: str) -> list[Statement]:
    """The statements of a cell, none when it is no Python.

    >>> [one] = statements(3, "def f(x): return g(x) + y")
    >>> one.binds, sorted(one.needs)
    ({'f'}, ['g', 'y'])
    """
    tree = parse(text)
    return [] if tree is None else [_statement(cell, node) for node in tree.body]


def _statement(cell: int, node: ast.stmt) -> Statement:
    made = Statement(cell, "")
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        made.text = ast.unparse(node)
        made.same = ast.dump(node)
        table = symtable.symtable(made.text, "cell", "exec")
        for symbol in table.get_symbols():
            if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
                made.binds.add(symbol.get_name())
            if symbol.is_referenced():
                made.needs.add(symbol.get_name())
        _inner_needs(table, made.needs)
        made.changes = set(_changed_names(node))
    return made


def _inner_needs(table: symtable.SymbolTable, needs: set[str]) -> None:
    tables = list(table.get_children())
    for inner in tables:  # which grows meanwhile
        tables += inner.get_children()
        needs.update(
            symbol.get_name()
            for symbol in inner.get_symbols()
            if symbol.is_global() and symbol.is_referenced()
        )


def _changed_names(node: ast.stmt) -> Iterable[str]:
    """Roots of what is assigned to, or whose method is called: `x[0] = 1`, `x.append(1)`."""
    targets: list[ast.expr] = []
    if isinstance(node, (ast.Assign, ast.Delete)):
        targets = list(node.targets)
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        targets = [node.target]
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        targets = [node.value.func]
    elif isinstance(node, (ast.For, ast.While, ast.With, ast.If, ast.Try)):
        for inner in ast.walk(node):
            if isinstance(inner, ast.stmt) and inner is not node:
                yield from _changed_names(inner)
    for target in targets:
        root = target
        while isinstance(root, (ast.Attribute, ast.Subscript, ast.Starred)):
            root = root.value
        if isinstance(root, ast.Name) and root is not target:
            yield root.id


def select_needed(names: set[str], available: list[Statement], given: set[str]) -> list[Statement]:
    """Of the available statements those that bind or change the names, and what these need.

    >>> some = statements(1, "import math\\nr = 2\\ndef area(): return math.pi * r\\nz = 1")
    >>> [one.text.split()[0] for one in select_needed({"area"}, some, set())]
    ['import', 'r', 'def']
    """
    wanted = names - given - _BUILTINS
    known: set[str] = set()
    chosen: set[int] = set()
    while wanted:
        name = wanted.pop()
        known.add(name)
        for place, one in enumerate(available):
            if place not in chosen and (name in one.binds or name in one.changes):
                chosen.add(place)
                wanted |= one.needs - known - given - _BUILTINS
    return [available[place] for place in sorted(chosen)]


# ---- what only a notebook understands ------------------------------------------------------------

_TIMED = re.compile(r"\A\s*%%(?:time|timeit|capture|prun)\b.*\n?")
_OTHER = re.compile(r"\A\s*%%\w+")
_LINE = re.compile(r"^(\s*)(?:[%!].*|\?.*|[\w.]+\?{1,2})$", re.MULTILINE)
_TIME = re.compile(r"^(\s*)(\w+\s*=\s*)?%time\s+", re.MULTILINE)
_ASSIGNED = re.compile(r"^(\s*\w+\s*=)\s*[%!].*$", re.MULTILINE)


def as_python(text: str) -> str:
    """A cell without what only IPython understands: magics, shell lines, questions.

    >>> as_python("%matplotlib inline\\nx = 1")
    'pass  # %matplotlib inline\\nx = 1'
    """
    if "%" not in text and "!" not in text and "?" not in text:
        return text
    if parse(text) is not None:
        return text
    if _TIMED.match(text):
        return as_python(_TIMED.sub("\n", text, count=1))
    if _OTHER.match(text):
        return "pass"
    plain = _TIME.sub(lambda found: found[1] + (found[2] or ""), text)
    plain = _ASSIGNED.sub(r"\1 None", plain)
    return _LINE.sub(lambda found: f"{found[1]}pass  # {found[0].strip()}", plain)
