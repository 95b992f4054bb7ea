"""A correct answer leads on: why it is right, how far the set is done, and what is next."""

import pytest

from course_lib.classroom.home import leading_on
from course_lib.classroom.lessons import lesson
from course_lib.classroom.page import verdict_html
from course_lib.classroom.progress import Journal
from course_lib.classroom.record import find
from course_lib.classroom.sets import desk
from course_lib.classroom.verdict import CORRECT, Verdict
from course_lib.classroom.workspace import Workspace

DATA = {"entries": [], "error": None}


def right(question):
    return Verdict(question, CORRECT, DATA)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    workspace = Workspace(tmp_path_factory.mktemp("workspace"))
    workspace.refresh()
    return workspace


@pytest.fixture
def solve(workspace, monkeypatch):
    """Solve questions in the notebook's folder, and say what the last verdict looks like."""
    monkeypatch.chdir(workspace.folder / "exercises")
    journal = Journal(workspace.folder)
    journal.path.unlink(missing_ok=True)

    def solved(*questions):
        for question in questions:
            journal.note_verdict(right(question))
        return leading_on(right(questions[-1]), find(questions[-1]))

    return solved


def test_a_right_answer_is_explained_and_names_the_next_question_with_a_link(solve):
    verdict = solve("welcome-try", "welcome-1", "welcome-2")
    assert verdict.message == f"Well done. {find('welcome-2')['explanation']}"
    place = "ex00_welcome.ipynb#cell-id=welcome-3-prompt"
    assert verdict.solved == (True, True, True, False, False, False) and not verdict.moment
    assert verdict.onward == f"3 of 6 · next: [The mean of the squares]({place}) (`welcome-3`)"


def test_what_was_left_out_comes_when_the_rest_is_done(solve, workspace):
    (first, *others) = desk(workspace.folder).find("welcome").questions
    assert "5 of 6 · next: [Doubled, then added up](ex00_welcome.ipynb" in solve(*others).onward


def test_a_set_that_is_done_leads_to_the_next_lesson_and_names_the_stage(solve, workspace):
    place = desk(workspace.folder)
    verdict = solve(*place.sets[0].questions)
    assert verdict.onward == (
        "6 of 6 · the set **00 welcome** is done. So is the stage “Start”. "
        "You can run, change and check code here, and you have trained a first model. "
        "Next: [lesson 01 creation](../notebooks/01_creation.ipynb)"
    )
    html = verdict_html(verdict)
    (promise, *_) = lesson(place.folder / "notebooks/00_welcome.ipynb").abilities
    assert f"<li>{promise}</li>" in html and "<figure" in html
    assert html.count("<span") == html.count('background-color: #1d7a46"></span>') == 6
    verdict = solve(*place.sets[1].questions)
    assert "So is the stage" not in verdict.onward
    assert "1 of 12 sets of “A tensor is a window on storage” are done." in verdict.moment
    assert "a model on data of your own" in solve(*place.sets[-1].questions).onward


def test_the_end_of_the_course_shows_its_first_picture_standing_still(solve, workspace):
    sets = desk(workspace.folder).sets
    almost = solve(*(question for one in sets for question in one.questions[1:]))
    assert not almost.moment
    verdict = solve(*(question for one in sets for question in one.questions))
    assert f"All {len(sets)} sets are done, and with them the course." in verdict.moment
    assert verdict.moment.count("<figure") == 2 and "<script" not in verdict.moment
    assert 'alt="Fit: 10 points' in verdict.moment and len(verdict.moment) < 30_000


def test_where_nobody_keeps_progress_the_verdict_stays_as_it_is(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert leading_on(right("welcome-1"), find("welcome-1")) == right("welcome-1")
