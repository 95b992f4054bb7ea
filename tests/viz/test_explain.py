"""What `explain` says of errors: of the library's and of PyTorch's own."""

import contextlib
import functools
import linecache
import sys
import types
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from programs import programs

from course_lib.classroom import content
from course_lib.classroom.guess import is_meant_to_fail
from course_lib.viz import explain, record_versions
from course_lib.viz.pictures.explanation import offer
from course_lib.viz.reading.code import writers
from course_lib.viz.remedies import load_remedies


def error_of(function, *given):
    with pytest.raises(Exception) as caught:
        function(*given)
    return caught.value


def todo_of(error):
    lines = explain(error).text.splitlines()
    return "\n".join(lines[lines.index("What to do") + 1 : -1])


def overwritten(lib):
    x = lib.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    loss = y.sum()
    y.add_(1)
    loss.backward()


def test_an_overwritten_tensor_is_named_with_function_versions_and_line(lib):
    error, first = error_of(overwritten, lib), overwritten.__code__.co_firstlineno
    assert explain(error).text.splitlines() == [
        "y was overwritten, but ExpBackward0 still needs it",
        f"Raised by line {first + 5}: loss.backward()",
        "What happened",
        "    ExpBackward0 saved y, its own result (shape (2,), float32), at version 0.",
        "    Now it is at version 1: written in place once since.",
        f"    The code writes into it in line {first + 4}: y.add_(1)",
        "What to do",
        "    Leave the saved tensor alone and make a new one: y = y.add(1) instead of y.add_(1).",
        "    Or run y.add_(1) only after backward.",
        f"PyTorch says: {error}",
    ]


# ---- what learners meet ----

SITUATIONS = (Path(__file__).parent / "situations.txt").read_text(encoding="utf-8")
NO_ANSWER = "This error is not among those"


@pytest.fixture
def recording(lib):
    """Recording is on again afterwards: a program may switch it off."""
    yield
    lib.set_grad_enabled(True)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("code", "said"), programs(SITUATIONS))
def test_what_learners_meet_is_explained(lib, run, recording, code, said):
    error = error_of(functools.partial(run, c=lib.ones(2), net=lib.nn.Linear(2, 1)), code)
    text = explain(error).text
    assert [words for words in said if words not in text] == []
    assert ("What happened" in text and "PyTorch says: " in text) or said[0].startswith(NO_ANSWER)


def test_few_answers_of_the_table_are_that_there_is_none():
    said = [words for _, words in (case.values for case in programs(SITUATIONS))]
    unknown = [words for words in said if NO_ANSWER in words[0] or "does not tell" in words[0]]
    assert len(said) >= 200 and len(unknown) <= len(said) / 10


def test_every_remedy_is_met_by_a_situation():
    met = {words for case in programs(SITUATIONS) for words in case.values[1]}
    assert {remedy.title for remedy in load_remedies()} - met == {
        "There is no graph to walk through"
    }


def test_in_a_notebook_the_cells_before_are_read_too(x):
    cells = ["", "%time\ny = x.detach()", "loss = y.sum()", "loss.backward()", "later = 1"]
    scope = {"__name__": "__main__", "x": x, "In": cells, "get_ipython": None}
    with pytest.raises(RuntimeError) as caught:
        for n, cell in enumerate(cells[:4]):
            linecache.cache[f"<cell {n}>"] = (len(cell), None, cell.splitlines(keepends=True), "")
            exec(compile(cell.replace("%time", ""), f"<cell {n}>", "exec"), scope)
    assert "In [1], line 2: x.detach() cuts the history off" in explain(caught.value).text


# ---- advice in the reader's names ----


def written(code):
    """A program in which a line overwrites `s`, which was saved."""

    def run(lib):
        scope = {"__name__": "__main__", "torch": lib, "get_ipython": None}
        start = "s = torch.tensor([1.0, 2.0], requires_grad=True).exp()\nt = s.sum()\nv = s[:1]"
        scope["In"] = ["", start, code, "t.backward()"]
        for n, cell in enumerate(scope["In"]):
            exec(compile(cell, f"cell {n}", "exec"), scope)

    return run


IN_PLACE = {
    "s += 1": "make a new one: s = s + 1 instead of s += 1.",
    "s *= t + 1": "make a new one: s = s * (t + 1) instead of s *= t + 1.",
    "s.mul_(2)": "make a new one: s = s.mul(2) instead of s.mul_(2).",
    "v.clamp_(0, 1)": "make a new one: v = v.clamp(0, 1) instead of v.clamp_(0, 1).",
    "s[0] = 3": "write into a copy: s = s.clone(), then s[0] = 3.",
    "s[0].mul_(3)": "write into a copy: s = s.clone(), then s[0].mul_(3).",
    "s.normal_()": "write into a copy: s = s.clone(), then s.normal_().",
    "with torch.no_grad(): torch.add(s, 1, out=s)": "make a new one: s = torch.add(s, 1) instead "
    "of torch.add(s, 1, out=s).",
    "for k in range(2): s -= k": "make a new one: s = s - k instead of s -= k.",
}


@pytest.mark.parametrize("code", IN_PLACE)
def test_what_to_do_is_said_in_the_readers_names(lib, code):
    error = error_of(written(code), lib)
    assert todo_of(error).splitlines() == [
        f"    Leave the saved tensor alone and {IN_PLACE[code]}",
        f"    Or run {code} only after backward.",
    ]
    assert f"The code writes into it in In [2], line 1: {code}" in explain(error).text


def test_the_weight_behind_a_saved_view_is_named_and_the_step_blamed(lib):
    def run(film):
        model = lib.nn.Linear(2, 1)
        two = lib.nn.Linear(1, 1)
        optimizer = lib.optim.SGD(two.parameters(), lr=0.1)
        with film:
            loss = two(model(lib.ones(3, 2))).sum()
            loss.backward(retain_graph=True)
            optimizer.step()
            loss.backward()

    without = explain(error_of(run, contextlib.nullcontext())).text
    assert without.startswith("A view of two.weight was overwritten, but AddmmBackward0")
    assert "If the step of an optimizer wrote it: run every backward before the step" in without
    assert "Run backward before optimizer.step()." in explain(error_of(run, record_versions())).text


# ---- other errors ----


def test_an_unknown_error_is_admitted():
    picture = explain(KeyError("coffee"))
    assert picture.text.splitlines()[0] == (
        "This error is not among those that can be explained here"
    )
    assert "PyTorch says" not in picture.text and "KeyError: 'coffee'" in picture.text


def test_without_an_argument_the_last_error_is_explained_if_there_was_one(run, monkeypatch):
    monkeypatch.delattr(sys, "last_value", raising=False)
    assert explain().text == "No error has been shown yet: there is nothing to explain."
    error = error_of(run, "x += 1")
    monkeypatch.setattr(sys, "last_value", error, raising=False)
    assert explain().text.startswith("A leaf would be written into")


# ---- unasked ----


def outputs_of(*cells):
    """What the cells of a notebook show when a person runs them; a `#!` cell is meant to fail."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = NotebookClient(book, timeout=300)
    with client.setup_kernel():
        for place, cell in enumerate(book.cells):
            cell.metadata["tags"] = ["raises-exception"] if cell.source.startswith("#!") else []
            with contextlib.suppress(CellExecutionError):
                client.execute_cell(cell, place)
    return [[out for out in cell.outputs if out.output_type != "error"] for cell in book.cells]


def test_in_a_notebook_the_explanation_is_folded_up_under_the_error():
    start = "import course_lib as torch\nw = torch.ones(2, requires_grad=True)"
    broken = "from course_lib.viz.pictures import explanation\nexplanation.describe_error = len"
    off, on = "%env COURSE_EXPLAIN=off\nw += 1", "%env COURSE_EXPLAIN=on"
    _, shown, meant, unknown, silent, _, _, failed = outputs_of(
        start, "w += 1", "#!\nw += 1", "{}['tea']", off, on, broken, "w += 1"
    )
    [fold] = [output["data"]["text/html"] for output in shown]
    assert fold.startswith(
        "<details><summary>What happened? A leaf would be written into</summary>"
    )
    assert "new = w + 1 instead of w += 1" in fold
    assert meant == unknown == [] and [output["name"] for output in silent] == ["stdout"]
    assert "explain() failed itself: TypeError" in failed[0]["text"]


def test_a_terminal_shows_one_line(run, capsys, monkeypatch):
    info = types.SimpleNamespace(store_history=True, raw_cell="x += 1")
    result = types.SimpleNamespace(error_in_exec=error_of(run, "x += 1"), info=info)
    offer(result)
    line = (
        "A leaf would be written into: course_lib.viz.explain() tells what happened and what to do."
    )
    assert capsys.readouterr().out == f"{line}\n"
    monkeypatch.setenv("COURSE_EXPLAIN", "off")
    offer(result)
    assert capsys.readouterr().out == ""


def test_a_cell_that_a_lesson_means_to_fail_is_known():
    cells = nbformat.read(content.root() / "notebooks/19_inplace_clinic.ipynb", 4).cells
    [first, *_] = [cell for cell in cells if "raises-exception" in cell.metadata.get("tags", [])]
    info = types.SimpleNamespace(raw_cell=f"# mine\n{first.source}")
    assert is_meant_to_fail(info) and is_meant_to_fail(types.SimpleNamespace(raw_cell="hint()"))
    assert not is_meant_to_fail(types.SimpleNamespace(raw_cell=f"{first.source}\nmore"))


# ---- lines that write ----


@pytest.mark.parametrize(
    "code",
    ["y.add_(1)", "y += 1", "y[0] = 1", "y[0] += 1", "y[0].zero_()", "torch.exp(x, out=y)",
     "y[0][1].mul_(2).add_(1)", "for k in range(2): y -= k", "z = y.mul_(2) + 1"],
)  # fmt: skip
def test_a_line_that_writes_is_seen_behind_magics_too(code):
    assert writers(code, {"y"}) == [1] and writers(f"%matplotlib inline\n{code}", {"y"}) == [2]


@pytest.mark.parametrize(
    "code", ["y = y + 1", "y.add(1)", "z[0] = y", "z.add_(y)", "y.requires_grad_()", "y == 1", "%%"]
)
def test_a_line_that_only_reads_is_not(code):
    assert writers(code, {"y"}) == []
