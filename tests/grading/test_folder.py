"""A folder of submissions becomes a folder of results."""

import json
import shutil

import pytest
from grading.submitting import WRONG, hand_in, lines_of, notebook, place, record, rows

from course_grading import Limits, grade_folder
from course_lib import cli
from course_lib.classroom.trouble import Trouble

LIMITS = Limits(seconds=4.0)


@pytest.fixture(scope="module")
def results(tmp_path_factory, welcome):
    """Six students, graded once for all tests that only look: the folder, the rows, the outcome."""
    folder, twice = tmp_path_factory.mktemp("submissions"), notebook("welcome")
    twice["cells"].insert(0, dict(twice["cells"][place(twice, "welcome-2")]))
    hand_in(folder, "ada", notebook("welcome"), "ex00_welcome.ipynb")
    hand_in(folder, "=cmd()|'C'!A1", notebook("welcome", {"welcome-3": WRONG["code"]}))
    hand_in(folder, "<b>Zoë<i>", b'{"cells": [')
    hand_in(folder, "moved", twice)
    hand_in(folder, "none", b"", "essay.txt")
    (folder / "grace_00_welcome.ipynb").write_text(json.dumps(notebook("welcome")), "utf-8")
    out = tmp_path_factory.mktemp("results")
    outcome = grade_folder(folder, out, exercises=welcome, jobs=1, limits=LIMITS)
    return out, rows(out), outcome


def test_right_answers_get_all_points_a_wrong_one_costs_its_own_and_others_are_told(results):
    made = results[1]
    for student in ("ada", "grace", "moved"):
        assert made[student]["points"] == made[student]["possible"] > 0
        assert made[student]["review"] == []
    made = results[1]["=cmd()|'C'!A1"]
    words = {one["question"]: one["word"] for one in made["questions"]}
    assert words.pop("welcome-3") == "not yet" and set(words.values()) == {"correct"}
    (wrong,) = [one for one in made["questions"] if one["question"] == "welcome-3"]
    assert wrong["message"] == WRONG["message"] and wrong["points"] == 0
    _, made, outcome = results
    assert made["<b>Zoë<i>"]["status"] == "unreadable"
    assert "hand it in again" in made["<b>Zoë<i>"]["reason"]
    assert made["none"]["status"] == "missing" and "essay.txt" in made["none"]["reason"]
    assert outcome.exit_code == 1 and outcome.review == 2  # a person is needed


def test_the_table_has_a_row_each_and_no_formula(results):
    table = {row["student"]: row for row in lines_of(results[0] / "grades.csv")}
    worth = {name: one["difficulty"] for name, one in record("welcome")["questions"].items()}
    assert int(table["ada"]["points"]) == sum(worth.values())
    assert {name: int(table["ada"][name]) for name in worth} == worth
    zoe = table["<b>Zoë<i>"]
    assert (zoe["status"], zoe["points"], zoe["possible"]) == ("unreadable", "", "")
    assert "hand it in again" in zoe["reason"]
    assert table["'=cmd()|'C'!A1"]["reason"] == f"welcome-3: not yet: {WRONG['message']}"
    cells = [cell for row in table.values() for cell in row.values()]
    assert not [cell for cell in cells if cell and cell[0] in "=+-@"]


def test_pages_and_rows_hold_no_solution_and_the_report_names_other_files(results):
    solution = record("welcome")["questions"]["welcome-3"]["solution"]["code"].splitlines()[-1]
    wrong = results[1]["=cmd()|'C'!A1"]
    page = (results[0] / wrong["page"]).read_text(encoding="utf-8")
    assert solution.strip() not in page and solution.strip() not in json.dumps(wrong)
    assert page.count("<pre") == page.count('<pre tabindex="0">') > 0  # wide code can be scrolled
    body = (results[0] / "index.html").read_text(encoding="utf-8").partition("<main>")[2]
    assert body.strip().startswith('<p class="first')  # about the sandbox
    assert "there is essay.txt" in body


def test_only_what_changed_is_graded_again(tmp_path, welcome):
    for student in ("ada", "grace"):
        hand_in(tmp_path / "in", student, notebook("welcome") | {"metadata": {"for": student}})
    steps = []
    given = {"exercises": welcome, "jobs": 1, "limits": LIMITS, "resume": True}

    def grade():
        steps.clear()
        told = {"step": lambda done, total, review: steps.append(done)}
        return grade_folder(tmp_path / "in", tmp_path / "out", **given, **told)

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


def test_a_record_without_solutions_is_refused_with_a_remedy(tmp_path, welcome):
    shutil.copytree(welcome, tmp_path / "handout")
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
