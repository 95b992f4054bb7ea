"""The page to begin a day with: where it leads, what it counts, and what it leaves alone."""

import json
import re

import pytest
from grading.submitting import copy_sets

from course_lib.classroom import content
from course_lib.classroom.copies import guess_in, text_of
from course_lib.classroom.home import NAME, home_page, write_home
from course_lib.classroom.lessons import lesson
from course_lib.classroom.progress import Journal
from course_lib.classroom.sets import desk
from course_lib.classroom.workspace import Workspace


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home") / "course"
    Workspace(folder).refresh()
    return folder


@pytest.fixture
def folder(copied):
    """A workspace in which nobody has done anything yet."""
    Journal(copied).path.unlink(missing_ok=True)
    (copied / NAME).unlink(missing_ok=True)
    return copied


def did(folder, *events):
    """Let these things happen, one after the other."""
    journal = Journal(folder)
    journal.path.parent.mkdir(exist_ok=True)
    with open(journal.path, "a", encoding="utf-8") as file:
        for second, (question, event, word) in enumerate(events, start=100):
            line = {"at": f"2026-01-01T00:{second}", "question": question, "event": event}
            file.write(json.dumps(line | {"word": word, "answer": str(second)}) + "\n")


def solved(place, name):
    return [(question, "check", "correct") for question in place.find(name).questions]


def ahead(folder):
    return home_page(desk(folder)).text.splitlines()[0]


def test_a_guess_leads_to_the_place_of_the_next_guess(folder):
    assert ahead(folder) == "Begin: [00 · Welcome](notebooks/00_welcome.ipynb)"  # the first day
    did(folder, ("storage_and_strides-kept", "guess", "wrong"))
    lesson = "notebooks/05_storage_and_strides.ipynb"
    sentence, _, cell = ahead(folder).rstrip(")").partition("#cell-id=")
    assert sentence == f"Continue: [05 · Storage and strides]({lesson}"
    guesses, text = [], ""
    for one in json.loads((folder / lesson).read_bytes())["cells"]:
        text = one["id"] if one["cell_type"] == "markdown" else text
        if guess_in(one):
            guesses.append(text)
    assert cell == next(text for text in guesses if text != guesses[0])


def test_a_question_that_is_not_solved_comes_first_then_the_one_behind_it_then_a_lesson(folder):
    did(folder, ("numpy-2", "check", "not yet"))
    title = desk(folder).find("numpy").title("numpy-2")
    place = "exercises/ex04_numpy.ipynb#cell-id=numpy-2-prompt"
    assert ahead(folder) == f"Continue: [numpy-2 · {title}]({place})"
    did(folder, ("numpy-2", "check", "correct"))
    assert "Continue: [numpy-3 · " in ahead(folder)
    did(folder, *solved(desk(folder), "numpy"))
    place = "notebooks/05_storage_and_strides.ipynb"  # the next lesson
    assert ahead(folder) == f"Continue: [05 · Storage and strides]({place})"


def test_after_the_last_set_comes_what_was_left_out_and_at_last_praise(folder):
    place = desk(folder)
    did(folder, *solved(place, place.sets[-1].name))
    assert ahead(folder) == "Continue: [00 · Welcome](notebooks/00_welcome.ipynb)"
    did(folder, *(event for one in place.sets for event in solved(place, one.name)))
    assert ahead(folder) == "Everything is solved. Well done."


def test_the_page_counts_what_is_done_and_unfolds_the_stage_where_the_reader_goes_on(folder):
    did(folder, ("graph-1", "check", "not yet"))
    stages = home_page(desk(folder)).html.split("<details")[1:]
    assert [stage.startswith(" open") for stage in stages] == [False, False, True, False, False]
    did(folder, *solved(desk(folder), "welcome"), ("creation-arange", "guess", "right"))
    page = home_page(desk(folder))
    assert "✓ 00 · Welcome: 0 of 5 guesses, 6 of 6 exercises, 30 + 20 minutes" in page.text
    assert "Start: 1 of 1 done" in page.text and page.text.splitlines()[1].startswith("6 of ")
    assert page.html.count("✓ ") == 1


def test_the_minutes_agree_on_the_page_in_the_table_of_lessons_and_in_the_set(folder):
    page, table = home_page(desk(folder)).text, (folder / "docs" / "lessons.md").read_text("utf-8")
    for one in desk(folder).sets:
        found = lesson(folder / "notebooks" / content.lesson_file(one.notebook.name))
        times = rf"{found.minutes} \+ {found.exercises} min"
        assert re.search(rf"{re.escape(found.title)}: .* {times}", page)
        row = next(line for line in table.splitlines() if f"[{found.title}]" in line)
        numbers = [cell.strip() for cell in row.split("|")[2:5]]
        assert numbers == [str(found.minutes), str(found.deeper or ""), str(found.exercises)]
        first = json.loads(one.notebook.read_bytes())["cells"][0]
        assert f"about {found.exercises} minutes" in text_of(first)


def test_every_question_is_linked_at_the_cell_that_asks_it(folder):
    """JupyterLab finds a cell in a notebook that it only now opens; a heading it does not find."""
    place = desk(folder)
    asked = [(one, question) for one in place.sets for question in one.questions]
    for one, question in asked:
        file, _, cell = one.place(question).partition("#cell-id=")
        cells = json.loads((folder / "exercises" / file).read_bytes())["cells"]
        (text,) = ["".join(other["source"]) for other in cells if other["id"] == cell]
        assert f"`{question}`" in text and one.title(question) in text
    assert len(asked) > 150


def test_every_link_leads_to_a_file_the_notebook_is_brought_up_to_date_and_own_cells_stay(folder):
    workspace = Workspace(folder)
    write_home(workspace)
    links = re.findall(r'href="([^"#]+)', home_page(desk(folder)).html)
    assert len(links) > 60 and all((folder / link).is_file() for link in links)
    notebook = json.loads((folder / NAME).read_bytes())
    mine = {"cell_type": "markdown", "id": "mine", "metadata": {}, "source": "my notes"}
    (folder / NAME).write_text(json.dumps(notebook | {"cells": [mine, *notebook["cells"]]}))
    did(folder, ("graph-1", "check", "not yet"))
    write_home(workspace)
    cells = json.loads((folder / NAME).read_bytes())["cells"]
    assert cells[0] == mine
    assert "graph-1" in json.dumps([cell.get("outputs") for cell in cells])


@pytest.mark.parametrize("broken", [b"", b"[]", b'{"cells": [{}]}', b"\xff"])
def test_a_notebook_that_cannot_be_read_is_made_anew(folder, broken):
    (folder / NAME).write_bytes(broken)
    write_home(Workspace(folder))
    assert "Begin" in (folder / NAME).read_text("utf-8")


def test_an_instructors_sets_have_a_page_too(tmp_path):
    page = home_page(desk(copy_sets(tmp_path / "handout", "welcome")))
    assert "From your instructor: 0 of 1 done" in page.text
