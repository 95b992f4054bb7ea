"""The questions of students that the search of the site is measured with."""

import json
import re
from pathlib import Path

import pages

from course_lib.classroom import content
from course_lib.classroom.search import find, index

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


def test_nearly_every_question_finds_its_page_among_the_first():
    lost = {
        question: [found.file for found in find(question, most=most)]
        for folder, most, asked in (("notebooks", 3, ASKED), (content.ERRORS, 4, MET))
        for question, pages in asked.items()
        if not {f"{folder}/{page}" for page in pages}
        & {found.file.rpartition(".")[0] for found in find(question, most=most)}
    }
    assert len(lost) <= (len(ASKED) + len(MET)) / 20, lost


def test_the_site_and_the_home_page_rank_with_one_program_and_one_index():
    script, home = pages.search_script(), ROOT / "lab/src/search.js"
    assert home.read_text("utf-8").partition("const SATURATION")[2].partition("export")[0] in script
    known = json.loads(re.search(r"^const COURSE = (.+);$", script, re.M)[1])
    assert known["postings"] == index()["postings"] and known["meant"] == json.loads(
        json.dumps(index()["meant"])
    )
