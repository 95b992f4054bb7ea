"""What finds a cause in live objects: each gives words for a remedy, None where it is another."""

import ast
import difflib
import functools
import math
import re
from types import BuiltinMethodType, MethodType, ModuleType
from typing import Any

from course_lib.viz.reading.code import as_owner
from course_lib.viz.reading.history import MISSING, ends_of, home_of
from course_lib.viz.reading.models import library_of
from course_lib.viz.reading.values import dtype_of, is_tensor
from course_lib.viz.remedies.remedy import Found, Seen, names_in

# ---- shapes ----


def _sides(seen: Seen) -> list[tuple[str, Any]]:
    """The two tensors of an operator or of a call."""
    node = seen.node
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
        fits = all(n == m or 1 in (n, m) for n, m in zip(shape, wide, strict=False))
        if len(shape) == len(wide) and fits:
            return {"x": name, "shape": str(shape)}
    return None


def transposed(seen: Seen) -> Found:
    """The two sides of a product that fit once the right one is transposed."""
    both = _sides(seen)
    return sides(seen) if both and both[0][1].shape[-1] == both[1][1].shape[-1] else None


def sides(seen: Seen) -> Found:
    """The two tensors that do not fit."""
    both = _sides(seen)
    names = [name for name, _ in both]
    return {"a": names[0], "b": names[1]} if len(set(names)) == 2 else None


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


in_linear = functools.partial(in_layer, kind="Linear")


def in_embedding(seen: Seen) -> Found:
    """The embedding in which it happened, and whether its numbers are too large or below 0."""
    words = in_layer(seen, "Embedding")
    got: Any = seen.modules()[-1][1] if words else None
    if words is None or not is_tensor(got) or got.is_meta:
        return None
    low, high = int(got.min()), int(got.max())
    words |= {"low": str(low), "high": str(high), "below": "-" if low < 0 else ""}
    return words | {"size": str(high + 1) if high >= int(words["num_embeddings"]) else ""}


def batch_flattened(seen: Seen) -> Found:
    """The linear layer that received the whole batch as one row."""
    words = in_linear(seen)
    sizes: tuple[int, ...] = ast.literal_eval(words["shape"]) if words else ()
    whole = words and len(sizes) == 1 and sum(sizes) % int(words["in_features"]) == 0
    return words if whole else None


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


def not_flattened(seen: Seen) -> Found:
    """The linear layer whose input has its numbers in several dimensions."""
    words = in_linear(seen) or {"shape": "()", "in_features": ""}
    sizes = ast.literal_eval(words["shape"])
    for dim in range(1, len(sizes) - 1):
        if str(math.prod(sizes[dim:])) == words["in_features"]:
            return words | {"product": " * ".join(map(str, sizes[dim:])), "dim": str(dim)}
    return None


def on_two_devices(seen: Seen) -> Found:
    """The layer whose input is on another device than its weights."""
    words = in_layer(seen)
    apart = words and words["own_device"] and words["device"] not in ("", words["own_device"])
    return words if apart else None


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


def swapped(seen: Seen) -> Found:
    """Labels and scores that stand in each other's place."""
    both = _sides(seen)
    floats = [held.is_floating_point() for _, held in both]
    return {"a": both[0][0], "b": both[1][0]} if floats == [False, True] else None


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


def _asked_module(seen: Seen) -> tuple[str, Any, str]:
    """The module that an attribute was asked of, which it does not have."""
    said = re.search(r"'(\w+)' object has no attribute '(\w+)'", seen.message)
    held = seen.live(_owner(seen))
    is_module = hasattr(type(held), "named_parameters")
    if said and is_module and type(held).__name__ == said[1]:
        return as_owner(_owner(seen)), held, said[2]
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
