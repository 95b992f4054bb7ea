"""How long things may become. Code that can be read in one sitting is what this library is for."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted((ROOT / "course_lib").rglob("*.py")) + sorted((ROOT / "tests").rglob("*.py"))
FILES += sorted((ROOT / "tools").rglob("*.py"))
CORE = sorted((ROOT / "course_lib" / "core").glob("*.py"))

LINES_OF_A_FILE = 500
LINES_TO_AIM_AT = 400  # a tenth of the files may be longer, rather than be split for a number
# tensor → op → node → backward → view → write in one sitting
LINES_OF_THE_CORE = 1650


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(
    "path", [ROOT / "start.py", *FILES], ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_a_file_is_read_at_a_glance(path):
    assert lines(path) <= LINES_OF_A_FILE


def test_few_files_are_longer_than_one_should_be():
    long = [path for path in FILES if lines(path) > LINES_TO_AIM_AT]
    assert len(long) <= len(FILES) / 10


def test_the_core_is_read_in_one_sitting():
    assert sum(map(lines, CORE)) <= LINES_OF_THE_CORE
