"""The oracle run: lessons and solutions on real PyTorch, their outputs compared by nbval.

Needs COURSE_ORACLE_PYTHON, a Python with torch 2.13 and ipykernel. That the run would notice a
difference is proved everywhere, with a stand-in for PyTorch that answers wrongly.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from course_lib.classroom.verdict import same

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb")) + sorted(
    (ROOT / "solutions").glob("*.ipynb")
)


def oracle_run(python: str, notebooks: list[Path], folder: Path, **variables: str) -> str:
    """Run copies of the notebooks in `folder` on the torch of `python`; what pytest printed.

    A cell tagged `course-only` is not run: no later cell may need it.
    """
    kernel = folder / "jupyter" / "kernels" / "oracle"
    kernel.mkdir(parents=True)
    command = [python, str(Path(__file__).with_name("oracle_kernel.py")), "-f", "{connection_file}"]
    spec = {"argv": command, "display_name": "oracle", "language": "python"}
    (kernel / "kernel.json").write_text(json.dumps(spec))
    for path in notebooks:
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if "course-only" in cell.metadata.get("tags", []):
                cell.metadata["tags"].append("nbval-skip")
        copy = folder / path.parent.name / path.name
        copy.parent.mkdir(exist_ok=True)
        nbformat.write(notebook, copy)
        if (path.parent / "data").is_dir():
            shutil.copytree(path.parent / "data", copy.parent / "data", dirs_exist_ok=True)
    nbval = ["-c", os.devnull, "--nbval", "--nbval-kernel-name=oracle", "--nbval-cell-timeout=300"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider", *nbval, "."],
        cwd=folder,
        env={**os.environ, "JUPYTER_PATH": str(folder / "jupyter"), **variables},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def failed(report: str) -> list[str]:
    return [line for line in report.splitlines() if line.startswith(("FAILED", "ERROR", "XFAIL"))]


@pytest.mark.oracle
def test_every_lesson_and_solution_shows_the_same_on_real_pytorch(tmp_path, oracle):
    report = oracle_run(oracle, NOTEBOOKS, tmp_path)
    assert not failed(report), report
    assert report.count("\nPASSED") > 10 * len(NOTEBOOKS), report


@pytest.mark.oracle
def test_pictures_of_pytorchs_tensors_are_those_of_ours(ask):
    """The tests in `viz/`, which take PyTorch beside this library where it is installed."""
    told = ask("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/viz", "-k", "torch")
    (passed,) = re.findall(r"^(\d+) passed, \d+ deselected in", told, re.MULTILINE)  # none skipped
    assert int(passed) > 2500


def copied(cells: list) -> list[str]:
    """The code of lesson 28 that its text tells the reader to copy: from the switch to `Own()`."""
    code = [cell.source for cell in cells if cell.cell_type == "code"]
    switch = next(place for place, source in enumerate(code) if "ModuleNotFoundError" in source)
    end = next(place for place, source in enumerate(code) if "model = Own()" in source)
    return code[switch : end + 1]


ORACLE = os.environ.get("COURSE_ORACLE_PYTHON")


@pytest.mark.parametrize(
    ("python", "isolated"),
    [
        pytest.param(sys.executable, [], id="course_lib"),
        pytest.param(
            ORACLE,
            ["-I"],  # no PYTHONPATH: there is no course_lib
            marks=[pytest.mark.oracle, pytest.mark.skipif(not ORACLE, reason="wants an oracle")],
            id="torch",
        ),
    ],
)
def test_the_cells_that_lesson_28_says_to_copy_are_a_program(python, isolated, tmp_path):
    lesson = nbformat.read(ROOT / "notebooks" / "28_reading_graphs.ipynb", as_version=4)
    assert any("the four code cells from the switch to" in cell.source for cell in lesson.cells)
    assert len(cells := copied(lesson.cells)) == 4
    (tmp_path / "mine.py").write_text("\n".join(cells), encoding="utf-8")
    paths = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [python, *isolated, str(tmp_path / "mine.py")]
    done = subprocess.run(command, cwd=tmp_path, env=paths, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("loss 0.0 right 1.0\n", "")


def unlike(record: dict, shown: dict) -> list[str]:
    """The answers to one question that do not show what its record says they show."""
    expected = {
        "solution": [record["solution"]["data"]],
        "stub": [record["stub"]["data"]],
        "right": [record["solution"]["data"]] * len(record["right"]),
        "wrong": [wrong["data"] for wrong in record["wrong"]],
    }
    return [
        f"{kind} {number}: {data}"
        for kind, answers in expected.items()
        for number, (ours, data) in enumerate(zip(answers, shown[kind], strict=True), 1)
        if data is None or not (same(ours, data) or out_of_memory(ours, data))
    ]


def out_of_memory(ours: dict, data: dict) -> bool:
    """Whether both asked for memory that no machine has: NumPy and PyTorch say so differently."""
    kinds = [(one["error"] or {}).get("type") for one in (ours, data)]
    return kinds == ["MemoryError", "RuntimeError"] and "allocate" in data["error"]["message"]


@pytest.mark.oracle
def test_every_answer_that_a_record_keeps_shows_the_same_on_real_pytorch(oracle):
    sources = [str(path) for path in NOTEBOOKS if path.parent.name == "solutions"]
    command = [oracle, str(ROOT / "tests/oracle_answers.py"), *sources]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, encoding="utf-8")
    shown = json.loads(done.stdout)
    records = {}
    for path in (ROOT / "exercises" / ".records").glob("*.json"):
        records |= json.loads(path.read_text(encoding="utf-8"))["questions"]
    assert sorted(records) == sorted(shown)
    found = {name: unlike(record, shown[name]) for name, record in records.items()}
    assert not {name: told for name, told in found.items() if told}


# ---- would it notice? ----------------------------------------------------------------------------

STAND_IN = """
def answer():
    return 42
def refuse(sentence):
    raise RuntimeError(sentence)
"""
NN = "import course_lib.nn as nn\nfrom course_lib.nn import init\nnn.name, init.name"
CHECK = "from course_lib.classroom import check\ncheck.__module__[:20]"
SHOWN = {  # of a cell: its code, what is stored, its tag, and what the run says of it
    "course_lib is torch": ("import course_lib as torch\ntorch.__name__", "'torch'", "", "PASSED"),
    "the same value passes": ("torch.answer()", "42", "", "PASSED"),
    "another value fails": ("torch.answer()", "41", "", "FAILED"),
    "a cell of the course's own is not compared": (
        *("torch.answer()", "41", "course-only", "SKIPPED"),
    ),
    "the same error passes": ("torch.refuse('no')", "no", "raises-exception", "PASSED"),
    "another error fails": ("torch.refuse('no')", "yes", "raises-exception", "FAILED"),
    "modules below are torch's": (NN, "(1, 2)", "", "PASSED"),
    "pictures stay the course's": (
        *("import course_lib.viz\ncourse_lib.viz.__name__", "'course_lib.viz'", "", "PASSED"),
    ),
    "checks stay the course's": (CHECK, "'course_lib.classroom'", "", "PASSED"),
    "torch's own modules are left as they were": (
        *("course_lib.__spec__.name, nn.__spec__.name", "('torch', 'torch.nn')", "", "PASSED"),
    ),
}


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory) -> dict[str, str]:
    """What the run says of each cell of `SHOWN`, on a stand-in for PyTorch."""
    folder = tmp_path_factory.mktemp("oracle")
    nn = folder / "site" / "torch" / "nn"
    nn.mkdir(parents=True)
    (nn.parent / "__init__.py").write_text(STAND_IN)
    (nn / "__init__.py").write_text("name = 1")
    (nn / "init.py").write_text("name = 2")
    cells = []
    for number, (source, stored, tag, _) in enumerate(SHOWN.values(), start=1):
        output = new_output("execute_result", {"text/plain": stored}, execution_count=number)
        if tag == "raises-exception":
            output = new_output("error", ename="RuntimeError", evalue=stored, traceback=[])
        cell = new_code_cell(source, execution_count=number, outputs=[output])
        cell.metadata["tags"] = [tag] * bool(tag)
        cells.append(cell)
    lesson = folder / "planted.ipynb"
    nbformat.write(new_notebook(cells=cells), lesson)
    place = folder / "run"
    report = oracle_run(
        sys.executable, [lesson], place, PYTHONPATH=str(folder / "site"), PYTHONWARNINGS=""
    )
    words = {}
    for line in report.splitlines():
        word, _, rest = line.partition(" ")
        if word in ("PASSED", "FAILED", "SKIPPED") and "::Cell " in rest:
            words[int(rest.partition("::Cell ")[2].split()[0])] = word
    return {cell: words.get(number, "SKIPPED") for number, cell in enumerate(SHOWN)}


@pytest.mark.parametrize("cell", SHOWN)
def test_the_run_judges(verdicts, cell):
    assert verdicts[cell] == SHOWN[cell][-1]


def test_an_answer_that_shows_something_else_is_noticed():
    def data(value):
        entry = {"label": "x", "value": {"kind": "int", "value": value}}
        return {"entries": [entry], "error": None}

    wrong = {"data": data(3)}
    record = {"solution": {"data": data(2)}, "stub": {"data": data(0)}}
    record |= {"right": ["x = 2"], "wrong": [wrong, wrong]}
    shown = {"solution": [data(2)], "stub": [data(0)], "right": [data(3)]}
    shown["wrong"] = [data(3), None]
    assert [told.split(":")[0] for told in unlike(record, shown)] == ["right 1", "wrong 2"]


def test_running_out_of_memory_is_the_same_in_other_words_and_nothing_else_is():
    def failed(kind, message=""):
        return {"entries": [], "error": {"type": kind, "message": message}}

    full = failed("RuntimeError", "you tried to allocate 140000000000000000 bytes")
    assert out_of_memory(failed("MemoryError"), full)
    assert not out_of_memory(failed("MemoryError"), failed("RuntimeError", "no graph"))
    assert not out_of_memory(failed("ValueError"), full)
