"""Look through the text of an answer for what no answer needs. One more means, easily evaded.

Words found here change no verdict: a right answer that has one is laid before a person.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from course_lib.classroom.grading.statements import parse

_NAMES = {
    *("__subclasses__", "__globals__", "__builtins__", "__code__", "__closure__", "__bases__"),
    *("__mro__", "__getattribute__", "__instancecheck__", "__class__", "__array_function__"),
    *("__dict__", "__defaults__", "__kwdefaults__", "__wrapped__", "__reduce__", "__reduce_ex__"),
    *("__array_interface__", "__array_struct__", "__array__", "__array_ufunc__", "__buffer__"),
    *(
        "f_globals",
        "f_locals",
        "f_back",
        "f_builtins",
        "f_code",
        "gi_frame",
        "cr_frame",
        "ag_frame",
    ),
    *("tb_frame", "tb_next", "__traceback__", "with_traceback", "_getframe", "_current_frames"),
    *("currentframe", "settrace", "setprofile", "addaudithook", "get_objects", "get_referrers"),
    *("get_referents", "__eq__", "__ne__", "__bool__", "__torch_function__", "__index__", "_exit"),
    *("__del__", "__init_subclass__", "__set_name__", "__class_getitem__", "__mro_entries__"),
    *("excepthook", "unraisablehook", "meta_path", "path_hooks", "setrlimit", "modules"),
    *("memfd_create", "get_type_hints", "ForwardRef", "runstring", "rundocs", "ctypeslib"),
}
_NAMES |= {"attrgetter", "methodcaller", "__setattr__", "__delattr__", "__getattr__", "__set__"}
_CALLED = _NAMES | {
    *("exec", "eval", "compile", "__import__", "globals", "locals", "vars", "breakpoint"),
    *("setattr", "delattr", "memoryview", "__loader__", "__spec__"),
}
# Modules that an answer may use; what it needs beyond, a solution of the question uses too.
_ORDINARY = {
    *("__future__", "course_lib", "torch", "numpy", "np", "math", "cmath", "random", "statistics"),
    *("itertools", "functools", "operator", "collections", "heapq", "bisect", "copy", "string"),
    *("re", "textwrap", "json", "fractions", "decimal", "numbers", "typing", "dataclasses", "enum"),
    *("abc", "contextlib", "warnings", "time", "datetime", "pprint", "matplotlib", "graphviz"),
    *("IPython", "pandas", "tqdm"),
}
_OF_THE_COURSE = {
    *("autograd", "nn", "optim", "utils", "func", "linalg", "special", "fft", "random", "testing"),
    *("viz", "cuda", "backends", "version", "distributions"),
}
_HIDDEN = {  # what modules hold that they import themselves: `warnings.sys`
    *("sys", "os", "posix", "gc", "ctypes", "signal", "builtins", "importlib", "inspect", "_os"),
    *("_sys", "threading", "_thread", "linecache", "types", "io", "_io", "subprocess"),
}
_CLASSROOM = {"check", "hint", "solution"}


def screened(cells: list[list[Any]], tools: set[str], allowed: set[str]) -> list[str]:
    """In words, what is odd; `tools` are modules and classes that the exercise brings.

    >>> screened([[3, "torch.equal = lambda *a: True"]], {"torch"}, set())
    ['cell 3 assigns to torch.equal']
    """
    found: list[str] = []
    for number, text in cells:
        tree = parse(text)
        for what in _odd(tree, tools) if tree is not None else ():
            if what not in allowed:
                found.append(f"cell {number} {what}")
    return list(dict.fromkeys(found))[:10]


def words(text: str, tools: set[str]) -> list[str]:
    """What is odd in a solution, and so allowed to every answer."""
    tree = parse(text)
    return sorted(set(_odd(tree, tools))) if tree is not None else []


def _odd(tree: ast.Module, tools: set[str]) -> Iterator[str]:
    tools = tools | set(_classes(tree))
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield from _module(name.name)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from _from(node)
        elif isinstance(node, ast.Attribute):
            yield from _attribute(node, tools)
        elif isinstance(node, ast.Name) and node.id in _CALLED:
            yield f"uses {node.id}"
        elif isinstance(node, ast.Name) and node.id == "getattr" and id(node) not in called:
            yield "hands getattr on"
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _text(node.value)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            yield from _text(_joined(node))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name in _NAMES:
            yield f"defines {node.name}"
        elif isinstance(node, ast.MatchClass):
            for word in node.kwd_attrs:
                if word in _NAMES | _HIDDEN:
                    yield f"uses {word}"
        elif isinstance(node, ast.Call):
            yield from _call(node)
        elif isinstance(node, ast.ClassDef):
            yield from _class(node)


def _text(text: str) -> Iterator[str]:
    """A text that is a name, or a path of names, for `getattr` and its kind."""
    for word in text.split("."):
        if word in _NAMES | _HIDDEN:
            yield f"has the text {text[:60]!r}"


def _joined(node: ast.expr) -> str:
    """A text that is written in pieces: `"__co" + "de__"`."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else " "
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _joined(node.left) + _joined(node.right)
    return " "


def _classes(tree: ast.Module) -> Iterator[str]:
    """Names for the class of something: `kind = type(x)`."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Assign, ast.NamedExpr)) and isinstance(node.value, ast.Call):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if getattr(node.value.func, "id", "") == "type":
                yield from (one.id for one in targets if isinstance(one, ast.Name))


def _attribute(node: ast.Attribute, tools: set[str]) -> Iterator[str]:
    if node.attr in _NAMES | _HIDDEN:
        yield f"uses {node.attr}"
    if isinstance(node.ctx, (ast.Store, ast.Del)):
        root = _root(node)
        if root in tools:
            yield f"assigns to {ast.unparse(node)[:60]}"
        elif root == "" and "type(" in ast.unparse(node.value):
            yield f"assigns to an attribute of {ast.unparse(node.value)[:60]}"
        elif node.attr.startswith("_") and root != "self":
            yield f"assigns to {ast.unparse(node)[:60]}"


def _call(node: ast.Call) -> Iterator[str]:
    """`getattr` is fine with a name that can be read; `type` with three arguments makes a class."""
    called = getattr(node.func, "id", "")
    if called == "getattr" and len(node.args) > 1:
        word = node.args[1]
        if not isinstance(word, ast.Constant):
            yield "uses getattr with a name that is computed"
        elif word.value in _NAMES | _HIDDEN:
            yield f"uses {word.value}"
    if called == "type" and len(node.args) == 3:
        yield "makes a class with type"


def _class(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        if ast.unparse(base).rpartition(".")[2] in ("Tensor", "ndarray", "UntypedStorage"):
            yield f"derives a class from {ast.unparse(base)[:60]}"
    if node.keywords:
        yield "makes a class with a metaclass"


def _module(name: str) -> Iterator[str]:
    parts = name.split(".")
    if parts[0] not in _ORDINARY:
        yield f"imports {parts[0]}"
    elif parts[0] == "course_lib" and len(parts) > 1 and parts[1] not in _OF_THE_COURSE:
        yield f"imports {name}"


def _from(node: ast.ImportFrom) -> Iterator[str]:
    for name in node.names:
        if node.module == "course_lib.classroom":
            if name.name not in _CLASSROOM:
                yield f"imports course_lib.classroom.{name.name}"
        elif name.name in _HIDDEN and str(node.module) != "course_lib":
            yield f"imports {node.module}.{name.name}"
        else:
            yield from _module(str(node.module))


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
