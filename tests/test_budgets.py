"""How long things may become. Code that can be read in one sitting is what this library is for."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted((ROOT / "course_lib").rglob("*.py")) + sorted((ROOT / "tests").rglob("*.py"))
FILES += sorted((ROOT / "tools").rglob("*.py"))
CORE = sorted((ROOT / "course_lib" / "core").glob("*.py"))

LINES_OF_A_FILE = 400
DECIDED = {"start.py": 500}  # decision 1: one file makes the environment, whatever is amiss
# tensor → op → node → backward in one sitting; it may only shrink
LINES_OF_THE_CORE = 1100


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize(
    "path", [ROOT / "start.py", *FILES], ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_a_file_is_read_at_a_glance(path):
    assert lines(path) <= DECIDED.get(path.name, LINES_OF_A_FILE)


def test_the_core_is_read_in_one_sitting():
    assert sum(map(lines, CORE)) <= LINES_OF_THE_CORE
