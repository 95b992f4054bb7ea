"""Graded with nbval and nothing else: under COURSE_GRADE=1 a check that is not correct fails."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from grading.submitting import ROOT, notebook, record

SETS = sorted(path.stem for path in (ROOT / "exercises" / ".records").glob("*.json"))

every_set = pytest.mark.parametrize("name", SETS)
as_in_a_notebook = pytest.mark.filterwarnings("default")  # a warning is shown, and no error


def raised(known: dict, code: str) -> str:
    """What the check raised, "" for nothing. What another cell raises ends the test."""
    names: dict = {"_ih": ["", code]}  # IPython's list of inputs tells what was edited
    for role, text in known["cells"]:
        if role != "check":
            exec(code if role == "answer" else text, names)
            continue
        try:
            exec(text, names)
        except AssertionError as error:
            return str(error)
    return ""


@pytest.fixture
def graded(monkeypatch):
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    monkeypatch.setenv("COURSE_GRADE", "1")


@every_set
@as_in_a_notebook
def test_a_check_passes_the_solution_alone_and_says_what_is_wrong_with_others(name, graded):
    for question, known in record(name)["questions"].items():
        title, reason = raised(known, known["stub"]["code"]).split("\n", 1)
        assert title == f"○ {question}: not attempted" and reason.strip()
        wrong = known["wrong"][0]
        title, reason = raised(known, wrong["code"]).split("\n", 1)
        assert title in (f"◐ {question}: not yet", f"! {question}: your code raised")
        assert " ".join(wrong["message"].split()) in " ".join(reason.split())
        assert raised(known, known["solution"]["code"]) == ""


MIXED = {
    "inplace_clinic-1": 'five_ends = ["backward", "wrong", "backward", "right", "right"]',
    "inplace_clinic-4": "def replaced(w, places, number):\n    w.clone()",
    "inplace_clinic-5": 'program = "C"\ngradient = torch.ones(3).no_such_thing',
    "inplace_clinic-7": "def how_it_ends(formula, write, numbers):\n    return 1 / 0",
}
GIVEN = ("inplace_clinic-2", "inplace_clinic-3")  # one is blank, the other still has its bug


def stubs(name: str) -> dict[str, str]:
    """The answers as they are handed out."""
    return {question: one["stub"]["code"] for question, one in record(name)["questions"].items()}


def code_of(made: dict) -> list[dict]:
    return [cell for cell in made["cells"] if cell["cell_type"] == "code"]


def with_old_outputs(made: dict) -> None:
    """As if it was run before its answers were written, some outputs since lost."""
    old = {"name": "stdout", "output_type": "stream", "text": "not yet"}
    for number, cell in enumerate(code_of(made), 1):
        cell["execution_count"] = number
        cell["outputs"] = [old] if number % 3 else []


@pytest.fixture(scope="module")
def failures(tmp_path_factory):
    """By notebook, and by question or else by number of the cell: what its failure says."""
    folder = tmp_path_factory.mktemp("hand-ins")
    clinic = stubs("inplace_clinic")
    answers = {question: f"# Answer to {question}\n{code}" for question, code in MIXED.items()}
    books = {
        "blank": notebook("welcome", stubs("welcome")),
        "mixed": notebook("inplace_clinic", {name: clinic[name] for name in GIVEN} | answers),
        "solution": json.loads((ROOT / "solutions/ex01_creation.ipynb").read_text("utf-8")),
    }
    with_old_outputs(books["mixed"])
    for name, made in books.items():
        (folder / f"{name}.ipynb").write_text(json.dumps(made), encoding="utf-8")
    code = {name: code_of(made) for name, made in books.items()}
    cases = list(ElementTree.parse(run_nbval(folder)).iter("testcase"))
    assert len(cases) == sum(map(len, code.values()))
    found: dict[str, dict[object, str]] = {name: {} for name in books}
    for case in cases:
        name = case.get("classname").removesuffix(".ipynb")
        number = int(case.get("name").removeprefix("Cell "))
        about = code[name][number]["metadata"].get("course", {})
        for failure in case.iter("failure"):
            label = about["question"] if about.get("role") == "check" else number
            found[name][label] = re.sub(r"#x1B\[[\d;]*m", "", failure.text)  # colours
    return found


def run_nbval(folder: Path) -> Path:
    """pytest's report on the folder. `--nbval` compares more than the `--nbval-lax` of the docs."""
    report = folder / "report.xml"
    words = ["--nbval", "--nbval-current-env", "--nbval-cell-timeout=300", f"--junitxml={report}"]
    words = ["-m", "pytest", "-c", os.devnull, "-p", "no:cacheprovider", *words, "."]
    env = {**os.environ, "COURSE_GRADE": "1", "PYTHONPATH": str(ROOT)}
    given = {"cwd": folder, "env": env, "capture_output": True, "encoding": "utf-8"}
    done = subprocess.run([sys.executable, *words], **given)
    assert done.returncode == 1, done.stdout + done.stderr
    return report


def verdict(text: str) -> list[str]:
    """The lines of a failure that a check wrote."""
    return text[text.index("AssertionError: ") :].removeprefix("AssertionError: ").split("\n")


def test_a_blank_hand_in_fails_at_each_question_and_nowhere_else_and_a_solution_passes(failures):
    assert failures["solution"] == {}
    said = {question: verdict(text)[0] for question, text in failures["blank"].items()}
    names = record("welcome")["questions"]
    assert said == {name: f"○ {name}: not attempted" for name in names}


DIFFERS = {
    1: "'backward' is not it",
    2: "The result is still that of the cell as it was given to you",
    4: "does your function `return` something?",
    5: "in line 3 of its cell: gradient = torch.ones(3).no_such_thing",
    7: "ZeroDivisionError: division by zero",
}


def test_a_mixed_hand_in_fails_where_an_answer_is_blank_or_wrong_whatever_is_stored(failures):
    questions = {name: text for name, text in failures["mixed"].items() if type(name) is str}
    words = {name: verdict(text)[0].partition(": ")[2] for name, text in questions.items()}
    assert words == {
        "inplace_clinic-1": "not yet",
        "inplace_clinic-2": "not attempted",
        "inplace_clinic-3": "not attempted",
        "inplace_clinic-4": "not yet",
        "inplace_clinic-5": "your code raised",
        "inplace_clinic-7": "your code raised",
    }
    for number, said in DIFFERS.items():
        text = " ".join(verdict(failures["mixed"][f"inplace_clinic-{number}"]))
        assert said in " ".join(text.split())


def test_an_answer_cell_fails_only_if_it_raised_itself_and_no_failure_asks_for_a_hint(failures):
    assert not any("hint(" in text for one in failures.values() for text in one.values())
    (text,) = [text for name, text in failures["mixed"].items() if type(name) is int]
    assert "AttributeError" in text and "# Answer to inplace_clinic-5" in text
