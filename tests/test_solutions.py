"""What must hold for every question of every exercise set; nbval runs the sources themselves.

Most of it is what `release` refuses otherwise: that the stub is not attempted, that right answers
pass and wrong ones do not, what hints hold (see `classroom/test_release.py`). What wrong answers
are told is compared in `classroom/test_mistakes.py`.
"""

import ast
import json
from pathlib import Path

import pytest

from course_lib.classroom import stop
from course_lib.classroom.commands.release import release
from course_lib.classroom.proof import rehearse
from course_lib.classroom.source import Mistakes, Source, read
from course_lib.classroom.verdict import NOT_ATTEMPTED, judge, same

ROOT = Path(__file__).parents[1]
PATHS = sorted((ROOT / "solutions").glob("*.ipynb"))
SOURCES: list[Source] = []
for PATH in PATHS:
    try:
        SOURCES.append(read(PATH))
    except Mistakes:  # one set that cannot be read does not hide the others: its release says why
        pass
QUESTIONS = [
    pytest.param(source, question, id=question.name)
    for source in SOURCES
    for question in source.questions.values()
]

every_question = pytest.mark.parametrize(("source", "question"), QUESTIONS)


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """A check may take twenty real seconds, which on a crowded machine are one of work."""
    monkeypatch.setattr(stop, "SECONDS", 300.0)


# ---- what is released ----------------------------------------------------------------------------


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_exercises_and_records_are_what_their_source_makes(path):
    for made, text in release(path, ROOT / "exercises").items():
        assert made.read_bytes() == text.encode(), f"{made.name}: run course release"


def test_every_exercise_has_a_source_and_a_name_of_its_own():
    exercises = {path.name for path in (ROOT / "exercises").glob("*.ipynb")}
    records = {path.stem for path in (ROOT / "exercises" / ".records").iterdir()}
    assert exercises == {path.name for path in PATHS}
    assert records == {source.name for source in SOURCES} and len(records) == len(SOURCES)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_a_set_has_four_to_eight_questions_by_difficulty_and_is_stored_as_it_ran(source):
    difficulties = [question.facts["difficulty"] for question in source.questions.values()]
    assert 4 <= len(difficulties) <= 8 and difficulties == sorted(difficulties)
    counts = [cell.raw["execution_count"] for cell in source.cells if cell.kind == "code"]
    assert counts == list(range(1, len(counts) + 1))


# ---- every question ------------------------------------------------------------------------------


@every_question
def test_an_empty_cell_is_not_attempted(source, question):
    record = json.loads((ROOT / f"exercises/.records/{source.name}.json").read_bytes())
    known = record["questions"][question.name]
    assert judge(question.name, rehearse(source, question, ""), known).word == NOT_ATTEMPTED


@every_question
def test_a_wrong_answer_passes_with_no_seed(source, question):
    for seed in ("one", "two", "three", "four"):
        right = rehearse(source, question, question.answer, seed)
        for note in question.notes["wrong answer"]:
            data = rehearse(source, question, question.variant(note.code), seed)
            assert not same(right, data), f"{note.title} passes with the seed {seed}"


@every_question
def test_another_right_answer_is_written_differently_and_no_message_is_said_twice(source, question):
    def bare(code):
        return ast.dump(ast.parse(code))

    others = [bare(question.variant(note.code)) for note in question.notes["right answer"]]
    assert others and len({bare(question.answer), *others}) == len(others) + 1
    said = [note.words for note in question.notes["wrong answer"]]
    assert len(set(said)) == len(said)
