"""One entry of what `explain` knows, and how its sentences get the names of the reader's things."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from course_lib.viz.reading.code import NO_CODE, Code, as_owner, subject_of, write_in
from course_lib.viz.reading.values import dtype_of, is_tensor

Found = dict[str, str] | None
Words = tuple[tuple[str, ...], tuple[str, ...]]  # what happened, what to do
FACTS: dict[str, Callable[[Any], str]] = {
    "shape": lambda tensor: f"has shape {tuple(tensor.shape)}",
    "dtype": lambda tensor: f"is {dtype_of(tensor)}",
    "device": lambda tensor: f"is on {tensor.device}",
}


@dataclass(frozen=True)
class Seen:
    """An error's message, the reader's line and its variables, its code, and the library's frames
    below that line."""

    message: str
    line: str = ""
    scope: dict[str, Any] = field(default_factory=dict)
    code: Code = NO_CODE
    inside: tuple[FrameType, ...] = ()

    def live(self, node: Any) -> Any:
        """The value of an expression of the code, `MISSING` where it cannot be read."""
        return self.code.live(node)

    @property
    def node(self) -> Any:
        """The expression or statement that raised; an empty module where it is not known."""
        return self.code.node

    def nodes(self) -> Iterator[Any]:
        """That node, and all inside it."""
        return ast.walk(self.node)

    @property
    def statement(self) -> str:
        """The statement that raised, or its first line."""
        return self.code.statement() or self.line

    @property
    def call(self) -> Any:
        """The call that raised, None where something else did."""
        return self.node if isinstance(self.node, ast.Call) else None

    def tensors(self) -> dict[str, Any]:
        """The tensors in the expression that raised, as they are written there."""
        named = [node for node in self.nodes() if isinstance(node, (ast.Name, ast.Attribute))]
        held = {ast.unparse(node): self.live(node) for node in named}
        return {name: thing for name, thing in held.items() if is_tensor(thing)}

    def modules(self) -> list[tuple[Any, Any]]:
        """The modules at work below the reader's line, outermost first, with what each received."""
        found = []
        for frame in self.inside:
            code, own = frame.f_code, frame.f_locals.get("self")
            if code.co_name == "forward" and hasattr(type(own), "named_parameters"):
                names = code.co_varnames[1 : code.co_argcount]
                found.append((own, frame.f_locals.get(names[0]) if names else None))
        return found

    def name_of(self, module: Any) -> str:
        """What the reader calls a module: `net`, `net.fc`, `net[2]`; its class without a name."""
        for name, thing in self.scope.items():
            if not hasattr(type(thing), "named_modules") or name.startswith("_"):
                continue
            for path, part in thing.named_modules():
                if part is module:
                    return re.sub(r"\.(\d+)", r"[\1]", f"{name}.{path}".rstrip("."))
        return type(module).__name__


HOLE = r"(?P<{}>\[.*?\]|\(.*?\)|[^\s,;)\]]+)"


@dataclass
class Remedy:
    """What to say about the errors that one of the `signs` is found in; a block of causes.txt.

    In the sentences, every hole of the sign has its name, `{x}` is the subject of one of the
    `calls`, and `{name}`, `{code}` and `{new}` are a write in place. `find` looks for the cause in
    the live objects: it gives more such words, those that are `needed` among them, and None where
    the cause is another one. A sentence with a word that is not known is left out, and a remedy of
    which nothing is left does not fit.
    `given` tells the shape, the dtype or the device of the tensors in the line.
    """

    title: str
    signs: list[str] = field(default_factory=list)
    what: list[str] = field(default_factory=list)
    todo: list[str] = field(default_factory=list)
    calls: tuple[str, ...] = ()
    find: Callable[[Seen], Found] | None = None
    needed: list[str] = field(default_factory=list)
    given: str = ""

    def describe(self, seen: Seen) -> Words | None:
        """What happened and what to do, in the reader's names; None where it does not fit."""
        found = next(filter(None, (re.search(sign, seen.message) for sign in self.signs)), None)
        more = self.find(seen) if found and self.find else {}
        if found is None or more is None or not all(map(more.get, self.needed)):
            return None
        x = subject_of(seen.statement, self.calls) or _last_expression(seen) or "result"
        words = {"x": x, **_write(seen), **found.groupdict(), **more}
        what, todo = _select_known(self.what, words), _select_known(self.todo, words)
        if not what or not todo:
            return None
        facts = [f"{n} {FACTS[self.given](t)}" for n, t in seen.tensors().items() if self.given]
        listed = " and ".join(filter(None, [", ".join(facts[:-1]), *facts[-1:]]))
        return (*what, *([f"{listed}."] if facts else [])), todo


def remedies(text: str, finders: Mapping[str, Any]) -> list[Remedy]:
    """The remedies in a text of blocks: `#` begins a title, `~` a sign with holes, `/` one that is
    a regular expression, `?` the name of a finder and the words it has to find, `@` calls, `=` a
    fact, `-` what happened, `>` what to do. Lines that begin with `;` are remarks, and two spaces
    go on with the line before.

    >>> remedies("# Too long\\n~ a ({n}) is\\n- It has\\n  {n}.\\n> Cut it.", {})[0].what
    ['It has {n}.']
    """
    found: list[Remedy] = []
    for line in text.replace("\n  ", " ").splitlines():
        mark, words = line[:1], line[2:]
        if mark == "#":
            found.append(Remedy(words))
        elif mark in "~/" and words:
            found[-1].signs.append(_pattern(words) if mark == "~" else words)
        elif mark == "?":
            finder, *found[-1].needed = words.split()
            found[-1].find = finders[finder]
        elif mark == "@":
            found[-1].calls = tuple(words.split())
        elif mark == "=":
            found[-1].given = words
        elif mark in "->" and words:
            (found[-1].what if mark == "-" else found[-1].todo).append(words)
    return found


def _pattern(sign: str) -> str:
    """The regular expression for a sign with holes.

    >>> re.search(_pattern("got ({n}x{k})"), "it got (2x3).").groupdict()
    {'n': '2', 'k': '3'}
    """

    def hole(found: re.Match[str]) -> str:
        return HOLE.replace("?P<{}>", f"?P<{found[1]}>" if found[1] else "?:")

    return re.sub(r"\\{(\w*)\\}", hole, re.escape(sign))


def names_in(node: Any) -> list[str]:
    """The names in a piece of code, in the order of a walk."""
    return [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]


def _select_known(sentences: list[str], words: dict[str, str]) -> tuple[str, ...]:
    """The sentences of which all words are known."""
    known = {word for word, told in words.items() if told}
    holes = [set(re.findall(r"{(\w+)}", sentence)) for sentence in sentences]
    return tuple(s.format(**words) for s, asked in zip(sentences, holes) if asked <= known)


def _write(seen: Seen) -> dict[str, str]:
    """The words about a write in place; none where the line has no such write."""
    write = write_in(seen.statement, seen.scope)
    if write is None:
        return {}
    copied = f"new = {write.name}.clone(), then {write.on('new')},"
    return {
        "name": write.name,
        "code": write.code,
        "in_copy": write.on("copy"),
        "new": f"new = {write.value}" if write.value else copied,
    }


def _last_expression(seen: Seen) -> str:
    """The expression that ran last, if it is short and no call."""
    node = seen.node
    node = node.test if isinstance(node, (ast.If, ast.While)) else node
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    if isinstance(node, ast.Attribute) and node.attr in ("requires_grad", "grad", "data"):
        node = node.value
    return "" if isinstance(node, ast.Call) or not isinstance(node, ast.expr) else as_owner(node)
