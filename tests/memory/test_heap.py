"""Freed memory is kept for the next arrays."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from course_lib.memory.heap import CHOICES, keep_freed_memory

ROOT = Path(__file__).resolve().parents[2]
STEPS = """
import resource
import course_lib as torch

def faults():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

def step():
    y = x
    for _ in range(4):
        y = y * 1.5
    y.sum().backward()
    x.grad = None

x = torch.ones(1_000_000, requires_grad=True)
for _ in range(3):
    step()
before = faults()
for _ in range(5):
    step()
print(faults() - before)
"""


def faults(**choices: str) -> int:
    """Pages that five steps had to ask the system for; a fresh array of a million takes 977."""
    # dask, for one, chooses for the whole process
    own = {name: value for name, value in os.environ.items() if name not in CHOICES}
    words = [sys.executable, "-c", STEPS]
    done = subprocess.run(words, cwd=ROOT, env={**own, **choices}, capture_output=True)
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@pytest.mark.skipif(not keep_freed_memory(), reason="this C library has no mallopt, or was told")
def test_a_step_gets_the_memory_of_the_one_before():
    assert faults() < 500
    assert faults(MALLOC_TRIM_THRESHOLD_="131072") > 5000  # what the library leaves alone


def test_who_has_chosen_is_left_alone(monkeypatch):
    monkeypatch.setenv("MALLOC_TOP_PAD_", "0")
    assert not keep_freed_memory()
