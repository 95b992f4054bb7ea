"""What must hold for every question of every exercise set; nbval runs the sources themselves."""

import ast
import json
from pathlib import Path

import pytest

from course_lib.classroom import stop
from course_lib.classroom.commands.release import release
from course_lib.classroom.edits import edited
from course_lib.classroom.probe import probe
from course_lib.classroom.proof import EDITED, OTHER_SEED, rehearse
from course_lib.classroom.source import Mistakes, Source, read
from course_lib.classroom.verdict import (
    CORRECT,
    GUESSED,
    NOT_ATTEMPTED,
    NOT_YET,
    RAISED,
    judge,
    same,
)

ROOT = Path(__file__).parents[1]
PATHS = sorted((ROOT / "solutions").glob("*.ipynb"))
SOURCES: list[Source] = []
MISTAKES: dict[str, Mistakes] = {}
for PATH in PATHS:
    try:
        SOURCES.append(read(PATH))
    except Mistakes as found:  # one set that cannot be read does not hide the others
        MISTAKES[PATH.name] = found
QUESTIONS = [
    pytest.param(source, question, id=question.name)
    for source in SOURCES
    for question in source.questions.values()
]
RECORDS: dict[str, dict] = {}

every_set = pytest.mark.parametrize("source", SOURCES, ids=[source.name for source in SOURCES])
every_question = pytest.mark.parametrize(("source", "question"), QUESTIONS)


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """A check may take twenty real seconds, which on a crowded machine are one of work."""
    monkeypatch.setattr(stop, "SECONDS", 300.0)


def record_of(source: Source, question) -> dict:
    """The record as the source gives it now, not as it lies in the folder."""
    if source.name not in RECORDS:
        texts = list(release(source.path, ROOT / "exercises").values())
        RECORDS[source.name] = json.loads(texts[1])["questions"]
    return RECORDS[source.name][question.name]


def verdict_on(source, question, code):
    """The verdict on an answer cell, run now and judged by the record."""
    data, record = rehearse(source, question, code), record_of(source, question)
    return judge(question.name, data, record, edited([code], record), code)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_source_has_no_mistakes(path):
    if path.name in MISTAKES:
        raise MISTAKES[path.name]
    release(path, ROOT / "exercises")


# ---- what is released ----------------------------------------------------------------------------


@every_set
def test_exercises_and_records_are_what_their_source_makes(source):
    for path, text in release(source.path, ROOT / "exercises").items():
        assert path.read_bytes() == text.encode(), f"{path.name}: run course release"


def test_every_exercise_has_a_source_and_a_name_of_its_own():
    exercises = {path.name for path in (ROOT / "exercises").glob("*.ipynb")}
    records = {path.stem for path in (ROOT / "exercises" / ".records").iterdir()}
    assert exercises == {path.name for path in PATHS}
    assert records == {source.name for source in SOURCES} and len(records) == len(SOURCES)


@every_set
def test_a_set_has_four_to_eight_questions_by_difficulty_and_is_stored_as_it_ran(source):
    difficulties = [question.facts["difficulty"] for question in source.questions.values()]
    assert 4 <= len(difficulties) <= 8 and difficulties == sorted(difficulties)
    counts = [cell.raw["execution_count"] for cell in source.cells if cell.kind == "code"]
    assert counts == list(range(1, len(counts) + 1))


# ---- every question ------------------------------------------------------------------------------


@every_question
def test_stub_and_empty_cell_are_not_attempted_and_every_right_answer_is_correct(source, question):
    for code in (question.stub, ""):  # the second: a cell that was not run
        assert verdict_on(source, question, code).word == NOT_ATTEMPTED
    others = [question.variant(note.code) for note in question.notes["right answer"]]
    for code in (question.answer, *others):
        assert verdict_on(source, question, code).word == CORRECT


@every_question
def test_each_wrong_answer_is_not_yet_with_its_own_message(source, question):
    notes = question.notes["wrong answer"]
    for note in notes:
        verdict = verdict_on(source, question, question.variant(note.code))
        assert verdict.word in (NOT_YET, RAISED) and verdict.message == note.words
    least = 2 if question.facts["type"] in EDITED else 1
    assert len({note.words for note in notes}) == len(notes) >= least


@every_question
def test_another_seed_changes_the_data_and_the_solution_still_passes(source, question):
    first, other = (rehearse(source, question, question.answer, seed) for seed in ("a", OTHER_SEED))
    if question.facts["type"] not in GUESSED:  # there the code in question is in plain view
        assert not same(first, other)
    record = record_of(source, question) | {"solution": {"data": other}}
    for note in question.notes["right answer"]:
        data = rehearse(source, question, question.variant(note.code), OTHER_SEED)
        assert judge(question.name, data, record).word == CORRECT


@every_question
def test_a_wrong_answer_passes_with_no_seed(source, question):
    for seed in ("one", "two", "three", "four"):
        right = rehearse(source, question, question.answer, seed)
        for note in question.notes["wrong answer"]:
            data = rehearse(source, question, question.variant(note.code), seed)
            assert not same(right, data), f"{note.title} passes with the seed {seed}"


@every_question
def test_hints_are_there_and_differ_and_hold_no_line_of_the_solution(source, question):
    hints = [note.words for note in question.notes["hint"]]
    assert 2 <= len(hints) == len(set(hints)) <= 3 and all(hints)
    lines = [line.strip() for line in question.solution.splitlines()]
    for hint in record_of(source, question)["hints"]:
        assert not any(line in hint for line in lines if line)


@every_question
def test_another_right_answer_is_written_differently(source, question):
    def bare(code):
        return ast.dump(ast.parse(code))

    others = [bare(question.variant(note.code)) for note in question.notes["right answer"]]
    assert others and len({bare(question.answer), *others}) == len(others) + 1


@every_question
def test_an_answer_that_raises_is_told_so(source, question):
    names = {}
    exec("def answer():\n    1 / 0\n\ndef look(show):\n    answer()", names)
    look = names["look"]
    verdict = judge(question.name, probe(look, question.name), record_of(source, question))
    assert verdict.word == RAISED
