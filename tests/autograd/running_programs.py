"""Runs a program line by line and says, after each line, what every tensor is."""

import ast
import functools
import warnings
from types import ModuleType
from typing import Any


@functools.lru_cache(maxsize=4096)
def prepared(line: str) -> tuple[Any, frozenset[str]]:
    """A statement, compiled, and the names it needs."""
    tree = ast.parse(line)
    stored = {"torch", "seen"}
    needed = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            stored.add(node.arg)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
            needed.add(node.id)
    for statement in tree.body:
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            needed.add(statement.target.id)
    lambdas = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} & {"g", "t", "i", "o"}
    if "lambda" in line:
        stored |= {name for name in lambdas if f"lambda {name}" in line or f", {name}:" in line}
    return compile(tree, "<program>", "exec"), frozenset(needed - stored)


def run(lines: list[str], torch: ModuleType, often: bool = True) -> list[str]:
    """What happens when the lines run with this `torch`, as text.

    A line whose names do not exist, because the line that was to make them failed, is left out.
    Asking a view for its history changes the view's memory of it, so both ways matter: looking
    after every line (`often`), or only at the end.
    """
    told: list[str] = []

    def seen(what: str, *grads: Any) -> None:
        told.append(f"  hook {what} " + ", ".join(map(numbers, grads)))

    names: dict[str, Any] = {}
    before: dict[str, str] = {}
    world = {"torch": torch, "seen": seen}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for line in lines:
            code, needed = prepared(line)
            if not needed <= names.keys():
                continue
            told.append(line)
            try:
                exec(code, world, names)
            except Exception as error:
                told.append(f"  {type(error).__name__}: {str(error).strip()}")
            if often:
                tell(names, before, told)
            else:
                told.append("  versions " + " ".join(map(str, versions(names))))
        if not often:
            tell(names, before, told)
    return told


def versions(names: dict[str, Any]) -> list[Any]:
    """How often each tensor was written to; `-` for what is none."""
    return [
        "-" if value is None or value.is_inference() else value._version for value in names.values()
    ]


def tell(names: dict[str, Any], before: dict[str, str], told: list[str]) -> None:
    """Add a line for each tensor that is not what it was before."""
    for name, value in names.items():
        try:
            text = describe(value)
        except RuntimeError as error:  # asking for the history of some views is an error
            text = f"{type(error).__name__}: {str(error).strip()}"
        if before.get(name) != text:
            before[name] = text
            told.append(f"  {name}: {text}")


def describe(value: Any) -> str:
    """All that can be seen of a tensor."""
    if value is None:
        return "None"
    node = value.grad_fn
    version = "inference" if value.is_inference() else f"v{value._version}"
    text = f"{numbers(value)} {version} stride {steps(value)}"
    if value.storage_offset():
        text += f" offset {value.storage_offset()}"
    if value.requires_grad:
        text += " leaf" if value.is_leaf else f" {label(node)} output {value.output_nr}"
        if node is not None and label(node) != "CloneBackward0":  # of gradients: names differ
            text += " from " + " ".join(f"{label(n)}.{i}" for n, i in node.next_functions)
    if value.grad is not None:
        grad = value.grad
        text += f" grad {numbers(grad)}"
        text += " tracked" if grad.requires_grad else ""
    return text


def steps(value: Any) -> list[int]:
    """The strides of the dimensions in which there is something to step over."""
    return [s for s, n in zip(value.stride(), value.shape, strict=True) if n > 1]


def label(node: Any) -> str:
    """The printed name of a node."""
    return "None" if node is None else type(node).__name__


def numbers(value: Any) -> str:
    """The elements of a tensor, rounded so that the last bits of libraries do not count."""
    if value is None:
        return "None"
    return short(value.tolist())


def short(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(short, value)) + "]"
    return "0" if abs(value) < 1e-7 else f"{value:.5g}"
