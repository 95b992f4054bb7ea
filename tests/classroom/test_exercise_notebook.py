"""A released notebook in a kernel, the way students leave theirs."""

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
RIGHT = "def mean_square(x):\n    return (x * x).sum() / x.shape[0]"
WRONG = "def mean_square(x):\n    return x.mean() * x.mean()"
RAISES = "def mean_square(x):\n    x = x * 2\n    return x.no_such_thing"


def outputs(cells, folder):
    """The plain text of all that these cells display, run in this order in one kernel."""
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(text) for text in cells]
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(folder)}})
    client.execute(env={**os.environ, "PYTHONPATH": str(ROOT)})
    return [
        "".join(output["data"]["text/plain"] if "data" in output else output["text"])
        for cell in notebook.cells
        for output in cell.outputs
    ]


@pytest.fixture(scope="module")
def code():
    """The code cells of the welcome exercises."""
    exercise = nbformat.read(ROOT / "exercises" / "ex00_welcome.ipynb", as_version=4)
    return [cell.source for cell in exercise.cells if cell.cell_type == "code"]


@pytest.fixture(scope="module")
def check(code):
    """That of their third question."""
    return next(text for text in code if text.startswith('@check("welcome-3")'))


@pytest.fixture(scope="module")
def said(tmp_path_factory, code, check):
    """What one long sitting displayed: all cells, then copies, edits and another order."""
    mine = "x = 'mine'\nnumbers = 'mine'"
    cells = [
        *code,
        check,  # run twice
        "del mean_square",
        check,  # before its answer
        "# Answer to welcome-3, cut in two",
        RIGHT,
        mine,
        check,
        "print(x, numbers)",
        WRONG,
        check,
        RAISES,
        check,
        'hint("welcome-3")',
        "def mean_square(x):\n    import sys\n    sys.exit('gone')",
        check,
        "def mean_square(x):\n    while True:\n        try:\n            while True: pass\n"
        "        except:\n            pass",
        "from course_lib.classroom import stop\nstop.SECONDS, stop.CLOCK = 0.5, 600.0",
        check,
        RIGHT,
        check,
    ]
    return outputs(cells, tmp_path_factory.mktemp("workspace"))


def test_an_untouched_notebook_runs_to_its_end_and_a_check_leaves_variables_alone(said):
    assert [text.split("\n")[0] for text in said[:6]] == [
        f"○ welcome-{name}: not attempted" for name in ("try", 1, 2, 3, 4, 5)
    ]
    assert said[6] == said[3] and said[9] == "mine mine\n"


SITTING = {
    "a check run before its answer asks for it": (7, "run the cell of your answer"),
    "an answer in a cell of another look is correct": (8, "✓ welcome-3: correct"),
    "a known mistake gets its message": (10, "This squares the mean."),
    "an error is shown with its own line": (11, "in line 3 of its cell: return x.no_such_thing"),
    "a hint is shown": (12, "Hint 1 of 2"),
    "an answer that ends Python ends only itself": (13, "SystemExit: gone"),
    "an answer that never ends is stopped": (14, "or for ever?"),
    "and the notebook goes on": (15, "✓ welcome-3: correct"),
}


@pytest.mark.parametrize(("place", "text"), SITTING.values(), ids=SITTING)
def test_what_a_notebook_shows(said, place, text):
    assert text in said[place]


STUB = "# Answer to welcome-3\ndef mean_square(x):\n    # your code here\n    ..."
NO_RETURN = STUB.replace("...", "(x * x).mean()")


@pytest.fixture(scope="module")
def attempts(tmp_path_factory, code, check):
    """What a check says of an answer that shows what the stub shows, edited or not."""
    cells = [code[0]]
    for answer in (
        STUB,
        NO_RETURN,
        STUB + "  # later",  # the stub again, run after an attempt
        "import math\n" + STUB,  # merged with another cell
        NO_RETURN.removeprefix("# Answer to welcome-3\n") + "\n\nmean_square(torch.ones(2))",
        "In = _ih = None",  # the list of cells is the student's to spoil
        "import course_lib\ncourse_lib.set_grad_enabled(False)",
        RIGHT,
    ):
        cells += [answer, check]
    said = outputs([*cells, "course_lib.is_grad_enabled()"], tmp_path_factory.mktemp("workspace"))
    return [text for text in said if "welcome-3" in text], said[-1]


@pytest.mark.parametrize(
    ("attempt", "word"),
    [(0, "not attempted"), (1, "not yet"), (2, "not attempted"), (3, "not attempted")]
    + [(4, "not yet"), (7, "correct")],
)
def test_an_edit_is_an_attempt_even_if_it_changes_nothing(attempts, attempt, word):
    assert attempts[0][attempt].split("\n")[0].endswith(f"welcome-3: {word}")


def test_a_missing_return_is_asked_for_and_spoilt_cells_and_settings_do_no_harm(attempts):
    assert "does your function `return` something?" in " ".join(attempts[0][1].split())
    assert "welcome-3: not" in attempts[0][5] and attempts[1] == "False"
