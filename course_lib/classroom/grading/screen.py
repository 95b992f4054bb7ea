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
    *("f_globals", "f_locals", "f_back", "tb_frame", "gi_frame", "_getframe", "currentframe"),
    *("settrace", "setprofile", "addaudithook", "get_objects", "get_referrers", "get_referents"),
    *("__eq__", "__ne__", "__bool__", "__torch_function__", "_exit"),
    *("excepthook", "meta_path", "path_hooks", "setrlimit"),
}
_CALLED = _NAMES | {"exec", "eval", "compile", "__import__", "globals", "breakpoint"}
_MODULES = {
    *("ctypes", "gc", "inspect", "builtins", "subprocess", "socket", "multiprocessing", "signal"),
    *("atexit", "mmap", "resource", "pty", "cffi", "_ctypes", "importlib", "unittest", "marshal"),
    *("traceback", "linecache", "faulthandler", "code", "pickle"),
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
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield from _module(name.name)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from _from(node)
        elif isinstance(node, ast.Attribute):
            if node.attr in _NAMES:
                yield f"uses {node.attr}"
            if isinstance(node.ctx, (ast.Store, ast.Del)) and _root(node) in tools:
                yield f"assigns to {ast.unparse(node)[:60]}"
        elif isinstance(node, ast.Name) and node.id in _CALLED:
            yield f"uses {node.id}"
        elif isinstance(node, ast.FunctionDef) and node.name in _NAMES:
            yield f"defines {node.name}"
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("setattr", "delattr"):
            if node.args and _root(node.args[0]) in tools:
                yield f"assigns to an attribute of {_root(node.args[0])}"


def _module(name: str) -> Iterator[str]:
    parts = name.split(".")
    if parts[0] in _MODULES:
        yield f"imports {parts[0]}"
    if parts[:2] in (["course_lib", "classroom"], ["course_lib", "core"], ["course_lib", "facts"]):
        yield f"imports {name}"


def _from(node: ast.ImportFrom) -> Iterator[str]:
    if node.module == "course_lib.classroom":
        for name in node.names:
            if name.name not in _CLASSROOM:
                yield f"imports course_lib.classroom.{name.name}"
    else:
        yield from _module(str(node.module))


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
