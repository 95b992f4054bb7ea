"""Lesson 21 lets the reader build an engine: its solutions give one that agrees with the library.

The engine is read from the file that the lesson writes for its reader. A part as it is handed out,
or with a classic mistake, is told that it is not there yet, by the trials of that part.
"""

import contextlib
import io
import json
import random
import shutil
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest

import course_lib as torch
from course_lib.classroom.copies import part_in, readers_copy
from course_lib.classroom.parts import solve_part

ROOT = Path(__file__).resolve().parents[1]
LESSON = nbformat.read(ROOT / "notebooks" / "21_own_autograd.ipynb", as_version=4)
CODE = [cell for cell in LESSON.cells if cell.cell_type == "code"]
PARTS = [part_in(cell) for cell in CODE if part_in(cell)]
RECORD = ROOT / "notebooks" / ".guesses" / "own_autograd.json"
TRIALS = json.loads(RECORD.read_text(encoding="utf-8"))["trials"]
SHAPES = [(2, 3), (3,), (1, 3), (2, 1), ()]
STEPS = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b / (b * b + 1),
    lambda a, b: (a + b).relu(),
    lambda a, b: 2 * a + 1,
]


@pytest.fixture(scope="module")
def value(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The class in the file that the reader keeps, with the lesson's own solutions."""
    folder = tmp_path_factory.mktemp("lesson")
    shutil.copy(ROOT / "notebooks" / "21_own_autograd.ipynb", folder)
    found: dict[str, Any] = {"Path": Path, "json": json}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.syspath_prepend(folder)
        exec(next(cell.source for cell in CODE if cell.id == "keep-the-engine"), found)
    return found["my_autograd"].Value


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


def agree(ours: list[Any], theirs: list[Any]) -> None:
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-12, atol=1e-12)
        assert mine.shape == other.shape


@pytest.mark.parametrize("seed", range(40))
def test_the_engine_of_the_lesson_agrees_on_programs_that_it_does_not_show(value, seed):
    agree(gradients(value, seed), gradients(double, seed))


# ---- programs that a reader might try ------------------------------------------------------------

A, B, ROW, ONE = [[1.5, -2.0, 0.5], [0.25, 3.0, -1.0]], [[2.0], [4.0]], [1.0, 2.0, -3.0], 3.0
MATRIX = [[1.0, 2.0, 0.0], [0.5, -1.0, 3.0], [4.0, 1.0, 1.0]]
PROGRAMS = {
    "a polynomial": (lambda x: x**2 + 2 * x + 3, [ONE]),
    "numbers on either side": (lambda x: 1 - 6 / x + x / 4 - 2 * x, [ONE]),
    "a power of a negative number": (lambda x: (x**3).sum(), [ROW]),
    "a power of 0 and of 1": (lambda x: (x**0 + x**1).sum(), [[0.0, 2.0]]),
    "minus": (lambda x: (-x * x).sum(), [ROW]),
    "exp and log": (lambda x: (x.exp() + (x * x).log()).sum(), [ROW]),
    "relu, at a corner too": (lambda x: x.relu().sum(), [[-1.0, 0.0, 2.0]]),
    "every kind of broadcasting": (lambda a, b, r, s: (a / b * r - s).sum(), [A, B, ROW, ONE]),
    "matrices": (lambda a, m: (a @ m).relu().sum(), [A, MATRIX]),
    "an index": (lambda a: (a[1, 2] * a[0]).sum() + a[:, 1:].sum(), [A]),
    "places picked twice": (lambda v: (v[[0, 0, 2]] * v[[2, 0, 0]]).sum(), [ROW]),
    "a result used again": (lambda x: (lambda y: y * y + y)(x.exp()), [0.5]),
    "written in place": (lambda x: ((x * 2).add_(1).mul_(x) * x).sum(), [ROW]),
    "written where nothing was saved": (lambda x: (x * 2).add_(1).sum(), [ROW]),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_engine_agrees_on_programs_that_a_reader_might_try(value, name):
    program, numbers = PROGRAMS[name]
    grads = []
    for kind in (value, double):
        leaves = [kind(one, requires_grad=True) for one in numbers]
        result = program(*leaves)
        result.backward()
        grads.append([np.asarray(leaf.grad) for leaf in leaves])
    agree(*grads)


@pytest.mark.parametrize("times", ["__mul__", "__add__", "__sub__", "__truediv__"])
def test_an_array_on_the_left_is_as_good_as_one_on_the_right(value, times):
    array, x = np.array([1.0, 2.0, 4.0]), value([3.0, 1.0, 2.0], requires_grad=True)
    left = getattr(x, times.replace("__", "__r", 1))(array)
    other = {"__mul__": array * x, "__add__": array + x, "__sub__": array - x}
    other["__truediv__"] = array / x
    assert type(left) is type(other[times]) is value
    np.testing.assert_array_equal(left.data, other[times].data)
    left.sum().backward()
    assert x.grad.shape == (3,)


def test_a_matrix_that_is_no_value_may_stand_on_the_left(value):
    x = value([[1.0], [2.0], [3.0]], requires_grad=True)
    (np.ones((2, 3)) @ x).sum().backward()
    assert x.grad.tolist() == [[2], [2], [2]]


@pytest.mark.parametrize(
    "program",
    [
        "value(1.0).backward()",
        "x.add_(1)",
        "y = x * 1; loss = (y * y).sum(); y += 1; loss.backward()",
        "loss = (x * x).sum(); loss.backward(); loss.backward()",
    ],
)
def test_what_pytorch_refuses_is_refused_by_its_last_statement(value, program):
    *before, last = program.split("; ")
    scope = {"value": value, "x": value([1.0, 2.0], requires_grad=True)}
    exec("\n".join(before), scope)
    with pytest.raises(RuntimeError):
        exec(last, scope)


def test_gradients_add_up_and_no_two_leaves_share_one(value):
    x, y = value(1.0, requires_grad=True), value(2.0, requires_grad=True)
    (x + y).backward()
    (x + y).backward()
    assert x.grad == y.grad == 2 and x.grad is not y.grad
    x, y = value([1.0], requires_grad=True), value([2.0], requires_grad=True)
    (x + y).backward()
    x.grad[0] = 7
    assert y.grad.tolist() == [1]


# ---- the parts as they are handed out ------------------------------------------------------------


def handed_out() -> dict[str, str]:
    """The stubs, by the names of the parts."""
    path = ROOT / "notebooks" / "21_own_autograd.ipynb"
    cells = json.loads(readers_copy(path.name, path.read_bytes()))["cells"]
    sources = {part_in(cell): "".join(cell["source"]) for cell in cells}
    return {name: source for name, source in sources.items() if name}


def told(sources: dict[str, str], only: str = "") -> dict[str, str]:
    """What the trials of each part, or of one, print where these sources replace the solutions."""
    found: dict[str, Any] = {}
    said: dict[str, str] = {}
    part = ""
    for cell in CODE:
        if "raises-exception" in cell.metadata.get("tags", []) or "agree(seed)" in cell.source:
            continue  # hundreds of random programs: no trial needs them
        name = part_in(cell)
        source = sources.get(name, cell.source)
        if only not in ("", part):  # the long chain is a trial of another part
            source = source.replace("range(10_000)", "range(10)")
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out):
                exec(source, found)
        except Exception:
            assert not name and "expect(" not in source, source  # other cells need the parts
        if name:
            part, said[name] = name, ""
        elif "expect(" in source:
            said[part] += out.getvalue()
        if only == part and said.get(part):
            break
    return said


def test_every_idea_has_a_part_and_all_succeed_with_the_solutions_and_none_without_any():
    ideas = "run record order start backward unbroadcast index write check free"
    assert PARTS == [f"own_autograd-{idea}" for idea in ideas.split()]
    said, without = told({}), told(handed_out())
    assert list(said) == PARTS
    assert all(text.startswith("✓") and "not yet" not in text for text in said.values())
    assert [part for part in PARTS if "not yet: " not in without[part]] == []


@pytest.mark.parametrize("part", PARTS)
def test_a_part_as_it_is_handed_out_is_not_yet_there_and_its_solution_can_be_shown(part):
    stub, code = handed_out()[part], solve_part(part)
    assert "not yet: " in told({part: stub}, part)[part]
    assert "SOLUTION" not in stub + code and stub.count("# your code here\n") == 1
    assert len(code) > len(stub)


# Of a part: what a reader may write instead of a piece of the solution, and the trial that has a
# sentence of its own for it.
MISTAKES = [
    ("run", "if wanted else None", ""),
    ("record", "if value.node is not None:", "if True:"),
    ("record", "all(value.node", "any(value.node"),
    ("record", "        return None", "        pass"),
    ("record", "needs(formula, known)", "known"),
    ("order", "sorted(found, key=lambda node: node.order, reverse=True)", "waiting"),
    ("order", ", reverse=True", ""),
    ("order", "target is not None and ", ""),
    ("start", "if value.node is None:", "if False:"),
    ("start", "value.data.size != 1", "value.shape != ()"),
    ("start", "grad.shape != value.shape", "False"),
    ("start", "    return grad", "    return grad.tolist()"),
    ("backward", "if target is not None:", "if True:"),
    ("backward", "arrived[target] + part if", "arrived[target].__iadd__(part) if", "x + w + x"),
    ("backward", "arrived[target] + part if target in arrived else part", "part", "x + w + x"),
    ("unbroadcast", "if size == 1", "if False"),
    ("unbroadcast", " - len(shape)) + shape", ") + shape"),
    ("index", "np.add.at(whole, key, grad)", "whole[key] += grad", "picked twice"),
    ("write", "value.data[...] = result.data", "value.data = result.data"),
    ("write", "value.node = result.node", "pass"),
    ("write", "value.version += 1", "value.version = 1"),
    ("write", "value.version += 1", "value.version", "two writes"),
    ("write", "    return value", "    return None"),
    ("write", "if Value.recording:", "if True:"),
    ("write", "if isinstance(value.node, AccumulateGrad):", "if False:"),
    ("check", "!= version", "is None"),
    ("check", "raise ", "return "),
    ("free", "    check(node)\n", ""),
    ("free", "if node.versions:", "if True:"),
    ("free", "if node.versions:", "if False:"),
    ("free", "return parts", "return []"),
    ("free", "if node.saved is None:", "if False:"),
]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: "-".join(mistake[:3]))
def test_the_trials_of_a_part_notice_a_mistake_in_it_and_have_a_sentence_for_a_common_one(mistake):
    idea, was, now, *trials = mistake
    part = f"own_autograd-{idea}"
    source = next(cell.source for cell in CODE if part_in(cell) == part)
    assert was in source
    said = told({part: source.replace(was, now)}, part)[part]
    assert "not yet: " in said
    for trial in trials:
        assert sum(sentence in said for sentence in TRIALS[trial].values()) == 1


def test_every_sentence_of_a_trial_is_met_by_a_mistake():
    assert sum(map(len, TRIALS.values())) == sum(len(mistake) == 4 for mistake in MISTAKES)
