"""From a platform's download to its upload file: who it is from, when it came, what it counts."""

import json
import os
import zipfile
from datetime import datetime

import jsonschema
import pytest
from grading.downloads import PLATFORMS, MadeUp, packed
from grading.submitting import ROOT, hand_in, lines_of, listing, notebook, rows, words, write_class

from course_grading import Limits, Outcome, class_folder, grade_folder, roster
from course_grading.archives import Archives, Bounds, safe_parts
from course_grading.folder import watch
from course_grading.lateness import Attempt, Rule, choose
from course_grading.submissions import find
from course_lib import cli
from course_lib.classroom.trouble import Trouble

LIMITS = Limits(seconds=4.0)


@pytest.mark.parametrize(
    ("name", "platform", "student", "file"),
    [
        ("Zoë O'Neil_48213_assignsubmission_file_", "Moodle", "Zoë O'Neil", ""),
        ("Zoë_Ann Lee_48213_assignsubmission_file_a_1.ipynb", "Moodle", "Zoë_Ann Lee", "a_1.ipynb"),
        ("Participant_77_assignsubmission_onlinetext_", "Moodle", "Participant", ""),
        ("oneilzoe_1234_5678_05_views-1.ipynb", "Canvas", "oneilzoe", "05_views-1.ipynb"),
        ("oneilzoe_LATE_1234_5678_05_views.ipynb", "Canvas", "oneilzoe", "05_views.ipynb"),
        ("Lab_1_zoe_attempt_2026-11-20-17-05-09.txt", "Blackboard", "Lab_1_zoe", ""),
        ("Lab 1_zoe_attempt_2026-11-20-17-05-09_a_b.ipynb", "Blackboard", "Lab 1_zoe", "a_b.ipynb"),
        ("77-99 - Zoë Lee - Nov 20, 2026 505 PM", "Brightspace", "Zoë Lee", ""),
    ],
)
def test_platforms_names_are_read(name, platform, student, file):
    said = roster.parse_name(name)
    assert (said.platform, said.student, said.file) == (platform, student, file)
    if platform in ("Blackboard", "Brightspace"):
        assert f"{said.when:%Y-%m-%d %H:%M}" == "2026-11-20 17:05"
    for own in ("ada", "ada_05_views.ipynb", "05_views.ipynb", "a_1.ipynb"):
        assert roster.parse_name(own) is None


@pytest.mark.parametrize("platform", PLATFORMS)
def test_everybody_is_found_in_a_platforms_download(platform, tmp_path, course):
    made = MadeUp(platform, 36)
    made.write(tmp_path)
    about = class_folder.read(tmp_path / "class", course.exercises)
    with Archives() as archives:
        home = archives.download(tmp_path / "download.zip")
        found = about.identify(find(home, ["ex00_welcome", "welcome"], 60, archives.unpack))
    there = {(one.student, bool(one.problem)) for one in found}
    assert there == {(one.user, one.kind == "pdf") for one in made.students if one.files}
    assert not [one.doubt for one in found if one.doubt]
    assert all(one.when for one in found if not one.problem)
    zipped = [one.file for one in found if ".zip/hw/" in one.file]
    assert len(zipped) == sum(one.kind == "zipped" for one in made.students)


def test_two_of_one_name_stay_two(tmp_path, about):
    for number in (11, 12):
        hand_in(tmp_path / "in", f"Ada Lee_{number}_assignsubmission_file_", b"{}")
    assert [one.student for one in find(tmp_path / "in", [])] == ["Ada Lee (11)", "Ada Lee (12)"]
    known = about(roster_csv="student,name\na1,Ada Lee\na2,Ada Lee\n")
    doubts = [one.doubt for one in known.identify(find(tmp_path / "in", []))]
    assert doubts == ["who handed it in? The class has several of this name: a1, a2"] * 2
    known = about(roster_csv="student,name,id\na1,Ada Lee,11\na2,Ada Lee,12\n")
    found = known.identify(find(tmp_path / "in", []))
    assert [(one.student, one.doubt) for one in found] == [("a1", ""), ("a2", "")]


@pytest.fixture(scope="module")
def made_up(tmp_path_factory, welcome):
    """A small class of every kind, graded once, from the download on."""
    folder = tmp_path_factory.mktemp("made_up")
    made = MadeUp("Blackboard", 36)
    made.write(folder)
    zoe, ada = made.students[3], made.students[15]  # one is wrong, one has handed in nothing
    decided = f"{zoe.user},welcome-1,1,read it,Dr. Lee\n{ada.user},welcome-2,1,on paper,Dr. Lee\n"
    text = f"student,question,points,reason,who\n{decided}"
    (folder / "class" / "overrides.csv").write_text(text, encoding="utf-8")
    given = {"exercises": welcome, "class_": folder / "class", "limits": LIMITS}
    outcome = grade_folder(folder / "download.zip", folder / "out", **given)
    assert outcome.students == len(made.students)
    return made, folder / "out", rows(folder / "out")


def of_kind(made_up, kind):
    """A student of that kind, the row and the page."""
    made, out, mine = made_up
    one = next(one for one in made.students if one.kind == kind)
    return one, mine[one.user], (out / mine[one.user]["page"]).read_text(encoding="utf-8")


def test_each_student_gets_what_is_due(made_up):
    made, _, mine = made_up
    assert len(mine) == len(made.students)
    decided = {made.students[3].user, made.students[15].user}
    for one in made.students:
        if one.user not in decided:
            row = mine[one.user]
            days = row["late"]["days"] if row["late"] else 0
            points = row["points"] if row["status"] == "graded" else None
            assert (row["status"], points, days) == (one.status, one.points, one.days), one


def test_a_decision_counts_and_is_shown(made_up):
    made, out, mine = made_up
    row = mine[made.students[3].user]
    (one,) = [one for one in row["questions"] if "override" in one]
    decided = {key: one["override"][key] for key in ("points", "reason", "who")}
    assert decided == {"points": 1, "reason": "read it", "who": "Dr. Lee"}
    page = (out / row["page"]).read_text(encoding="utf-8")
    assert "Points by Dr. Lee: read it (the grader gave" in page
    table = {line["student"]: line for line in lines_of(out / "grades.csv")}
    assert "welcome-1: 1 by Dr. Lee: read it" in table[row["student"]]["reason"]
    row = mine[made.students[15].user]  # where nothing could be graded
    assert (row["status"], row["points"], row["review"]) == ("graded", 1, [])
    assert row["notes"] == ["marked by hand: nothing was handed in"]


def test_lateness_and_of_two_attempts_the_one_that_counts_are_told(made_up):
    _, _, page = of_kind(made_up, "late")
    assert "Handed in 1 day late, counting each day begun: 1.1 points (10 %) taken off." in page
    for kind in ("twice", "twice late"):
        one, row, _ = of_kind(made_up, kind)
        assert row["file"].endswith(one.files[kind == "twice"][1]) and not row["review"]
        assert "counts, the last on time. Points of the others" in row["notes"][0]


def attempts(*facts):
    rest = {"review": [], "notes": []}
    return [
        Attempt({"file": name, "points": points, "late": late} | rest, when, name)
        for name, points, late, when in facts
    ]


DAY = datetime(2026, 11, 20)


def test_which_attempt_counts_is_a_rule_and_without_times_a_person_is_told():
    one, two, three = (DAY.replace(hour=hour) for hour in (1, 2, 3))
    for rule, counts in (("last on time", "b"), ("last", "c"), ("first", "a"), ("best", "c")):
        rows = attempts(("a", 3, None, one), ("b", 1, None, two), ("c", 4, {"days": 1}, three))
        made = choose(rows, Rule(deadline=two, attempt=rule))
        assert made["file"] == counts and len(made["notes"]) == 1 and not made["review"]
    made = choose(attempts(("a", 3, None, None), ("b", 5, None, DAY)), Rule())
    assert made["file"] == "b" and "two notebooks" in made["review"][0]
    same = [Attempt(one.row, None, "the same") for one in attempts(("a", 3, None, None))] * 2
    assert choose(same, Rule())["review"] == []


def test_an_extension_and_a_grace_move_the_deadline(about):
    made = about(
        roster_csv="student,group\nada,one\nbob,one\ncarol,\n",
        rules_toml='deadline = "2026-11-20 18:00"\ngrace = 15\npenalty = 10\nmost = 30\ndays = 5\n'
        'timezone = "Europe/Berlin"\n[sets.welcome]\npenalty = 20\n',
        extensions_csv="student,until\nada,2026-11-22 18:00\n",
    )

    def late(students, *when):
        found = made.rules.late("welcome", students, made.rules.local(datetime(2026, 11, *when)))
        return (found["days"], found["percent"]) if found else None

    assert late(["carol"], 20, 18, 15) is None and late(["carol"], 20, 18, 16) == (1, 20)
    assert late(["carol"], 22, 17) == (2, 30) and late(["carol"], 26) == (6, 100)
    team = made.roster.group("bob")
    assert late(team, 22, 18) is None and late(team, 23, 18) == (1, 20)


ROSTER = "student,name\nada,Ada Lee\nbob,Bob Ray\n"


def override(line):
    return {"overrides_csv": f"student,question,points,reason,who\n{line}"}


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"roster_csv": "name\nAda\n"}, "roster.csv, line 1: there is no column student"),
        ({"roster_csv": "student,name\nada,A\n,B\n"}, "line 3: the column student is empty"),
        ({"roster_csv": "student\nada\n\nada\n"}, "line 4: ada stands in an earlier line"),
        ({"roster_csv": ""}, "roster.csv is empty; its first line should name"),
        ({"roster_csv": "student,group\na,b\nb,b\n"}, "b is the name of a student and of a group"),
        ({"rules_toml": "dedline = 1"}, "there is no rule dedline; did you mean deadline?"),
        ({"rules_toml": "penalty = 120"}, "penalty = 120 cannot be meant; expected percent"),
        ({"rules_toml": 'deadline = "soon"'}, 'deadline = "soon" cannot be meant; expected a day'),
        ({"rules_toml": "[sets.welcme]"}, "names no set; the sets are welcome"),
        ({"rules_toml": 'timezone = "Mars"'}, 'expected a zone such as "Europe/Berlin"'),
        ({"rules_toml": 'pools = ["welcome-1"]'}, "expected lists such as"),
        ({"rules_toml": 'pools = [["welcome-1", "welcome-5"]]'}, "that bring the same points"),
        ({"rules_toml": 'pools = [["welcome-1", "welcom-2"]]'}, "that bring the same points"),
        ({"rules_toml": "deadline ="}, "rules.toml: Invalid value"),
        ({"extensions_csv": "student,until\nada,soon"}, "line 2: soon is no time; expected one"),
        ({"extensions_csv": "student,until,set\nada,2026-01-01,x"}, "line 2: there is no set x"),
        (override("ada,welcome-1,99,r,w"), "from 0 to"),
        (override("ada,welcom-1,1,r,w"), "welcome-1"),
        (override("eve,welcome-1,1,r,w"), "no student"),
        (override("ada,welcome-1,1,,w"), "reason is em"),
        ({"overrides_csv": "student,question,points,reason,why\n"}, "question, who, items"),
        (
            {"rules_toml": 'pools = [["welcome-3", "welcome-4"]]'}
            | override("ada,welcome-4,1,r,w\n*,welcome-4,1,r,w\nbob,welcome-4,1,r,w"),
            "has the question welcome-3, and not welcome-4",
        ),
        ({"override_csv": "student\n"}, "did you mean overrides.csv?"),
        ({"marks_csv": "student\n"}, "Moodle's worksheet begins with Identifier"),
        ({"roster_csv": "sep=;\nstudent;name\n;A\n"}, "line 3: the column student is empty"),
        ({"class_xlsx": "PK"}, "class.xlsx is no CSV file; save it as class.csv"),
        ({"overrides_txt": "student"}, "overrides.txt is no CSV file; save it as overrides.csv"),
    ],
)
def test_a_wrong_line_is_answered_with_file_line_and_what_was_expected(files, said, about):
    with pytest.raises(Trouble) as told:
        about(**({"roster_csv": ROSTER} | files))
    assert said in str(told.value) and told.value.exit_code == 2


@pytest.mark.parametrize("before", ["\ufeff", "sep=;\r\n", ""])
def test_a_table_may_come_from_any_spreadsheet(before, about):
    made = about(roster_csv=f"{before}Student;Name\r\nada;Zoë, Lee\r\n")
    assert [(one.student, one.name) for one in made.roster] == [("ada", "Zoë, Lee")]


@pytest.mark.parametrize("day", ['"2026-11-20"', "2026-11-20", '"20.11.2026"'])
def test_a_day_without_a_time_lasts_until_midnight(day, about):
    rules = about(
        roster_csv=ROSTER,
        rules_toml=f'deadline = {day}\ntimezone = "Europe/Berlin"',
        extensions_csv="student,until\nbob,2026-11-24\n",
    ).rules
    assert f"{rules.of('welcome').deadline:%d %H:%M}" == "20 23:59"
    assert f"{rules.deadline('welcome', ['bob']):%d %H:%M}" == "24 23:59"


@pytest.fixture
def archives():
    with Archives() as made:
        yield made


def test_nothing_in_an_archive_leaves_its_folder(tmp_path, archives):
    names = ["../../up.ipynb", "/root.ipynb", "a/../../b.ipynb", "C:\\x\\c.ipynb"]
    names += ["d.ipynb/e.ipynb"]
    (tmp_path / "a.zip").write_bytes(packed(dict.fromkeys(names, b"{}") | {"d.ipynb": b"{}"}))
    made = archives.unpack(tmp_path / "a.zip")
    files = [path for path in made.folder.rglob("*.ipynb") if path.is_file()]
    assert made.problem == "" and len(files) == 6
    assert not (made.folder.parent / "up.ipynb").exists()
    (part,) = safe_parts("ü" * 400 + ".ipynb")  # never too long for a disk
    assert len(part.encode()) < 255 and part.endswith(".ipynb")


def test_links_and_locked_files_are_refused(tmp_path, archives):
    link = zipfile.ZipInfo("link.ipynb")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("fine.ipynb", "{}")
    made = archives.unpack(tmp_path / "a.zip")
    assert made.refused == {"link.ipynb": "it is a link, not a file; hand in the notebook itself"}
    assert [path.name for path in made.folder.iterdir()] == ["fine.ipynb"]
    if hasattr(os, "getsid"):  # Ctrl-C in a terminal does not reach what unpacks
        assert os.getsid(archives._process.pid) != os.getsid(0)


def test_a_bomb_takes_no_more_than_its_bounds(tmp_path, archives):
    bomb = packed({f"{number}.ipynb": bytes(2_000_000) for number in range(8)})
    (tmp_path / "bomb.zip").write_bytes(bomb)
    made = archives.unpack(tmp_path / "bomb.zip", Bounds(1_000_000, 3_000_000, 100, 20))
    assert made.problem == "it holds more than is unpacked"
    sizes = [path.stat().st_size for path in made.folder.iterdir()]
    assert sum(sizes) <= 3_000_004 and max(sizes) == 1_000_001
    made = archives.unpack(tmp_path / "bomb.zip", Bounds(1_000_000, 30_000_000, 3, 20))
    assert made.problem and len(list(made.folder.iterdir())) == 3


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no archive", b"PK\x05\x06" + bytes(18)])
def test_what_is_no_archive_is_said_to_be_none(data, tmp_path, archives):
    (tmp_path / "a.zip").write_bytes(data)
    made = archives.unpack(tmp_path / "a.zip")
    assert bool(made.problem) == (not data.startswith(b"PK\x05"))
    assert list(made.folder.iterdir()) == []
    (tmp_path / "b.zip").write_bytes(packed({"fine.ipynb": b"{}"}))
    assert not archives.unpack(tmp_path / "b.zip").problem  # one that fails costs no other


def test_a_notebook_without_a_time_is_counted_once(tmp_path, welcome, capsys):
    """For a group of two, and with results that are written twice."""
    roster, rules = "student,group\nada,one\nbob,one\neve,\n", 'deadline = "2026-11-20 18:00"\n'
    write_class(tmp_path, {"roster.csv": roster, "rules.toml": rules})
    hand_in(tmp_path / "in", "ada", notebook("welcome"))
    hand_in(tmp_path / "in", "eve", b"{")
    assert cli.main(words(tmp_path, welcome, "--anonymous", str(tmp_path / "ids"))) == 1
    said = capsys.readouterr().out
    assert "When 1 notebook came is not known" in said
    assert "2 submissions graded; 1 needs a person." in said


def test_grades_are_as_their_schema_says(made_up):
    schema = json.loads((ROOT / "docs" / "grades.schema.json").read_text(encoding="utf-8"))
    made = listing(made_up[1])
    checker = jsonschema.Draft202012Validator(schema)
    assert [error.message for error in checker.iter_errors(made)] == []
    described = set(schema["$defs"]["row"]["properties"]) | {"cost"}
    assert {key for row in made["rows"] for key in row} <= described


def test_what_arrives_is_graded_once_it_is_whole(tmp_path):
    passes, heard, folder = [], [], tmp_path / "in"
    folder.mkdir()

    def grade():
        passes.append(sorted(path.name for path in folder.iterdir()))
        if not passes[-1]:
            raise Trouble("there is no notebook")
        return Outcome(tmp_path)

    events = ["", "a {", "a {}", "", "", "", "b {}", "", ""]  # what is written between two looks

    def pause(_):
        if not events:
            raise KeyboardInterrupt
        name, _, text = events.pop(0).partition(" ")
        if name:
            (folder / f"{name}.ipynb").write_text(text, encoding="utf-8")

    with pytest.raises(KeyboardInterrupt):
        list(watch([folder], grade, heard.append, sleep=pause))
    assert passes == [[], ["a.ipynb"], ["a.ipynb", "b.ipynb"]]
    assert heard == ["there is no notebook. Waiting for it to change."]
