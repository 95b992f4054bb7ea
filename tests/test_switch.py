"""Plain mode: what is only faster is left out, and what one reads is what runs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import course_lib as torch
from course_lib.core import engine
from course_lib.declare import switch

ROOT = Path(__file__).resolve().parents[1]
QUICK = ["backward", "becoming", "calls", "lists", "views", "writes"]
NOT_PLAIN = pytest.mark.skipif(
    switch.PLAIN, reason="with COURSE_PLAIN=1 there is nothing to switch"
)


def step() -> Any:
    """A call, an operator, a view, a write and a backward pass."""
    x = torch.ones(2, 2, requires_grad=True)
    y = torch.mul(x, 2) * 3
    y[0].add_(1)
    y.mul_(0.5).t().sum().backward()
    return x.grad


def places(function: Callable[[], Any]) -> set[str]:
    """The files and functions of the library that a call runs through."""
    seen: set[str] = set()

    def profile(frame: Any, event: str, argument: Any) -> None:
        code = frame.f_code
        seen.add(f"{Path(code.co_filename).name} {code.co_name}" if event == "call" else "")

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        function()
    finally:
        sys.setprofile(before)
    return seen


def run(code: str, plain: str) -> subprocess.CompletedProcess[str]:
    """Run a program with this value of COURSE_PLAIN."""
    words = {**os.environ, "COURSE_PLAIN": plain}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=words, capture_output=True, text=True
    )


@NOT_PLAIN
def test_plain_mode_runs_what_one_reads():
    step()
    quick = places(step)
    assert "op.py call" not in quick
    assert any(place.startswith("<call of mul") for place in quick)
    with torch.plain():
        plain = places(step)
    assert {"op.py call", "op.py record", "engine.py walk", "graph.py apply"} <= plain
    assert not [place for place in plain if place.startswith(("<call", "<backward", "fast.py"))]


@NOT_PLAIN
def test_leaving_plain_mode_brings_back_what_there_was():
    step()
    before = places(step)
    with torch.plain():
        with torch.plain():
            pass
        assert switch.is_plain()
        with torch.plain(False):
            assert not switch.is_plain()
            assert places(step) == before
    assert not switch.is_plain()
    assert places(step) == before


@NOT_PLAIN
def test_the_switch_acts_at_once_and_an_error_does_not_leave_it_on():
    mode = torch.plain()
    assert switch.is_plain()
    with pytest.raises(RuntimeError, match="must match"), mode:
        torch.ones(2) + torch.ones(3)
    assert not switch.is_plain()
    assert engine.walk.__module__ == "course_lib.speed.engine"


@NOT_PLAIN
def test_a_function_stays_the_same_object():
    sin, call = torch.sin, torch.Tensor.mul_
    with torch.plain():
        assert torch.sin is sin
        assert torch.Tensor.mul_ is call
        assert "op.py call" in places(lambda: sin(torch.ones(2)))


def test_a_python_that_starts_plain_does_not_load_what_is_faster():
    code = "import sys, course_lib as torch; (torch.ones(2) * 2).t().sum(); print(*sys.modules)"
    loaded = run(code, "1").stdout.split()
    assert "course_lib.core.engine" in loaded
    fast = [f"course_lib.speed.{name}" for name in QUICK] + ["course_lib.speed"]
    assert [name for name in fast if name in loaded] == []
    assert set(fast) <= set(run(code, "0").stdout.split())


def test_a_python_that_starts_plain_stays_plain():
    done = run("import course_lib\ncourse_lib.plain()\ncourse_lib.plain(False)", "1")
    assert "RuntimeError: Python was started with COURSE_PLAIN=1" in done.stderr
