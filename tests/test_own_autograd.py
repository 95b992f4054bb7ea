"""Lesson 21 builds an engine: its cells alone give one that agrees, and what it quotes is there."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest

import course_lib as torch

ROOT = Path(__file__).resolve().parents[1]
LESSON = nbformat.read(ROOT / "notebooks" / "21_own_autograd.ipynb", as_version=4)
SHAPES = [(2, 3), (3,), (1, 3), (2, 1), ()]
STEPS = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b / (b * b + 1),
    lambda a, b: (a + b).relu(),
    lambda a, b: 2 * a + 1,
]


@pytest.fixture(scope="module")
def value() -> Any:
    """The reader's `Value`, after the cells up to the one that declares the operations."""
    cells = [cell.source for cell in LESSON.cells if cell.cell_type == "code"]
    last = next(i for i, source in enumerate(cells) if "MmBackward0" in source)
    names: dict[str, Any] = {}
    for source in cells[: last + 1]:
        exec(source, names)
    return names["Value"]


def double(data: Any, requires_grad: bool = False) -> Any:
    return torch.tensor(data, dtype=torch.float64, requires_grad=requires_grad)


def gradients(number: Any, seed: int) -> list[Any]:
    """Of a random program with every kind of broadcasting, a product of matrices and a constant."""
    draw, numbers = random.Random(seed), np.random.default_rng(seed)
    leaves = [number(numbers.normal(size=s).tolist(), requires_grad=True) for s in SHAPES]
    weight = number(numbers.normal(size=(3, 2)).tolist(), requires_grad=True)
    constant = number(numbers.normal(size=3).tolist())
    values = [*leaves, constant]
    for _ in range(15):
        values.append(draw.choice(STEPS)(draw.choice(values), draw.choice(values)))
    wide = [leaves[0] + one for one in values]
    total = sum((one @ weight).sum() for one in wide)
    total.backward()
    assert constant.grad is None
    return [np.asarray(leaf.grad) for leaf in (*leaves, weight)]


@pytest.mark.parametrize("seed", range(40))
def test_the_engine_of_the_lesson_agrees_on_programs_that_it_does_not_show(value, seed):
    for mine, theirs in zip(gradients(value, seed), gradients(double, seed), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12, atol=1e-12)
        assert mine.shape == theirs.shape


def test_every_line_that_the_lesson_quotes_stands_in_the_core():
    prose = "\n".join(cell.source for cell in LESSON.cells if cell.cell_type == "markdown")
    quotes = re.findall(r"```\w+\n# (course_lib/\S+)\n(.*?)```", prose, re.DOTALL)
    assert len(quotes) >= 3
    for name, quoted in quotes:
        rest = iter([line.strip() for line in (ROOT / name).read_text("utf-8").splitlines()])
        wanted = [line.strip() for line in quoted.splitlines() if line.strip() not in ("", "...")]
        assert [line for line in wanted if line not in rest] == []  # `in` reads on: in this order
