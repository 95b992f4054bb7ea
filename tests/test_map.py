"""The map in course_lib/README.md is true, and a name lies where one looks first."""

import re
from pathlib import Path

import pytest

from course_lib import homes, lazy
from course_lib.core.tensor import Tensor

ROOT = Path(__file__).resolve().parents[1]
LIBRARY = ROOT / "course_lib"
MAP = (LIBRARY / "README.md").read_text(encoding="utf-8")
UNNAMED = {"accelerator.py", "backends.py", "cuda.py", "determinism.py", "linalg.py", "random.py"}
UNNAMED |= {"serialization.py"}

# Where one looks for a name first: a drawer, and a file in it.
GUESSES = """
make.creation: zeros ones full empty eye
make.tensor: tensor as_tensor from_numpy
make.random: rand randn randint randperm
make.ranges: arange linspace
make.clone: clone
make.like: zeros_like ones_like
shape.reshape: reshape flatten view
shape.transpose: transpose permute t
shape.squeeze: squeeze unsqueeze
shape.expand: expand broadcast_to
shape.join: cat stack
shape.split: split chunk unbind
shape.strided: as_strided unfold
pick.slices: select narrow diagonal
pick.masking: where masked_fill nonzero
pick.gather_scatter: gather scatter_add
pick.index_select: index_select
pick.sort: sort topk argsort
elementwise.arithmetic: add sub mul div
elementwise.powers: pow sqrt exp log
elementwise.activations: relu sigmoid
elementwise.trigonometry: sin tanh
elementwise.clamp: clamp maximum
elementwise.compare: eq allclose isnan
reduce.sums: sum mean prod logsumexp bincount
reduce.extremes: max argmax
reduce.statistics: var std
reduce.cumulative: cumsum
linalg.matmul: matmul mm
linalg.einsum: einsum
linalg.norms: norm
linalg.decompositions: inverse
layers.softmax: softmax log_softmax
bridge.export: item tolist numpy
bridge.storage: stride storage_offset
"""
ROWS = [row.split(": ") for row in GUESSES.strip().splitlines()]
NAMES = [(name, f"course_lib.ops.{file}") for file, names in ROWS for name in names.split()]


@pytest.mark.parametrize(("name", "file"), NAMES, ids=[name for name, _ in NAMES])
def test_a_name_is_where_one_looks_for_it(name, file):
    tables = (homes.FUNCTIONS, homes.METHODS, homes.PROPERTIES)
    places = {lazy.by_name(table)[name] for table in tables if name in lazy.by_name(table)}
    assert places == {file}


def test_at_least_forty_names_are_looked_for():
    assert len(NAMES) >= 40
    assert all(hasattr(Tensor, name) or name in lazy.by_name(homes.FUNCTIONS) for name, _ in NAMES)


def test_the_map_shows_every_drawer_and_no_other():
    there = {f"{path.name}/" for path in LIBRARY.iterdir() if path.is_dir()} - {"__pycache__/"}
    there |= {path.name for path in LIBRARY.glob("[!_]*.py")} - UNNAMED
    rows = re.findall(
        r"^\| ((?:`[^`]+`[^|]*)+) \|", MAP.partition("## One multiplication")[0], re.M
    )
    assert set(re.findall(r"`([^`]+)`", " ".join(rows))) == there


@pytest.mark.parametrize("drawer", ["core", "ops", "viz"])
def test_the_map_shows_what_is_in_a_drawer(drawer):
    [row] = re.findall(rf"^\| `{drawer}/` \| (.*) \|$", MAP, re.M)
    inside = {path.stem for path in (LIBRARY / drawer).iterdir() if path.suffix in ("", ".py")}
    words = {word.rstrip("/") for word in re.findall(r"`([^`]+)`", row)}
    assert inside - {"__init__", "__pycache__"} <= words


def test_every_place_that_the_map_names_is_there():
    places = re.findall(r"((?:\w+/)+\w+\.py)(?:`| {2,}|:)(?:\s*([\w., ]+)`)?", MAP)
    assert len(places) > 15
    for path, names in places:
        home = ROOT if path.startswith(("tests/", "tools/")) else LIBRARY
        text = (home / path).read_text(encoding="utf-8")
        for name in re.findall(r"\w+", names):
            assert re.search(rf"^\s*(def|class) {name}\b", text, re.M), (path, name)


def test_the_map_is_one_page():
    assert len(MAP.splitlines()) <= 80


def test_the_map_of_grading_names_each_of_its_files_and_no_other():
    text = (ROOT / "course_grading" / "README.md").read_text(encoding="utf-8")
    files = {path.name for path in (ROOT / "course_grading").iterdir() if path.is_file()}
    named = set(re.findall(r"`(\w+\.(?:py|css|mjs))`", text))
    assert named == files - {"README.md", "__init__.py"}
    assert len(text.splitlines()) <= 60
