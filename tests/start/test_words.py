"""What start.py takes at its prompt, what it says, and what it is made of."""

import ast
import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = (ROOT / "start.py").read_text(encoding="utf-8")

# ---- the words ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "handed"),
    [
        ([], ["lab"]),
        (["lab", "--no-browser"], ["lab", "--no-browser"]),
        (["--no-browser", "9000"], ["lab", "--no-browser", "9000"]),
        (["--port", "9000"], ["lab", "--port", "9000"]),
    ],
)
def test_words_go_to_the_course_command_and_lab_is_meant_where_none_is_named(
    course, monkeypatch, words, handed
):
    monkeypatch.setattr(course.start, "hand_over", lambda command: command[-len(handed) :])
    assert course.start.main(words) == handed


def test_words_are_checked_before_an_installation_and_by_the_course_itself_later(
    course, monkeypatch
):
    monkeypatch.setattr(course.start, "hand_over", lambda command: 0)
    course.start.main(["--no-browser"])
    course.start.main(["status"])
    assert course.checked == [["lab", "--no-browser"]]


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """A course without an environment."""
    folder = tmp_path_factory.mktemp("bare")
    shutil.copytree(ROOT / "course_lib", folder / "course_lib")
    for name in ("start.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "notebooks").mkdir()
    return folder


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["lba"], 2, "there is no command 'lba'; did you mean lab?"),
        (["--prot", "9000"], 2, "unrecognized arguments: --prot"),
        (["check", "--help"], 0, "a set (welcome, or its number 0)"),
        (["--help"], 0, "start.py COMMAND --help"),
        (["--version"], 0, "as PyTorch 2.13.0"),
    ],
)
def test_wrong_words_and_questions_are_answered_without_an_environment(bare, words, status, says):
    """The Python has no package at all: what is checked may need none."""
    command = [sys.executable, "-S", "-E", "start.py", *words]
    done = subprocess.run(command, cwd=bare, capture_output=True, text=True, timeout=300)
    assert done.returncode == status and not (bare / ".venv").exists(), done.stderr
    shown = " ".join((done.stdout + done.stderr).split())  # argparse folds its lines
    assert says in shown


# ---- what it says -------------------------------------------------------------------------------


def said(course, capsys, words=()):
    """Return the exit status of start.py and the sentence that it printed."""
    return course.start.main(list(words)), capsys.readouterr().err


def test_supported_python_passes_and_another_is_refused_by_name(course):
    assert [course.start.check_python((3, minor, 0)) for minor in (11, 12, 13, 14)] == [None] * 4
    for version in ((2, 7, 18), (3, 10, 13), (3, 15, 0)):
        with pytest.raises(course.start.Stop, match=r"needs Python 3\.11 to 3\.14 and this is P"):
            course.start.check_python(version)


def test_what_is_missing_is_named_with_what_brings_it(course, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    status, sentence = said(course, capsys)
    package = f"sudo apt install python3.{sys.version_info.minor}-venv"
    assert status == 1 and package in sentence
    os.remove(course.folder / "requirements/course.txt")
    status, sentence = said(course, capsys)
    assert status == 1 and "get the whole course" in sentence


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EROFS, "folder is read-only"),
        (errno.EACCES, "no permission to write"),
        (errno.ENOSPC, "disk is full"),
    ],
)
def test_folder_that_cannot_be_written_says_why(course, capsys, monkeypatch, number, words):
    def refuse(dir):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(course.start.tempfile, "TemporaryFile", refuse)
    status, sentence = said(course, capsys)
    assert status == 1 and words in sentence and not (course.folder / ".venv").exists()


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("OSError: [Errno 28] No space left on device", "disk is full"),
        ("[WinError 112] There is not enough space on the disk", "disk is full"),
        ("Failed to establish a new connection: [Errno -3]", "could not be fetched"),
        ("cause: Failed to fetch: `numpy`", "could not be fetched"),
        ("error: Read-only file system (os error 30)", "is read-only"),
        ("PermissionError: [WinError 5] Access is denied", "no permission"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM", "not the one"),
        ("HINT: This system does not have Windows Long Path support enabled.", "is too long"),
        ("ERROR: No matching distribution found for wasmtime", "not made for this kind"),
        ("Segmentation fault", "last words were:\nCollecting numpy\nSegmentation fault"),
    ],
)
def test_failure_of_the_installer_is_explained(course, output, words):
    assert words in course.start.explain("Collecting numpy\n" + output)


def test_warnings_of_the_installer_are_neither_shown_nor_given_as_the_reason(course, capsys):
    warning = "WARNING: Retrying after connection broken by " + "NewConnectionError " * 20
    said = course.start.explain(warning + "\nERROR: Could not connect")
    assert "WARNING" not in said and "(ERROR: Could not connect)" in said
    assert course.start.explain(warning) == course.start.OFFLINE
    long = course.start.explain("ERROR: could not connect " + "again " * 100)
    assert long.endswith("again ...)") and len(long) < 400  # with a whole word
    step = [sys.executable, "-c", f"print({warning!r}); print('[notice] new'); print('Done')"]
    course.fresh().work(step)
    assert capsys.readouterr().out == ""


def test_an_installation_says_how_far_it_is_and_how_long_it_takes(course, capsys):
    start = course.fresh()
    step = "print('Collecting a\\nCollecting b', flush=True); import time; time.sleep(0.6)"
    start.work([sys.executable, "-c", step], wanted=4)
    assert capsys.readouterr().out.splitlines()[-1].split()[:2] == ["25", "%"]  # the last it says
    shown = ""
    for done, seconds in [(0.1, 3), (0.25, 20), (0.29, 22), (0.75, 40), (1, 60)]:
        shown = start.show(done, seconds, shown)
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines == ["10 %", "25 %, about 60 s left", "75 %, about 15 s left", "100 %"]


def test_ctrl_c_is_no_traceback(course, capsys, monkeypatch):
    def interrupt(command):
        raise KeyboardInterrupt

    monkeypatch.setattr(course.start, "work", interrupt)
    status, sentence = said(course, capsys)
    assert status == 130 and "carries on" in sentence


def test_failing_step_stops_with_its_own_last_words(course):
    step = [sys.executable, "-c", "print('half done'); print('it broke'); raise SystemExit(3)"]
    start = course.fresh()
    with pytest.raises(start.Stop, match="it broke"):
        start.work(step)


# ---- what it is made of -------------------------------------------------------------------------


def test_only_the_standard_library_is_imported():
    tree = ast.parse(SOURCE)
    names = {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
    assert names <= sys.stdlib_module_names


def test_old_pythons_can_read_the_file():
    """Python 2 is not at hand everywhere: no syntax that it lacks, and no letter beyond ASCII."""
    new = (
        *(ast.JoinedStr, ast.NamedExpr, ast.AnnAssign, ast.arg, ast.Nonlocal, ast.Await),
        *(ast.YieldFrom, ast.AsyncFunctionDef, ast.Match, ast.Starred, ast.MatMult),
    )
    tree = ast.parse(SOURCE.encode("ascii"))
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            assert node.annotation is None
        elif isinstance(node, ast.Raise):
            assert node.cause is None
        elif isinstance(node, ast.arguments):
            assert not node.kwonlyargs and not node.posonlyargs
        else:
            assert not isinstance(node, new), ast.unparse(node)


def test_old_python_says_that_it_is_too_old():
    said = []
    for old in filter(None, map(shutil.which, ["python2.7", "python3.6", "python3.8"])):
        done = subprocess.run([old, ROOT / "start.py"], capture_output=True, text=True)
        if done.returncode != 127:  # a version manager's stand-in for a Python that is not chosen
            said.append((done.returncode, "needs Python 3.11" in done.stderr))
    if not said:
        pytest.skip("no Python older than 3.11 is installed here")
    assert set(said) == {(1, True)}
