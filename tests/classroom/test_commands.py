"""What a student types: status, next, check, hint, solution, reset, update."""

import json
import shutil
from pathlib import Path

import nbformat
import pytest
from grading.submitting import copy_sets

from course_lib import cli
from course_lib.classroom import content
from course_lib.classroom.progress import Journal
from course_lib.classroom.prompt import command_line
from course_lib.classroom.workspace import Workspace

RIGHT = "def doubled_sum(x):\n    return 2 * x.sum()"


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    """A workspace that holds the welcome exercises alone; we stand in it."""
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    original = tmp_path / "the course"
    copy_sets(original / "exercises", "welcome")
    (original / "notebooks").mkdir()
    monkeypatch.setattr(content, "root", lambda package=None: original)
    place = Workspace(tmp_path / "mine")
    place.refresh()
    monkeypatch.chdir(place.folder)
    return place


@pytest.fixture
def course(workspace, capsys):
    """Run `course` with these words; exit code and both texts."""

    def run(*words):
        code = cli.main([str(word) for word in words])
        return code, *capsys.readouterr()

    return run


def notebook(workspace: Workspace) -> Path:
    return workspace.file("exercises/ex00_welcome.ipynb")


def progress_of(workspace: Workspace) -> Journal:
    return Journal(workspace.folder)


def backups(workspace: Workspace) -> list[bytes]:
    return [path.read_bytes() for path in sorted((workspace.folder / "backups").iterdir())]


def answer(workspace, **answers):
    """Write these answers, named by the end of their question, into the student's notebook."""
    path = notebook(workspace)
    book = nbformat.read(path, as_version=4)
    for cell in book.cells:
        for question, code in answers.items():
            if cell.source.startswith(f"# Answer to welcome-{question.strip('_')}\n"):
                cell.source = f"# Answer to welcome-{question.strip('_')}\n{code}"
    nbformat.write(book, path)


def test_status_says_in_words_and_bars_what_is_solved(workspace, course):
    journal = progress_of(workspace)
    for question in ("welcome-try", "welcome-1", "welcome-2"):
        journal.note(question, "check", word="correct", answer=question)
    journal.note("welcome-3", "hint", number=1)
    for name, word in (("list", "wrong"), ("list", "right"), ("sum", "right")):
        journal.note(f"welcome-{name}", "guess", word=word)
    code, out, _ = course("status")
    assert code == 0 and "\x1b" not in out
    assert "Start: 3 of 6 solved, 1 begun" in out
    assert "[##########..........]  3 of 6 solved, 1 begun; guessed 2, 1 right" in out
    assert "Next: welcome-3" in out
    data = json.loads(course("status", "--json")[1])
    (welcome,) = data["sets"]
    assert len(welcome["questions"]) == 6 and data["next"] == "welcome-3"
    assert welcome["questions"]["welcome-try"]["solved"]


def test_status_says_what_was_damaged_and_adds_another_machine(workspace, course, tmp_path):
    progress_of(workspace).path.write_bytes(b"nonsense\n")
    code, out, err = course("status")
    assert code == 0 and "0 of 6" in out and "could not be read and moved to" in err
    other = Journal(tmp_path / "other")
    other.note("welcome-2", "check", word="correct", answer="a")
    _, out, err = course("status", "--merge", other.path)
    assert "1 of 6 solved" in out and "Added 1 event " in err


def test_next_names_the_first_question_that_is_not_solved_or_the_end(workspace, course):
    progress_of(workspace).note("welcome-try", "check", word="correct", answer="a")
    _, out, _ = course("next")
    assert out.startswith("welcome-1: What comes out?") and str(notebook(workspace)) in out
    for question in (1, 2, 3, 4, 5):
        progress_of(workspace).note(f"welcome-{question}", "check", word="correct", answer="a")
    assert "Every question is solved." in course("status")[1]
    assert "Every question is solved." in course("next")[1]


@pytest.mark.parametrize("words", [["status"], ["next"], ["check"]])
def test_a_folder_that_is_not_there_is_trouble(course, words):
    code, _, err = course(*words, "--folder", "nowhere")
    assert code == 2 and "there is no folder nowhere" in err


def test_a_workspace_that_lost_its_hidden_folder_is_still_one(workspace, course):
    cell = {"cell_type": "raw", "metadata": {}, "source": ""}
    lesson = content.root() / "notebooks" / "00_welcome.ipynb"
    lesson.write_text(json.dumps({"cells": [cell]}), "utf-8")
    course("update")
    with pytest.MonkeyPatch.context() as inside:  # it is found from inside it
        inside.chdir(workspace.folder / "exercises")
        assert str(workspace.folder) in course("status")[1]
    shutil.rmtree(workspace.state)
    for words in (["status"], ["next"]):
        assert str(workspace.folder) in course(*words)[1]
    answer(workspace, _try=RIGHT)
    assert "welcome-try: correct" in course("check", "welcome")[1]
    assert progress_of(workspace).standings()["welcome-try"].solved
    code, out, _ = course("update")
    assert code == 0 and f"Workspace: {workspace.folder}" in out


def test_check_runs_the_students_notebook_and_keeps_the_verdicts(workspace, course):
    before = notebook(workspace).read_bytes()
    answer(workspace, _try=RIGHT, _1="y_holds = 36", _3="def mean_square(x) return")
    edited = notebook(workspace).read_bytes()
    code, out, _ = course("check", "welcome")
    assert code == 1 and before != edited == notebook(workspace).read_bytes()
    assert "✓ welcome-try: correct" in out and "36 is the square of the sum." in out
    assert "! welcome-3: your code raised" in out and "1 of 6 correct" in out
    assert "raised SyntaxError: expected ':' (line 2)" in out
    known = progress_of(workspace).standings()
    assert known["welcome-try"].solved and known["welcome-1"].word == "not yet"


def test_check_is_the_students_even_where_a_graders_switch_is_set(workspace, course, monkeypatch):
    monkeypatch.setenv("COURSE_GRADE", "1")
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    answer(workspace, _try=RIGHT, _1="y_holds = 36")
    for code, (name, word) in enumerate((("welcome-try", "correct"), ("welcome-1", "not yet"))):
        exits, out, _ = course("check", name, "--json")
        made = {"words": {name: word}, "errors": [], "broken": ""}
        assert (exits, json.loads(out)["welcome"]) == (code, made)


def test_a_kernel_that_dies_is_said_and_exits_3(workspace, course):
    answer(workspace, _try=RIGHT, _2="import os\nos._exit(1)")
    code, out, _ = course("check", "all")
    assert code == 3 and "welcome-try: correct" in out
    assert "its kernel died (exit()" in out and "welcome-5: not checked" in out


def test_a_word_that_can_mean_only_one_thing_is_understood_by_every_command(course):
    for word in ("0", "00", "ex00_welcome.ipynb", "welcom", "Welcome"):
        code, out, err = course("reset", word)
        assert code == 0 and "ex00_welcome.ipynb is as it was" in out, word
        assert (f"{word}: taken as welcome\n" in err) == (word[0] not in "0e"), word
    for word in ("welcome4", "00-4", "Welcome-4", "welcom-4"):
        for command in ("hint", "reset"):
            code, out, err = course(command, word)
            assert (code, err) == (0, f"{word}: taken as welcome-4\n") and "welcome-4" in out


@pytest.mark.parametrize("word", ["7", "../00_other.ipynb", "drawing"])
def test_a_set_that_is_not_there_exits_2_and_names_one(course, word):
    code, _, err = course("check", word)
    assert code == 2 and f"there is no set {word}; name one such as welcome\n" in err
    code, _, err = course("hint", word)
    assert code == 2 and f"there is no question {word}; " in err


def test_a_page_with_newer_answers_than_its_file_is_to_be_saved_first(workspace, course):
    assert "was checked on the page" not in course("check", "welcome")[2]
    assert "was checked on the page" not in course("check", "welcome")[2]  # the file's own verdicts
    Journal(workspace.folder).note("welcome-2", "check", word="correct", answer="1")
    code, _, err = course("check", "welcome")
    assert code == 1 and err.startswith("welcome-2 was checked on the page after this file was ")


def test_a_question_that_is_not_there_is_not_taken_for_a_set(course):
    code, _, err = course("check", "welcome-9")
    assert code == 2 and "there is no question welcome-9; name one such as welcome-try" in err
    for command in ("hint", "solution"):
        code, _, err = course(command, "welcome-9")
        assert code == 2 and "welcome-try, welcome-1" in err


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff", b'{"cells": 3, "nbformat": 4}'])
def test_a_notebook_that_cannot_be_read_exits_3(workspace, course, content):
    notebook(workspace).write_bytes(content)
    code, _, err = course("check", "0")
    assert code == 3 and "no notebook that can be read" in err


def test_a_set_without_its_notebook_or_with_a_broken_one_says_what_to_type(workspace, course):
    notebook(workspace).unlink()
    code, _, err = course("check", "welcome")
    assert code == 1 and f"{command_line('update')} copies it" in err
    notebook(workspace).write_text("{", encoding="utf-8")
    code, _, err = course("reset", "welcome-1")
    assert code == 1 and command_line("reset welcome") in err
    assert not (workspace.folder / "backups").exists()
    assert course("reset", "welcome")[0] == 0


def test_hints_come_one_at_a_time_a_solution_is_explained_both_are_remembered(workspace, course):
    outs = [course("hint", "welcome-3") for _ in range(3)]
    assert [code for code, *_ in outs] == [0, 0, 1]
    assert "Hint 1 of 2" in outs[0][1] and "Hint 2 of 2" in outs[1][1]
    assert command_line("solution welcome-3") in outs[2][1]
    assert progress_of(workspace).standings()["welcome-3"].hints == 2
    assert "Hint 2 of 2" in course("hint", "welcome-3", 2)[1]
    assert course("hint", "welcome-3", 9)[0] == 2
    code, out, _ = course("solution", "welcome-1")
    assert code == 0 and "y_holds = 14.0" in out and "adds them up: 14" in out
    assert progress_of(workspace).standings()["welcome-1"].solution_seen


def test_without_a_name_the_question_is_meant_that_was_last_worked_on(workspace, course):
    assert "Hint 1 of 2 for welcome-try" in course("hint")[1]
    progress_of(workspace).note("welcome-3", "check", word="not yet", answer="a")
    assert "Hint 1 of 2 for welcome-3" in course("hint")[1]
    assert "A solution of welcome-3" in course("solution")[1]
    course("hint", "welcome-2")
    course("reset", "welcome")
    assert "Hint 1 of 2 for welcome-2" in course("hint")[1]


def test_reset_keeps_what_was_written_and_makes_a_fresh_untouched_file(workspace, course):
    original = notebook(workspace).read_bytes()
    written = []
    for code in ("y_holds = 1", "y_holds = 2"):
        answer(workspace, _1=code)
        written.append(notebook(workspace).read_bytes())
        assert course("reset", "welcome")[0] == 0
        assert notebook(workspace).read_bytes() == original
    assert backups(workspace) == written
    progress_of(workspace).note("welcome-1", "check", word="correct", answer="a")
    answer(workspace, _1="y_holds = 1")
    assert "its progress begins again" in course("reset", "0")[1]
    assert not progress_of(workspace).standings()["welcome-1"].solved
    assert "exercises/ex00_welcome.ipynb" in set(workspace.list_untouched())


def test_a_set_whose_original_is_damaged_stays_as_it_is(workspace, course):
    before = notebook(workspace).read_bytes()
    (content.root() / "exercises/ex00_welcome.ipynb").write_text('{"cells": [{}]}')
    assert course("update")[0] == 1
    for what in ("welcome", "welcome-1"):
        code, _, err = course("reset", what)
        assert code == 1 and "stays as it is: there is nothing to reset it to" in err
    assert course("status")[0] == 0 and notebook(workspace).read_bytes() == before


def test_one_question_is_reset_and_the_others_stay(workspace, course):
    answer(workspace, _1="y_holds = 1", _2="table = 2")
    journal = progress_of(workspace)
    for question in ("welcome-1", "welcome-2"):
        journal.note(question, "check", word="correct", answer="a")
    before = notebook(workspace).read_bytes()
    code, out, _ = course("reset", "welcome-1")
    written = notebook(workspace).read_text(encoding="utf-8")
    assert code == 0 and "welcome-1 in" in out
    assert "y_holds = 1" not in written and "table = 2" in written
    assert backups(workspace) == [before]
    known = progress_of(workspace).standings()
    assert not known["welcome-1"].solved and known["welcome-2"].solved


def test_a_check_that_was_deleted_or_changed_comes_back_in_its_place(workspace, course):
    original = json.loads(notebook(workspace).read_text(encoding="utf-8"))
    mine = json.loads(notebook(workspace).read_text(encoding="utf-8"))
    roles = [cell["metadata"].get("course") for cell in mine["cells"]]
    at = roles.index({"question": "welcome-2", "role": "check"})
    del mine["cells"][at]
    mine["cells"][at - 1]["source"] = ["table = 2"]
    notebook(workspace).write_text(json.dumps(mine), encoding="utf-8")
    assert course("reset", "welcome-2")[0] == 0
    assert json.loads(notebook(workspace).read_text(encoding="utf-8")) == original


def test_update_replaces_what_is_untouched_and_names_what_is_kept(workspace, course):
    answer(workspace, _1="y_holds = 1")
    newer = content.root() / "exercises" / "ex00_welcome.ipynb"
    newer.write_bytes(newer.read_bytes().replace(b"Two rows", b"Two lines"))
    mine = notebook(workspace).read_bytes()
    code, out, _ = course("update")
    assert code == 0 and notebook(workspace).read_bytes() == mine
    assert "exercises/ex00_welcome.ipynb: kept as you changed it" in out
    notebook(workspace).unlink()
    assert "exercises/ex00_welcome.ipynb: copied" in course("update")[1]
    assert "Everything is up to date." in course("update")[1]


@pytest.fixture
def handed_out(workspace, tmp_path, monkeypatch):
    """A folder as an instructor gives it away; its set is called homework."""
    folder = tmp_path / "from my instructor"
    (folder / ".records").mkdir(parents=True)
    for name in ("ex00_welcome.ipynb", ".records/welcome.json"):
        text = (content.root() / "exercises" / name).read_text(encoding="utf-8")
        path = folder / name.replace("welcome", "homework")
        path.write_text(text.replace("welcome", "homework"), encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def test_a_folder_that_was_handed_out_works_the_same(handed_out, course):
    assert course("hint", "homework-1")[0] == 0
    code, out, _ = course("check", "homework")
    assert code == 1 and "homework-4: not attempted" in out
    code, out, _ = course("status")
    assert "From your instructor" in out and "0 of 6 solved, " in out
    assert not Workspace(handed_out).exists()
    code, _, err = course("reset", "homework")
    assert code == 1 and "ask for the file again" in err
