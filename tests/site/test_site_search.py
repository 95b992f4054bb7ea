"""The questions of students that the search of the site is measured with."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ASKED = json.loads((ROOT / "site/questions.json").read_text(encoding="utf-8"))["questions"]


def test_every_question_names_lessons_that_exist():
    stems = {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")}
    assert len(ASKED) >= 30
    assert {lesson for lessons in ASKED.values() for lesson in lessons} <= stems


def test_nearly_every_lesson_is_asked_for():
    stems = {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")}
    asked = {lesson for lessons in ASKED.values() for lesson in lessons}
    assert stems - asked <= {"00_welcome"}  # which nobody has to search for


def test_the_ranking_knows_no_question():
    script = (ROOT / "site/search.js").read_text(encoding="utf-8")
    assert [question for question in ASKED if question in script] == []
