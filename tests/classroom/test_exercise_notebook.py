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
def said(tmp_path_factory):
    """What one long sitting displayed: all cells, then copies, edits and another order."""
    exercise = nbformat.read(ROOT / "exercises" / "ex00_welcome.ipynb", as_version=4)
    code = [cell.source for cell in exercise.cells if cell.cell_type == "code"]
    check = next(text for text in code if text.startswith('@check("welcome-3")'))
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
        "from course_lib.classroom import stop\nstop.SECONDS = 0.5",
        check,
        RIGHT,
        check,
    ]
    return outputs(cells, tmp_path_factory.mktemp("workspace"))


def test_an_untouched_notebook_runs_to_its_end_with_nothing_attempted(said):
    assert [text.split("\n")[0] for text in said[:6]] == [
        f"○ welcome-{name}: not attempted" for name in ("try", 1, 2, 3, 4, 5)
    ]


def test_a_check_run_twice_says_the_same_twice(said):
    assert said[6] == said[3]


def test_a_check_run_before_its_answer_asks_for_it(said):
    assert "run the cell of your answer" in said[7]


def test_an_answer_in_a_cell_of_another_look_is_correct(said):
    assert said[8].startswith("✓ welcome-3: correct")


def test_a_check_leaves_the_students_variables_alone(said):
    assert said[9] == "mine mine\n"


def test_a_known_mistake_gets_its_message(said):
    assert "This squares the mean." in said[10]


def test_an_error_is_shown_with_the_students_own_line(said):
    assert "in line 3 of its cell: return x.no_such_thing" in said[11]


def test_a_hint_is_shown_in_the_notebook(said):
    assert "Hint 1 of 2" in said[12]


def test_an_answer_that_ends_python_ends_only_itself(said):
    assert "SystemExit: gone" in said[13]


def test_an_answer_that_never_ends_is_stopped_and_the_notebook_goes_on(said):
    assert "or for ever?" in said[14] and said[15].startswith("✓ welcome-3: correct")


STUB = "# Answer to welcome-3\ndef mean_square(x):\n    # your code here\n    ..."
NO_RETURN = STUB.replace("...", "(x * x).mean()")


@pytest.fixture(scope="module")
def attempts(tmp_path_factory):
    """What a check says of an answer that shows what the stub shows, edited or not."""
    exercise = nbformat.read(ROOT / "exercises" / "ex00_welcome.ipynb", as_version=4)
    code = [cell.source for cell in exercise.cells if cell.cell_type == "code"]
    check = next(text for text in code if text.startswith('@check("welcome-3")'))
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


def test_a_function_that_returns_nothing_is_asked_for_its_return(attempts):
    assert "does your function `return` something?" in " ".join(attempts[0][1].split())


def test_a_check_says_something_whatever_the_notebook_was_made_of(attempts):
    assert "welcome-3: not" in attempts[0][5]


def test_a_check_leaves_the_students_settings_alone(attempts):
    assert attempts[1] == "False"
