"""Finds causes in the graphs, gradients and loops of the reader: see `finders.py`."""

import ast
import re
import warnings
from collections.abc import Callable
from typing import Any

from course_lib.viz.reading.code import holds, nodes_of
from course_lib.viz.reading.history import lost_history
from course_lib.viz.reading.values import is_tensor
from course_lib.viz.remedies.remedy import Found, Seen, names_in


def no_graph(seen: Seen) -> Found:
    """Where the history was lost, as far as the code and its variables tell."""
    item = re.search(r"element (\d+)", seen.message)
    trail = lost_history(seen.code, seen.inside, int(item[1]) if item else 0)
    if trail.cut is not None:
        cause, cure = trail.cut.describe()
        return {"cause": cause, "cure": cure}
    if trail.tracked is None:
        return {
            "cause": "The code does not tell where it was lost.",
            "cure": "Print requires_grad of each tensor on the way: the first False is the place.",
        }
    names = f": {', '.join(trail.names)}" if trail.names else ""
    return {
        "cause": f"Nothing that it was computed from requires grad{names}.",
        "cure": "Give the tensors that are to be learned requires_grad=True, before computing.",
    }


def _without_grad(seen: Seen) -> tuple[str, Any]:
    """The tensor whose .grad the line reads, which is None, and its name."""
    for node in seen.nodes():
        asked = isinstance(node, ast.Attribute) and node.attr == "grad"
        owner: Any = seen.live(node.value) if asked else None
        if not is_tensor(owner):
            continue
        with warnings.catch_warnings(action="ignore"):  # of the .grad of a result
            if owner.grad is None:
                return ast.unparse(node.value), owner
    return "", None


def _whose_grad_is_none(which: Callable[[Any], bool]) -> Callable[[Seen], Found]:
    """Finds the tensor whose .grad the line reads, which is None, if `which` holds for it."""

    def find(seen: Seen) -> Found:
        name, owner = _without_grad(seen)
        return {"x": name} if name and which(owner) else None

    return find


not_required = _whose_grad_is_none(lambda tensor: not tensor.requires_grad)
grad_of_result = _whose_grad_is_none(lambda tensor: not (tensor.is_leaf or tensor.retains_grad))
grad_not_there = _whose_grad_is_none(lambda tensor: True)  # nothing has arrived in this leaf


def updated_anew(seen: Seen) -> Found:
    """The variable that an update such as `w = w - 0.1 * w.grad` has made a result."""
    name, owner = _without_grad(seen)
    steps, _ = seen.code.made(ast.copy_location(ast.Name(name), seen.node))
    updates = [v for v in steps if f"{name}.grad" in ast.unparse(v)]
    targets = [getattr(getattr(v, "left", None), "ctx", None) for v in updates]
    new = [v for v, to in zip(updates, targets, strict=True) if not isinstance(to, ast.Store)]
    update = next(iter(new), None)  # `w -= ...` makes nothing new
    if update is None or owner.is_leaf:
        return None
    change = ast.unparse(update)
    words = {"x": name, "code": f"{name} = {change}"}
    if isinstance(update, ast.BinOp) and ast.unparse(update.left) == name:
        sign = "+" if isinstance(update.op, ast.Add) else "-"
        words["instead"] = f"{name} {sign}= {ast.unparse(update.right)}"
    return words


def _variable(which: Callable[[Any], bool]) -> Callable[[Seen], Found]:
    """Finds the first variable of the statement for whose tensor `which` holds, if there is one."""

    def find(seen: Seen) -> Found:
        names = [node.id for node in nodes_of(seen.statement) if isinstance(node, ast.Name)]
        held = ((name, seen.scope.get(name)) for name in names)
        return next(({"x": name} for name, one in held if is_tensor(one) and which(one)), {})

    return find


computed = _variable(lambda tensor: not tensor.is_leaf)
of_inference = _variable(lambda tensor: bool(tensor.is_inference()))


def carried_over(seen: Seen) -> Found:
    """The variable of a loop that is made from what it was in the round before."""
    code = seen.code
    for loop in reversed(code.loops):
        for name, value, _ in code.steps:
            if holds(loop, value) and has_history_of(seen, name) and name in names_in(value):
                return {"h": name, "where": str(code.labels.get(loop.lineno, ""))}
    return None


def made_before_loop(seen: Seen) -> Found:
    """The result that every round of a loop uses, though it was computed once."""
    for loop in reversed(seen.code.loops):
        made = {name for name, value, _ in seen.code.steps if holds(loop, value)}
        for name in names_in(loop):
            if name not in made and has_history_of(seen, name):
                return {"h": name}
    return None


def ran_before(seen: Seen) -> Found:
    """The call of backward before this one, of another result or of the same."""
    call = seen.call
    if call is None or not isinstance(call.func, ast.Attribute):
        return None
    nodes = [n for n in ast.walk(seen.code.home) if isinstance(n, ast.Call)]
    named = [n for n in nodes if getattr(n.func, "attr", "") == call.func.attr]
    before = [n for n in named if (n.lineno, n.col_offset) < (call.lineno, call.col_offset)]
    if not before:
        return None
    last: Any = before[-1]
    first, second = ast.unparse(last.func.value), ast.unparse(call.func.value)
    inner = ", ".join([*map(ast.unparse, last.args), "retain_graph=True"])
    kept = f"{ast.unparse(last.func)}({inner})"
    where = seen.code.labels.get(last.lineno, "")
    words = {"where": where, "first": ast.unparse(last), "kept": kept}
    same = first == second
    return words | ({"result": second} if same else {"both": f"({first} + {second}).backward()"})


def has_history_of(seen: Seen, name: str) -> bool:
    held: Any = seen.scope.get(name)
    return is_tensor(held) and held.grad_fn is not None
