"""What `??`, Shift+Tab and a debugger's `source` show of a public function: its declaration.

The function that runs is a front, or a closure from `core/`.  Readers want the declaration instead,
with its docstring and formulas, and the ways to call it; `inspect` finds both where this file puts
them.

Note [Declaration]: IPython follows ``__wrapped__`` to the source, and so does jedi, which completes
``torch.ones(2).su``.  But our kernels have no type annotations: jedi does better with the stub,
which it reads if it finds no source.  So the kernel gets a name that is not in its file: IPython
finds the lines by the code, and jedi, which goes by the name, the stub.
"""

from __future__ import annotations

import ast
import functools
import inspect
import os
import re
from types import FunctionType
from typing import Any

PACKAGE = os.path.dirname(os.path.dirname(__file__))  # pathlib loads nine modules
STUBS = {"torch": "__init__.pyi", "Tensor": "core/tensor.pyi"}
KINDS = (
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.KEYWORD_ONLY,
    inspect.Parameter.VAR_KEYWORD,
)


def present_as(front: Any, place: str, name: str) -> None:
    """Let the front of a public function show its declaration and the ways to call it."""
    kernel = inspect.unwrap(front)
    if kernel is not front and isinstance(kernel, FunctionType):
        front.__wrapped__, kernel.__name__ = kernel, f"<{kernel.__name__.strip('<>')}>"
    front.__signature__ = Shown(place, name, kernel)


class Shown(inspect.Signature):
    """The signature of a public function, read from the stub when first needed."""

    __slots__ = ("place", "name", "kernel")

    def __init__(self, place: str, name: str, kernel: Any):
        self.place, self.name, self.kernel = place, name, kernel

    @property
    def whole(self) -> inspect.Signature:
        """The complete signature: the stub's, or else the kernel's."""
        return from_stub(self.place, self.name) or inspect.signature(self.kernel)

    @property
    def parameters(self) -> Any:
        return self.whole.parameters

    @property
    def return_annotation(self) -> Any:
        return self.whole.return_annotation

    def replace(self, **changed: Any) -> Any:
        return self.whole.replace(**changed)

    def __reduce__(self) -> Any:
        return self.whole.__reduce__()


class Word(str):
    """A type or a default as the stub spells it: shown without quotation marks."""

    __slots__ = ()
    __repr__ = str.__str__


@functools.cache
def from_stub(place: str, name: str) -> inspect.Signature | None:
    """The signature that the stub has for a function; None if it has none.

    If there are several overloads, it is the longest; parameters that others lack are optional.
    """
    ways = [parameters(definition) for definition in definitions(place, name)]
    if not ways:
        return None
    longest, returns = max(ways, key=lambda way: (len(way[0]), spreads(way[0])))
    everywhere = set.intersection(*({param.name for param in way} for way, _ in ways))
    shown: list[inspect.Parameter] = []
    optional = True
    for param in reversed(longest):
        if param.kind is param.POSITIONAL_OR_KEYWORD and param.default is param.empty:
            optional = optional and param.name not in everywhere
            param = param.replace(default=Word("...")) if optional else param
        shown.append(param)
    return inspect.Signature(shown[::-1], return_annotation=returns)


def spreads(params: list[inspect.Parameter]) -> bool:
    """Whether sizes may be given one by one."""
    return any(param.kind is param.VAR_POSITIONAL for param in params)


def definitions(place: str, name: str) -> list[ast.FunctionDef]:
    """The definitions of a function in the stub of its place, one for each overload."""
    indent = "    " if place == "Tensor" else ""
    begin = re.compile(
        rf"^{indent}def {name}\(.*?\) -> .*?:(?: \.\.\.)?$", re.MULTILINE | re.DOTALL
    )
    texts = (re.sub(r":( \.\.\.)?$", ": ...", found[0]) for found in begin.finditer(stub(place)))
    parsed = (ast.parse(text.strip()).body[0] for text in texts)
    return [one for one in parsed if isinstance(one, ast.FunctionDef)]


@functools.cache
def stub(place: str) -> str:
    """The text of a stub with public names: ``int`` for the ``_int`` that it imports."""
    if place not in STUBS:
        return ""
    with open(os.path.join(PACKAGE, STUBS[place]), encoding="utf-8") as file:
        text = file.read()
    meant = {new: old for old, new in re.findall(r"import (\w+) as (_\w+)$", text, re.MULTILINE)}
    return re.sub(r"\b_[A-Za-z]\w*", lambda match: meant.get(match[0], match[0][1:]), text)


def parameters(definition: ast.FunctionDef) -> tuple[list[inspect.Parameter], Any]:
    """The parameters of a definition, and what it returns."""
    given = definition.args
    places = given.posonlyargs + given.args
    defaults = [None] * (len(places) - len(given.defaults)) + list(given.defaults)
    listed: list[tuple[Any, Any, Any]] = [(KINDS[0], *one) for one in zip(places, defaults)]
    if given.vararg:
        listed.append((KINDS[1], given.vararg, None))
    listed += [(KINDS[2], *one) for one in zip(given.kwonlyargs, given.kw_defaults)]
    if given.kwarg:
        listed.append((KINDS[3], given.kwarg, None))
    return [parameter(*one) for one in listed], spelt(definition.returns)


def parameter(kind: Any, given: ast.arg, default: ast.expr | None) -> inspect.Parameter:
    """A parameter as it is shown."""
    return inspect.Parameter(
        given.arg, kind, default=spelt(default), annotation=spelt(given.annotation)
    )


def spelt(node: ast.expr | None) -> Any:
    """An expression as text, or `inspect`'s ``empty`` if there is none."""
    return inspect.Parameter.empty if node is None else Word(ast.unparse(node))


__all__ = ["present_as"]
