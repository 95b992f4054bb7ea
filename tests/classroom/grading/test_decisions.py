"""What people decide about marks: partial credit, one question anew, questions marked by hand."""

import csv
import io
import json
import shutil

import pytest
from classroom.grading.downloads import table
from classroom.grading.submitting import ROOT, hand_in, notebook, record

from course_lib import cli
from course_lib.classroom.grading import (
    Limits,
    grade_folder,
)

LIMITS = Limits(seconds=4.0)
WRONG = record("welcome")["questions"]["welcome-3"]["wrong"][0]["code"]


def rows(out):
    listing = json.loads((out / "grades.json").read_text(encoding="utf-8"))
    return {row["student"]: row for row in listing["rows"]}


def lines_of(path):
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))


def test_a_line_for_everybody_holds_for_who_handed_in_and_has_no_line_of_their_own(
    tmp_path, welcome
):
    about = tmp_path / "class"
    about.mkdir()
    (about / "roster.csv").write_text("student\nada\nbob\neve\n", encoding="utf-8")
    decided = ["*,welcome-3,2,it was broken,Dr. Lee", "bob,welcome-3,1,copied,Dr. Lee"]
    lines = "\n".join(["student,question,points,reason,who", *decided])
    (about / "overrides.csv").write_text(lines, encoding="utf-8")
    for student in ("ada", "bob"):
        hand_in(tmp_path / "in", student, notebook("welcome", {"welcome-3": WRONG}))
    made = grade_folder(
        *(tmp_path / "in", tmp_path / "out"),
        exercises=welcome,
        class_=about,
        sets=("welcome",),
        jobs=1,
        limits=LIMITS,
    )
    mine = rows(tmp_path / "out")
    assert [mine[name]["points"] for name in ("ada", "bob", "eve")] == [11, 10, 0]
    assert mine["eve"]["status"] == "missing" and made.unused == []


# ---- partial credit ------------------------------------------------------------------------------


def test_a_near_miss_and_right_values_bring_points_where_the_question_says_so(tmp_path, welcome):
    source = json.loads((ROOT / "solutions" / "ex00_welcome.ipynb").read_text(encoding="utf-8"))
    for cell in source["cells"]:
        text = "".join(cell["source"])
        if "### Notes on welcome-3" in text:
            text = text.replace(
                "#### Explanation", "#### Partial credit\neach value\n#### Explanation"
            )
        cell["source"] = text.replace("answer: summed first", "answer: summed first (0.5 points)")
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "ex00_welcome.ipynb").write_text(json.dumps(source), encoding="utf-8")
    assert cli.main(["release", str(tmp_path / "sources"), str(tmp_path / "sets")]) == 0
    known = json.loads((tmp_path / "sets/.records/welcome.json").read_text("utf-8"))["questions"]
    assert known["welcome-3"]["partial"] == "each value" and "partial" not in known["welcome-2"]
    near = [(name, wrong) for name in known for wrong in known[name]["wrong"] if "points" in wrong]
    ((question, miss),) = near
    only_three = "# Answer to welcome-3\ndef mean_square(x):\n    return (x ** 2).sum() / 3"
    hand_in(tmp_path / "in", "near", notebook("welcome", {question: miss["code"]}))
    hand_in(tmp_path / "in", "half", notebook("welcome", {"welcome-3": only_three}))
    hand_in(
        tmp_path / "in",
        "none",
        notebook("welcome", {"welcome-2": known["welcome-2"]["stub"]["code"]}),
    )
    grade_folder(
        tmp_path / "in", tmp_path / "out", exercises=tmp_path / "sets", jobs=1, limits=LIMITS
    )
    mine = rows(tmp_path / "out")
    points = {
        student: {one["question"]: one["points"] for one in row["questions"]}
        for student, row in mine.items()
    }
    assert points["near"][question] == 0.5 and points["none"]["welcome-2"] == 0
    assert points["half"]["welcome-3"] == known["welcome-3"]["difficulty"] / 2
    (told,) = [one["notes"] for one in mine["half"]["questions"] if one["question"] == "welcome-3"]
    assert told[0] == "1 of 2 points: 1 of 2 values are right"


# ---- one question anew ---------------------------------------------------------------------------


def test_one_question_is_graded_anew_and_all_others_keep_their_marks(tmp_path, welcome):
    sets = tmp_path / "sets"
    shutil.copytree(welcome, sets)
    known = record("welcome")["questions"]
    two = {name: known[name]["wrong"][0]["code"] for name in ("welcome-2", "welcome-3")}
    hand_in(tmp_path / "in", "ada", notebook("welcome", two))
    hand_in(tmp_path / "in", "bob", notebook("welcome"))
    words = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--jobs", "1"]
    words += ["--exercises", str(sets)]
    assert cli.main([*words, "--regrade", "welcome-3"]) == 2  # there are no marks to keep
    assert cli.main(words) == 0 and not (tmp_path / "out" / "changes.csv").exists()
    path = sets / ".records" / "welcome.json"
    made = json.loads(path.read_text(encoding="utf-8"))
    for name, code in two.items():  # as if both were right after all
        made["questions"][name]["solution"]["code"] = code
    path.write_text(json.dumps(made), encoding="utf-8")
    before = {student: row["points"] for student, row in rows(tmp_path / "out").items()}
    assert cli.main([*words, "--regrade", "welcome-3"]) == 0
    now = {student: row["points"] for student, row in rows(tmp_path / "out").items()}
    worth = known["welcome-3"]["difficulty"]
    assert now == {"ada": before["ada"] + worth, "bob": before["bob"] - worth}
    changed = lines_of(tmp_path / "out" / "changes.csv")
    assert [(one["student"], one["question"]) for one in changed] == [
        ("ada", "welcome-3"),
        ("ada", ""),
        ("bob", "welcome-3"),
        ("bob", ""),
    ]
    assert changed[0]["why"] == "not yet, now correct"


# ---- questions that a person marks ---------------------------------------------------------------

WHY = [
    ("## Why?\n`welcome-why` · explain · 3 points · 5 minutes\n\nWhy is a view fast?", ""),
    ("# Answer to welcome-why\nWrite two sentences.", ""),
    (
        "<!-- BEGIN MARK SCHEME -->\n### Notes on welcome-why\n#### Rubric\n"
        "- 2 points: nothing is copied\n- 1 point: names the storage\n<!-- END MARK SCHEME -->",
        "",
    ),
]
HALF_MARKED = "cell {answer} (welcome-why): the model answer is not between its two markers"


def markdown(text):
    return {"cell_type": "markdown", "metadata": {}, "source": text}


@pytest.fixture
def essays(tmp_path):
    """A source with one question by hand, its path, and a function that releases it."""
    source = json.loads((ROOT / "solutions" / "ex00_welcome.ipynb").read_text(encoding="utf-8"))
    source["cells"] += [markdown(text) for text, _ in WHY]
    path = tmp_path / "sources" / "ex00_welcome.ipynb"
    path.parent.mkdir()

    def released(folder, *words):
        path.write_text(json.dumps(source), encoding="utf-8")
        return cli.main(["release", str(path.parent), str(tmp_path / folder), *words])

    return source, released


def test_a_question_by_hand_waits_for_a_person_and_then_has_a_mark(tmp_path, essays):
    assert essays[1]("sets") == 0 and essays[1]("handout", "--no-solutions") == 0
    assert "nothing is copied" not in "".join(
        path.read_text(encoding="utf-8")
        for path in (tmp_path / "handout").rglob("*")
        if path.is_file()
    )
    texts = {"ada": "Nothing is copied.", "bob": "No idea", "eve": "Write two sentences."}
    for student, text in texts.items():
        made = notebook("welcome")
        made["cells"] += [markdown(WHY[0][0]), markdown(f"# Answer to welcome-why\n{text}")]
        hand_in(tmp_path / "in", student, made)
    (tmp_path / "class").mkdir()
    words = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--jobs", "1"]
    words += ["--exercises", str(tmp_path / "sets"), "--class", str(tmp_path / "class")]
    assert cli.main(words) == 1
    waiting = lines_of(tmp_path / "out" / "to_mark.csv")
    assert [one["student"] for one in waiting] == ["ada", "bob"]
    assert waiting[0]["rubric"] == "1: nothing is copied (2); 2: names the storage (1)"
    assert waiting[0]["answer"].endswith("Nothing is copied.")
    waiting[0] |= {"items": "1", "who": "Dr. Lee"}
    filled = [list(waiting[0]), *(list(one.values()) for one in waiting)]
    (tmp_path / "class" / "overrides.csv").write_text(table(filled), encoding="utf-8")
    assert cli.main([*words, "--resume"]) == 1
    mine = {student: row["questions"][-1] for student, row in rows(tmp_path / "out").items()}
    assert [mine[name]["points"] for name in ("ada", "bob", "eve")] == [2, 0, 0]
    assert mine["ada"]["override"]["reason"] == "nothing is copied"
    assert [mine[name]["word"] for name in ("bob", "eve")] == ["for a person", "not attempted"]
    assert mine["bob"]["review"] and not mine["ada"]["review"] and not mine["eve"]["review"]
    assert [one["student"] for one in lines_of(tmp_path / "out" / "to_mark.csv")] == ["bob"]
    filled[2][2] = filled[2][5] = "3"
    (tmp_path / "class" / "overrides.csv").write_text(table(filled), encoding="utf-8")
    assert cli.main(words) == 2


@pytest.mark.parametrize("marks", ["# {}", "### {}", "  <!-- {} -->", "<!--{}-->  "])
def test_a_model_answer_is_in_nothing_that_students_get(tmp_path, essays, marks):
    source, released = essays
    begin, end = (marks.format(f"{word} SOLUTION") for word in ("BEGIN", "END"))
    source["cells"][-2]["source"] += f"\n{begin}\nIt *shares*.\n{end}\nThat is all."
    assert released("handout", "--no-solutions") == 0 and released("sets") == 0
    for path in [*(tmp_path / "handout").rglob("*.*[bn]"), *(tmp_path / "sets").rglob("*.*[bn]")]:
        text = path.read_text(encoding="utf-8")
        assert "shares" not in text and "YOUR ANSWER HERE" in text and "That is all." in text


@pytest.mark.parametrize(
    ("cell", "was", "now", "said"),
    [
        (2, "- 1 point:", "- 2 points:", "its rubric has 4 points, its prompt 3"),
        (2, "<!-- BEGIN MARK SCHEME", "<!-- notes", "the notes are not marked as such"),
        (1, "# Answer to welcome-why", "# My answer", "it has no answer cell"),
        *(
            (1, "Write two", f"{marked}\nWrite two", HALF_MARKED)
            for marked in (
                "<!-- BEGIN SOLUTION -->\nIt shares.",
                "### END SOLUTION",
                "### BEGIN SOLUTION\nA\n### BEGIN SOLUTION\nB\n### END SOLUTION",
                "### END SOLUTION\nIt shares.\n### BEGIN SOLUTION",
                "<!-- BEGIN SOLUTION --> It shares. <!-- END SOLUTION -->",
                "BEGIN SOLUTION\nIt shares.\nEND SOLUTION",
            )
        ),
    ],
)
def test_a_question_by_hand_that_is_not_whole_is_not_released(cell, was, now, said, essays, capsys):
    source, released = essays
    last = source["cells"][cell - 3]
    last["source"] = last["source"].replace(was, now)
    assert released("sets") == 1
    assert said.format(answer=len(source["cells"]) - 1) in capsys.readouterr().err
