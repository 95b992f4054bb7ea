"""Sources in other graders' hands: nbgrader and otter take what is exported for them.

The tests with the real tools run where COURSE_GRADERS names a folder with their programs, such as
the bin/ of an environment that holds nbgrader, otter-grader and what the course needs.
"""

import csv
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from course_lib import cli
from course_lib.classroom.commands.export import nbgrader_notebook, otter_notebook
from course_lib.classroom.commands.release import release, write
from course_lib.classroom.source import read

ROOT = Path(__file__).parents[2]
PATHS = sorted((ROOT / "solutions").glob("*.ipynb"))
GRADERS = os.environ.get("COURSE_GRADERS")

every_set = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
every_source = pytest.mark.parametrize(
    "path", [*PATHS, "homework.ipynb"], ids=lambda path: Path(path).stem
)
with_graders = pytest.mark.skipif(not GRADERS, reason="COURSE_GRADERS names no folder")


def cells(path):
    return [(cell["cell_type"], cell["source"]) for cell in otter_notebook(read(path))["cells"]]


def exported(path, grader, tmp_path, target):
    """The source at `path`, else a new one, and what `course export` makes of it."""
    if not isinstance(path, Path):
        assert cli.main(["new-exercise", path, str(tmp_path / "sources")]) == 0
        path = tmp_path / "sources" / path
    assert cli.main(["export", grader, str(path), str(tmp_path / target)]) == 0
    return read(path), tmp_path / target / path.name


@every_set
def test_every_question_has_otters_blocks_in_order_and_no_note_and_no_hint(path):
    words = [text.split("\n")[0] for kind, text in cells(path) if kind == "raw"]
    one = ["# BEGIN QUESTION", "# BEGIN SOLUTION", "# END SOLUTION", "# BEGIN TESTS"]
    one += ["# END TESTS", "# END QUESTION"]
    assert words == ["# ASSIGNMENT CONFIG", *one * len(read(path).questions)]
    text = "".join(text for _, text in cells(path))
    assert "MARK SCHEME" not in text
    for question in read(path).questions.values():
        assert not any(note.words in text for note in question.notes["hint"])


@every_set
@pytest.mark.filterwarnings("default")  # as in a notebook: a warning is shown, and no error
def test_a_test_passes_the_solution_and_stops_the_stub(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the record is found as it is handed out, beside the notebook
    write(release(path, tmp_path, solutions=False))
    source = read(path)
    tests = [text for _, text in cells(path) if "import require" in text]
    assert len(tests) == len(source.questions)
    for question, test in zip(source.questions.values(), tests, strict=True):
        for answer, passes in ((question.answer, True), (question.stub, False)):
            names: dict = {}
            run = [cell.text for cell in source.setup]
            run += [answer if one.role == "answer" else one.text for one in question.run]
            run = [text for text in run if "@check(" not in text]
            for text in run:
                exec(text, names)
            if passes:
                exec(test, names)
            else:
                with pytest.raises(AssertionError, match="not attempted"):
                    exec(test, names)


@every_set
def test_for_nbgrader_answers_alone_have_markers_and_no_stub_is_lost(path):
    source, text = read(path), ""
    for cell in nbgrader_notebook(source)["cells"]:
        mine, flags = "".join(cell["source"]), cell["metadata"].get("nbgrader", {})
        assert ("BEGIN SOLUTION" in mine) == flags.get("solution", False)
        text += mine
    assert "MARK SCHEME" not in text
    for question in source.questions.values():  # nbgrader clears an answer to a line of its own
        assert all(note.code in text for note in question.notes.get("stub", ()))


def test_for_nbgrader_an_essay_without_a_model_answer_keeps_its_text(tmp_path):
    source, master = exported("homework.ipynb", "--nbgrader", tmp_path, "out")
    cell = source.by_hand["homework-2"].cells["answer"]
    assert json.loads(master.read_bytes())["cells"][-1]["source"] == cell.text
    cell.text = "# Answer to homework-2\nTwo sentences."
    made = nbgrader_notebook(source)["cells"][-1]["source"]
    assert made == f"{cell.text}\n\n### BEGIN SOLUTION\n### END SOLUTION"
    record = json.loads((tmp_path / "out" / ".records" / "homework.json").read_bytes())
    assert "code" not in record["questions"]["homework-1"]["solution"]


def test_for_otter_an_essay_is_a_question_that_people_mark(tmp_path):
    source, master = exported("homework.ipynb", "--otter", tmp_path, "out")
    (essay,) = source.by_hand.values()
    texts = ["".join(cell["source"]) for cell in json.loads(master.read_bytes())["cells"]]
    start = texts.index("# BEGIN QUESTION\nname: homework-2\npoints: 3\nmanual: true")
    assert texts[start + 2 :] == [
        *("# BEGIN PROMPT", essay.stub, "# END PROMPT"),
        *("# BEGIN SOLUTION", essay.model, "# END SOLUTION", "# END QUESTION"),
    ]


def test_a_source_with_a_mistake_is_told_and_not_exported(tmp_path, capsys):
    text = PATHS[0].read_text(encoding="utf-8").replace("# END SOLUTION", "# END SOLUTIONS")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / PATHS[0].name).write_text(text, encoding="utf-8")
    assert cli.main(["export", "--otter", str(tmp_path / "in"), str(tmp_path / "out")]) == 1
    assert "not between its two markers" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def tool(name, *words, folder):
    paths = {"PATH": f"{GRADERS}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    given = {"cwd": folder, "env": os.environ | paths, "text": True, "timeout": 600}
    done = subprocess.run([str(Path(GRADERS) / name), *words], capture_output=True, **given)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@with_graders
@every_source
def test_nbgrader_gives_all_points_to_the_solution_and_none_to_the_stub(path, tmp_path):
    def put(student, data):
        (tmp_path / "submitted" / student / "one").mkdir(parents=True)
        (tmp_path / "submitted" / student / "one" / master.name).write_bytes(data)

    source, master = exported(path, "--nbgrader", tmp_path, "source/one")
    config = 'c = get_config()\nc.CourseDirectory.course_id = "demo"\n'
    (tmp_path / "nbgrader_config.py").write_text(config, encoding="utf-8")
    tool("nbgrader", "generate_assignment", "one", folder=tmp_path)
    released = (tmp_path / "release" / "one" / master.name).read_text(encoding="utf-8")
    assert "MARK SCHEME" not in released and "BEGIN SOLUTION" not in released
    texts = "".join(text for cell in json.loads(released)["cells"] for text in cell["source"])
    for question in source.questions.values():  # what it begins with is not lost
        assert all(note.code in texts for note in question.notes.get("stub", ()))
    put("solved", master.read_bytes())
    put("untouched", released.encode())
    tool("nbgrader", "autograde", "one", folder=tmp_path)
    tool("nbgrader", "generate_feedback", "one", folder=tmp_path)
    tool("nbgrader", "export", "--to", "grades.csv", folder=tmp_path)
    with open(tmp_path / "grades.csv", encoding="utf-8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    by_machine = sum(one.points for one in source.questions.values())
    assert [float(rows[name]["score"]) for name in ("solved", "untouched")] == [by_machine, 0]
    most = sum(one.points for one in source.asked.values())
    assert {float(row["max_score"]) for row in rows.values()} == {most}
    told = tmp_path / "feedback" / "untouched" / "one" / f"{master.stem}.html"
    for text in (released, told.read_text(encoding="utf-8")):
        assert not any(one.model in text for one in source.by_hand.values())


@with_graders
@every_source
def test_otter_accepts_the_export_and_its_own_tests_pass(path, tmp_path):
    source, master = exported(path, "--otter", tmp_path, "masters")
    made = tmp_path / "made"
    words = ["assign", "--no-pdfs", "-v", master.name, str(made)]
    assert "All autograder tests passed" in tool("otter", *words, folder=master.parent)
    student = made / "student" / master.name
    texts = ["".join(cell["source"]) for cell in json.loads(student.read_bytes())["cells"]]
    assert all(essay.stub in texts for essay in source.by_hand.values())
    assert not any(essay.model in "".join(texts) for essay in source.by_hand.values())
    for question in source.questions.values():
        (given,) = [text for text in texts if text.startswith(f"# Answer to {question.name}\n")]
        inside = re.split("# (?:BEGIN|END) SOLUTION", question.cells["answer"].text)[1::2]
        solution = "".join(inside).strip()  # which may be to move a line of the stub
        assert solution not in given or solution in question.stub
        assert question.answer.strip() not in given
    (archive,) = (made / "autograder").glob("*.zip")
    for folder, share in (("student", 0.0), ("autograder", 1.0)):
        out = tmp_path / f"graded {folder}"
        out.mkdir()
        words = ["-a", str(archive), "-o", str(out), "--no-logo", str(made / folder / master.name)]
        tool("otter", "run", *words, folder=tmp_path)
        results = json.loads((out / "results.json").read_text(encoding="utf-8"))["tests"]
        scored = [test for test in results if test.get("max_score")]
        assert len(scored) >= len(source.questions)
        assert all(test["score"] == share * test["max_score"] for test in scored)
