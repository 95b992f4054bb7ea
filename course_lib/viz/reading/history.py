"""Where a result lost its history: the code is followed back from the call of backward.

What an expression is made of is read from the code; whether a variable requires grad, from the
variable itself. Nothing is run. Where this does not decide, nothing is said: `Trail(None)`.
"""

import ast
import functools
import inspect
import linecache
from dataclasses import dataclass
from types import FrameType, FunctionType, ModuleType
from typing import Any

from course_lib.viz.reading.code import LIBRARIES, MISSING, Code, as_owner, name_of_call, parse_code
from course_lib.viz.reading.models import library_of
from course_lib.viz.reading.values import is_tensor

# A way to lose a history: the calls and attributes that do so, what happened, and what to do.
KINDS = {
    "positions": (
        "argmax argmin argsort nonzero argwhere searchsorted bucketize count_nonzero multinomial "
        "indices", "{call} gives positions, which are whole numbers. They have no gradient.",
        "Compute with the values instead of their positions: max() in the place of argmax(), "
        "for example."),
    "comparison": (
        "eq ne lt le gt ge greater greater_equal less less_equal not_equal isclose isfinite isinf "
        "isnan logical_and logical_or logical_not logical_xor allclose equal signbit",
        "{code} is a comparison: it gives True and False, which have no gradient.",
        "Use a smooth function instead: torch.sigmoid({x}), for example."),
    "integers": ("long int short char byte bool",
        "{code} gives whole numbers or bools, which have no gradient.",
        "Keep floats on the whole way to the loss."),
    "detach": ("detach detach_",
        "{code} cuts the history off: it gives the numbers of {x} alone.",
        "Use {x} without detach() on the way to the loss. If it begins a new graph, call "
        "requires_grad_() on it."),
    "data": ("data", "{code} gives the numbers of {x} without its history.",
        "Use {x} without .data on the way to the loss."),
    "gradient": ("grad",
        "{code} is a gradient, and without create_graph=True no graph is made for a gradient.",
        "Ask for its graph: torch.autograd.grad(..., create_graph=True), or "
        "backward(create_graph=True)."),
    "numbers": ("item tolist numpy float",
        "{code} gives plain numbers: Python and NumPy do not record what is done with them.",
        "Stay with tensors: use {x} in the place of {code}."),
    "copy": ("tensor new_tensor", "{call}() copies the numbers of {x} and not its history.",
        "Leave out {call}(): take {x} itself, or torch.stack(...) of a list of tensors."),
    "late": ("", "{x} requires grad now, but it did not yet when {code} was computed.",
        "Call {x}.requires_grad_() before anything is computed with it."),
    "mode": ("", "{code} was computed under {x}, where nothing is recorded.",
        "Compute it where recording is on. To update a leaf, write into it: w -= 0.1 * w.grad."),
}  # fmt: skip
ATTRIBUTES = ("data", "grad", "indices")
KIND_OF = {call: name for name, (calls, *_) in KINDS.items() for call in calls.split()}
NEW = set(
    "ones zeros full empty rand randn randint randperm arange linspace eye ones_like zeros_like "
    "full_like empty_like rand_like randn_like randint_like".split()
)
FACTS = set("shape dtype device ndim size dim numel len range stride".split())
WHOLE = ("int", "long", "short", "char", "byte", "bool")  # names of dtypes
BUILTINS = (sum, abs, max, min, pow, round, float, int, bool)  # may be given tensors
DEEPEST = 30  # calls, one inside the other


@dataclass(frozen=True)
class Cut:
    """What ended a history: its kind, the code that did it, what it was done to, and where."""

    kind: str
    code: str
    subject: str
    call: str = ""
    where: str = ""

    def describe(self) -> tuple[str, str]:
        """What happened, and what to do."""
        words = {"call": self.call, "code": self.code, "x": self.subject}
        where = f"{self.where}: " if self.where else ""
        _, what, todo = KINDS[self.kind]
        return where + what.format(**words), todo.format(**words)


@dataclass(frozen=True)
class Trail:
    """Whether an expression requires grad (None: not known); if not, the cut that ended its
    history, or else the variables that it begins with, none of which requires grad."""

    tracked: bool | None
    cut: Cut | None = None
    names: tuple[str, ...] = ()


UNKNOWN, TRACKED, NEVER = Trail(None), Trail(True), Trail(False)


def join_trails(trails: list[Trail]) -> Trail:
    """The trail of what is computed from several."""
    if any(trail.tracked for trail in trails):
        return TRACKED
    if any(trail.tracked is None for trail in trails):
        return UNKNOWN
    names = dict.fromkeys(name for trail in trails for name in trail.names)
    return Trail(False, next((t.cut for t in trails if t.cut), None), tuple(names))


def lost_history(code: Code, inside: tuple[FrameType, ...], item: int) -> Trail:
    """The trail of a result that backward could not start from; `item` counts the results."""
    reading = Reading(code)
    root = reading.root(item)
    if root is None:
        return UNKNOWN
    trail = reading.recorded(reading.trail(root), root)
    if trail.tracked is False:
        made = isinstance(root, ast.Name) and bool(reading.code.made(root)[0])
        known = made or trail.names != (_words(root),)
        return trail if known else UNKNOWN  # what it was made of
    given = [t for frame in inside for t in frame.f_locals.values() if is_tensor(t)]
    return reading.instead(given[0], root) if given else UNKNOWN


def home_of(function: FunctionType) -> tuple[ast.Module, ast.FunctionDef] | None:
    """The code of a function and of the file that it stands in, None if it cannot be found."""
    file, line = function.__code__.co_filename, function.__code__.co_firstlineno
    tree = parse_code("".join(linecache.getlines(file, function.__globals__)))
    for home in ast.walk(tree):
        if isinstance(home, ast.FunctionDef):
            if line in [home.lineno, *(node.lineno for node in home.decorator_list)]:
                return tree, home
    return None


def ends_of(home: ast.FunctionDef) -> list[ast.Return]:
    """The returns of a function that give something back."""
    return [node for node in ast.walk(home) if isinstance(node, ast.Return) and node.value]


def code_of(function: FunctionType) -> Code | None:
    """The code of a function up to its only return, None where it has several or none."""
    found = home_of(function)
    ends = ends_of(found[1]) if found else []
    if found is None or len(ends) != 1:
        return None
    line = function.__code__.co_firstlineno
    labels = {n: f"line {n}" for n in range(line, (found[1].end_lineno or line) + 1)}
    scope = function.__globals__ | dict(inspect.getclosurevars(function).nonlocals)
    own = function.__code__.co_varnames  # its values are not known: it is not running
    scope = {name: held for name, held in scope.items() if name not in own}
    return Code(found[0], ends[0], scope, labels)


class Reading:
    """Follows expressions of a piece of code."""

    def __init__(self, code: Code, given: dict[str, Trail] | None = None, depth: int = 0) -> None:
        self.code, self.depth = code, depth
        self.known: dict[int, Trail | None] = {}  # of assignments; None while they are followed
        if given is not None:
            self.given = given

    def root(self, item: int) -> Any:
        """The expression that backward or grad was called on."""
        call = self.code.node
        if not isinstance(call, ast.Call) or name_of_call(call) not in ("backward", "grad"):
            return None
        given = [*call.args, *(w.value for w in call.keywords if w.arg in ("tensors", "outputs"))]
        root = call.func.value if self.is_method(call) else next(iter(given), None)  # type: ignore[attr-defined]
        items = getattr(root, "elts", None)
        return items[item] if items and item < len(items) else root

    def instead(self, tensor: Any, node: Any) -> Trail:
        """Why a tensor does not require grad though something that it is made of does."""
        if tensor.requires_grad:
            return UNKNOWN
        if not (tensor.is_floating_point() or tensor.is_complex()):
            return Trail(False, Cut("integers", _words(node), ""))
        if tensor.is_inference():
            return Trail(False, Cut("mode", _words(node), "inference_mode()"))
        mode = "set_grad_enabled(False)"
        said = [ast.unparse(n) for n in ast.walk(self.code.tree) if isinstance(n, ast.Expr)]
        off = any(s.endswith(mode) for s in said) and not library_of(tensor).is_grad_enabled()
        return Trail(False, Cut("mode", _words(node), mode)) if off else UNKNOWN

    @functools.cached_property
    def given(self) -> dict[str, Trail]:
        """The trails of the arguments, from the code that called this."""
        home, caller = self.code.home, self.code.caller()
        if caller is None or not isinstance(home, ast.FunctionDef):
            return {}
        outer = Reading(caller)
        callee = caller.live(caller.node.func)
        if getattr(callee, "__name__", "") != home.name:
            return {}
        return outer.arguments(home, caller.node, inspect.ismethod(callee))

    # ---- expressions ----

    def trail(self, node: Any) -> Trail:
        """What is known about an expression."""
        held = self.code.live(node)
        if isinstance(node, ast.Constant) or getattr(node, "attr", "") in FACTS:
            return NEVER
        if is_tensor(held) and held.requires_grad:
            return TRACKED
        if isinstance(node, ast.Name):
            return self.variable(node, held)
        if isinstance(node, ast.Call):
            return self.called(node)
        if isinstance(node, ast.Compare):
            right = node.comparators[0]
            zero = isinstance(right, ast.Constant) and not right.value
            subject = node.left if zero else ast.BinOp(node.left, ast.Sub(), right)
            return self.ended("comparison", node, subject, [node.left, *node.comparators])
        if isinstance(node, ast.Attribute) and node.attr in ATTRIBUTES:
            owner = self.code.live(node.value)
            if owner is MISSING or is_tensor(owner):
                return self.ended(KIND_OF[node.attr], node, node.value, [node.value])
        if isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
            return self.trail(node.value) if held is MISSING else self.of_value(held, node)
        if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.List, ast.Tuple)):
            parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
            return join_trails([self.trail(part) for part in parts])
        if isinstance(node, (ast.ListComp, ast.GeneratorExp)):
            each = self.trail(node.elt)
            return each if each.cut else UNKNOWN  # what it runs through is not known
        return UNKNOWN

    def ended(self, kind: str, node: Any, subject: Any, parts: list[Any]) -> Trail:
        """The trail of what ends a history, unless there was none or it was lost before."""
        inner = join_trails([self.trail(part) for part in parts])
        if inner.tracked is False or (kind == "copy" and inner.tracked is None):
            return inner
        call = node.attr if isinstance(node, ast.Attribute) else ""
        if isinstance(node, ast.Call):
            call = name_of_call(node) if self.is_method(node) else ast.unparse(node.func)
        return Trail(False, Cut(kind, _words(node), _words(subject), call, self.where(node)))

    def where(self, node: Any) -> str:
        here = self.depth == 0 and node.lineno == self.code.node.lineno
        return "" if here else self.code.labels.get(node.lineno, "")

    def of_value(self, held: Any, node: Any) -> Trail:
        """The trail of a value that no line of this code made."""
        if is_tensor(held):
            return TRACKED if held.requires_grad else Trail(False, names=(_words(node),))
        if isinstance(held, (list, tuple)):
            return join_trails([self.of_value(item, node) for item in held[:100]])
        known = type(held).__module__.partition(".")[0] in (*LIBRARIES, "numpy", "builtins")
        plain = known and not callable(held) and not isinstance(held, (dict, ModuleType))
        return NEVER if plain else UNKNOWN

    def variable(self, node: ast.Name, held: Any) -> Trail:
        """What is known about a variable: what all the lines say that may have made its value."""
        steps, first = self.code.made(node)
        trails = [self.given.get(node.id, UNKNOWN)] if first else []
        for value in steps:
            if id(value) not in self.known:
                self.known[id(value)] = None
                self.known[id(value)] = self.recorded(self.trail(value), value)
            trails += filter(None, [self.known[id(value)]])
        if is_tensor(held) and any(trail.tracked for trail in trails):
            trails = [t for t in trails if not t.tracked] or [self.instead(held, node)]
        if steps and not trails:
            return UNKNOWN
        if not trails or (first and not steps and trails == [UNKNOWN]):
            return UNKNOWN if held is MISSING else self.of_value(held, node)
        cuts = {trail for trail in trails if trail.cut}
        return self.named(join_trails(trails), node) if len(cuts) < 2 else UNKNOWN

    def named(self, trail: Trail, node: ast.Name) -> Trail:
        """The trail of a variable that was made here of what never had a history: with its name, or
        with the call that told it to require grad only after it was read."""
        if trail.tracked is not False or trail.cut or trail.names:
            return trail
        end, start = (self.code.node.lineno, 0), (node.lineno, node.col_offset)
        for name, value, at in self.code.steps:
            late = isinstance(value, ast.Call) and name_of_call(value) == "requires_grad_"
            if late and name == node.id and start < at < end:
                return Trail(False, Cut("late", "the result", node.id))
        return Trail(False, names=(node.id,)) if is_tensor(self.code.scope.get(node.id)) else trail

    def recorded(self, trail: Trail, node: Any) -> Trail:
        """The trail of a statement: where recording is off, nothing it computes has a history."""
        mode = self.code.mode(node)
        if trail.tracked is False or not mode or isinstance(node, ast.Name):
            return trail
        return Trail(False, Cut("mode", _words(node), mode, where=self.where(node)))

    # ---- calls ----

    def is_method(self, node: ast.Call) -> bool:
        if not isinstance(node.func, ast.Attribute):
            return False
        return not isinstance(self.code.live(node.func.value), ModuleType)

    def called(self, node: ast.Call) -> Trail:
        """What is known about the result of a call."""
        name, method, callee = name_of_call(node), self.is_method(node), self.code.live(node.func)
        words = {word.arg: word.value for word in node.keywords}
        parts = [*node.args, *words.values()]
        if method:
            parts.insert(0, node.func.value)  # type: ignore[attr-defined]
        begins = name == "requires_grad_" or (name == "tensor" and "requires_grad" in words)
        if begins or name in NEW:
            said = [words[w] for w in words if w == "requires_grad"] or node.args[: name not in NEW]
            on = getattr(said[0], "value", None) if said else name == "requires_grad_"
            return UNKNOWN if on is None else TRACKED if on else NEVER
        kind = KIND_OF.get(name, "") if not (name == "float" and method) else ""
        if name in ("to", "type") and any(w in _words(p).lower() for p in parts[1:] for w in WHOLE):
            kind = "integers"
        if name in FACTS:
            return NEVER
        if kind == "gradient" and "create_graph" in words:
            return UNKNOWN
        if kind and parts:
            return self.ended(kind, node, parts[0], parts)
        inner = self.into(callee, node)
        if inner is not None:
            return inner
        trails = [self.trail(part) for part in parts]
        own = list(callee.parameters()) if hasattr(type(callee), "named_parameters") else []
        if own:
            frozen = Trail(False, names=(f"{_words(node.func)}.parameters()",))
            trails.append(TRACKED if any(p.requires_grad for p in own) else frozen)
        return join_trails(trails)

    def into(self, callee: Any, node: ast.Call) -> Trail | None:
        """The trail of what a function of the reader's gives back; None for one of a library."""
        model = hasattr(type(callee), "named_parameters")
        function = type(callee).forward if model else callee
        owner = callee if model else getattr(callee, "__self__", None)
        function = inspect.unwrap(getattr(function, "__func__", function))
        module = (getattr(function, "__module__", None) or LIBRARIES[0]).partition(".")[0]
        if module in (*LIBRARIES, "numpy", "math") or function in BUILTINS:
            return None
        if callee is MISSING and self.is_method(node):
            return None
        code = code_of(function) if isinstance(function, FunctionType) else None
        if code is None or self.depth > DEEPEST:
            return UNKNOWN
        if owner is not None and code.home.args.args:
            code.scope[code.home.args.args[0].arg] = owner
        given = self.arguments(code.home, node, owner is not None)
        value = code.node.value
        inner = Reading(code, given, self.depth + 1)
        return inner.recorded(inner.trail(value), value)

    def arguments(self, home: Any, node: Any, bound: bool = False) -> dict[str, Trail]:
        """The trails of what a function is called with, by the names of its parameters."""
        names = [argument.arg for argument in home.args.args[bound:]]
        given = dict(zip(names, node.args, strict=False))
        given |= {word.arg: word.value for word in node.keywords if word.arg}
        return {name: self.trail(value) for name, value in given.items()}


def _words(node: Any) -> str:
    return as_owner(node) or "the result"
