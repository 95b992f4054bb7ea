"""From a platform's download to its upload file: who it is from, when it came, what it counts."""

import csv
import io
import json
import zipfile
from datetime import datetime

import pytest
from classroom.grading.downloads import PLATFORMS, MadeUp, packed
from classroom.grading.submitting import hand_in, notebook, record

from course_lib import cli
from course_lib.classroom.grading import Limits, class_folder, grade_folder, platforms, reference
from course_lib.classroom.grading.archives import Archives, Bounds, safe_parts
from course_lib.classroom.grading.lateness import Attempt, Rule, choose
from course_lib.classroom.grading.submissions import find
from course_lib.classroom.trouble import Trouble

LIMITS = Limits(seconds=4.0)
WRONG = record("welcome")["questions"]["welcome-3"]["wrong"][0]["code"]


def rows(out):
    listing = json.loads((out / "grades.json").read_text(encoding="utf-8"))
    return {row["student"]: row for row in listing["rows"]}


def lines_of(path):
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))


@pytest.fixture
def about(tmp_path):
    """A class folder to write files into, and what reading it gives."""
    folder = tmp_path / "class"
    folder.mkdir()
    exercises, _ = reference.load(None, ["welcome"])

    def read(**files):
        for name, text in files.items():
            (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
        return class_folder.read(folder, exercises)

    return read


# ---- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "platform", "student", "file"),
    [
        ("Zoë O'Neil_48213_assignsubmission_file_", "Moodle", "Zoë O'Neil", ""),
        ("Zoë_Ann Lee_48213_assignsubmission_file_a_1.ipynb", "Moodle", "Zoë_Ann Lee", "a_1.ipynb"),
        ("Participant_77_assignsubmission_onlinetext_", "Moodle", "Participant", ""),
        ("oneilzoe_1234_5678_05_views-1.ipynb", "Canvas", "oneilzoe", "05_views-1.ipynb"),
        ("oneilzoe_LATE_1234_5678_05_views.ipynb", "Canvas", "oneilzoe", "05_views.ipynb"),
        ("Lab_1_zoe_attempt_2026-11-20-17-05-09.txt", "Blackboard", "zoe", ""),
        ("Lab 1_zoe_attempt_2026-11-20-17-05-09_a_b.ipynb", "Blackboard", "zoe", "a_b.ipynb"),
        ("77-99 - Zoë Lee - Nov 20, 2026 505 PM", "Brightspace", "Zoë Lee", ""),
    ],
)
def test_platforms_names_are_read(name, platform, student, file):
    said = platforms.named(name)
    assert (said.platform, said.student, said.file) == (platform, student, file)
    if platform in ("Blackboard", "Brightspace"):
        assert f"{said.when:%Y-%m-%d %H:%M}" == "2026-11-20 17:05"


@pytest.mark.parametrize("name", ["ada", "ada_05_views.ipynb", "05_views.ipynb", "a_1.ipynb"])
def test_other_names_are_the_students_own(name):
    assert platforms.named(name) is None


@pytest.mark.parametrize("platform", PLATFORMS)
def test_everybody_is_found_in_a_platforms_download(platform, tmp_path):
    made = MadeUp(platform, 36)
    made.write(tmp_path)
    exercises, _ = reference.load(None, ["welcome"])
    about = class_folder.read(tmp_path / "class", exercises)
    with Archives() as archives:
        home = archives.download(tmp_path / "download.zip")
        found = about.identify(find(home, ["ex00_welcome", "welcome"], 60, archives.unpack))
    there = {(one.student, bool(one.problem)) for one in found}
    assert there == {(one.user, one.kind == "pdf") for one in made.students if one.files}
    assert not [one.doubt for one in found if one.doubt]
    assert all(one.when for one in found)
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


# ---- a whole class -------------------------------------------------------------------------------


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
    outcome = grade_folder(
        folder / "download.zip",
        folder / "out",
        exercises=welcome,
        class_=folder / "class",
        limits=LIMITS,
    )
    return made, folder, outcome


def test_each_student_gets_what_is_due(made_up):
    made, folder, outcome = made_up
    mine = rows(folder / "out")
    assert len(mine) == outcome.students == len(made.students)
    decided = {made.students[3].user, made.students[15].user}
    for one in made.students:
        if one.user not in decided:
            row = mine[one.user]
            days = row["late"]["days"] if row["late"] else 0
            points = row["points"] if row["status"] == "graded" else None
            assert (row["status"], points, days) == (one.status, one.points, one.days), one


def test_a_decision_counts_and_is_shown(made_up):
    made, folder, _ = made_up
    row = rows(folder / "out")[made.students[3].user]
    (one,) = [one for one in row["questions"] if "override" in one]
    assert one["override"] == {"points": 1, "reason": "read it", "who": "Dr. Lee", "was": one["was"]} if "was" in one else one["override"]["who"] == "Dr. Lee"
    page = (folder / "out" / row["page"]).read_text(encoding="utf-8")
    assert "Dr. Lee: read it" in page
    (line,) = [
        line
        for line in lines_of(folder / "out" / "grades.csv")
        if line["student"] == made.students[3].user
    ]
    assert "welcome-1: 1 by Dr. Lee: read it" in line["reason"]
