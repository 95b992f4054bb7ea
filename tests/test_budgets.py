"""How long things may become. Code that can be read in one sitting is what this library is for.

Every line counts, comments and docstrings too, so that nobody saves on those. If you make a drawer
smaller, lower its number. It rises only for what readers can use and did not have, by those lines.
"""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = [*(ROOT / "course_lib").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
FILES += (ROOT / "course_grading").rglob("*.py")
FILES = sorted([*FILES, *(ROOT / "tools").rglob("*.py")])

LINES_OF_A_FILE = 500
LINES_TO_AIM_AT = 400  # a tenth of the files may be longer, rather than be split for a number
LEAST_LINES_OF_A_FILE = 8

DRAWERS = {  # below course_lib/
    "core": 2310,
    "calls declare lazy.py": 2071,
    "dtypes memory rng": 2182,
    "words": 2400,
    "ops linalg.py": 11138,
    "autograd nn optim utils serialization.py": 6495,
    "viz": 13421,
    "classroom cli.py": 9070,
    "../course_grading": 10261,
}
LINES_OF_A_FUNCTION = 40  # its docstring does not count
LONGER = {  # with the reason; the list only gets shorter
    "core/engine.py walk": "the whole backward pass in one loop",
    "core/calls.py of_one": "a call of one operand, from top to bottom",
    "core/calls.py of_two": "the same for two operands",
    "core/calls.py run": "the functions that these two return",
    "layers/attention.py multi_head_attention_forward": "19 parameters take twenty lines",
    "layers/recurrent.py back_along": "the backward pass of an LSTM, in its order",
    "drawing/dot.py dot_of": "a document from its first line to its last",
    "pictures/fit.py fit_svg": "a chart from its axes to its legend",
    "course_grading/alike.py _form": "one case for each kind of syntax",
    "course_grading/folder.py grade_folder": "the steps of grading, in their order",
    "course_grading/results.py write_results": "the files of a result, in their order",
    "course_grading/perform.py _question": "what a question goes through, in its order",
    "course_grading/workers.py grade_here": "threads and what they share stand together",
}
LIBRARY = 27068  # all of course_lib but viz and classroom and the commands
TESTS = 27663


def lines(*paths: Path) -> int:
    """How many lines Python files and sentences have, those of folders too."""
    found = [file for path in paths for file in (path.rglob("*") if path.is_dir() else [path])]
    texts = [file for file in found if file.suffix == ".txt" and "words" in file.parts]
    files = [*texts, *(file for file in found if file.suffix == ".py")]
    return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)


def drawers(names: str) -> list[Path]:
    return [ROOT / "course_lib" / name for name in names.split()]


@pytest.mark.parametrize(
    "path", [ROOT / "start.py", *FILES], ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_a_file_is_read_at_a_glance(path):
    assert lines(path) <= LINES_OF_A_FILE


def test_few_files_are_longer_than_one_should_be():
    long = [path for path in FILES if lines(path) > LINES_TO_AIM_AT]
    assert len(long) <= len(FILES) / 10


def test_no_file_is_too_short_to_be_one():
    short = [path for path in FILES if lines(path) < LEAST_LINES_OF_A_FILE]
    assert [path for path in short if path.name != "__init__.py"] == []


def long_functions(path: Path) -> set[str]:
    """The functions of a file that do not fit on a screen."""
    found = set()
    for one in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            told = (ast.get_docstring(one, clean=False) or "").count("\n")
            if (one.end_lineno or 0) - one.lineno - told > LINES_OF_A_FUNCTION:
                found.add(f"{'/'.join(path.parts[-2:])} {one.name}")
    return found


def test_a_function_fits_on_a_screen():
    product = (path for path in FILES if path.relative_to(ROOT).parts[0] not in ("tests", "tools"))
    assert set().union(*map(long_functions, product)) == set(LONGER)


@pytest.mark.parametrize(("names", "most"), DRAWERS.items())
def test_a_drawer_keeps_to_its_budget(names, most):
    assert lines(*drawers(names)) <= most


def test_the_library_keeps_to_its_budget():
    beside = [file for names in ("viz", "classroom", "cli.py") for file in drawers(names)]
    assert lines(ROOT / "course_lib") - lines(*beside) <= LIBRARY


def test_the_tests_keep_to_theirs():
    assert lines(ROOT / "tests") <= TESTS
