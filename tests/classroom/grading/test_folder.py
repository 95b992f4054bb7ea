"""A folder of submissions becomes a folder of results."""

import csv
import json
import shutil

import pytest
from classroom.grading.submitting import code, hand_in, notebook, place, record

from course_lib import cli
from course_lib.classroom.grading import Limits, grade_folder
from course_lib.classroom.trouble import Trouble

LIMITS = Limits(seconds=4.0)
WRONG = record("welcome")["questions"]["welcome-3"]["wrong"][0]


@pytest.fixture(scope="module")
def exercises(welcome):
    """The welcome exercises alone: what is recorded for a secret seed takes a moment."""
    return welcome


def duplicated(made):
    cell = made["cells"][place(made, "welcome-2")]
    made["cells"].insert(0, json.loads(json.dumps(cell)))


@pytest.fixture(scope="module")
def results(tmp_path_factory, exercises):
    """Six students, graded once for all tests that only look."""
    folder = tmp_path_factory.mktemp("submissions")
    hand_in(folder, "ada", notebook("welcome"), "ex00_welcome.ipynb")
    hand_in(folder, "=cmd()|'C'!A1", notebook("welcome", {"welcome-3": WRONG["code"]}))
    hand_in(folder, "<b>Zoë<i>", b'{"cells": [')
    hand_in(folder, "moved", duplicated_book())
    hand_in(folder, "none", b"", "essay.txt")
    (folder / "grace_ex00_welcome.ipynb").write_text(json.dumps(notebook("welcome")), "utf-8")
    out = tmp_path_factory.mktemp("results")
    outcome = grade_folder(folder, out, exercises=exercises, jobs=1, limits=LIMITS)
    return out, outcome


def duplicated_book():
    made = notebook("welcome")
    duplicated(made)
    return made


def rows(out):
    listing = json.loads((out / "grades.json").read_text(encoding="utf-8"))
    return {row["student"]: row for row in listing["rows"]}


def test_right_answers_get_all_points(results):
    made = rows(results[0])
    for student in ("ada", "grace", "moved"):
        assert made[student]["points"] == made[student]["possible"] > 0
        assert made[student]["review"] == []


def test_a_wrong_answer_costs_its_own_question_and_is_recognised(results):
    made = rows(results[0])["=cmd()|'C'!A1"]
    words = {one["question"]: one["word"] for one in made["questions"]}
    assert words.pop("welcome-3") == "not yet" and set(words.values()) == {"correct"}
    (wrong,) = [one for one in made["questions"] if one["question"] == "welcome-3"]
    assert wrong["message"] == WRONG["message"] and wrong["points"] == 0


def test_what_cannot_be_read_has_a_row_with_a_remedy(results):
    made = rows(results[0])
    assert made["<b>Zoë<i>"]["status"] == "unreadable"
    assert "hand it in again" in made["<b>Zoë<i>"]["reason"]
    assert made["none"]["status"] == "missing" and "essay.txt" in made["none"]["reason"]


def test_the_exit_code_says_that_a_person_is_needed(results):
    assert results[1].exit_code == 1 and results[1].review == 2


def test_the_table_has_a_row_each_and_no_formula(results):
    text = (results[0] / "grades.csv").read_text(encoding="utf-8-sig")
    table = list(csv.DictReader(text.splitlines()))
    assert {row["student"] for row in table} >= {"ada", "'=cmd()|'C'!A1"}
    ada = next(row for row in table if row["student"] == "ada")
    known = record("welcome")["questions"]
    assert int(ada["points"]) == sum(one["difficulty"] for one in known.values())
    assert {name: int(ada[name]) for name in known} == {
        name: one["difficulty"] for name, one in known.items()
    }
    zoe = next(row for row in table if row["student"] == "<b>Zoë<i>")
    assert (zoe["status"], zoe["points"], zoe["possible"]) == ("unreadable", "", "")
    assert "hand it in again" in zoe["reason"]
    wrong = next(row for row in table if row["student"].startswith("'=cmd"))
    assert wrong["reason"] == f"welcome-3: not yet: {WRONG['message']}"
    assert not [cell for row in table for cell in row.values() if cell[:1] in "=+-@" and cell]


def test_pages_hold_no_markup_of_the_students_and_nothing_from_outside(results):
    for path in [results[0] / "index.html", *(results[0] / "students").iterdir()]:
        text = path.read_text(encoding="utf-8")
        assert "<b>Zoë" not in text and "<script" not in text
        assert "http:" not in text and "https:" not in text


def test_pages_and_rows_hold_no_solution(results):
    solution = record("welcome")["questions"]["welcome-3"]["solution"]["code"].splitlines()[-1]
    wrong = rows(results[0])["=cmd()|'C'!A1"]
    page = (results[0] / wrong["page"]).read_text(encoding="utf-8")
    assert solution.strip() not in page and solution.strip() not in json.dumps(wrong)
    assert page.count("<pre") == page.count('<pre tabindex="0">') > 0  # wide code can be scrolled


def test_the_first_line_of_the_report_is_about_the_sandbox(results):
    body = (results[0] / "index.html").read_text(encoding="utf-8").partition("<main>")[2]
    assert body.strip().startswith('<p class="first')


def test_an_answer_brings_the_helper_it_needs_from_elsewhere(tmp_path, exercises):
    made = notebook("welcome", {"welcome-3": "# Answer to welcome-3\nmean_square = of_squares"})
    helper = "import math\ndef of_squares(x):\n    return (x * x).sum() / x.numel()"
    made["cells"].insert(0, code(helper))
    hand_in(tmp_path / "in", "ada", made)
    grade_folder(tmp_path / "in", tmp_path / "out", exercises=exercises, jobs=1, limits=LIMITS)
    told = rows(tmp_path / "out")["ada"]["questions"]
    assert {one["question"]: one["word"] for one in told}["welcome-3"] != "your code raised"


def test_only_what_changed_is_graded_again(tmp_path, exercises):
    for student in ("ada", "grace"):
        hand_in(tmp_path / "in", student, notebook("welcome") | {"metadata": {"for": student}})
    steps = []

    def grade():
        steps.clear()
        return grade_folder(
            tmp_path / "in",
            tmp_path / "out",
            exercises=exercises,
            jobs=1,
            limits=LIMITS,
            resume=True,
            step=lambda done, total, review: steps.append(done),
        )

    assert grade().kept == 0 and len(steps) == 2
    hand_in(tmp_path / "in", "ada", notebook("welcome", {"welcome-1": "# nothing"}))
    assert grade().kept == 1 and len(steps) == 1
    assert rows(tmp_path / "out")["ada"]["points"] < rows(tmp_path / "out")["grace"]["points"]


def test_a_set_that_is_named_is_the_only_one_and_missed_by_name(tmp_path):
    hand_in(tmp_path / "in", "ada", notebook("welcome"))
    hand_in(tmp_path / "in", "grace", notebook("views"))
    options = {"sets": ("welcome",), "jobs": 1, "limits": LIMITS}
    outcome = grade_folder(tmp_path / "in", tmp_path / "out", **options)
    made = rows(tmp_path / "out")
    assert made["ada"]["status"] == "graded" and made["ada"]["points"] > 0
    assert (made["grace"]["status"], made["grace"]["set"]) == ("missing", "welcome")
    assert outcome.exit_code == 1


def test_a_record_without_solutions_is_refused_with_a_remedy(tmp_path, exercises):
    shutil.copytree(exercises, tmp_path / "handout")
    path = tmp_path / "handout" / ".records" / "welcome.json"
    known = json.loads(path.read_text(encoding="utf-8"))
    for question in known["questions"].values():
        del question["solution"]["code"]
    path.write_text(json.dumps(known), encoding="utf-8")
    hand_in(tmp_path / "in", "ada", notebook("welcome"))
    with pytest.raises(Trouble, match="released without solutions; .* --exercises"):
        grade_folder(tmp_path / "in", tmp_path / "out", exercises=tmp_path / "handout")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "name the folder of submissions"),
        ("nowhere --out out", "there is no folder nowhere"),
        ("in --out out", "there is no notebook in in"),
        ("in --out in/out", "the results would lie among the submissions"),
        ("in --out out --timeout 0", "--timeout takes seconds"),
        ("in --out out --scheduler here", "--scheduler takes an address with a port"),
        ("in --out out --set viws", "there is no set viws; did you mean views?"),
        ("in --out out --set 06_views", "did you mean views?"),
    ],
)
def test_words_that_cannot_be_meant_end_with_2(words, said, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    assert cli.main(["grade", *words.split()]) == 2
    assert said in capsys.readouterr().err
