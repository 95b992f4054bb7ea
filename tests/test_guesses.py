"""The guesses and sliders of the lessons, which all run once, and once more on PyTorch.

A right guess is right, and known wrong ones get their own sentence. Every place of a slider is
drawn, and fast.
"""

import json
import os
import re
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
SECONDS = 1.5  # ten times what is wanted: other programs run beside the tests
Sliders = list[dict[str, tuple[str, float]]]


def told(python: str, *words: str) -> dict[str, dict]:
    """What each guess of each lesson is told, and what its sliders show, by that Python."""
    command = [python, str(ROOT / "tests" / "lesson_answers.py"), *words, *map(str, LESSONS)]
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
def answered():
    return told(sys.executable)


@pytest.fixture(scope="module")
def there(oracle):
    return told(oracle, "--torch")


@pytest.fixture(scope="module")
def here(answered):
    return answered["guesses"]


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
def test_guesses_are_told_the_same_on_real_pytorch(here, there):
    assert there["guesses"] == here


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


# ---- sliders -------------------------------------------------------------------------------------


def texts(drawn: dict[str, Sliders]) -> dict[str, list[dict[str, str]]]:
    return {
        lesson: [{at: text for at, (text, _) in one.items()} for one in sliders]
        for lesson, sliders in drawn.items()
    }


def test_every_place_of_a_slider_is_drawn_and_they_differ(answered):
    named = [path.stem for path in LESSONS if "explore(" in path.read_text(encoding="utf-8")]
    assert [lesson for lesson, sliders in answered["sliders"].items() if sliders] == named
    for sliders in texts(answered["sliders"]).values():
        for one in sliders:
            assert all(one.values()) and len(set(one.values())) > 1


def test_a_redraw_is_fast(answered):
    slow = {
        f"{lesson}: {at}": seconds
        for lesson, sliders in answered["sliders"].items()
        for one in sliders
        for at, (_, seconds) in one.items()
        if seconds > SECONDS
    }
    assert slow == {}


@pytest.mark.oracle
def test_sliders_show_the_same_on_real_pytorch(answered, there):
    assert in_parts(texts(there["sliders"])) == in_parts(texts(answered["sliders"]))


def in_parts(drawn: dict[str, list[dict[str, str]]]) -> list[object]:
    """Words and numbers apart: the last of four digits is nobody's promise after 200 steps."""
    parts = re.split(r"(-?\d+\.\d*)", json.dumps(drawn))
    return [*parts[::2], *(pytest.approx(float(number), rel=2e-3) for number in parts[1::2])]
