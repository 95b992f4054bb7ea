"""A check judges the latest run of the answer's cell, and nothing that an older run left behind."""

import nbformat
import pytest
from nbclient import NotebookClient

from course_lib.classroom.runs import answers

SETUP = "import course_lib as torch\nfrom course_lib.classroom import check, hint"
RIGHT = "# Answer to welcome-try\ndef doubled_sum(x):\n    return (x * 2).sum()"
CHECK = """\
@check("welcome-try")
def welcome_try(show):
    numbers = show.random.sample(range(1, 10), 3)
    show(f"doubled_sum(tensor({numbers}))", doubled_sum(torch.tensor(numbers)))"""


def verdict(*cells):
    """What the check says at the end of a notebook of these cells."""
    made = [nbformat.v4.new_code_cell(text) for text in (SETUP, *cells, CHECK)]
    notebook = nbformat.v4.new_notebook(cells=made)
    NotebookClient(notebook, timeout=60, allow_errors=True).execute()
    (output,) = notebook.cells[-1].outputs
    return output["data"]["text/plain"]


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (RIGHT.replace("(x):", "(x)"), ["SyntaxError: expected ':'", "in line 2 of its cell"]),
        (RIGHT + "\nnumbers = reading(3)", ["NameError: name 'reading' is not defined", "line 4"]),
        ("def doubled_sum(x)\n    return 2", ["SyntaxError: expected ':'", "in line 1"]),
    ],
)
def test_an_answer_whose_latest_run_failed_is_not_judged(broken, said):
    text = verdict(RIGHT, broken)
    assert text.startswith("! welcome-try: your code raised\n    ")
    assert all(part in " ".join(text.split()) for part in ["Your answer's cell stopped", *said])


def test_an_answer_whose_latest_run_failed_does_not_run():
    told = RIGHT.replace("return", "print(x)\n    return")  # one output: the verdict
    assert verdict(told, RIGHT.replace("(x):", "(x)")).startswith("! welcome-try")


FAKE = "import sys, types\nsys.modules['torch'] = types.ModuleType('torch')"
OF_TORCH = RIGHT.replace("def", "import torch\nfrom torch.nn import functional as F\ndef").replace(
    "(x * 2).sum()", "F.relu(torch.mul(x, 2)).sum()"
)


IDENTITY = RIGHT.replace("x * 2", "nn.Identity()(torch.mul(x, 2))")
NAMED = OF_TORCH.replace("x, 2", "x, 2 if real.__name__ == 'torch' else 3")
HEAD = "# Answer to welcome-try\n"
CORRECT = {
    "torch in the answer is the course's library": (OF_TORCH,),
    "torch in another cell, too": ("import torch, torch.nn as nn", IDENTITY),
    "and hides no PyTorch that is installed": (FAKE, "import torch as real", NAMED),
    "an answer that runs again": (RIGHT, RIGHT.replace("(x):", "(x)"), RIGHT),
    "other cells that fail": (RIGHT, "doubled_sum(no_such_name)", "1 / 0", "def half(x)\n  return"),
    "made in another cell": (RIGHT.replace(HEAD, ""), f"{HEAD}factor = 2"),
    "used in the cell": (RIGHT, f"{HEAD}total = doubled_sum(torch.ones(2))"),
}


@pytest.mark.parametrize("cells", CORRECT.values(), ids=CORRECT)
def test_what_is_judged_and_correct(cells):
    assert verdict(*cells).startswith("✓ welcome-try: correct")


@pytest.mark.parametrize("hiding", ["from course_lib import *", "range = 3"])
def test_names_of_pythons_that_a_cell_hides_are_not_hidden_from_the_check(hiding):
    assert verdict(hiding, RIGHT).startswith("✓ welcome-try: correct")
    said = verdict(hiding, RIGHT.replace("(x * 2)", "(x / 0 or range(3)[9])"))
    assert "your code raised" in said and "in line 3 of its cell" in said


@pytest.mark.parametrize(
    ("text", "is_answer"),
    [
        ("f = (", True),
        ("f: int = (", True),
        ("class f(:", True),
        ("  f = (", False),
        ("g(f", False),
        ("def ff(", False),
        ("# Answer to demo-11", False),
        ("# Answer to demo-1", True),
    ],
)
def test_a_cell_that_is_no_python_is_known_by_a_line_that_begins_the_answer(text, is_answer):
    assert answers(text, "demo-1", ["f"]) is is_answer


@pytest.mark.parametrize(
    ("before", "latest"),
    [
        ([RIGHT], RIGHT.replace("doubled_sum", "double_sum")),
        ([], RIGHT.replace("doubled_sum", "double_sum")),
        ([RIGHT], RIGHT.replace("\n", "\n# ")),
    ],
    ids=["another name", "another name at once", "commented out"],
)
def test_a_name_that_the_answers_cell_does_not_make_any_more_is_not_judged(before, latest):
    text = verdict(*before, latest)
    assert text.startswith("◐ welcome-try: not yet\n    Your answer's cell ran, but it does not")
    assert "`doubled_sum`" in text
