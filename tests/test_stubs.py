"""Editors and type checkers know every operation: the stubs are those that are written anew."""

import re
import subprocess
import sys
from pathlib import Path

import jedi
import pytest

import course_lib

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "tests" / "stubs"
MYPY = ["-m", "mypy", "--follow-imports=silent"]  # the library itself is checked elsewhere


def run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True)


def completed(code: str) -> set[str]:
    """What an editor offers at the end of a program that nobody has run."""
    found = jedi.Script(code, project=jedi.Project(ROOT)).complete()
    return {completion.name for completion in found}


@pytest.mark.parametrize("tool", sorted(path.name for path in (ROOT / "tools").glob("write_*.py")))
def test_what_a_tool_has_written_is_what_it_would_write_today(tool):
    done = run(f"tools/{tool}", "--check")
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_type_checker_accepts_a_right_program_and_refuses_each_line_of_a_wrong_one():
    text = (PROGRAMS / "wrong.py").read_text(encoding="utf-8")
    lines = enumerate(text.splitlines(), 1)
    expected = {at: line.rpartition("# ")[2] for at, line in lines if "  # " in line}
    shown = run(*MYPY, "tests/stubs/right.py", "tests/stubs/wrong.py").stdout
    found = re.findall(r"(\w+)\.py:(\d+): error: .*\[([\w-]+)\]$", shown, re.MULTILINE)
    assert {(name, int(at)): code for name, at, code in found} == {
        ("wrong", at): code for at, code in expected.items()
    }


@pytest.mark.parametrize(
    ("code", "offered"),
    [
        ("import course_lib as torch\ntorch.on", {"ones", "ones_like"}),
        ("import course_lib as torch\nx = torch.ones(2)\nx.", {"sum", "backward", "grad", "T"}),
        ("import course_lib as torch\n(torch.ones(2) * 2).sum(0).", {"item", "sqrt_"}),
        ("import course_lib as torch\ntorch.ones(2).max(0).", {"values", "indices"}),
        ("import course_lib as torch\ntorch.linalg.", {"norm", "svd"}),
    ],
)
def test_an_editor_completes(code, offered):
    assert offered <= completed(code)


@pytest.mark.parametrize(
    "code",
    [
        *("x.s", "y = torch.ones(2)\ny.s", "y = x * 2\ny.s", "x[0].s", "x.max(0).values.s"),
        *("torch.linalg.norm(x).s", "torch.sin(x).s", "torch.relu(x).s", "x.mul_(2).s"),
        *("torch.zeros(2).s", "x.view(2).s"),
    ],
)
def test_a_notebook_completes_what_is_there_and_what_it_will_give(code):
    names = {"torch": course_lib, "x": course_lib.ones(2)}
    found = jedi.Interpreter(code, [names]).complete()
    assert {"sin", "sum", "shape"} <= {completion.name for completion in found}
