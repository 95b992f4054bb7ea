"""Writes `tools/returns.txt`: what PyTorch's functions return, where it is not one tensor.

    python tests/oracle/record_returns.py        (with a Python that has PyTorch)

Read from the stubs in PyTorch's package.  The signatures in `course_lib/calls/signatures.txt` do
not say it; `tools/ways.py` puts both together.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import torch

TARGET = Path(__file__).resolve().parents[2] / "tools" / "returns.txt"
STUBS = Path(torch.__file__).parent / "_C"
PREFIX = "torch.return_types."
HEAD = """\
# What PyTorch's functions return, where it is not one tensor (version {version}).
# Written by tests/oracle/record_returns.py; read by ways.py.
"""


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """The functions of PyTorch's stubs, each with where it belongs."""
    for node in ast.parse((STUBS / "_VariableFunctions.pyi").read_text()).body:
        if isinstance(node, ast.FunctionDef):
            yield "torch", node
    for node in ast.parse((STUBS / "__init__.pyi").read_text()).body:
        if isinstance(node, ast.ClassDef) and node.name == "TensorBase":
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef) and not inner.decorator_list[1:]:
                    yield "Tensor", inner


def spelled(returns: str) -> str:
    """The type of a result in our words: built-in names bare, named results with their fields."""
    name = returns.removeprefix(PREFIX)
    if name != returns:
        return f"{name}({', '.join(getattr(torch.return_types, name).__match_args__)})"
    return re.sub(r"\b_(?=bool|int|float|complex|dtype)", "", returns)


def lines() -> Iterator[str]:
    """One line for each way to call a function that returns no single tensor."""
    for place, node in functions():
        returns = spelled(ast.unparse(node.returns)) if node.returns else "Tensor"
        if node.name.startswith("_") or returns in ("Tensor", "Self", "S"):
            continue
        names = [arg.arg for arg in (*node.args.args, *node.args.kwonlyargs) if arg.arg != "self"]
        yield f"{place}.{node.name}({', '.join(names)}) -> {returns}"
    for name in dir(torch.return_types):
        if name.startswith("linalg_") and not name.endswith("_out"):
            yield f"linalg.{name.removeprefix('linalg_')}(...) -> {spelled(f'{PREFIX}{name}')}"


def main() -> None:
    """Writes the file."""
    text = HEAD.format(version=torch.__version__.partition("+")[0])
    found = sorted(set(lines()))
    TARGET.write_text(text + "\n".join(found) + "\n", encoding="utf-8", newline="\n")
    print(f"{TARGET.name}: {len(found)} lines")


if __name__ == "__main__":
    main()
