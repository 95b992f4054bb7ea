"""Who handed in the same, or nearly: answers compared by what they do, not by how they look.

Note [Unusual together]
That two students wrote the same says nothing where half the class did: there the question has an
obvious answer. So an answer is taken apart into its statements, without names, comments, layout and
the order of lines, and what was handed out is left out. What two students share in a question then
counts for as much as it is rare: log2 of all others by those of them who have all of that, times
the share of their statements that agree. Where nobody else has it, a long answer counts for more
than a short one. A habit counts once, however many questions show it. The sum over a set has to
exceed what chance brings about among so many pairs. What comes out is a sign for a person, never a
mark.
"""

import ast
import io
import math
import re
import tokenize
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

from course_grading.statements import as_python
from course_lib.classroom.probe import Data
from course_lib.classroom.verdict import NOT_ATTEMPTED

MARGIN = 3.5  # bits beyond what one pair in the whole class reaches by chance: worth a look
STRONG = 7.0  # so many bits beyond it that no innocent class in our trials reached them
BONUS = 0.3  # how far the statements of an answer that nobody else has count one by one
EVERYBODY = 400  # students, at most, who are all compared with each other: a second or two
FEW = 0.1  # the share of students up to which a statement is rare; in a larger class it finds pairs
MANY = 40  # students, at most, that each are compared with each other for sharing a statement
LINES = 4  # unusual lines of a pair that are shown
LETTERS = 160

_Index = dict[str, dict[str, set[str]]]  # by question and piece, who has it


@dataclass(frozen=True)
class Pair:
    """Two students, and what they share that few others have."""

    students: tuple[str, str]
    evidence: float  # bits
    strong: bool  # beyond what a class that works alone brings about
    same_file: bool
    questions: tuple[str, ...]  # where they agree in something unusual
    lines: tuple[tuple[str, str], ...]  # question, and a line as the first of them wrote it


@dataclass
class Alike:
    """The answers of one set, as they come, and then the pairs among them."""

    given: dict[str, frozenset[str]] = field(default_factory=dict)  # by question: of the stub
    names: dict[str, frozenset[str]] = field(default_factory=dict)  # by question: of the answers
    _pieces: dict[str, dict[str, frozenset[str]]] = field(default_factory=dict)  # question, student
    _texts: dict[tuple[str, str], str] = field(default_factory=dict)  # of a piece, as first seen
    _files: dict[str, str] = field(default_factory=dict)
    _groups: dict[str, str] = field(default_factory=dict)

    def note_handed_out(self, question: str, given: Iterable[str], names: Iterable[str]) -> None:
        """The code that every student was given for a question, and the names it asks for."""
        self.names[question] = frozenset(names)
        found = [pieces(text, self.names[question]) for text in given]
        self.given[question] = frozenset(piece for one in found for piece in one)

    def add(self, student: str, made: Data, group: str, file: str = "") -> None:
        """Take the answers of a row; `file` is equal for files that are equal byte for byte.

        Students of the same `group` hand in together, so they are no pair.
        """
        tried = False
        self._groups[student] = group
        for one in made["questions"]:
            if one["word"] == NOT_ATTEMPTED:
                continue
            tried, question = True, one["question"]
            text = "\n\n".join(cell for _, cell in one["cells"])
            found = pieces(text, self.names.get(question, frozenset()))
            mine = frozenset(found) - self.given.get(question, frozenset())
            self._pieces.setdefault(question, {})[student] = mine
            for piece in mine:
                self._texts.setdefault((question, piece), found[piece])
        if tried and file:
            self._files[student] = file

    @property
    def limit(self) -> float:
        """The evidence from which on a pair is named."""
        students = {student for of in self._pieces.values() for student in of}
        return MARGIN + math.log2(max(1, math.comb(len(students), 2)))

    def pairs(self) -> list[Pair]:
        """Every pair that shares more than chance explains, the most unusual first."""
        index: _Index = {question: defaultdict(set) for question in self._pieces}
        for question, of in self._pieces.items():
            for student, mine in of.items():
                for piece in mine:
                    index[question][piece].add(student)
        limit = self.limit
        every = [self._pair(*pair, index, limit) for pair in self._candidates(index)]
        found = [pair for pair in every if pair.evidence >= limit or pair.same_file]
        return sorted(found, key=lambda pair: (-pair.same_file, -pair.evidence, pair.students))

    def _candidates(self, index: _Index) -> list[tuple[str, str]]:
        """All pairs; in a large class those that share a rare statement, or a file."""
        found: set[tuple[str, str]] = set()
        everybody = sorted(self._groups)
        if len(everybody) <= EVERYBODY:
            found.update(combinations(everybody, 2))
            index = {}
        for question, having in index.items():
            few = min(max(2, FEW * len(self._pieces[question])), MANY)
            for students in having.values():
                if len(students) <= few:
                    found.update(combinations(sorted(students), 2))
        files = defaultdict(list)
        for student, file in self._files.items():
            files[file].append(student)
        for same in files.values():
            found.update(combinations(sorted(same), 2))
        return sorted(pair for pair in found if self._groups[pair[0]] != self._groups[pair[1]])

    def _pair(self, one: str, other: str, index: _Index, limit: float) -> Pair:
        evidence, questions = 0.0, []
        lines: list[tuple[int, str, str]] = []
        seen: set[str] = set()  # so that a habit counts once
        for question, of in self._pieces.items():
            mine, theirs = of.get(one, _NOTHING), of.get(other, _NOTHING)
            both = (mine & theirs) - seen
            if not both:
                continue
            seen |= both
            having = index[question]
            bits = _bits(both, having, len(of)) * _agreement(mine, theirs)
            evidence += bits
            if bits >= 1:
                questions.append(question)
            few = max(2, FEW * len(of))
            rare = [piece for piece in both if len(having[piece]) <= few]
            lines += [
                (len(having[piece]), question, self._texts[question, piece]) for piece in rare
            ]
        file = self._files.get(one)
        return Pair(
            (one, other),
            round(evidence, 1),
            evidence >= limit + STRONG - MARGIN,
            file is not None and file == self._files.get(other),
            tuple(questions),
            tuple((question, text) for _, question, text in sorted(lines)[:LINES]),
        )


_NOTHING: frozenset[str] = frozenset()


def _bits(both: set[str] | frozenset[str], having: dict[str, set[str]], many: int) -> float:
    """How rare it is that another of so many students has all of `both` too."""

    def rare(students: set[str]) -> float:
        return math.log2((many - 1) / (len(students) - 1))

    everybody = set.intersection(*(having[piece] for piece in both))
    together = rare(everybody)
    if len(everybody) > 2:
        return together
    apart = math.sqrt(sum(rare(having[piece]) ** 2 for piece in both))
    return max(together, together + BONUS * (apart - together))


def _agreement(mine: frozenset[str], theirs: frozenset[str]) -> float:
    """The share of the statements of both that are the same; comments can be anything."""
    code = [piece for piece in mine | theirs if piece[0] != "#"]
    same = [piece for piece in code if piece in mine and piece in theirs]
    return len(same) / len(code) if code else 1.0


# ---- an answer, taken apart ----------------------------------------------------------------------


def pieces(text: str, names: frozenset[str] = frozenset()) -> dict[str, str]:
    r"""The statements of an answer, each in one way of writing it, with a line to show of each.

    >>> some = pieces("def f(x):  # mine\n    y = 2.0 * x\n    return y + 1", frozenset({"f"}))
    >>> same = pieces("def f(values):\n    out = values * 2\n    return 1 + out", frozenset({"f"}))
    >>> list(some) == list(same), list(some)
    (True, ['def f', '= 2 * _', '= 1 + _'])
    """
    text = as_python(text)
    found: dict[str, str] = {}
    try:
        tree = ast.parse(text)
        own = _own(tree) - names
        for node in ast.walk(tree):
            if isinstance(node, (ast.stmt, ast.Lambda, ast.comprehension)):
                for piece in _pieces(node, own):
                    found.setdefault(piece, _line(node))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        found = {_squeeze(line): line.strip()[:LETTERS] for line in text.split("\n")}
        found.pop("", None)
    for comment in _comments(text):
        found.setdefault(f"# {comment}", f"# {comment}"[:LETTERS])
    return found


def _own(tree: ast.AST) -> frozenset[str]:
    """The names that the author of the code chose."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.alias):
            found.add((node.asname or node.name).partition(".")[0])
    return frozenset(found)


def _pieces(node: ast.AST, own: frozenset[str]) -> Iterator[str]:
    def form(part: ast.AST) -> str:
        return _form(part, own)

    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if node.value is not None and not _says_nothing(node.value):
            told = "".join(f"{form(one)} " for one in targets if not _is_own(one, own))
            yield f"{told}= {form(node.value)}"
    elif isinstance(node, ast.AugAssign):
        told = "" if _is_own(node.target, own) else f"{form(node.target)} "
        yield f"{told}= {form(ast.BinOp(node.target, node.op, node.value))}"
    elif isinstance(node, (ast.Return, ast.Expr)):
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if node.value is not None and not text and not _says_nothing(node.value):
            yield f"= {form(node.value)}"
    elif isinstance(node, ast.Lambda):
        yield f"= {form(node.body)}"
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield f"for {form(node.target)} in {form(node.iter)}"
    elif isinstance(node, (ast.If, ast.While, ast.Assert)):
        yield f"{type(node).__name__.lower()} {form(node.test)}"
    elif isinstance(node, ast.With):
        yield f"with {', '.join(form(one.context_expr) for one in node.items)}"
    elif isinstance(node, ast.FunctionDef):
        yield f"def {'_' if node.name in own else node.name}"
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        yield from (f"import {getattr(node, 'module', '')} {one.name}" for one in node.names)
    elif not isinstance(node, (ast.Pass, ast.comprehension)):
        yield type(node).__name__.lower()


def _is_own(target: ast.AST, own: frozenset[str]) -> bool:
    names = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return all(isinstance(one, ast.Name) and one.id in own for one in names)


def _says_nothing(value: ast.expr) -> bool:
    """True of a bare name, and of `...`."""
    return isinstance(value, ast.Name) or getattr(value, "value", None) is ...


_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Mult: "*", ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^",
}  # fmt: skip
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}


def _form(node: ast.AST, own: frozenset[str]) -> str:
    """An expression in one way of writing it: own names are `_`, operands that may swap sorted."""

    def form(part: ast.AST) -> str:
        return _form(part, own)

    if isinstance(node, ast.Name):
        return "_" if node.id in own else node.id
    if isinstance(node, ast.Constant):
        whole = isinstance(node.value, float) and node.value.is_integer()
        return repr(node.value)[:-2] if whole else repr(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _SIGNS:
        sides: list[ast.expr] = [node.left, node.right]
        while isinstance(first := sides[0], ast.BinOp) and type(first.op) is type(node.op):
            sides[:1] = [first.left, first.right]
        parts = sorted(_bracket_node(side, form) for side in sides)
        if isinstance(node.op, ast.Mult) and len(parts) == 2 and parts[0] == parts[1]:
            return f"BinOp({parts[0]}, Pow, 2)"
        return f" {_SIGNS[type(node.op)]} ".join(parts)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        both, op = [form(node.left), form(node.comparators[0])], type(node.ops[0])
        if op in _TURNED:
            both, op = both[::-1], _TURNED[op]
        if op in (ast.Eq, ast.NotEq):
            both.sort()
        return f"{op.__name__}({', '.join(both)})"
    if isinstance(node, ast.Call):
        words = sorted(f"{one.arg or '**'}={form(one.value)}" for one in node.keywords)
        func, values = node.func, [*map(form, node.args)]
        if isinstance(func, ast.Attribute) and form(func.value) == "torch" and values:
            return f"{values[0]}.{func.attr}({', '.join([*values[1:], *words])})"  # as a method
        return f"{form(func)}({', '.join([*values, *words])})"
    if isinstance(node, ast.Attribute):
        return f"{_bracket_node(node.value, form)}.{node.attr}"
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return f"{{{', '.join(sorted(f'{form(k) if k else None}: {form(v)}' for k, v in pairs))}}}"
    if isinstance(node, ast.Set):
        return f"{{{', '.join(sorted(map(form, node.elts)))}}}"
    if isinstance(node, ast.JoinedStr):
        return "f''"
    inside = [form(part) for part in ast.iter_child_nodes(node) if not _is_context(part)]
    name = type(node).__name__
    return f"{name}({', '.join(inside)})" if inside else name


def _bracket_node(node: ast.AST, form: Callable[[ast.AST], str]) -> str:
    return f"({form(node)})" if isinstance(node, ast.BinOp) else form(node)


def _is_context(node: ast.AST) -> bool:
    return isinstance(node, (ast.expr_context, ast.arguments))


def _line(node: ast.AST) -> str:
    if isinstance(node, ast.comprehension):
        return f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}"[:LETTERS]
    return ast.unparse(node).split("\n", 1)[0][:LETTERS]


def _comments(text: str) -> Iterator[str]:
    """The comments of three words and more, without what layout makes of them."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            words = re.findall(r"\w+", token.string.lower())
            if token.type == tokenize.COMMENT and len(words) >= 3 and words[0] != "answer":
                yield " ".join(words)
    except (SyntaxError, ValueError, tokenize.TokenError):
        return


def _squeeze(line: str) -> str:
    return re.sub(r"\s+", "", line.partition("#")[0])
