"""What finds a cause in live objects: each gives words for a remedy, None where it is another."""

import ast
import difflib
import math
import re
import warnings
from collections.abc import Callable
from types import BuiltinMethodType, MethodType, ModuleType
from typing import Any

from course_lib.viz.reading.code import MISSING, as_owner, holds, nodes_of
from course_lib.viz.reading.history import ends_of, home_of, lost_history
from course_lib.viz.reading.models import library_of
from course_lib.viz.reading.values import dtype_of, is_tensor
from course_lib.viz.remedies.remedy import Found, Seen, names_in

# ---- shapes ----


def sides(seen: Seen) -> Found:
    """The two tensors of an operator or of a call, and how they fit: once the right one is
    `turned`, once they are `swapped` as labels and scores, or once the last dimension of `x` has
    been repeated."""
    node = seen.node
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else []
    if isinstance(node, ast.Call):
        method = isinstance(node.func, ast.Attribute) and is_tensor(seen.live(node.func.value))
        parts = [*([node.func.value] if method else []), *node.args]  # type: ignore[attr-defined]
    both = [(as_owner(part), seen.live(part)) for part in parts[:2]]
    if len(dict(both)) < 2 or not all(is_tensor(held) for _, held in both):
        return None
    (a, one), (b, other) = both
    words = {"a": a, "b": b, "turned": "yes" * (one.shape[-1:] == other.shape[-1:])}
    words["swapped"] = "yes" * (other.is_floating_point() and not one.is_floating_point())
    for (name, low), (_, high) in (both[::-1], both):  # the left one counts if both do
        shape = (*low.shape, 1)
        sizes = list(zip(shape, high.shape, strict=False))
        if len(shape) == high.dim() and all(n == m or 1 in (n, m) for n, m in sizes):
            words |= {"x": name, "shape": str(shape)}
    return words


def in_layer(seen: Seen) -> Found:
    """The innermost module at work, what it received, and what of that does not fit: `apart` are
    their devices, `whole` is a batch in one row, `product` the size of dimensions from `dim` on."""
    working = seen.modules()
    if not working:
        return None
    layer, got = working[-1]
    kind, weight = type(layer).__name__, next(iter(layer.parameters()), None)
    shape = tuple(got.shape) if is_tensor(got) else ()
    words = {
        kind: "at work", "layer": seen.name_of(layer), "shown": str(layer), "shape": str(shape),
        "last": str(shape[-1]) if shape else "", "dtype": dtype_of(got),
        "device": str(getattr(got, "device", "")), "own_dtype": dtype_of(weight),
        "own_device": str(getattr(weight, "device", "")),
    }  # fmt: skip
    for size in ("in_features", "out_features", "num_embeddings"):
        words[size] = str(getattr(layer, size, ""))
    if words["own_device"] and words["device"] not in ("", words["own_device"]):
        words["apart"] = "yes"
    wide = getattr(layer, "in_features", 0) if kind == "Linear" else 0
    words["whole"] = "yes" * (wide > 0 and len(shape) == 1 and shape[0] % wide == 0)
    for dim in reversed(range(1, len(shape) - 1)):  # the first one counts
        if math.prod(shape[dim:]) == wide:
            words |= {"product": " * ".join(map(str, shape[dim:])), "dim": str(dim)}
    if kind == "Embedding" and is_tensor(got) and dtype_of(got) in ("int32", "int64"):
        if got.numel() and not got.is_meta:
            low, high = int(got.min()), int(got.max())
            words |= {"low": str(low), "high": str(high), "below": "-" if low < 0 else ""}
            words["size"] = str(high + 1) if high >= layer.num_embeddings else ""
    return words


def channels_last(seen: Seen) -> Found:
    """Whether the size of the last dimension is the number of channels that is expected."""
    said = re.search(r"expected input(\[.*?\]) to have (\d+) channels", seen.message)
    sizes: list[int] = ast.literal_eval(said[1]) if said else []
    last = len(sizes) - 1
    if not said or sizes[-1:] != [int(said[2])]:
        return None
    return {"order": str((0, last, *range(1, last))), "channels": said[2]}


def of_function(seen: Seen) -> Found:
    """The Function that was applied."""
    func = getattr(seen.call, "func", None)
    owner = seen.live(func.value) if isinstance(func, ast.Attribute) else None
    applied = func is not None and getattr(func, "attr", "") == "apply"
    return {"name": owner.__name__} if applied and isinstance(owner, type) else None


# ---- what was called, and with what ----


def compared_by_python(seen: Seen) -> Found:
    """The `max`, `min`, `sorted` or `in` of Python's own."""
    node = seen.node
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.In, ast.NotIn)):
        one, many = ast.unparse(node.left), ast.unparse(node.comparators[0])
        instead = f"any(torch.equal({one}, t) for t in {many})"
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = {"max": "maximum", "min": "minimum", "sorted": "sort"}.get(node.func.id)
        instead = f"torch.{name}({', '.join(map(ast.unparse, node.args))})" if name else ""
    else:
        return None
    return {"code": ast.unparse(node), "instead": f"Write {instead}."} if instead else None


def word_operator(seen: Seen) -> Found:
    """The `and` or `or` of the line, and what is meant for each element."""
    for node in seen.nodes():
        if isinstance(node, ast.BoolOp):
            word, sign = ("and", " & ") if isinstance(node.op, ast.And) else ("or", " | ")
            return {"word": word, "code": sign.join(f"({ast.unparse(v)})" for v in node.values)}
    return None


def misspelled(seen: Seen) -> Found:
    """The name in a module that is nearest to one that is not there."""
    for node in seen.nodes():
        owner = seen.live(node.value) if isinstance(node, ast.Attribute) else None
        if isinstance(owner, ModuleType) and not hasattr(owner, node.attr):
            near = difflib.get_close_matches(node.attr, dir(owner), 1)
            return {"near": near[0]} if near else None
    return None


def class_of_layers(seen: Seen) -> Found:
    """The class of modules that is called with a tensor, as if it were a module."""
    call = seen.call
    kind = seen.live(call.func) if call else None
    if not isinstance(kind, type) or not hasattr(kind, "named_parameters"):
        return None
    given = [node for node in call.args if is_tensor(seen.live(node)) or _is_made(seen, node)]
    if not given:
        return None
    given_all = ", ".join(map(ast.unparse, call.args))
    return {"kind": ast.unparse(call.func), "call": ast.unparse(call), "given": given_all}


def _is_made(seen: Seen, node: Any) -> bool:
    """Whether an expression is a call of a function of the library that gives a tensor."""
    made = seen.live(node.func) if isinstance(node, ast.Call) else None
    named = getattr(made, "__name__", "") in ("tensor", "ones", "zeros", "rand", "randn")
    return named and not isinstance(made, type)


def gives_nothing(seen: Seen) -> Found:
    """The variable that is None because the function of the reader's that made it returns
    nothing."""
    code = seen.code
    for name in names_in(code.node):
        if seen.scope.get(name, MISSING) is not None:
            continue
        steps = [value for known, value, _ in code.steps if known == name]
        call = steps[-1] if steps else None
        made = seen.live(call.func) if isinstance(call, ast.Call) else MISSING
        kind: Any = type(made)
        forward = kind.forward if hasattr(kind, "named_parameters") else made
        function: Any = getattr(forward, "__func__", forward)
        found = home_of(function) if hasattr(function, "__code__") else None
        if found is not None and not ends_of(found[1]):
            called = f"{kind.__name__}.forward" if forward is not made else found[1].name
            return {"x": name, "call": ast.unparse(call), "function": called}  # type: ignore[arg-type]
    return None


def _owner(seen: Seen) -> Any:
    """What an attribute was asked of, None where none was."""
    node = seen.call.func if seen.call else seen.node
    return node.value if isinstance(node, ast.Attribute) else None


def attribute_owner(seen: Seen) -> Found:
    """What an attribute was asked of."""
    owner = _owner(seen)
    return {"x": as_owner(owner)} if owner is not None else None


def missing_attribute(seen: Seen) -> Found:
    """The module that was asked for an attribute that it does not have, and whether tensors do."""
    said = re.search(r"'(\w+)' object has no attribute '(\w+)'", seen.message)
    held = seen.live(_owner(seen))
    is_module = hasattr(type(held), "named_parameters")
    if not said or not is_module or type(held).__name__ != said[1]:
        return None
    have = hasattr(library_of(held).Tensor, said[2])
    return {"x": as_owner(_owner(seen)), "tensors_have_it": "yes" * have}


def module_given(seen: Seen) -> Found:
    """The module that was given where a tensor is needed."""
    for node in seen.call.args if seen.call else ():
        held = seen.live(node)
        if hasattr(type(held), "named_parameters"):
            return {"x": ast.unparse(node), "kind": type(held).__name__}
    return None


def indexed(seen: Seen) -> Found:
    """What stands before the square brackets."""
    return {"x": as_owner(seen.node.value)} if isinstance(seen.node, ast.Subscript) else None


def method_uncalled(seen: Seen) -> Found:
    """The method that was given without its parentheses."""
    for node in seen.nodes():
        if not isinstance(node, ast.Attribute) or node is getattr(seen.call, "func", None):
            continue
        owner = seen.live(node.value)
        held = getattr(owner, node.attr, None) if owner is not MISSING else None
        if isinstance(held, (MethodType, BuiltinMethodType)):
            return {"x": ast.unparse(node)}
    return None


def plain_number(seen: Seen) -> Found:
    """The variable that item() or float() made a plain number."""
    owner = _owner(seen)
    if not isinstance(owner, ast.Name):
        return None
    made, _ = seen.code.made(owner)
    calls = [v for one in made for v in ast.walk(one) if isinstance(v, ast.Call)]
    cut = next((call for call in calls if _gives_number(call)), None)
    words = {"x": owner.id, "tensor": f"torch.tensor({owner.id})"}
    held = seen.scope.get(owner.id)
    if isinstance(held, list) and any(map(is_tensor, held)):
        words["tensor"] = f"torch.stack({owner.id})"
    if cut is not None:
        whole = cut.func.value if isinstance(cut.func, ast.Attribute) else cut.args[0]
        words |= {"code": ast.unparse(cut), "whole": ast.unparse(whole)}
    return words


def _gives_number(call: ast.Call) -> bool:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    return name in ("item", "tolist") or (name in ("float", "int") and bool(call.args))


def kept_in_a_list(seen: Seen) -> Found:
    """The attribute of a model in which layers stand in a plain list or dict."""
    for name, thing in seen.scope.items():
        if not hasattr(type(thing), "named_modules"):
            continue
        for path, kept in vars(thing).items():
            items = list(kept.values()) if type(kept) is dict else kept
            plain = type(kept) in (list, dict, tuple) and not path.startswith("_")
            if plain and any(hasattr(type(one), "named_modules") for one in items):
                word = "ModuleDict" if type(kept) is dict else "ModuleList"
                return {"x": f"{name}.{path}", "kind": word, "called": type(kept).__name__}
    return None


def used_up(seen: Seen) -> Found:
    """The generator that has already given all it had."""
    for node in seen.call.args if seen.call else ():
        held = seen.live(node)
        if hasattr(held, "gi_frame") and held.gi_frame is None:
            made = seen.code.made(node)[0] if isinstance(node, ast.Name) else []
            words = {"x": ast.unparse(node)}
            return words | ({"value": ast.unparse(made[0])} if made else {})
    return None


# ---- graphs, gradients and loops ----


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


def without_grad(seen: Seen) -> Found:
    """The tensor whose .grad the line reads, which is None, and why: it is `not_required`, or the
    tensor is a `result`, of the update in `code` perhaps, such as `w = w - 0.1 * w.grad`."""
    for node in seen.nodes():
        asked = isinstance(node, ast.Attribute) and node.attr == "grad"
        owner: Any = seen.live(node.value) if asked else None
        if not is_tensor(owner):
            continue
        with warnings.catch_warnings(action="ignore"):  # of the .grad of a result
            if owner.grad is not None:
                continue
        name = ast.unparse(node.value)
        words = {"x": name, "not_required": "yes" * (not owner.requires_grad)}
        words["result"] = "yes" * (not (owner.is_leaf or owner.retains_grad))
        steps, _ = seen.code.made(ast.copy_location(ast.Name(name), seen.node))
        updates = [step for step in steps if f"{name}.grad" in ast.unparse(step)]
        for update in [] if owner.is_leaf else updates:
            left = getattr(update, "left", None)
            if isinstance(getattr(left, "ctx", None), ast.Store):
                continue  # `w -= ...` makes nothing new
            words["code"] = f"{name} = {ast.unparse(update)}"
            if isinstance(update, ast.BinOp) and ast.unparse(update.left) == name:
                sign = "+" if isinstance(update.op, ast.Add) else "-"
                words["instead"] = f"{name} {sign}= {ast.unparse(update.right)}"
            break
        return words
    return None


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
