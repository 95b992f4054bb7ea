"""How long things may become. Code that can be read in one sitting is what this library is for.

Every line counts, comments and docstrings too, so that nobody saves on those. If you make a drawer
smaller, lower its number. It rises only for what readers can use and did not have, by those lines.
"""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = [*(ROOT / "course_lib").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
FILES += (ROOT / "course_grading").rglob("*.py")
FILES = sorted([*FILES, *(ROOT / "tools").rglob("*.py")])

LINES_OF_A_FILE = 500
LINES_TO_AIM_AT = 400  # a tenth of the files may be longer, rather than be split for a number
LEAST_LINES_OF_A_FILE = 10

DRAWERS = {  # below course_lib/
    "core": 2342,
    "calls declare lazy.py": 2188,
    "dtypes memory rng": 2285,
    "words": 2449,
    "ops linalg.py": 11352,
    "autograd nn optim utils serialization.py": 6655,
    "viz": 15242,
    "classroom cli.py": 9375,
    "../course_grading": 10631,
}
LIBRARY = 27750  # all of course_lib but viz and classroom and the commands
TESTS = 30051


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


@pytest.mark.parametrize(("names", "most"), DRAWERS.items())
def test_a_drawer_keeps_to_its_budget(names, most):
    assert lines(*drawers(names)) <= most


def test_the_library_keeps_to_its_budget():
    beside = [file for names in ("viz", "classroom", "cli.py") for file in drawers(names)]
    assert lines(ROOT / "course_lib") - lines(*beside) <= LIBRARY


def test_the_tests_keep_to_theirs():
    assert lines(ROOT / "tests") <= TESTS
