"""What finds a cause in live objects: each gives words for a remedy, None where it is another."""

import ast
import re
import warnings
from collections.abc import Callable
from types import BuiltinMethodType, MethodType
from typing import Any

from course_lib.viz.reading.code import as_owner, ends_of, holds, home_of, parsed
from course_lib.viz.reading.history import MISSING, Reading, lost_history
from course_lib.viz.reading.models import library_of
from course_lib.viz.reading.values import dtype_of, is_tensor
from course_lib.viz.remedies.remedy import Seen

Found = dict[str, str] | None


# ---- gradients ----


def no_graph(seen: Seen) -> Found:
    """Where the history was lost, as far as the code and its variables tell."""
    item = re.search(r"element (\d+)", seen.message)
    trail = lost_history(seen.code, seen.inside, int(item[1]) if item else 0)
    if trail.cut is not None:
        cause, cure = trail.cut.told()
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
    for node in ast.walk(seen.code.node) if seen.code else ():
        asked = isinstance(node, ast.Attribute) and node.attr == "grad"
        owner: Any = seen.live(node.value) if asked else None  # type: ignore[attr-defined]
        if not is_tensor(owner):
            continue
        with warnings.catch_warnings(action="ignore"):  # of the .grad of a result
            if owner.grad is None:
                return ast.unparse(node.value), owner  # type: ignore[attr-defined]
    return "", None


def not_required(seen: Seen) -> Found:
    """The tensor without a .grad that does not require one."""
    name, owner = _without_grad(seen)
    return {"x": name} if name and not owner.requires_grad else None


def grad_of_result(seen: Seen) -> Found:
    """The result of an operation whose .grad is read."""
    name, owner = _without_grad(seen)
    return {"x": name} if name and not (owner.is_leaf or owner.retains_grad) else None


def grad_not_there(seen: Seen) -> Found:
    """The leaf in whose .grad nothing has arrived."""
    name, _ = _without_grad(seen)
    return {"x": name} if name else None


def _variable(seen: Seen, which: Callable[[Any], bool]) -> dict[str, str]:
    """The first variable of the statement for whose tensor `which` holds."""
    tree = parsed(seen.statement)
    for name in _names_in(tree) if tree else ():
        held = seen.scope.get(name)
        if is_tensor(held) and which(held):
            return {"x": name}
    return {}


def computed(seen: Seen) -> Found:
    """The variable that is no leaf, if one has a name."""
    return _variable(seen, lambda tensor: not tensor.is_leaf)


def of_inference(seen: Seen) -> Found:
    """The variable that was made under inference_mode, if one has a name."""
    return _variable(seen, lambda tensor: bool(tensor.is_inference()))


def _backward_calls(seen: Seen) -> list[Any]:
    """The calls of backward in the code so far, in their order."""
    code = seen.code
    if code is None or seen.call is None or not isinstance(seen.call.func, ast.Attribute):
        return []
    nodes = [n for n in ast.walk(code.home) if isinstance(n, ast.Call)]
    named = [n for n in nodes if getattr(n.func, "attr", "") == seen.call.func.attr]
    return [n for n in named if (n.lineno, n.col_offset) < (seen.call.lineno, seen.call.col_offset)]


def carried_over(seen: Seen) -> Found:
    """The variable of a loop that is made from what it was in the round before."""
    code = seen.code
    for loop in reversed(code.loops) if code else ():
        for name, value, _ in code.steps if code else ():
            if holds(loop, value) and has_history_of(seen, name) and name in _names_in(value):
                return {"h": name, "where": str(code.labels.get(loop.lineno, ""))}  # type: ignore[union-attr]
    return None


def made_before_loop(seen: Seen) -> Found:
    """The result that every round of a loop uses, though it was computed once."""
    code = seen.code
    for loop in reversed(code.loops) if code else ():
        made = {name for name, value, _ in code.steps if holds(loop, value)}  # type: ignore[union-attr]
        for name in _names_in(loop):
            if name not in made and has_history_of(seen, name):
                return {"h": name}
    return None


def ran_before(seen: Seen) -> Found:
    """The call of backward before this one, of another result or of the same."""
    before = _backward_calls(seen)
    if not before or not isinstance(seen.call.func, ast.Attribute):
        return None
    first = ast.unparse(before[-1].func.value)
    second = ast.unparse(seen.call.func.value)
    where = seen.code.labels.get(before[-1].lineno, "") if seen.code else ""
    call = ast.unparse(before[-1])
    words = {"where": where, "first": call, "kept": _with_word(before[-1], "retain_graph=True")}
    same = first == second
    return words | ({"result": second} if same else {"both": f"({first} + {second}).backward()"})


def _with_word(call: ast.Call, word: str) -> str:
    inner = ", ".join([*map(ast.unparse, call.args), word])
    return f"{ast.unparse(call.func)}({inner})"


def _names_in(node: Any) -> list[str]:
    return [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]


def has_history_of(seen: Seen, name: str) -> bool:
    held: Any = seen.scope.get(name)
    return is_tensor(held) and held.grad_fn is not None


# ---- shapes ----


def _sides(seen: Seen) -> list[tuple[str, Any]]:
    """The two tensors of an operator or of a call."""
    node = seen.code.node if seen.code else None
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else []
    if isinstance(node, ast.Call):
        method = isinstance(node.func, ast.Attribute) and is_tensor(seen.live(node.func.value))
        parts = [*([node.func.value] if method else []), *node.args]  # type: ignore[attr-defined]
    both = [(as_owner(part), seen.live(part)) for part in parts[:2]]
    return both if len(both) == 2 and all(is_tensor(held) for _, held in both) else []


def lined_up(seen: Seen) -> Found:
    """The side that fits after its last dimension has been repeated."""
    both = _sides(seen)
    for (name, one), (_, other) in (both, both[::-1]) if both else ():
        shape, wide = (*one.shape, 1), tuple(other.shape)
        if len(shape) == len(wide) and all(map(_fit, shape, wide)):
            return {"x": name, "shape": str(shape)}
    return None


def _fit(one: int, other: int) -> bool:
    return one == other or 1 in (one, other)


def transposed(seen: Seen) -> Found:
    """The two sides of a product that fit once the right one is transposed."""
    both = _sides(seen)
    return sides(seen) if both and both[0][1].shape[-1] == both[1][1].shape[-1] else None


def sides(seen: Seen) -> Found:
    """The two tensors that do not fit."""
    both = _sides(seen)
    return {"a": both[0][0], "b": both[1][0]} if both else None


def in_layer(seen: Seen, kind: str = "") -> Found:
    """The innermost module at work, of a class if one is asked for, and what it received."""
    working = seen.modules()
    if not working or kind not in ("", type(working[-1][0]).__name__):
        return None
    layer, got = working[-1]
    weight = next(iter(layer.parameters()), None)
    shape = tuple(got.shape) if is_tensor(got) else ()
    words = {
        "layer": seen.name_of(layer), "shown": str(layer), "shape": str(shape),
        "last": str(shape[-1]) if shape else "", "dtype": dtype_of(got),
        "device": str(getattr(got, "device", "")), "own_dtype": dtype_of(weight),
        "own_device": str(getattr(weight, "device", "")),
    }  # fmt: skip
    sizes = ("in_features", "out_features", "num_embeddings")
    return words | {size: str(getattr(layer, size, "")) for size in sizes}


def in_linear(seen: Seen) -> Found:
    """The linear layer in which it happened."""
    return in_layer(seen, "Linear")


def in_embedding(seen: Seen) -> Found:
    """The embedding in which it happened."""
    return in_layer(seen, "Embedding")


def on_two_devices(seen: Seen) -> Found:
    """The layer whose input is on another device than its weights."""
    words = in_layer(seen)
    apart = words and words["own_device"] and words["device"] not in ("", words["own_device"])
    return words if apart else None


# ---- what was called, and with what ----


def class_of_layers(seen: Seen) -> Found:
    """The class of modules that is called with a tensor, as if it were a module."""
    call = seen.call
    kind = seen.live(call.func) if call else None
    if not isinstance(kind, type) or not hasattr(kind, "named_parameters"):
        return None
    given = [node for node in call.args if is_tensor(seen.live(node)) or _is_made(seen, node)]
    if not given:
        return None
    name = ast.unparse(call.func)
    given_all = ", ".join(map(ast.unparse, call.args))
    return {"kind": name, "call": ast.unparse(call), "given": given_all}


def _is_made(seen: Seen, node: Any) -> bool:
    """Whether an expression is a call of a function of the library that gives a tensor."""
    made = seen.live(node.func) if isinstance(node, ast.Call) else None
    named = getattr(made, "__name__", "") in ("tensor", "ones", "zeros", "rand", "randn")
    return named and not isinstance(made, type)


def gives_nothing(seen: Seen) -> Found:
    """The variable that is None because the function of the reader's that made it returns
    nothing."""
    code = seen.code
    for name in _names_in(code.node) if code else ():
        if seen.scope.get(name, MISSING) is not None:
            continue
        steps = [value for known, value, _ in code.steps if known == name]  # type: ignore[union-attr]
        call = steps[-1] if steps else None
        made = seen.live(call.func) if isinstance(call, ast.Call) else MISSING
        kind: Any = type(made)
        forward = kind.forward if hasattr(kind, "named_parameters") else made
        home = getattr(getattr(forward, "__func__", forward), "__code__", None)
        if home is not None and not _returns(forward):
            called = f"{kind.__name__}.forward" if forward is not made else home.co_name
            return {"x": name, "call": ast.unparse(call), "function": called}  # type: ignore[arg-type]
    return None


def _returns(function: Any) -> bool:
    """Whether the code of a function gives anything back but None, as far as it is known."""
    found = home_of(getattr(function, "__func__", function))
    return found is None or bool(ends_of(found[1]))


def attribute_owner(seen: Seen) -> Found:
    """What an attribute was asked of."""
    node = seen.code.node if seen.code else None
    node = node.func if isinstance(node, ast.Call) else node
    return {"x": as_owner(node.value)} if isinstance(node, ast.Attribute) else None


def _asked_module(seen: Seen) -> tuple[str, Any, str]:
    """The module that an attribute was asked of, which it does not have."""
    said = re.search(r"'(\w+)' object has no attribute '(\w+)'", seen.message)
    owner = attribute_owner(seen)
    node = seen.code.node if seen.code else None
    node = node.func if isinstance(node, ast.Call) else node
    held = seen.live(node.value) if isinstance(node, ast.Attribute) else MISSING
    is_module = hasattr(type(held), "named_parameters")
    if said and owner and is_module and type(held).__name__ == said[1]:
        return owner["x"], held, said[2]
    return "", None, ""


def missing_attribute(seen: Seen) -> Found:
    """The module that does not have an attribute."""
    name, _, _ = _asked_module(seen)
    return {"x": name} if name else None


def module_as_tensor(seen: Seen) -> Found:
    """The module that was asked for something that tensors have."""
    name, held, attribute = _asked_module(seen)
    return {"x": name} if name and hasattr(library_of(held).Tensor, attribute) else None


def module_given(seen: Seen) -> Found:
    """The module that was given where a tensor is needed."""
    for node in seen.call.args if seen.call else ():
        held = seen.live(node)
        if hasattr(type(held), "named_parameters"):
            return {"x": ast.unparse(node), "kind": type(held).__name__}
    return None


def indexed(seen: Seen) -> Found:
    """What stands before the square brackets."""
    node = seen.code.node if seen.code else None
    return {"x": as_owner(node.value)} if isinstance(node, ast.Subscript) else None


NUMPYS = {
    "astype": "x.to(torch.float32), or x.float()",
    "copy": "x.clone()",
    "ptp": "x.max() - x.min()",
    "tobytes": "x.numpy().tobytes()",
}
IMPORTS = {
    "F": "import torch.nn.functional as F",
    "nn": "from torch import nn",
    "optim": "from torch import optim",
    "np": "import numpy as np",
    "plt": "import matplotlib.pyplot as plt",
    "torch": "import torch",
}


def numpy_method(seen: Seen) -> Found:
    """What tensors have in the place of a method of NumPy's."""
    said = re.search(r"has no attribute '(\w+)'", seen.message)
    instead = NUMPYS.get(said[1], "") if said else ""
    return {"instead": instead} if instead else None


def missing_import(seen: Seen) -> Found:
    """The line that imports what everybody calls so."""
    said = re.search(r"name '(\w+)'", seen.message)
    return {"line": IMPORTS[said[1]]} if said and said[1] in IMPORTS else None


def method_uncalled(seen: Seen) -> Found:
    """The method that was given without its parentheses."""
    for node in ast.walk(seen.code.node) if seen.code else ():
        if not isinstance(node, ast.Attribute) or node is getattr(seen.call, "func", None):
            continue
        owner = seen.live(node.value)
        held = getattr(owner, node.attr, None) if owner is not MISSING else None
        if isinstance(held, (MethodType, BuiltinMethodType)):
            return {"x": ast.unparse(node)}
    return None


def plain_number(seen: Seen) -> Found:
    """The variable that item() or float() made a plain number."""
    node = seen.code.node if seen.code else None
    owner = node.value if isinstance(node, ast.Attribute) else None
    owner = node.func.value if isinstance(getattr(node, "func", None), ast.Attribute) else owner  # type: ignore[union-attr]
    if not isinstance(owner, ast.Name) or not seen.code:
        return None
    made, _ = seen.code.made(owner)
    cut = next((v for v in made if isinstance(v, ast.Call) and _gives_number(v)), None)
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
            made = Reading(seen.code).code.made(node)[0] if isinstance(node, ast.Name) else []  # type: ignore[arg-type]
            words = {"x": ast.unparse(node)}
            return words | ({"value": ast.unparse(made[0])} if made else {})
    return None
