"""The sliders of the lessons: every place of each is drawn, fast, and the same on PyTorch."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LESSONS = [
    path
    for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
    if "explore(" in path.read_text(encoding="utf-8")
]
SECONDS = 1.5  # ten times what is wanted: other programs run beside the tests


def redraws(python: str, *words: str) -> dict[str, list[dict[str, tuple[str, float]]]]:
    """What the sliders of each lesson show, drawn by that Python."""
    command = [python, str(ROOT / "tests" / "slider_redraws.py"), *words, *map(str, LESSONS)]
    environment = os.environ | {"PYTHONPATH": "" if words else str(ROOT)}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, check=True, text=True, encoding="utf-8", env=environment
    )
    return dict(json.loads(done.stdout))


def texts(drawn: dict[str, list[dict[str, tuple[str, float]]]]) -> dict[str, list[dict[str, str]]]:
    return {
        lesson: [{at: text for at, (text, _) in one.items()} for one in sliders]
        for lesson, sliders in drawn.items()
    }


@pytest.fixture(scope="module")
def here():
    return redraws(sys.executable)


def test_every_place_of_a_slider_is_drawn_and_they_differ(here):
    for lesson, sliders in texts(here).items():
        assert sliders, f"{lesson} names explore and does not call it"
        for one in sliders:
            assert all(one.values()) and len(set(one.values())) > 1


def test_a_redraw_is_fast(here):
    slow = {
        f"{lesson}: {at}": seconds
        for lesson, sliders in here.items()
        for one in sliders
        for at, (_, seconds) in one.items()
        if seconds > SECONDS
    }
    assert slow == {}


@pytest.mark.oracle
def test_sliders_show_the_same_on_real_pytorch(here, oracle):
    there = redraws(oracle, "--torch")
    assert in_parts(texts(there)) == in_parts(texts(here))


def in_parts(drawn: dict[str, list[dict[str, str]]]) -> list[object]:
    """Words and numbers apart: the last of four digits is nobody's promise after 200 steps."""
    parts = re.split(r"(-?\d+\.\d*)", json.dumps(drawn))
    return [*parts[::2], *(pytest.approx(float(number), rel=2e-3) for number in parts[1::2])]
