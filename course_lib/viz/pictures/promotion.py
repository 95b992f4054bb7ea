"""`draw_promotion`: which dtype comes out when two dtypes meet, and why.

Dtypes form a chart: an arrow leads from a dtype to the next one that holds it. Two operands of one
standing meet at the first dtype that both reach. Standings differ: a tensor with dimensions comes
before a 0-d tensor, which comes before a Python number; the lower one can lift the result into a
higher category, never to a wider dtype of the same category.
"""

import itertools
import sys
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from course_lib.viz.drawing.picture import Picture
from course_lib.viz.drawing.sheet import LETTER, PAD, Chart, drawn
from course_lib.viz.reading import arguments
from course_lib.viz.reading.models import library_of
from course_lib.viz.reading.names import Names
from course_lib.viz.reading.values import is_tensor

CATEGORIES = {
    "bool": ("bool",), "integer": ("uint8", "int8", "int16", "int32", "int64"),
    "float": ("float16", "bfloat16", "float32", "float64"),
    "complex": ("complex32", "complex64", "complex128"),
}  # fmt: skip
NEXT: dict[str, tuple[str, ...]] = {
    "bool": ("uint8", "int8"), "uint8": ("int16",), "int8": ("int16",), "int16": ("int32",),
    "int32": ("int64",), "int64": ("float16", "bfloat16"), "float16": ("float32", "complex32"),
    "bfloat16": ("float32",), "float32": ("float64", "complex64"), "float64": ("complex128",),
    "complex32": ("complex64",), "complex64": ("complex128",), "complex128": (),
}  # fmt: skip
CATEGORY = {dtype: name for name, members in CATEGORIES.items() for dtype in members}
STANDINGS = {  # from the strongest to the weakest
    "dimensions": "a tensor with dimensions",
    "no dimensions": "a 0-d tensor",
    "number": "a Python {kind}",
}
RISING = "Categories rise: bool, integer, float, complex."


@dataclass(frozen=True)
class Operand:
    """One of the two: `standing` is one of STANDINGS, `role` what it has to say in the result
    ("counts", "gives its category", "gives way"), `path` its way to the result on the chart, if it
    has a say."""

    name: str
    dtype: str
    standing: str
    kind: str = ""  # of a Python number: "int", "float" ...; "dtype" for a bare dtype
    role: str = "counts"
    path: tuple[str, ...] = ()

    def describe(self) -> str:
        """Dtype and standing in words.

        >>> Operand("x", "int64", "no dimensions").describe()
        'int64, a 0-d tensor'
        """
        standing = STANDINGS[self.standing].format(kind=self.kind)
        return "a dtype" if self.kind == "dtype" else f"{self.dtype}, {standing}"


@dataclass(frozen=True)
class Promotion:
    """What a picture of a promotion says."""

    operands: tuple[Operand, Operand]
    result: str
    reasons: tuple[str, ...]

    @property
    def drawn(self) -> list[str]:
        """The dtypes that are drawn: complex32, which few meet, only when it is concerned."""
        concerned = {self.result, *(one.dtype for one in self.operands)}
        return [dtype for dtype in NEXT if dtype != "complex32" or dtype in concerned]


def draw_promotion(a: Any, b: Any, *more: Any, names: Any = None) -> Picture:
    """The picture of the dtype that `a` and `b` have together: tensors, dtypes, Python numbers.

    >>> import course_lib as torch
    >>> x = torch.tensor([1, 2], dtype=torch.int32)
    >>> print(draw_promotion(x, 2.5).text.partition("\\nAll")[0])
    int32 and float32 give float32
    x: int32, a tensor with dimensions, counts
        int32 -> int64 -> float16 -> float32
    2.5: float32, a Python float, counts
    2.5 is a Python number: it counts only in a category above that of x.
    float is above integer: the result takes the dtype of 2.5, float32.
    A Python float has the default dtype, float32.
    Categories rise: bool, integer, float, complex.
    """
    arguments.exactly("draw_promotion", more, "two operands", "Draw them two by two.")
    known = Names(names, None, sys._getframe(1), who="draw_promotion", things=(a, b))
    libraries = [library_of(thing) for thing in (a, b)]
    library = next(filter(None, libraries), None) or import_module("course_lib")
    pair = [_operand(thing, name, known, library) for thing, name in ((a, "a"), (b, "b"))]
    if pair[0].name == pair[1].name and a is not b:
        pair = [replace(one, name=f"{one.name} ({n})") for one, n in zip(pair, "ab", strict=True)]
    strange = [one.dtype for one in pair if one.dtype not in NEXT]
    if strange:
        return _off_the_chart(strange[0], library, a, b)
    promotion = describe_promotion(pair[0], pair[1], hasattr(library, "complex32"))
    lines = [f"{pair[0].dtype} and {pair[1].dtype} give {promotion.result}"]
    for one in promotion.operands:
        lines.append(f"{one.name}: {one.describe()}, {one.role}")
        if len(one.path) > 1:
            lines.append("    " + " -> ".join(one.path))
    steps = {d: [later for later in NEXT[d] if later in promotion.drawn] for d in promotion.drawn}
    arrows = "; ".join(f"{dtype} -> {', '.join(later)}" for dtype, later in steps.items() if later)
    lines += [*promotion.reasons, f"All arrows: {arrows}"]
    alt = f"A chart of dtypes. {lines[0]}. " + " ".join(promotion.reasons)
    return drawn(lines, alt, lambda chart: _put_chart(chart, promotion, lines[0]))


def describe_promotion(a: Operand, b: Operand, half_complex: bool = True) -> Promotion:
    """The promotion of two operands as plain data; `half_complex`: there is a dtype complex32.

    >>> int8, uint8 = Operand("a", "int8", "dimensions"), Operand("b", "uint8", "dimensions")
    >>> describe_promotion(int8, uint8).result
    'int16'
    """
    if a.standing == b.standing:
        common = [dtype for dtype in NEXT if way(a.dtype, dtype) and way(b.dtype, dtype)]
        result = next(first for first in common if all(way(first, other) for other in common))
        said = _equals(a, b, result)
        roles = {a.name: "counts", b.name: "counts"}
    else:
        strong, weak = sorted((a, b), key=lambda one: list(STANDINGS).index(one.standing))
        result, role, said = _unequal(strong, weak, half_complex)
        roles = {strong.name: "counts", weak.name: role}
    said += [
        f"A Python {one.kind} has the default dtype, {one.dtype}."
        for one in (a, b)[: 1 if a == b else 2]
        if one.kind in ("float", "complex") and roles[one.name] == "counts"
    ]
    said += [RISING] if a.standing != b.standing else []
    ways = {dtype: way(dtype, result) for dtype in (a.dtype, b.dtype)}
    first, second = (
        replace(one, role=role, path=() if role == "gives way" else ways[one.dtype])
        for one, role in ((a, roles[a.name]), (b, roles[b.name]))
    )
    return Promotion((first, second), result, tuple(said))


def _equals(a: Operand, b: Operand, result: str) -> list[str]:
    """Why two operands of one standing give what they give."""
    if a.dtype == b.dtype:
        return [f"Both are {result} already."]
    lead = {
        "dimensions": "Both have dimensions, so both dtypes count.",
        "no dimensions": "Both are 0-d tensors, so both dtypes count.",
        "number": "Both are Python numbers, so both count.",
    }[a.standing]
    said = [] if "dtype" in (a.kind, b.kind) else [lead]
    if result in (a.dtype, b.dtype):
        other = a.dtype if result == b.dtype else b.dtype
        return [*said, f"The arrows lead from {other} to {result}."]
    return [
        *said,
        f"No arrows lead from {a.dtype} to {b.dtype} or back; "
        f"{result} is the first dtype that both reach.",
    ]


def _unequal(strong: Operand, weak: Operand, half_complex: bool) -> tuple[str, str, list[str]]:
    """Result, role of the weaker operand and reasons, when one operand comes before the other."""
    above, below = CATEGORY[strong.dtype], CATEGORY[weak.dtype]
    what = "a Python number" if weak.standing == "number" else "a 0-d tensor"
    said = [f"{weak.name} is {what}: it counts only in a category above that of {strong.name}."]
    order = list(CATEGORIES)
    if order.index(below) <= order.index(above):
        why = f"Both are {above}" if below == above else f"{below} is below {above}"
        said.append(f"{why}: {weak.name} gives way, and {strong.name} keeps {strong.dtype}.")
        return strong.dtype, "gives way", said
    if above == "float":
        result = complex_of(strong.dtype, half_complex)
        said.append(
            f"complex is above float, but the precision stays that of {strong.name}: "
            f"the complex dtype for {strong.dtype} is {result}."
        )
        return result, "counts" if weak.dtype == result else "gives its category", said
    said.append(
        f"{below} is above {above}: the result takes the dtype of {weak.name}, {weak.dtype}."
    )
    return weak.dtype, "counts", said


# ---- the chart ----


def complex_of(dtype: str, half_complex: bool) -> str:
    """The complex dtype whose parts have the precision of a float dtype.

    >>> complex_of("float64", True), complex_of("bfloat16", True)
    ('complex128', 'complex64')
    """
    if dtype == "float16" and half_complex:
        return "complex32"
    return "complex128" if dtype == "float64" else "complex64"


def way(start: str, end: str) -> tuple[str, ...]:
    """The shortest way along the arrows, the upper one of two; empty where there is none.

    >>> way("uint8", "int32")
    ('uint8', 'int16', 'int32')
    """
    ways: list[tuple[str, ...]] = [(start,)]
    for path in ways:
        if path[-1] == end:
            return path
        ways += [(*path, dtype) for dtype in NEXT[path[-1]]]
    return ()


# ---- reading operands ----


def _operand(thing: Any, letter: str, names: Names, library: Any) -> Operand:
    arguments.dense("draw_promotion", thing, sparse=True)
    if is_tensor(thing):
        standing = "dimensions" if len(thing.shape) else "no dimensions"
        return Operand(names.of(thing) or letter, _short(thing.dtype), standing)
    if isinstance(thing, (bool, int, float, complex)):
        kind = next(k.__name__ for k in (bool, int, float, complex) if isinstance(thing, k))
        default = _short(library.get_default_dtype())
        half_complex = hasattr(library, "complex32")
        dtype = {"bool": "bool", "int": "int64", "float": default}.get(kind)
        number = repr(getattr(thing, "item", lambda: thing)())
        return Operand(number, dtype or complex_of(default, half_complex), "number", kind)
    if type(thing).__name__ == "dtype" and library_of(thing):
        return Operand(_short(thing), _short(thing), "dimensions", "dtype")
    raise TypeError(
        "draw_promotion wants tensors, dtypes or Python numbers, "
        f"not {arguments.came(thing)}. For example: draw_promotion(x, 2.5)."
    )


def _short(dtype: Any) -> str:
    return str(dtype).rpartition(".")[2]


def _off_the_chart(dtype: str, library: Any, a: Any, b: Any) -> Picture:
    """Words alone, for dtypes that take no part in promotion; the library itself says the rest."""
    try:
        pair = [
            library.empty(1, dtype=thing) if type(thing).__name__ == "dtype" else thing
            for thing in (a, b)
        ]
        said = f"The result here is {_short(library.result_type(*pair))}."
    except Exception as error:
        said = f"PyTorch's error: {error}"
    words = f"{dtype} is not on the chart of promotion: no arrows lead from it or to it. {said}"
    return Picture(words, words)


# ---- the drawing ----

HIGH, ROW, GAP = 26, 62, 26  # of a box, from row to row, between columns
Place = tuple[float, float, float]  # left edge, top edge and width of a box
# column and row of each dtype; a half row lies between two rows
SPOTS = {
    "bool": (0, 1.5), "uint8": (1, 1), "int8": (1, 2), "int16": (2, 1.5), "int32": (3, 1.5),
    "int64": (4, 1.5), "complex32": (5, 0), "float16": (5, 1), "bfloat16": (5, 2),
    "complex64": (6, 0), "float32": (6, 1), "complex128": (7, 0), "float64": (7, 1),
}  # fmt: skip


def _put_chart(chart: Chart, promotion: Promotion, title: str) -> None:
    """The chart with its operands above and its reasons below."""
    chart.heading(title)
    y = PAD + 30.0
    for letter, one in zip("AB", promotion.operands, strict=True):
        _letter(chart, letter, PAD, y)
        chart.text(PAD + 26, y, one.name, bold=True)
        x = PAD + 26 + len(one.name) * LETTER + 14
        chart.text(x, y, f"{one.describe()}: {one.role}", 11.5, "muted", face="Helvetica")
        y += 21
    places = _places(y + 34, promotion.drawn)
    lit = {step for one in promotion.operands for step in itertools.pairwise(one.path)}
    for dtype, (x, y, wide) in places.items():
        for later in filter(places.__contains__, NEXT[dtype]):
            left, top, _ = places[later]
            start, end = (x + wide + 1, y + HIGH / 2), (left - 5, top + HIGH / 2)
            if left == x:  # straight up within a column
                start, end = (x + wide / 2, y - 1), (x + wide / 2, top + HIGH + 5)
            chart.arrow(start, end, (dtype, later) in lit)
    for dtype, place in places.items():
        _dtype(chart, dtype, place, promotion)
    _categories(chart, places)
    chart.sentences(chart.height + 26, list(promotion.reasons), "ink")


def _letter(chart: Chart, letter: str, x: float, y: float) -> None:
    """What an operand is called on the chart."""
    chart.frame(x, y - 12, 16, 16, "leaf", "leaf line", 1.4)
    chart.text(x + 8, y, letter, anchor="middle", bold=True)


def _places(top: float, drawn: list[str]) -> dict[str, Place]:
    """Where each box is."""
    widths = [
        max(len(dtype) * LETTER + 16 for dtype, spot in SPOTS.items() if spot[0] == column)
        for column in range(8)
    ]
    lefts = [PAD + sum(widths[:column]) + column * GAP for column in range(8)]
    return {
        dtype: (lefts[column], top + row * ROW, widths[column])
        for dtype, (column, row) in SPOTS.items()
        if dtype in drawn
    }


def _dtype(chart: Chart, dtype: str, place: Place, promotion: Promotion) -> None:
    """The box of one dtype, with the letters of the operands that start there."""
    x, y, wide = place
    pairs = zip("AB", promotion.operands, strict=True)
    starts = {letter: one for letter, one in pairs if one.dtype == dtype}
    look: tuple[Any, ...] = ("function", "function line")
    if dtype == promotion.result:
        look = ("result", "result line", 2.4)
        chart.frame(x - 4, y - 4, wide + 8, HIGH + 8, "paper", "result line", 1.6)
    elif starts and all(one.role != "counts" for one in starts.values()):
        look = ("paper", "leaf line", 1.6, "5,3")
    elif starts:
        look = ("leaf", "leaf line", 2.4)
    elif any(dtype in one.path for one in promotion.operands):
        look = ("paper", "result line", 2)
    chart.frame(x, y, wide, HIGH, *look)
    if dtype == promotion.result:
        chart.text(x + wide / 2 + 9, y + HIGH + 18, "result", 11.5, face="Helvetica", bold=True)
    strong = bool(starts) or dtype == promotion.result
    chart.text(x + wide / 2, y + 17, dtype, anchor="middle", bold=strong)
    for k, letter in enumerate(starts):
        _letter(chart, letter, x - 6 + k * 18, y - 10)


def _categories(chart: Chart, places: dict[str, Place]) -> None:
    """The names of the categories: above the complex ones, below the others."""
    bottom = max(y for _, y, _ in places.values()) + HIGH + 30
    for name, members in CATEGORIES.items():
        drawn = [places[dtype] for dtype in members if dtype in places]
        left, right = min(x for x, _, _ in drawn), max(x + w for x, _, w in drawn)
        above = min(y for _, y, _ in drawn) - 30
        at, tip, word = (above, 5, -5) if name == "complex" else (bottom, -5, 14)
        chart.line([(left, at + tip), (left, at), (right, at), (right, at + tip)], "constant line")
        chart.text((left + right) / 2, at + word, name, 11.5, "muted", "middle", "Helvetica")
