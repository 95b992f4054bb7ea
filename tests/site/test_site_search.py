"""The questions of students that the search of the site is measured with."""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
QUESTIONS = json.loads((ROOT / "site/questions.json").read_text(encoding="utf-8"))
ASKED, MET = QUESTIONS["questions"], QUESTIONS["errors"]


def test_the_questions_ask_for_lessons_that_exist_and_for_nearly_every_one():
    stems = {path.stem for path in (ROOT / "notebooks").glob("*.ipynb")}
    asked = {lesson for lessons in ASKED.values() for lesson in lessons}
    assert len(ASKED) >= 30 and asked <= stems
    assert stems - asked <= {"00_welcome"}  # which nobody has to search for
    pages = {path.stem for path in (ROOT / "docs/errors").glob("*.md")}
    assert len(MET) >= 15 and {page for found in MET.values() for page in found} <= pages


def test_the_ranking_knows_no_question():
    script = (ROOT / "site/search.js").read_text(encoding="utf-8")
    assert [question for question in ASKED | MET if question in script] == []
