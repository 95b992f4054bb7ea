"""What readers see of an operation: declaration and signature, the right line, and completion."""

import inspect
import io
import pdb
import pickle
import sys
from pathlib import Path
from typing import Any

import jedi
import pytest
from IPython.core.oinspect import Inspector

import course_lib as torch
from course_lib import Tensor


def asked(value: Any, name: str, detail: int = 1) -> dict[str, Any]:
    """What IPython says of a value: for `name??`, or (with detail 0) for Shift+Tab."""
    found: dict[str, Any] = Inspector(theme_name="nocolor").info(
        value, oname=name, detail_level=detail
    )
    return found


# ---- what `??` and Shift+Tab show ----------------------------------------------------------------


@pytest.mark.parametrize("called", [False, True], ids=["before a call", "after one"])
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("sin", "self=lambda grad, self: grad * cos(self)"),
        ("mul", "other=lambda grad, self: grad * self"),
        ("transpose", "def transpose("),
        ("tensor", "def tensor("),
        ("relu_", "def relu("),
        ("softmax", "def softmax("),
        ("no_grad", "class no_grad"),
    ],
)
def test_the_source_is_the_declaration(name: str, line: str, called: bool) -> None:
    if called:
        torch.sin(torch.ones(2)), torch.mul(torch.ones(2), 2), torch.ones(2, 2).transpose(0, 1)
    assert line in inspect.getsource(getattr(torch, name))
    assert line in asked(getattr(torch, name), name)["source"]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("mul", "def mul("),
        ("mul_", "def mul("),
        ("t", "def t("),
        ("t_", "def t_("),
        ("sum", "def sum_along("),
        ("fill_", "def fill_"),
        ("view", "def _view("),
    ],
)
def test_the_source_of_a_method_is_the_declaration(name: str, line: str) -> None:
    assert line in asked(getattr(torch.ones(2, 2), name), f"x.{name}")["source"]


@pytest.mark.parametrize(
    ("owner", "name", "signature"),
    [
        (torch, "sin", "(input: Tensor, *, out: Tensor | None = None) -> Tensor"),
        (torch, "relu_", "(input: Tensor) -> Tensor"),
        (Tensor, "mul_", "(self, other: Tensor | Number) -> Tensor"),
        (torch.ones(2), "mul_", "(other: Tensor | Number) -> Tensor"),
        (torch.ones(2), "view", "(*size: int) -> Tensor"),
        (torch.ones(2), "max", "(dim: int = ..., keepdim: bool = False) -> ValuesIndices"),
    ],
)
def test_the_signature_is_that_of_the_stub(owner: Any, name: str, signature: str) -> None:
    function = getattr(owner, name)
    assert str(inspect.signature(function)) == signature
    shown = asked(function, name, detail=0)["definition"]
    assert "".join(shown.split()) == "".join((name + signature).split())


def test_every_public_function_has_a_signature_and_a_source() -> None:
    functions = {f"torch.{name}": getattr(torch, name) for name in dir(torch)}
    functions |= {f"Tensor.{name}": getattr(Tensor, name, None) for name in dir(torch.ones(2))}
    functions = {n: f for n, f in functions.items() if inspect.isfunction(f) and "._" not in n}
    assert len(functions) > 440
    for function in functions.values():
        assert str(inspect.signature(function)).startswith("(")
        assert pickle.loads(pickle.dumps(function)) is function  # by its name
    machinery = ("declare/fronts.py", "core/calls.py", "core/views.py", "core/writes.py")
    shown = {n: str(inspect.getsourcefile(inspect.unwrap(f))) for n, f in functions.items()}
    assert [n for n, file in shown.items() if file.endswith(machinery)] == []


def test_help_shows_the_docstring_and_the_signature() -> None:
    shown = asked(torch.sin, "torch.sin", detail=0)
    assert shown["docstring"].startswith("The sine of each element")
    assert "input: Tensor" in shown["definition"]


# ---- completion ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "named"),
    [("torch.sin(", ["input", "out"]), ("x.mul_(", ["other"]), ("torch.zeros(", ["size"])],
)
def test_a_notebook_names_the_parameters(code: str, named: list[str]) -> None:
    found = jedi.Interpreter(code, [{"torch": torch, "x": torch.ones(2)}]).get_signatures()
    names = [param.name for signature in found for param in signature.params]
    assert set(named) <= set(names)


# ---- a debugger ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "order"),
    [
        (lambda x, y: torch.mul(x, y), "fronts calls graph"),
        (lambda x, y: x * y, "calls graph"),
        (lambda x, y: y[1:].mul_(2), "indexing views graph writes"),
        (lambda x, y: y.sum().backward(), "backward engine saved"),
    ],
)
def test_a_debugger_walks_through_the_core_in_order(step: Any, order: str) -> None:
    x = torch.ones(3, requires_grad=True)
    step(x, x * 2)
    y, files = x * 2, []

    def enter(frame: Any, event: str, argument: Any) -> None:
        file = frame.f_code.co_filename
        assert not file.startswith("<") or file.startswith("<frozen")
        if event == "call" and "course_lib" in file:
            files.append(Path(file).stem)

    sys.setprofile(enter)
    try:
        step(x, y)
    finally:
        sys.setprofile(None)
    first = [files.index(name) for name in order.split()]
    assert first == sorted(first)


def test_a_debugger_shows_the_line_that_runs() -> None:
    x = torch.ones(2)
    torch.mul(x, x)
    heard = io.StringIO()
    debugger = pdb.Pdb(stdin=io.StringIO("step\n" * 6 + "args\nlist\ncontinue\n"), stdout=heard)
    debugger.use_rawinput, debugger.nosigint = False, True

    debugger.runcall(lambda: torch.mul(x, x))
    text = heard.getvalue()
    assert "core/calls.py" in text and "now = modes.now" in text
    assert "other = tensor([1., 1.])" in text
