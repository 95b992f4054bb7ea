"""The benchmarks compare what they time, and say plainly what they found."""

import doctest
import importlib
import json
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import benchmarks
import course_lib as torch
from benchmarks import complete, cores, drawn, pictures, table
from benchmarks.growth import GROWTHS
from benchmarks.libraries import BY_HAND, LIBRARIES, OURS
from benchmarks.rounds import difference
from benchmarks.run import NAMES, ROWS
from benchmarks.worker import as_array
from benchmarks.workloads import WORKLOADS

ROOT = Path(__file__).resolve().parents[1]
SPEED = ROOT / "docs" / "speed.md"
BRIEF = ["--quick", "--rounds", "1"]
PROGRAMS = {"__main__", "grading"}
MODULES = [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="the workers divide processes")


def run(*words: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", *words], cwd=ROOT, capture_output=True, text=True
    )


def cells(text: str) -> list[list[list[str]]]:
    """The Markdown tables of a text: rows of cells."""
    found = []
    for block in re.findall(r"(?:^\|.*\|\n?)+", text, re.MULTILINE):
        rows = [line.strip("|\n").split("|") for line in block.splitlines()]
        found.append([[cell.strip() for cell in row] for row in rows])
    return found


# ---- what is compared ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, row in WORKLOADS.items() if not row.slow])
def test_course_lib_computes_what_is_written_by_hand(name):
    makers = WORKLOADS[name].makers
    ours, hand = makers["torch"](torch), makers[BY_HAND](np)
    for _ in range(3):
        found = [np.array(as_array(value)) for value in ours()]
        expected = [np.array(as_array(value)) for value in hand()]
        assert difference(found, expected) == ""
        assert [array.dtype for array in found] == [array.dtype for array in expected]


@pytest.mark.parametrize("name", complete.PROGRAMS)
def test_a_program_runs_on_course_lib_and_ends_with_numbers(name):
    results = complete.PROGRAMS[name].makers["torch"](torch)()
    assert results
    for result in results:
        assert isinstance(result, torch.Tensor)
        assert result.numel() and torch.isfinite(result).all()


def test_programs_import_nothing_but_the_library():
    for path in complete.FOLDER.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "course_lib" not in text
        assert not re.search(r"^\s*(?:import|from) torch", complete.for_library(text, OURS), re.M)


@pytest.mark.parametrize("name", WORKLOADS)
def test_a_workload_says_of_each_library_what_it_does_or_lacks(name):
    row = WORKLOADS[name]
    others = set(LIBRARIES) - {OURS}
    assert set(row.makers) | set(row.lacks) == others
    assert not set(row.makers) & set(row.lacks)


@pytest.mark.parametrize(
    ("found", "word"),
    [
        ([np.ones(3)], "off by"),
        ([np.zeros(2)], "shape"),
        ([], "results"),
        ([np.array([0, 0, np.nan])], "off by nan"),
    ],
)
def test_another_result_is_noticed_and_another_order_of_additions_is_none(found, word):
    assert word in difference(found, [np.zeros(3)])
    numbers = np.random.default_rng(0).random(10_000, dtype=np.float32)
    assert difference([numbers.sum()], [np.float32(sum(numbers[::-1]))]) == ""


FALSE = {
    "wrong": ("return Value(self.data * other.data * 0.9)", "wrong: result 0 is off by"),
    "ends": ("import os; os._exit(3)", "its process ended with status 3"),
}


@needs_fork
@pytest.mark.parametrize("fault", FALSE)
def test_who_computes_something_else_gets_no_time(fault, tmp_path):
    body, reason = FALSE[fault]
    package = tmp_path / "micrograd"
    package.mkdir()
    (package / "__init__.py").write_text("__version__ = '0'")
    (package / "engine.py").write_text(
        "class Value:\n"
        "    def __init__(self, data): self.data, self.grad = data, 1.0\n"
        "    def __add__(self, other): return Value(self.data + other)\n"
        "    def __pow__(self, other): return Value(self.data ** other)\n"
        f"    def __mul__(self, other): {body}\n"
        "    def backward(self): pass\n"
    )
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}:{tmp_path}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    words = ["--only", "chain", "--peers", "micrograd", "--python", f"micrograd={python}"]
    done = run(*BRIEF, *words, "--json")
    assert done.returncode == 0, done.stderr  # course_lib itself is right
    (row,) = json.loads(done.stdout)["workloads"]
    assert row["outcomes"]["micrograd"]["values"] == []
    assert reason in row["outcomes"]["micrograd"]["problem"]
    assert row["outcomes"][OURS]["values"]


# ---- the command line ----------------------------------------------------------------------------


@needs_fork
def test_a_quick_run_has_a_number_for_everything(tmp_path):
    chosen = ["chain", "mlp-small", "memory", "import", "grow-graph", "cores", "pictures"]
    written = tmp_path / "speed.md"
    done = run(*BRIEF, "--only", *chosen, "--peers", "--json", "--page", str(written))
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert [row["name"] for row in data["workloads"]] == chosen[:4]
    for row in data["workloads"]:
        for name in (OURS, BY_HAND):
            outcome = row["outcomes"][name]
            assert not outcome["problem"]
            assert all(value > 0 for value in outcome["values"])
        assert row["outcomes"][OURS]["times_by_hand"] > 0
        assert row["outcomes"][OURS]["times_torch"] is None  # not asked for
    (growth,) = data["growth"]
    curve = growth["curves"][OURS]
    assert len(curve["sizes"]) == len(curve["seconds"][0]) == len(curve["bytes"])
    assert 0.9 < curve["memory_exponent"] < 1.1
    assert {row["name"] for row in data["cores"]} == set(cores.ROWS)
    assert {row["cores"] for row in data["cores"]} == {1, cores.all_cores()}
    assert all(row["clock"] > 0 for row in data["cores"])
    assert 0 < data["pictures"]["a later picture"]["cpu"] < data["pictures"]["first picture"]["cpu"]
    assert list(data["drawings"]) == ["draw_graph", "draw_module"]  # no peer is asked for
    assert all(found["MLP"]["bytes"] > 1000 for found in data["drawings"].values())
    check_tables(written.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", drawn.MODELS)
def test_a_model_is_drawn_whole(name):
    model, x = drawn.MODELS[name](torch)
    assert b"AddmmBackward0" in drawn.ours_graph(model, x)
    assert b"Linear" in drawn.ours_module(model, x)


def check_tables(text: str) -> None:
    """Every row as long as its head, and a verdict that follows from the numbers beside it."""
    found = cells(text)
    assert found
    for head, rule, *rows in found:
        assert all(re.fullmatch(r"-+:?", cell) for cell in rule)
        for row in rows:
            assert len(row) == len(head)
            for place, (title, cell) in enumerate(zip(head, row)):
                if cell in ("met", "missed") and head[place - 1] == "goal":
                    assert not title
                    ratio, goal = float(row[place - 2]), float(row[place - 1])
                    # Both are rounded: at the very border either verdict may stand.
                    assert ratio <= goal * 1.01 if cell == "met" else ratio >= goal * 0.99


# ---- the page ------------------------------------------------------------------------------------


def test_the_page_shows_everything_that_is_measured_and_hides_no_loss():
    text = SPEED.read_text(encoding="utf-8")
    check_tables(text)
    titles = [row[0] for rows in cells(text) for row in rows]
    losses = text.partition("## Where course_lib loses")[2].partition("##")[0]
    for row in (row for rows in cells(text) for row in rows):
        assert row[0] in losses or not ("missed" in row or "wrong" in row[2:3])
    for row in [*ROWS.values(), *GROWTHS.values(), *complete.PROGRAMS.values()]:
        assert row.title in titles
    assert titles.count("import numpy") == 1
    assert titles.count("workload, on the clock") == 1
    for library in LIBRARIES.values():
        assert library.title in text
    assert len(set(NAMES)) == len(NAMES) == len(ROWS) + len(GROWTHS) + 3
    assert pictures.NAME in NAMES and table.number(None) == "–"


@pytest.mark.parametrize("name", [name for name in MODULES if name not in PROGRAMS])
def test_examples_in_docstrings_run(name):
    assert doctest.testmod(importlib.import_module(f"benchmarks.{name}")).failed == 0
