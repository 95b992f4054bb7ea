"""What people decide about marks: partial credit, one question anew, questions marked by hand."""

import json
import shutil

import jsonschema
import pytest
from grading.downloads import table
from grading.submitting import (
    ROOT,
    WRONG,
    code,
    hand_in,
    lines_of,
    listing,
    notebook,
    record,
    rows,
    words,
    write_class,
)

from course_grading import Limits, grade_folder
from course_lib import cli

LIMITS = Limits(seconds=4.0)


def test_a_line_for_everybody_holds_for_who_handed_in_and_has_no_own_line(tmp_path, welcome):
    decided = ["*,welcome-3,2,it was broken,Dr. Lee", "bob,welcome-3,1,copied,Dr. Lee"]
    decided.append("*,welcome-2,2,it was broken too,Dr. Lee")  # which changes nothing for anybody
    lines = "\n".join(["student,question,points,reason,who", *decided])
    roster = "student\nada\nbob\neve\n"
    about = write_class(tmp_path, {"roster.csv": roster, "overrides.csv": lines})
    for student in ("ada", "bob"):
        hand_in(tmp_path / "in", student, notebook("welcome", {"welcome-3": WRONG["code"]}))
    given = {"exercises": welcome, "class_": about, "sets": ("welcome",), "limits": LIMITS}
    made = grade_folder(tmp_path / "in", tmp_path / "out", jobs=1, **given)
    mine = rows(tmp_path / "out")
    assert [mine[name]["points"] for name in ("ada", "bob", "eve")] == [11, 10, 0]
    assert mine["eve"]["status"] == "missing" and made.unused == []
    assert "broken too" not in (tmp_path / "out" / "grades.json").read_text(encoding="utf-8")


def test_a_near_miss_and_right_values_bring_points_where_the_question_says_so(tmp_path, welcome):
    source = json.loads((ROOT / "solutions" / "ex00_welcome.ipynb").read_text(encoding="utf-8"))
    for cell in source["cells"]:
        text = "".join(cell["source"])
        if "### Notes on welcome-3" in text:
            text = text.replace("#### Expl", "#### Partial credit\neach value\n#### Expl")
        text = text.replace("answer: summed first", "answer: summed first (0.5 points)")
        text = text.replace("2 of 5 · 4 minutes", "2 of 5 · 10 points · 4 minutes")
        if '@check("welcome-3")' in text:  # what needs no work brings nothing
            text += "\n        show('x afterwards', x)"
            text += "\n        show('its dtype stays', mean_square(x).dtype == x.dtype)"
        cell["source"] = text
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "ex00_welcome.ipynb").write_text(json.dumps(source), encoding="utf-8")
    assert cli.main(["release", str(tmp_path / "sources"), str(tmp_path / "sets")]) == 0
    known = json.loads((tmp_path / "sets/.records/welcome.json").read_text("utf-8"))["questions"]
    assert known["welcome-3"]["partial"] == "each value" and "partial" not in known["welcome-2"]
    near = [(name, wrong) for name in known for wrong in known[name]["wrong"] if "points" in wrong]
    ((question, miss),) = near
    third = "# Answer to welcome-3\ndef mean_square(x):\n    return "
    for student, name, answer in (
        ("near", question, miss["code"]),
        ("half", "welcome-3", f"{third}(x ** 2).sum() / 3"),
        ("lazy", "welcome-3", f"{third}x"),
        ("none", "welcome-2", known["welcome-2"]["stub"]["code"]),
    ):
        hand_in(tmp_path / "in", student, notebook("welcome", {name: answer}))
    assert cli.main(words(tmp_path, tmp_path / "sets")) == 0
    mine = rows(tmp_path / "out")
    points = {
        student: {one["question"]: one["points"] for one in row["questions"]}
        for student, row in mine.items()
    }
    assert points["near"][question] == 0.5 and points["none"]["welcome-2"] == 0
    assert points["half"]["welcome-3"] == known["welcome-3"]["points"] / 2 == 5
    assert points["lazy"]["welcome-3"] == 0
    (half,) = [one for one in mine["half"]["questions"] if one["question"] == "welcome-3"]
    said = "5 of 10 points: 1 of 2 values are right, leaving out those that need no work"
    assert half["notes"][0] == said and half["marks"] == [True, True, True, False, True, True]
    page = (tmp_path / "out" / mine["half"]["page"]).read_text(encoding="utf-8")
    assert page.count(">✗ <code>mean_square") == 1 and page.count(">✓ <code>") == 5


def test_one_question_is_graded_anew_and_all_others_keep_their_marks(tmp_path, welcome):
    sets = tmp_path / "sets"
    shutil.copytree(welcome, sets)
    known = record("welcome")["questions"]
    two = {name: known[name]["wrong"][0]["code"] for name in ("welcome-2", "welcome-3")}
    hand_in(tmp_path / "in", "ada", notebook("welcome", two))
    hand_in(tmp_path / "in", "bob", notebook("welcome"))
    again = words(tmp_path, sets, "--regrade", "welcome-3")
    assert cli.main(again) == 2  # there are no marks to keep
    assert cli.main(words(tmp_path, sets)) == 0 and not (tmp_path / "out" / "changes.csv").exists()
    path = sets / ".records" / "welcome.json"
    made = json.loads(path.read_text(encoding="utf-8"))
    for name, answer in two.items():  # as if both were right after all
        made["questions"][name]["solution"]["code"] = answer
    path.write_text(json.dumps(made), encoding="utf-8")
    before = {student: row["points"] for student, row in rows(tmp_path / "out").items()}
    assert cli.main(again) == 0
    now = {student: row["points"] for student, row in rows(tmp_path / "out").items()}
    worth = known["welcome-3"]["difficulty"]
    assert now == {"ada": before["ada"] + worth, "bob": before["bob"] - worth}
    changed = lines_of(tmp_path / "out" / "changes.csv")
    pairs = [(student, name) for student in ("ada", "bob") for name in ("welcome-3", "")]
    assert [(one["student"], one["question"]) for one in changed] == pairs
    assert changed[0]["why"] == "not yet, now correct"


WHY = [
    "## Why?\n`welcome-why` · explain · 3 points · 5 minutes\n\nWhy is a view fast?",
    "# Answer to welcome-why\nWrite two sentences.",
    "<!-- BEGIN MARK SCHEME -->\n### Notes on welcome-why\n#### Rubric\n"
    "- 2 points: nothing is copied\n- 1 point: names the storage\n<!-- END MARK SCHEME -->",
]
HALF_MARKED = "cell {answer} (welcome-why): the model answer is not between its two markers"


def markdown(text):
    return {"cell_type": "markdown", "metadata": {}, "source": text}


@pytest.fixture
def essays(tmp_path):
    """A source with one question by hand, its path, and a function that releases it."""
    source = json.loads((ROOT / "solutions" / "ex00_welcome.ipynb").read_text(encoding="utf-8"))
    source["cells"] += [markdown(text) for text in WHY]
    path = tmp_path / "sources" / "ex00_welcome.ipynb"
    path.parent.mkdir()

    def released(folder, *words):
        path.write_text(json.dumps(source), encoding="utf-8")
        return cli.main(["release", str(path.parent), str(tmp_path / folder), *words])

    return source, released


SHEET = "Identifier,Full name,Grade,Maximum Grade,Feedback comments\n" + "".join(
    f"Participant {number},{name},,14,\n" for number, name in enumerate("ada bob eve zoe".split())
)


@pytest.fixture
def essay_class(tmp_path, essays):
    """A class with a team and a sheet, what three have handed in, and the words that grade it."""
    essays[0]["cells"].append(last := markdown("Hand this in."))
    assert essays[1]("sets") == 0 and essays[1]("handout", "--no-solutions") == 0
    texts = {"ada": "Nothing is\ncopied.", "zoe": "No `idea` <b>", "eve": "Write two sentences."}
    for student, text in texts.items():
        made = notebook("welcome")
        made["cells"] += [markdown(WHY[0]), markdown(f"# Answer to welcome-why\n{text}")]
        made["cells"] += [code("%timeit 1"), last]
        hand_in(tmp_path / "in", student, made)
    roster = "student,name,group\nada,ada,Team 1\nbob,bob,Team 1\neve,eve,\nzoe,zoe,\n"
    write_class(tmp_path, {"roster.csv": roster, "Grades.csv": SHEET})
    return words(tmp_path, tmp_path / "sets")


def test_an_answer_that_nobody_has_marked_is_open_everywhere(tmp_path, essay_class, capsys):
    out = tmp_path / "out"
    files = [path for path in (tmp_path / "handout").rglob("*") if path.is_file()]
    assert not any("nothing is copied" in path.read_text(encoding="utf-8") for path in files)
    assert cli.main(essay_class) == 1
    said = capsys.readouterr().out
    assert "none needs a person" in said and "2 answers wait to be marked; until then the" in said
    assert "2 answers wait to be marked" in (out / "index.html").read_text(encoding="utf-8")
    mine = rows(out)
    totals = [[mine[name][key] for key in ("points", "possible", "open")] for name in mine]
    assert totals == [[11, 11, 3], [11, 11, 3], [11, 14, 0], [11, 11, 3]]
    assert [line["welcome-why"] for line in lines_of(out / "grades.csv")] == ["", "", "0", ""]
    sheet = lines_of(out / "upload" / "Grades.csv")
    assert [line["Grade"] for line in sheet] == ["", "", "11", ""]
    assert sheet[0]["Feedback comments"] == "welcome: 11 of 11 points so far, 3 open"
    page = (out / mine["ada"]["page"]).read_text(encoding="utf-8")
    assert "<p>11 of 11 points so far, 3 open</p>" in page and "waits to be marked" in page
    assert '<p class="prose"># Answer to welcome-why\nNothing is\ncopied.</p>' in page
    assert "No `idea` &lt;b&gt;</p>" in (out / mine["zoe"]["page"]).read_text(encoding="utf-8")
    overview = listing(out, "overview")
    (numbers,) = overview["sets"]
    assert (numbers["possible"], numbers["mean"], numbers["open"]) == (11, 11, {"welcome-why": 3})
    assert numbers["distribution"][-1] == 4 and overview["open"] == 2
    for name, made in (("overview", overview), ("grades", listing(out))):
        schema = json.loads((ROOT / f"docs/{name}.schema.json").read_text(encoding="utf-8"))
        jsonschema.Draft202012Validator(schema).validate(made)


def test_what_a_team_wrote_is_marked_once_and_counts_for_each(tmp_path, essay_class, capsys):
    out, decisions = tmp_path / "out", tmp_path / "class" / "overrides.csv"
    assert cli.main(essay_class) == 1
    waiting = lines_of(out / "to_mark.csv")
    assert [one["student"] for one in waiting] == ["Team 1", "zoe"]
    assert waiting[0]["rubric"] == "1: nothing is copied (2); 2: names the storage (1)"
    assert waiting[0]["answer"] == "# Answer to welcome-why Nothing is copied."
    waiting[0] |= {"items": "1", "who": "Dr. Lee"}
    waiting[1] |= {"who": "Dr. Lee"}  # not decided yet
    filled = [list(waiting[0]), *(list(one.values()) for one in waiting)]
    decisions.write_text(table(filled), encoding="utf-8")
    assert cli.main([*essay_class, "--resume"]) == 1
    mine = {student: row["questions"][-1] for student, row in rows(out).items()}
    assert [mine[name]["points"] for name in ("ada", "bob", "eve", "zoe")] == [2, 2, 0, None]
    assert mine["bob"]["override"]["reason"] == "nothing is copied"
    assert [mine[name]["word"] for name in ("eve", "zoe")] == ["not attempted", "for a person"]
    assert [one["student"] for one in lines_of(out / "to_mark.csv")] == ["zoe"]
    assert ("ada", "open", "2") in [
        (line["student"], line["before"], line["now"]) for line in lines_of(out / "changes.csv")
    ]
    filled[1][2], filled[2][2] = "3", "one"
    decisions.write_text(table(filled), encoding="utf-8")
    capsys.readouterr()
    assert cli.main(essay_class) == 2
    said = capsys.readouterr().err
    assert "line 2: items are 3" in said and "line 3: items are one" in said


def test_of_a_pool_each_student_has_one_question(tmp_path, essays):
    essays[0]["cells"].append(markdown("Hand this in."))
    assert essays[1]("sets") == 0 and essays[1]("handout", "--no-solutions") == 0
    rules = 'pools = [["welcome-3", "welcome-4"]]\npassing = 50\n'
    paper = "student,question,points,reason,who\nzoe,welcome-1,1,on paper,Dr. Lee\n"
    files = {"roster.csv": "student\nada\nbob\neve\nzoe\n", "overrides.csv": paper}
    about = write_class(tmp_path, files | {"rules.toml": rules})
    made = ["--class", str(about), str(tmp_path / "handout"), str(tmp_path / "copies")]
    assert cli.main(["export", *made]) == 2  # the course's sets are in another folder
    assert cli.main(["export", *made, "--exercises", str(tmp_path / "sets")]) == 0
    dealt = {}
    for student in ("zoe", "ada", "bob", "eve"):
        (path,) = (tmp_path / "copies" / student).glob("*.ipynb")
        text, known = path.read_text("utf-8"), path.parent / ".records" / "welcome.json"
        both = {"welcome-3", "welcome-4"}
        dealt[student] = both & json.loads(known.read_text(encoding="utf-8"))["questions"].keys()
        assert {name for name in both if name in text} == dealt[student] and "Hand this" in text
        hand_in(tmp_path / "in", student, path.read_bytes())
    (tmp_path / "in" / "zoe" / "work.ipynb").unlink()
    assert dealt["ada"] != dealt["bob"] and {len(one) for one in dealt.values()} == {1}
    hand_in(tmp_path / "in", "eve", notebook("welcome"))
    assert cli.main(words(tmp_path, tmp_path / "sets")) == 1
    mine = rows(tmp_path / "out")
    for student, one in mine.items():
        asked = {question["question"] for question in one["questions"]}
        assert asked & both == dealt[student] and one["possible"] == 12
    ((other,), (own,)) = both - dealt["eve"], dealt["eve"]
    assert mine["eve"]["review"] == [f"{other} was answered, and {own} was dealt to eve"]
    assert mine["ada"]["review"] == [] and mine["eve"]["points"] == 9
    found = listing(tmp_path / "out", "overview")
    assert (found["sets"][0]["possible"], found["sets"][0]["passed"]) == (12, 1)
    assert found["term"] == {"students": 4, "passed": 1}


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
