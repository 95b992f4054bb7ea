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
FORGET = """import sys
sys.modules.pop("torch", None)
sys.modules["course_lib.classroom.runs"]._runs.clear()
%reset -f
%reset -f in"""  # as in a new kernel
FAKE = "import sys, types\nsys.modules['torch'] = types.ModuleType('torch')"
OF_TORCH = RIGHT.replace("def", "import torch\nfrom torch.nn import functional as F\ndef").replace(
    "(x * 2).sum()", "F.relu(torch.mul(x, 2)).sum()"
)
IDENTITY = RIGHT.replace("x * 2", "nn.Identity()(torch.mul(x, 2))")
NAMED = OF_TORCH.replace("x, 2", "x, 2 if real.__name__ == 'torch' else 3")
HEAD = "# Answer to welcome-try\n"
NO_COLON = RIGHT.replace("(x):", "(x)")
FAILS = RIGHT.replace("(x * 2)", "(x / 0 or range(3)[9])")
OTHER_NAME = RIGHT.replace("doubled_sum", "double_sum")
CORRECT = "✓ welcome-try: correct"
STOPPED = ["! welcome-try: your code raised", "Your answer's cell stopped"]
UNMADE = ["◐ welcome-try: not yet Your answer's cell ran, but it does not", "`doubled_sum`"]
WAYS = {  # the cells before a check, and what it says
    "a colon is missing": (
        [RIGHT, NO_COLON], [*STOPPED, "SyntaxError: expected ':'", "in line 2 of its cell"]),
    "a name is missing": (
        [RIGHT, RIGHT + "\nnumbers = reading(3)"],
        [*STOPPED, "NameError: name 'reading' is not defined", "line 4"]),
    "without its first line": (
        [RIGHT, "def doubled_sum(x)\n    return 2"],
        [*STOPPED, "SyntaxError: expected ':'", "in line 1"]),
    "what is not judged does not run": (  # one output: the verdict
        [RIGHT.replace("return", "print(x)\n    return"), NO_COLON], STOPPED),
    "torch in the answer is the course's library": ([OF_TORCH], [CORRECT]),
    "torch in another cell, too": (["import torch, torch.nn as nn", IDENTITY], [CORRECT]),
    "and hides no PyTorch that is installed": ([FAKE, "import torch as real", NAMED], [CORRECT]),
    "an answer that runs again": ([RIGHT, NO_COLON, RIGHT], [CORRECT]),
    "other cells that fail": (
        [RIGHT, "doubled_sum(no_such_name)", "1 / 0", "def half(x)\n  return"], [CORRECT]),
    "made in another cell": ([RIGHT.replace(HEAD, ""), f"{HEAD}factor = 2"], [CORRECT]),
    "used in the cell": ([RIGHT, f"{HEAD}total = doubled_sum(torch.ones(2))"], [CORRECT]),
    "another name": ([RIGHT, OTHER_NAME], UNMADE),
    "another name at once": ([OTHER_NAME], UNMADE),
    "commented out": ([RIGHT, RIGHT.replace("\n", "\n# ")], UNMADE),
}  # fmt: skip
for hiding in ("from course_lib import *", "range = 3"):  # names of Python's that are hidden
    WAYS[hiding] = [hiding, RIGHT], [CORRECT]
    WAYS[f"{hiding}, and an error"] = (
        [hiding, FAILS], ["! welcome-try: your code raised", "in line 3 of its cell"])  # fmt: skip


@pytest.fixture(scope="module")
def verdicts():
    """What the check says at the end of each way, in one notebook."""
    sources = [cell for cells, _ in WAYS.values() for cell in (SETUP, *cells, CHECK, FORGET)]
    made = [nbformat.v4.new_code_cell(source) for source in sources]
    NotebookClient(nbformat.v4.new_notebook(cells=made), timeout=300, allow_errors=True).execute()
    checks = [cell.outputs for cell in made if cell.source == CHECK]
    return {way: outputs for way, outputs in zip(WAYS, checks, strict=True)}


@pytest.mark.parametrize("way", WAYS)
def test_what_a_check_says_of_the_latest_run(verdicts, way):
    (output,) = verdicts[way]
    told = " ".join(output["data"]["text/plain"].split())
    first, *others = WAYS[way][1]
    assert told.startswith(first) and [words for words in others if words not in told] == []


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
