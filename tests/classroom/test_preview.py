"""What students will see, before they do."""

import json

import pytest
from classroom.test_release import CELLS, NOTES, predicting, write

from course_lib import cli


@pytest.fixture
def source(tmp_path):
    prompt = CELLS["prompt"].replace("1 of 5", "1 of 5 · 0 points")
    return write(tmp_path / "sources", (CELLS | {"prompt": prompt}).values())


def preview(capsys, tmp_path, source, *words):
    code = cli.main(["preview", str(source), "--out", str(tmp_path / "preview"), *words])
    page = tmp_path / "preview" / "demo.html"
    return code, capsys.readouterr().out, page.read_text(encoding="utf-8")


def test_a_page_shows_what_students_get_and_may_give_no_solution_away(source, capsys, tmp_path):
    code, said, page = preview(capsys, tmp_path, source)
    assert code == 0 and "demo: 1 question, 0 points, 2 minutes; 2 of 2 wrong answers" in said
    assert "# your code here" in page and ">Twice</h2>" in page and "not attempted" in page
    assert (
        "Hint 1 of 2" in page and "That is the square." in page and "A solution</summary>" in page
    )
    assert "<script" not in page and "MARK SCHEME" not in page
    _, _, page = preview(capsys, tmp_path, source, "--no-solutions")
    assert "n + n" not in page and "The solution is not handed out." in page
    assert "That is the square." in page and "<code>solution()</code>" not in page


def test_a_prediction_is_said_to_be_sealed_and_a_mistake_in_the_source_is_told(capsys, tmp_path):
    path = write(tmp_path / "sources", predicting())
    _, said, page = preview(capsys, tmp_path, path, "--no-solutions")
    assert "4711" not in page and "as digests" in page and "2 of 2 wrong answers" in said
    path = write(tmp_path / "sources", list(CELLS.values())[:-1])
    assert cli.main(["preview", str(path), "--out", str(tmp_path / "out")]) == 1
    assert "it has no notes cell" in capsys.readouterr().err


def test_a_question_that_people_mark_is_counted_too(capsys, tmp_path):
    mine = [
        "## Why?\n`demo-why` · explain · 3 points · 5 minutes\n\nWhy twice?",
        "# Answer to demo-why\n### BEGIN SOLUTION\nIt *adds*.\n### END SOLUTION",
        "<!-- BEGIN MARK SCHEME -->\n### Notes on demo-why\n\n#### Rubric\n- 3 points: says why\n"
        "<!-- END MARK SCHEME -->",
    ]
    path = write(tmp_path / "sources", [*CELLS.values(), *mine])
    made = json.loads(path.read_text(encoding="utf-8"))
    made["cells"][-2] = {key: made["cells"][-2][key] for key in ("id", "metadata", "source")}
    made["cells"][-2]["cell_type"] = "markdown"
    path.write_text(json.dumps(made), encoding="utf-8")
    code, said, page = preview(capsys, tmp_path, path, "--no-solutions")
    assert code == 0 and "1 question that you mark yourself, 3 points" in said
    assert "Why twice?" in page and "says why" not in page
    assert "YOUR ANSWER HERE" in page and "It <em>adds" not in page and "SOLUTION" not in page
    _, _, page = preview(capsys, tmp_path, path)
    answer, _, model = page.partition("Your model answer, which students do not get</summary>")
    assert "YOUR ANSWER HERE" in answer and "It <em>adds" in model and "It <em>adds" not in answer


def test_each_wrong_answer_has_its_verdict_and_says_whether_its_message_is_met(capsys, tmp_path):
    other = NOTES.replace("return n + 1", "print(n)").replace("return n * n", "n.no_such_thing")
    path = write(tmp_path / "sources", [*list(CELLS.values())[:-1], other])
    code, said, _ = preview(capsys, tmp_path, path, "--json", "--no-solutions")
    found = json.loads(said)
    (one,) = found["sets"][0]["questions"]
    assert (code, found["schema"], one["unanswered"]) == (0, "course-preview/1", "not attempted")
    assert [wrong["word"] for wrong in one["wrong"]] == ["your code raised", "not yet"]
    assert [wrong["meets"] for wrong in one["wrong"]] == ["own", "own"]


def test_what_a_wrong_answer_brings_is_told(capsys, tmp_path):
    cells = CELLS | {"check": CELLS["check"] + "\n    show('seven', 7)"}
    cells["prompt"] = cells["prompt"].replace("1 of 5", "1 of 5 · 12.5 points")
    shared = NOTES.replace("#### Explanation", "#### Partial credit\neach value\n#### Explanation")
    cells["notes"] = shared.replace("the square\n", "the square (2.5 points)\n")
    path = write(tmp_path / "sources", cells.values())
    code, said, page = preview(capsys, tmp_path, path, "--no-solutions")
    lines = [line.strip() for line in said.split("\n") if line.startswith("  ")]
    assert code == 0 and ">2.5 of 12.5</td>" in page and "1 question, 12.5 points, 2" in said
    assert lines == [
        "demo-1: wrong answer 1 brings 2.5 of 12.5 points",
        "demo-1: 1 of 2 values bring points; the others need no work",
    ]


def test_an_answer_that_is_told_something_else_is_named(capsys, tmp_path, source, monkeypatch):
    monkeypatch.setattr("course_lib.classroom.verdict.message_for", lambda *_: "")
    _, said, page = preview(capsys, tmp_path, source)
    assert "0 of 2 wrong answers" in said and "demo-1: wrong answer 2 meets no message" in said
    assert "<strong>no message: </strong>" in page
