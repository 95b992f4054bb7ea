"""The guesses of the lessons: the right one is right, known wrong ones get their own sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from course_lib.classroom.copies import guess_in
from course_lib.classroom.guess import _lesson, answer_to

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted((ROOT / "notebooks" / ".guesses").glob("*.json"))
RECORDS = [json.loads(path.read_text(encoding="utf-8")) for path in FILES]
LESSONS = [ROOT / "notebooks" / record["lesson"] for record in RECORDS]
PAIRS = [*zip(LESSONS, RECORDS)]
AT_LEAST = 5


def told(python: str, *words: str) -> dict[str, dict[str, list[str]]]:
    """What each guess of each lesson is told, by that Python."""
    command = [python, str(ROOT / "tests" / "guess_answers.py"), *words, *map(str, LESSONS)]
    environment = os.environ | {"PYTHONPATH": "" if words else str(ROOT)}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, check=True, text=True, encoding="utf-8", env=environment
    )
    return dict(json.loads(done.stdout))


def complaints(said: dict[str, dict[str, list[str]]]) -> list[str]:
    """What is wrong with the guesses, given what each of them is told."""
    found = []
    for record in RECORDS:
        for name, about in record["guesses"].items():
            if said[name][about["right"]]:
                found.append(f"{name}: the right guess is told {said[name][about['right']]}")
            for typed, message in about["wrong"].items():
                if message not in said[name][typed]:
                    found.append(f"{name}: {typed} is told {said[name][typed]}")
    return found


@pytest.fixture(scope="module")
def here():
    return told(sys.executable)


def test_right_guesses_are_right_and_wrong_ones_get_their_own_sentence(here):
    assert complaints(here) == []


def test_a_wrong_message_would_be_noticed(here):
    name, about = next(iter(RECORDS[0]["guesses"].items()))
    typed = next(iter(about["wrong"]))
    other = {**here, name: {**here[name], typed: ["expected 1, yours is 2"]}}
    assert complaints(other) == [f"{name}: {typed} is told ['expected 1, yours is 2']"]


def test_every_picture_is_drawn_for_a_wrong_guess_and_only_errors_and_other_forms_have_none(here):
    drawn = {
        name: [here[name][typed][-1] != "None" for typed in about["wrong"]]
        for record in RECORDS
        for name, about in record["guesses"].items()
        if "draw" in about
    }
    assert len(drawn) >= 25 and all(map(any, drawn.values()))
    assert sum(map(all, drawn.values())) >= 0.8 * len(drawn)


@pytest.mark.oracle
def test_guesses_are_told_the_same_on_real_pytorch(here, oracle):
    assert told(oracle, "--torch") == here


@pytest.mark.parametrize(("lesson", "record"), PAIRS, ids=[path.stem for path in FILES])
def test_cells_and_file_have_the_same_guesses_each_before_a_cell_that_answers(lesson, record):
    cells = json.loads(lesson.read_text(encoding="utf-8"))["cells"]
    named = {guess_in(cell): cell for cell in cells if guess_in(cell)}
    assert list(named) == list(record["guesses"]) and len(named) >= AT_LEAST
    for name, cell in named.items():
        assert name.startswith(f"{lesson.stem.partition('_')[2]}-")
        assert "".join(cell["source"]).startswith(f'guess("{name}", ...)  # ')
        assert not cell["outputs"] and not guess_in(answer_to(name, cells))
        found, answer = _lesson(name)
        assert found == record["guesses"][name] and answer["cell_type"] == "code"


def test_no_guess_has_the_name_of_a_question():
    questions = set()
    for path in (ROOT / "exercises" / ".records").glob("*.json"):
        questions |= set(json.loads(path.read_text(encoding="utf-8"))["questions"])
    assert not questions & {name for record in RECORDS for name in record["guesses"]}
