"""Runs one case and says in plain lines what came out, so that two libraries can be compared.

A line is one of

    tensor float32 [2, 3] strides [3, 1] offset 1 version 2 view = [[1.0, …]]     a value
    raises RuntimeError: …                                                       instead of a value
    warns UserWarning: …                                                         before it

`strides` is always there; `offset`, `version`, `view` and `on <device>` only when they are not the
usual ones; `leaf` or `result grad_fn=…` only for tensors that require grad.
"""

import ast
import copy
import io
import itertools
import math
import operator
import pickle
import re
import warnings
from types import ModuleType
from typing import Any

import numpy as np

MOST_VALUES = 512
FLOATS = {"float32": np.float32, "complex64": np.float32}


def observe(code: str, torch: ModuleType) -> list[str]:
    """The lines that describe running `code` with `torch` as the name `torch`.

    The value is the last expression's; after an assignment it is the variable that was assigned to.
    """
    reset(torch)
    names = {"torch": torch, "np": np, "copy": copy, "io": io, "itertools": itertools}
    names |= {"math": math, "operator": operator, "pickle": pickle, "__name__": "case"}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with torch.inference_mode(False):
                value, raised = run(code, names), None
        except Exception as error:  # any error is a fact to record
            value, raised = None, f"raises {type(error).__name__}: {clean(str(error))}"
    lines = [f"warns {w.category.__name__}: {clean(str(w.message))}" for w in caught]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if raised is not None:
            lines.append(raised)
        else:
            items = value if type(value) is tuple and len(value) > 1 else (value,)
            try:
                lines += [describe(item, torch) for item in items]
            except Exception as error:
                lines.append(f"cannot be described: {type(error).__name__}: {clean(str(error))}")
        reset(torch)
    return lines


def reset(torch: ModuleType) -> None:
    """Puts the settings that a case may have changed back to their defaults.

    Inference mode has no setter: `observe` runs each case inside a block that puts it back.
    """
    defaults = {
        "set_default_dtype": lambda call: call(torch.float32),
        "set_default_device": lambda call: call(None),
        "set_grad_enabled": lambda call: call(True),
        "autograd.set_detect_anomaly": lambda call: call(False),
        "set_printoptions": lambda call: call(profile="default"),
        "manual_seed": lambda call: call(0),
        # Some warnings come once per process; a case must see them wherever it stands in the file.
        "set_warn_always": lambda call: call(True),
    }
    for name, restore in defaults.items():
        try:
            setter = operator.attrgetter(name)(torch)
        except AttributeError:
            continue  # one of the libraries does not have it
        restore(setter)


def run(code: str, names: dict[str, Any]) -> Any:
    """The value of the program's last statement (see `observe`)."""
    *body, last = ast.parse(code).body
    value: ast.expr | None = None
    if isinstance(last, ast.Expr):
        value = last.value
    else:
        body.append(last)
        targets = getattr(last, "targets", [getattr(last, "target", None)])
        target = targets[0]
        while isinstance(target, (ast.Subscript, ast.Attribute)):
            target = target.value
        if isinstance(target, ast.Name) and not isinstance(last, ast.Delete):
            value = ast.Name(target.id, ast.Load())
    exec(compile(ast.Module(body, []), "<case>", "exec"), names)
    if value is None:
        return None
    expression = ast.fix_missing_locations(ast.Expression(value))
    return eval(compile(expression, "<case>", "eval"), names)


def clean(text: str) -> str:
    """`text` without what may differ: addresses, places in C++ files, the module's name."""
    text = re.sub(r"\s*\(Triggered internally at .*?\)\s*$", "", text, flags=re.DOTALL)
    text = re.sub(r"\b0x[0-9a-fA-F]{6,}", "0x…", text)
    places = r'(?<=call that caused the error:).*|\nException raised from [^"]*'
    text = re.sub(places, "", text, flags=re.DOTALL)
    text = text.replace("course_lib", "torch")
    return text.rstrip()


def describe(value: Any, torch: ModuleType) -> str:
    """One line for any value; containers are described item by item."""

    def inside(items: Any) -> str:
        return ", ".join(describe(item, torch) for item in items)

    kind = type(value)
    if isinstance(value, torch.Tensor):
        return describe_tensor(value)
    if isinstance(value, np.ndarray):
        strides = [step // value.itemsize for step in value.strides]
        return f"array {value.dtype} {list(value.shape)} strides {strides} = {value.tolist()}"
    if kind.__name__ == "Size" or value is None or kind in (bool, int, float, complex):
        return clean(repr(value))
    if kind is str:
        return value if "\n" not in value and value.strip() == value else repr(value)
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", None) or return_type_fields(value)
        if fields:
            pairs = (f"{f}={describe(v, torch)}" for f, v in zip(fields, value, strict=True))
            return f"{kind.__name__}({', '.join(pairs)})"
        return f"({inside(value)}{',' * (len(value) == 1)})"
    if kind is list:
        return f"[{inside(value)}]"
    if isinstance(value, dict):
        pairs = (f"{key!r}: {describe(item, torch)}" for key, item in value.items())
        return f"{kind.__name__} {{{', '.join(pairs)}}}"
    if hasattr(value, "next_functions"):
        return f"node {value.name()}"
    if callable(value) and hasattr(value, "__name__"):
        return f"{'class' if isinstance(value, type) else 'callable'} {value.__name__}"
    return f"{kind.__name__} {clean(repr(value))}"


def return_type_fields(value: Any) -> list[str]:
    """Field names of PyTorch's own named tuples (`torch.return_types.max`), in order."""
    match = re.match(r"(?:\w+\.)*\w+\(\n?(\w+)=", repr(value))
    return re.findall(r"^(\w+)=", repr(value).split("(", 1)[1], re.MULTILINE) if match else []


def describe_tensor(t: Any) -> str:
    """The line for a tensor; a property that cannot be read shows the error instead."""

    def read(get: Any) -> Any:
        try:
            return get()
        except Exception as error:
            return f"{type(error).__name__}({clean(str(error))})"

    name = "tensor" if type(t).__name__ == "Tensor" else type(t).__name__
    dtype = str(t.dtype).removeprefix("torch.")
    words = [name, dtype, str(list(t.shape)), "strides", str(read(lambda: list(t.stride())))]
    if str(t.device) != "cpu":
        words += ["on", str(t.device)]
    if offset := read(t.storage_offset):
        words += ["offset", str(offset)]
    if getattr(t, "is_inference", bool)():
        words.append("inference")
    elif version := read(lambda: t._version):
        words += ["version", str(version)]
    if read(t._is_view):
        words.append("view")
    for bit in ("is_conj", "is_neg"):
        if getattr(t, bit, bool)():
            words.append(bit)
    if t.requires_grad:
        words.append(read(lambda: "leaf" if t.is_leaf else "result"))
    node = read(lambda: t.grad_fn)
    if node is not None:
        words.append(f"grad_fn={node if isinstance(node, str) else node.name()}")
    if str(t.device) == "meta":
        return " ".join(words)
    values = read(t.tolist) if t.numel() <= MOST_VALUES else "too many values to record"
    return f"{' '.join(words)} = {spell(values, dtype)}"


def spell(values: Any, dtype: str) -> str:
    """Nested lists of numbers as text, floats with the fewest digits that identify them in `dtype`.

    >>> spell([0.10000000149011612, -0.0], "float32")
    '[0.1, -0.0]'
    """
    if isinstance(values, list):
        return f"[{', '.join(spell(value, dtype) for value in values)}]"
    narrow = FLOATS.get(dtype, float)
    if isinstance(values, float):
        return spell_float(values, narrow)
    if isinstance(values, complex):
        real, imag = (spell_float(part, narrow) for part in (values.real, values.imag))
        return f"({real}, {imag})"
    return str(values)


def spell_float(value: float, narrow: Any) -> str:
    """The shortest text that gives this float back in the type `narrow`; NaN without its sign."""
    if value != value:
        return "nan"
    with np.errstate(over="ignore"):
        return repr(float(np.format_float_scientific(narrow(value))))
