"""What `??`, Shift+Tab and a debugger's `source` show of a public function: its declaration.

The function that runs is a front, or a closure from `core/`.  Readers want the declaration instead,
with its docstring and formulas, and the ways to call it; `inspect` finds both where this file puts
them.

Note [Declaration]: IPython follows ``__wrapped__`` to the source, and so does jedi, which completes
``torch.ones(2).su``.  But our kernels have no type annotations: jedi does better with the stub,
which it reads if it finds no source.  So the kernel gets a name that is not in its file: IPython
finds the lines by the code, and jedi, which goes by the name, the stub.
"""

import functools
import inspect
import os
import re
from types import FunctionType
from typing import Any

PACKAGE = os.path.dirname(os.path.dirname(__file__))  # pathlib loads nine modules
STUBS = {"torch": "__init__.pyi", "Tensor": "core/tensor.pyi"}


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
    ways = [inspect.signature(function) for function in definitions(place, name)]
    if not ways:
        return None
    longest = max(ways, key=lambda way: (len(way.parameters), spreads(way)))
    everywhere = set.intersection(*({*way.parameters} for way in ways))
    shown: list[inspect.Parameter] = []
    optional = True
    for param in reversed(longest.parameters.values()):
        if param.kind is param.POSITIONAL_OR_KEYWORD and param.default is param.empty:
            optional = optional and param.name not in everywhere
            param = param.replace(default=...) if optional else param
        default = Word("...") if param.default is ... else param.default
        shown.append(param.replace(default=default, annotation=unquote(param.annotation)))
    return inspect.Signature(shown[::-1], return_annotation=unquote(longest.return_annotation))


def spreads(way: inspect.Signature) -> bool:
    """Whether sizes may be given one by one."""
    return any(param.kind is param.VAR_POSITIONAL for param in way.parameters.values())


def unquote(annotation: Any) -> Any:
    """An annotation, a text of the stub, without quotation marks."""
    return Word(annotation) if isinstance(annotation, str) else annotation


def definitions(place: str, name: str) -> list[Any]:
    """The functions that the stub of a place defines under a name, one for each overload."""
    indent = "    " if place == "Tensor" else ""
    begin = re.compile(rf"^{indent}def {name}\(.*?\) -> .*?:", re.MULTILINE | re.DOTALL)
    made: list[Any] = []
    for found in begin.finditer(stub(place)):
        names: dict[str, Any] = {}
        exec(f"from __future__ import annotations\n{found[0].strip()} ...", names)
        made.append(names[name])
    return made


@functools.cache
def stub(place: str) -> str:
    """The text of a stub with public names: ``int`` for the ``_int`` that it imports."""
    if place not in STUBS:
        return ""
    with open(os.path.join(PACKAGE, STUBS[place]), encoding="utf-8") as file:
        text = file.read()
    meant = {new: old for old, new in re.findall(r"import (\w+) as (_\w+)$", text, re.MULTILINE)}
    return re.sub(r"\b_[A-Za-z]\w*", lambda match: meant.get(match[0], match[0][1:]), text)
