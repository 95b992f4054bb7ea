"""No code that the library writes for itself names what is not there.

ruff finds an undefined name in a file. In code that is put together at run time nothing would: a
quick path that raises NameError leaves to the slow one, and only the time is lost.
"""

from __future__ import annotations

import builtins
import dis
import gc
from collections.abc import Iterator
from types import CodeType, FunctionType

import pytest
from test_formulas import ALL, function, inputs, outputs_of

import course_lib as torch
from course_lib.declare import switch

pytestmark = pytest.mark.skipif(switch.PLAIN, reason="with COURSE_PLAIN=1 nothing is generated")
MADE = ("<call of ", "<backward of ")  # the names of files that are none


def parts(code: CodeType) -> Iterator[CodeType]:
    """The code itself, and that of all functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from parts(constant)


def undefined(function: FunctionType) -> list[str]:
    """The global names that a function reads and that nobody defines."""
    return [
        step.argval
        for code in parts(function.__code__)
        for step in dis.get_instructions(code)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
        and step.argval not in function.__globals__
        and not hasattr(builtins, step.argval)
    ]


@pytest.fixture(scope="module")
def generated() -> list[FunctionType]:
    """What is written when each operation has been called, and its gradient computed."""
    for call in ALL:
        run, operands = function(call, inputs())
        outs = outputs_of(run(*operands))
        starts = [torch.ones_like(out) for out in outs]
        torch.autograd.grad(outs, operands, starts, allow_unused=True)
    return [
        one
        for one in gc.get_objects()
        if type(one) is FunctionType and one.__code__.co_filename.startswith(MADE)
    ]


@pytest.mark.filterwarnings("ignore:index_reduce.. is in beta")
@pytest.mark.parametrize("made", MADE)
def test_generated_code_names_only_what_is_there(generated, made):
    found = [one for one in generated if one.__code__.co_filename.startswith(made)]
    assert len(found) > 100
    wrong = {one.__code__.co_filename: undefined(one) for one in found}
    assert {name: names for name, names in wrong.items() if names} == {}


def test_an_undefined_name_is_found():
    scope: dict = {"known": 1}
    text = "def run(x):\n    try:\n        return [known + unknown for _ in x]\n    except: pass"
    exec(compile(text, "<call of nothing>", "exec"), scope)
    assert undefined(scope["run"]) == ["unknown"]
