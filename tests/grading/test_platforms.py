"""Names and sheets as the sources of Moodle and Canvas, and Blackboard's downloads, write them."""

import csv
import io
import json
import re
import zipfile

import pytest
from grading.conftest import linux
from grading.downloads import packed, table
from grading.hostile import traces
from grading.submitting import WRONG, hand_in, listing, notebook, record, words, write_class

from course_grading import roster, row
from course_grading.gradebook import Mark, Totals
from course_grading.roster import Named
from course_grading.submissions import find
from course_lib import cli
from course_lib.classroom.trouble import Trouble


def handed_in(folder, *names):
    """A download with a notebook, or a text, under each of these names."""
    home = folder / "download"
    for name in names:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{}" if name.endswith(".ipynb") else b"text")
    return find(home, ["welcome"])


def filled(sheet, marks, roster):
    return list(csv.reader(io.StringIO(sheet.filled(marks, roster), newline="")))


def test_a_user_name_of_blackboard_may_have_an_underscore(tmp_path, about):
    names = [
        f"Lab_1_{user}_attempt_2026-11-20-17-05-09_work.ipynb" for user in ("a_lee", "b_lee", "lee")
    ]
    found = handed_in(tmp_path, *names)
    assert [one.student for one in found] == ["a_lee", "b_lee", "lee"]
    people = about(roster_csv=[["student", "username"], *([u, u] for u in ("a_lee", "lee"))])
    told = {one.student: one.doubt for one in people.identify(found)}
    assert told["a_lee"] == told["lee"] == ""
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / names[0]).write_bytes(b"{}")  # nothing shows where the user name begins
    (one,) = people.identify(find(tmp_path / "one", ["welcome"]))
    assert (one.student, one.doubt) == ("a_lee", "")


def test_what_was_typed_into_canvas_belongs_to_its_student(tmp_path):
    names = ["leeada_48213_text.html", "leeada_48213_777_work.ipynb", "raybob_48220_link.html"]
    found = handed_in(tmp_path, *names)
    told = [(one.student, bool(one.problem)) for one in found]
    assert told == [("leeada", False), ("raybob", True)]
    assert roster.parse_name("leeada_LATE_48213_text.html").late
    assert roster.parse_name("ada_48213_work.ipynb") is None


CANVAS = [
    ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Lab 1 (41)"],
    ["", "", "", "", "", "Manual Posting"],
    ["    Points Possible", "", "", "", "", "22,00"],
    ["Lee, Ada", "48213", "s1", "alee", "A", ""],
    ["Ray, Bob", "48220", "s2", "bray", "A", "EX"],
    ["Roe, Cy", "48221", "s3", "croe", "A", "N/A"],
]
MARKS = {name: Mark(5.5, 11) for name in ("Ada Lee", "Bob Ray", "Cy Roe")}


def test_canvas_keeps_who_is_excused_and_may_write_last_and_first_names_apart(about):
    made = about(grades_csv=CANVAS)
    lines = filled(made.sheets[0], MARKS, made.roster)
    assert [line[5] for line in lines[3:]] == ["11", "EX", "N/A"]
    assert lines[:3] == CANVAS[:3]
    heads = [["LastName", "FirstName", *CANVAS[0][1:]]]
    apart = [[*line[0].partition(", ")[::2], *line[1:]] for line in CANVAS[1:]]
    made = about(grades_csv=heads + apart)
    assert [one.student for one in made.roster] == ["Ada Lee", "Bob Ray", "Cy Roe"]
    assert filled(made.sheets[0], MARKS, made.roster)[3][6] == "11"


def test_canvass_gradebook_needs_the_name_of_an_assignment(about):
    book = "Student,ID,SIS Login ID,Section,Lab 1 (4),Lab 10 (5)\n Points Possible,,,,10,10\n"
    book += '"Lee, Ada",7,ada,A,,\n'
    with pytest.raises(Trouble, match=r"which assignment is it\? .* has: Lab 1 \(4\), Lab 10"):
        about(book_csv=book)
    made = about(book_csv=book, rules_toml='column = "Lab 10"')
    assert made.sheets[0].heads[made.sheets[0].column] == "Lab 10 (5)"
    assert [one.student for one in made.roster] == ["Ada Lee"]
    filled = made.sheets[0].filled({"Ada Lee": Mark(3, 4)}, made.roster)
    assert filled.split("\r\n")[1:3] == [" Points Possible,,,,10,10", '"Lee, Ada",7,ada,A,,7.5']


def test_what_canvas_does_not_mark_as_late_was_on_time(tmp_path, welcome, capsys):
    write_class(tmp_path, {"rules.toml": 'deadline = "2026-11-20 18:00"\n'})
    (tmp_path / "in").mkdir()
    made = json.dumps(notebook("welcome")).encode()
    for name, said in (("leeada_481_9001", "When 1 notebook came"), ("raybob_LATE_482_9002", "")):
        (tmp_path / "in" / f"{name}_work.ipynb").write_bytes(made)
        assert cli.main(words(tmp_path, welcome)) in (0, 1)
        out = capsys.readouterr().out
        assert said in out and ("is not known" in out) == bool(said)
    ada, bob = listing(tmp_path / "out")["rows"]
    assert "Canvas does not mark it as late" in ada["notes"] and bob["review"]


MOODLE = ["Identifier", "Status", "Grade", "Maximum Grade", "Last modified (submission)"]


def test_moodles_sheet_may_have_numbers_for_names_and_no_other_language(about):
    made = about(sheet_csv=[MOODLE, ["Participant 77", "", "", "100.00", "-"]])
    assert made.roster.find(Named("Moodle", "Participant", "77"))[0].student == "77"
    lines = filled(made.sheets[0], {"77": Mark(5.5, 11)}, made.roster)
    assert lines[1][2] == "50"
    odd = ["Participant 77", "Ada \x1b[31mLee", "", "100.00", "-"]
    made = about(sheet_csv=[[MOODLE[0], "Full name", *MOODLE[2:]], odd])
    assert [one.student for one in made.roster] == ["Ada \\x1b[31mLee"]
    with pytest.raises(Trouble, match="download it with the platform in English"):
        about(sheet_csv=[["Teilnehmer", "Bewertung"], ["Teilnehmer/in 7", ""]])


def test_moodles_sheet_comes_back_with_grades_and_reasons(tmp_path, welcome):
    sheet = (
        "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments\n"
        "Participant 11,Ada Lee,ada@x.org,Submitted,,50.00,\n"
        "Participant 12,Bob Ray,bob@x.org,Submitted,,50.00,\n"
        "Participant 13,Eve Fox,eve@x.org,No submission,7,50.00,kept\n"
    )
    write_class(tmp_path, {"Grades.csv": sheet})
    part = notebook("welcome", {"welcome-3": WRONG["code"]})
    hand_in(tmp_path / "in", "Ada Lee_11_assignsubmission_file_", notebook("welcome"))
    hand_in(tmp_path / "in", "Bob Ray_12_assignsubmission_file_", part)
    assert cli.main(words(tmp_path, welcome, "--json")) == 0
    text = (tmp_path / "out" / "upload" / "Grades.csv").read_text(encoding="utf-8-sig")
    ada, bob, eve = csv.DictReader(io.StringIO(text))
    worth = {name: one["difficulty"] for name, one in record("welcome")["questions"].items()}
    most = sum(worth.values())
    share = round(50 * (most - worth["welcome-3"]) / most, 2)
    assert (ada["Grade"], float(bob["Grade"]), eve["Grade"]) == ("50", share, "7")
    assert bob["Feedback comments"].startswith(f"welcome: {most - worth['welcome-3']} of {most}")
    assert (bob["Identifier"], bob["Status"]) == ("Participant 12", "Submitted")
    with zipfile.ZipFile(tmp_path / "out" / "upload" / "Grades feedback.zip") as feedback:
        homes = {name.rpartition("/")[0] for name in feedback.namelist()}
        page = feedback.read("Bob Ray_12_assignsubmission_file_/feedback.html").decode()
    assert homes == {f"{name}_assignsubmission_file_" for name in ("Ada Lee_11", "Bob Ray_12")}
    assert "Bob Ray" in page and "Ada Lee" not in page


def test_a_groups_folder_has_the_time_of_its_members(tmp_path, about):
    heads = [MOODLE[0], "Full name", *MOODLE[1:]]
    when = "Friday, 20 November 2026, 6:03 PM"
    made = about(
        roster_csv=[["student", "name", "group"], ["ada", "Ada Lee", "Team 1"]],
        sheet_csv=[heads, ["Participant 7", "Ada Lee", "", "", "100.00", when]],
    )
    found = handed_in(tmp_path, "Team 1_31_assignsubmission_file_/work.ipynb")
    (one,) = made.identify(found)
    assert one.student == "Team 1" and one.doubt == "" and f"{one.when:%H:%M}" == "18:03"


def test_a_zero_is_for_who_handed_in_nothing():
    totals = Totals({"welcome": 11})
    nothing = {"set": "welcome", "late": None, "questions": []} | row.unread(row.MISSING, "nothing")
    totals.add("ada", [nothing | {"set": "welcome", "review": []}])
    totals.add("bob", [nothing | {"reason": "there is essay.docx"}])  # a person has to look
    marks = totals.marks(zero=True)
    assert (marks["ada"].points, marks["bob"].points) == (0, None)


def test_a_repository_names_a_group_in_its_own_way(tmp_path, about):
    for name in ("lab-1-team-1", "lab-1-team-12"):
        hand_in(tmp_path / "download", name, notebook("welcome"))
        (tmp_path / "download" / name / ".git").mkdir()
    groups = [["ada", "Team 1"], ["bob", "Team 1"], ["cy", "Team 12"]]
    made = about(roster_csv=[["student", "group"], *groups])
    found = made.identify(find(tmp_path / "download", ["welcome"]))
    assert [(one.student, one.doubt) for one in found] == [("Team 1", ""), ("Team 12", "")]


def test_a_platforms_own_files_and_folders_are_nobodys_work(tmp_path):
    head = "Lab 1_ada_attempt_2026-11-20-17-05-09"
    other = "Lab 1_bob_attempt_2026-11-20-17-05-09_work.ipynb"
    one, _ = handed_in(tmp_path / "Blackboard", f"{head}.txt", f"{head}_essay.docx", other)
    assert one.problem.startswith("no notebook was handed in; there is essay.docx;")
    names = ["index.html", "7-99 - Ada Lee - Nov 20, 2026 505 PM/work.ipynb"]
    assert [one.student for one in handed_in(tmp_path / "Brightspace", *names)] == ["Ada Lee"]
    names = ["Ada Lee_7_assignsubmission_file_/a.ipynb", "Bob Ray_8_assignsubmission_file_/a.ipynb"]
    around = [f"CS101-Lab 1-4711/{name}" for name in names]
    found = handed_in(tmp_path / "Moodle", *around, "__MACOSX/x")
    assert [one.student for one in found] == ["Ada Lee", "Bob Ray"]
    alone = handed_in(tmp_path / "alone", "ada/views/a.ipynb", "ada/creation/b.ipynb")
    assert {one.student for one in alone} == {"ada"}


HOSTILE = "=**hx**`hx`[hx](javascript:hx)<b>hx"
IN_A_ZIP = "=__hx__`hx`[hx](javascript_hx)_b_hx"  # as its names are made safe for every disk
COMPARED = "hx hx hx javascript hx b hx"  # as answers are compared with each other
SAYS = {
    "raises": f"raise ValueError({HOSTILE!r})",
    "explained": f"float({HOSTILE!r})",
    "type": f"raise type({HOSTILE!r}, (Exception,), {{}})()",
    "returns": f"return {HOSTILE!r}",
    "holds": f"return {{{HOSTILE!r}: [{HOSTILE!r}]}}",
    "class": f"return type({HOSTILE!r}, (), {{}})()",
}


def everywhere(made):
    """The text in what is no code: metadata, ids, outputs, times, cells of the student's own."""
    made["metadata"] |= {"title": HOSTILE, "authors": [{"name": HOSTILE}], "kernelspec": HOSTILE}
    for cell in made["cells"]:
        cell["id"] = HOSTILE
        cell["metadata"] |= {"execution": {HOSTILE: HOSTILE}, "tags": [HOSTILE], HOSTILE: HOSTILE}
        if cell["cell_type"] == "code":
            shown = {"text/html": HOSTILE, "text/markdown": HOSTILE}
            cell["outputs"] = [{"output_type": "display_data", "metadata": {}, "data": shown}]
    made["cells"].append({"cell_type": "markdown", "metadata": {}, "source": HOSTILE})
    return made


def hostile_class(folder):
    """Hand-ins with that text in every field, and the sheet that Moodle makes of the names."""
    answers = {name: f"# Answer to welcome-3\ndef mean_square(x):\n    {code}"
               for name, code in SAYS.items()}  # fmt: skip
    answers["comment"] = f"# Answer to welcome-3\n# {HOSTILE}\nmean_square = {HOSTILE!r}"
    people = [f"{sign}{HOSTILE} {name}" for sign in ("", "\uff1d", "\t") for name in answers]
    people += [f"=@{HOSTILE} {name}" for name in ("pdf", "link", "zip")]
    homes = [f"{one}_{number}_assignsubmission_file_" for number, one in enumerate(people)]
    for home, person in zip(homes[:-3], people, strict=False):
        answer = answers[person.rpartition(" ")[2]]
        book = everywhere(notebook("welcome", {"welcome-3": answer}))
        hand_in(folder / "in", home, book, f"{HOSTILE}/{HOSTILE}.ipynb")
    hand_in(folder / "in", homes[-3], b"%PDF", f"{HOSTILE}.pdf")
    (folder / "in" / homes[-2]).mkdir()
    (folder / "in" / homes[-2] / f"{HOSTILE}.ipynb").symlink_to(HOSTILE)
    packed_up = packed({f"{HOSTILE}/{HOSTILE} {number}.ipynb": b"{" for number in range(8)})
    hand_in(folder / "in", homes[-1], packed_up, f"{HOSTILE}.zip")
    heads = [MOODLE[0], "Full name", *MOODLE[1:], "Feedback comments"]
    rest = [HOSTILE, "", "100.00", "-", HOSTILE]
    lines = [[f"Participant {number}", one, *rest] for number, one in enumerate(people)]
    write_class(folder, {"Grades.csv": "\ufeff" + table([heads, *lines])})


class Seen(traces.Tags):
    """Complains about tags and links that are not ours, and about text that was not left whole."""

    word, texts = "hx", 0

    def handle_data(self, data):
        self.texts += HOSTILE in data
        if "hx" in re.sub("|".join(map(re.escape, (HOSTILE, IN_A_ZIP, COMPARED))), "", data):
            self.found.append(data)


@linux
def test_what_students_write_is_text_in_every_file(tmp_path, welcome):
    hostile_class(tmp_path)
    assert cli.main(words(tmp_path, welcome, "--anonymous", str(tmp_path / "ids"))) == 1
    made = listing(tmp_path / "out")["rows"]
    zipped = [row["reason"] for row in made if row["student"].endswith(" zip")]
    assert len(zipped) == 1 and "; 7 more files could not be graded either" in zipped[0]
    for path in (tmp_path / "out").rglob("*.html"):
        seen, text = Seen(), path.read_text(encoding="utf-8")
        seen.feed(text)
        assert seen.found == [] and seen.texts, path
        assert "http:" not in text and "https:" not in text  # nothing from outside
    written = [tmp_path / out for out in ("out", "ids")]
    assert sum("hx" in cell for one in written for cell in traces.cells(one)) > 50
    assert [cell for one in written for cell in traces.formulas(one)] == []
    with (tmp_path / "out" / "upload" / "Grades.csv").open(encoding="utf-8-sig") as sheet:
        comments = [line["Feedback comments"] for line in csv.DictReader(sheet)]
    assert len(comments) == 24 and any("&lt;b&gt;hx.pdf;" in one for one in comments)
    assert not any("<" in one for one in comments)
