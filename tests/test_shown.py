"""What readers see of an operation: declaration and signature, the right line, and completion."""

from __future__ import annotations

import inspect
import io
import linecache
import pdb
import pickle
import traceback
from typing import Any

import jedi
import pytest
from IPython.core.oinspect import Inspector

import course_lib as torch
from course_lib import Tensor
from course_lib.declare import switch
from course_lib.speed.becoming import filed

NOT_PLAIN = pytest.mark.skipif(switch.PLAIN, reason="with COURSE_PLAIN=1 there are no texts")


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
        ("t_", "def _t_("),
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
    assert len(functions) > 450
    for function in functions.values():
        assert str(inspect.signature(function)).startswith("(")
    machinery = ("declare/fronts.py", "speed/becoming.py", "speed/writes.py", "<call")
    shown = {n: str(inspect.getsourcefile(inspect.unwrap(f))) for n, f in functions.items()}
    assert [n for n, file in shown.items() if file.endswith(machinery)] == []


def test_help_shows_the_docstring_and_the_signature() -> None:
    shown = asked(torch.sin, "torch.sin", detail=0)
    assert shown["docstring"].startswith("The sine of each element")
    assert "input: Tensor" in shown["definition"]
    assert pickle.loads(pickle.dumps(torch.sin)) is torch.sin  # by its name, still


# ---- completion ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    ["torch.sin(x).su", "torch.relu(x).su", "x.mul_(2).su", "torch.zeros(2).su", "x.view(2).su"],
)
def test_a_notebook_completes_what_a_call_will_give(code: str) -> None:
    found = jedi.Interpreter(code, [{"torch": torch, "x": torch.ones(2)}]).complete()
    assert "sum" in {completion.name for completion in found}


@pytest.mark.parametrize(
    ("code", "named"),
    [("torch.sin(", ["input", "out"]), ("x.mul_(", ["other"]), ("torch.zeros(", ["size"])],
)
def test_a_notebook_names_the_parameters(code: str, named: list[str]) -> None:
    found = jedi.Interpreter(code, [{"torch": torch, "x": torch.ones(2)}]).get_signatures()
    names = [param.name for signature in found for param in signature.params]
    assert set(named) <= set(names)


# ---- generated text ------------------------------------------------------------------------------


def test_each_text_has_a_name_of_its_own() -> None:
    first, second = filed("call of a test", "def a(): 1\n"), filed("call of a test", "def b(): 2\n")
    assert (first, second) == ("<call of a test>", "<call of a test 2>")
    assert filed("call of a test", "def a(): 1\n") == first
    assert linecache.getline(second, 1) == "def b(): 2\n"


@NOT_PLAIN
def test_the_texts_of_an_operation_do_not_hide_each_other() -> None:
    x = torch.ones(2)
    torch.mul(x, x), x * x, x.mul(x)
    texts = [torch.mul, Tensor.mul, Tensor.__mul__]
    for text in texts:
        code = text.__code__
        lines = linecache.getlines(code.co_filename)
        assert lines[code.co_firstlineno - 1].startswith("def run(")
        assert [n for n in code.co_varnames[: code.co_argcount] if n not in lines[0]] == []


@NOT_PLAIN
def test_a_traceback_shows_the_line_that_ran() -> None:
    def failing(array: Any) -> Any:
        raise ZeroDivisionError("planted")

    x = torch.ones(2)
    torch.mul(x, x), x * x  # two texts of one operation
    scope = Tensor.__mul__.__globals__
    kernel, scope["op_kernel"] = scope["op_kernel"], failing
    try:
        with pytest.raises(Exception) as caught:
            x * x
    finally:
        scope["op_kernel"] = kernel
    frames = traceback.extract_tb(caught.value.__traceback__)
    [line] = [frame.line for frame in frames if frame.filename.startswith("<call of mul")]
    assert line.startswith("array = now.quiet(op_kernel")


@NOT_PLAIN
def test_a_debugger_steps_through_what_it_lists() -> None:
    x = torch.ones(2)
    torch.mul(x, x), x * x
    heard = io.StringIO()
    debugger = pdb.Pdb(stdin=io.StringIO("step\n" * 4 + "args\nlist\ncontinue\n"), stdout=heard)
    debugger.use_rawinput, debugger.nosigint = False, True

    debugger.runcall(lambda: torch.mul(x, x))
    text = heard.getvalue()
    assert "-> def run(self=NOTHING, other=NOTHING, /, *rest, **more):" in text
    assert "now = modes.now" in text
    assert "rest = ()" in text
