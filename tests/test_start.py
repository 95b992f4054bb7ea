"""start.py's decisions, on a made-up environment; no test here installs anything."""

import ast
import errno
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = (ROOT / "start.py").read_text(encoding="utf-8")


class Course:
    """A copy of start.py in a folder of its own, whose installer writes one small package."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch):
        folder.mkdir()
        (folder / "requirements").mkdir()
        shutil.copy(ROOT / "start.py", folder)
        spec = importlib.util.spec_from_file_location("start", folder / "start.py")
        self.start = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.start)
        self.folder, self.steps, self.checked, self.uv = folder, [], [], False
        self.site = folder / ".venv/lib/python3.11/site-packages"
        self.pin("course", "1.0")
        self.pin("test", "1.0")
        patch.setattr(self.start, "work", self.work)
        patch.setattr(self.start, "has_uv", lambda: self.uv)
        patch.setattr(self.start, "environment_python", lambda: "3.11.7")
        patch.setattr(self.start, "check_words", self.checked.append)

    def pin(self, name: str, version: str) -> None:
        (self.folder / f"requirements/{name}.txt").write_text(f"demo=={version}\n")

    def work(self, command: list[str]) -> None:
        self.steps.append(command)
        if "venv" in command:
            self.site.mkdir(parents=True)
            Path(self.start.SCRIPTS).mkdir()
        if "install" in command:
            self.add_package()

    def add_package(self) -> None:
        info = self.site / "demo-1.0.dist-info"
        info.mkdir(exist_ok=True)
        (self.site / "demo.py").write_text("x = 1\n")
        (info / "RECORD").write_text("demo.py,sha256=abc,6\n__pycache__/demo.pyc,,\n")

    def steps_of(self, pins: str) -> list[str]:
        """Return the words that tell the steps of `prepare(pins)` apart."""
        self.steps.clear()
        self.start.prepare(pins)
        return [next(w for w in ("venv", "ensurepip", "install") if w in s) for s in self.steps]


def fresh(course: Course):
    """Return start.py with nothing in it replaced."""
    spec = importlib.util.spec_from_file_location("start", course.folder / "start.py")
    start = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(start)
    return start


MAKE, UPDATE, NOTHING = ["venv", "ensurepip", "install"], ["ensurepip", "install"], []


@pytest.fixture
def course(tmp_path, monkeypatch):
    return Course(tmp_path / "my cöurse", monkeypatch)


# ---- when it works and when it leaves alone -----------------------------------------------------


def test_first_start_makes_the_environment(course):
    assert course.steps_of("course") == MAKE


def test_second_start_does_nothing(course):
    course.steps_of("course")
    assert course.steps_of("course") == NOTHING


def test_test_tools_are_added_to_the_environment_that_is_there(course):
    course.steps_of("course")
    assert course.steps_of("test") == UPDATE


def test_environment_with_test_tools_serves_the_course(course):
    course.steps_of("test")
    assert course.steps_of("course") == NOTHING


def test_changed_pins_are_noticed(course):
    course.steps_of("course")
    course.pin("course", "1.1")
    assert course.steps_of("course") == UPDATE


def test_interrupted_installation_is_made_anew(course):
    course.steps_of("course")
    os.remove(course.start.STAMP)
    assert course.steps_of("course") == MAKE


def test_half_written_stamp_counts_as_none(course):
    course.steps_of("course")
    Path(course.start.STAMP).write_text('{"location": "/ho')
    assert course.steps_of("course") == MAKE


def test_stamp_of_another_shape_counts_as_none(course):
    course.steps_of("course")
    Path(course.start.STAMP).write_text("[]")
    assert course.steps_of("course") == MAKE


def test_truncated_file_is_noticed(course):
    course.steps_of("course")
    (course.site / "demo.py").write_text("")
    assert course.steps_of("course") == MAKE


def test_lost_package_is_noticed(course):
    course.steps_of("course")
    shutil.rmtree(course.site / "demo-1.0.dist-info")
    assert course.steps_of("course") == MAKE


def test_package_that_the_student_added_is_left_alone(course):
    course.steps_of("course")
    info = course.site / "pandas-3.0.dist-info"
    info.mkdir()
    (info / "RECORD").write_text("")
    assert course.steps_of("course") == NOTHING


def test_moved_folder_is_noticed(course):
    course.steps_of("course")
    stamp = json.loads(Path(course.start.STAMP).read_text())
    stamp["location"] = "/elsewhere/.venv"
    Path(course.start.STAMP).write_text(json.dumps(stamp))
    assert course.steps_of("course") == MAKE


def test_python_that_went_away_is_noticed(course, monkeypatch):
    course.steps_of("course")
    monkeypatch.setattr(course.start, "environment_python", lambda: None)
    assert course.start.find_damage(course.start.read_stamp())


def test_failed_update_leaves_the_finished_environment_usable(course, monkeypatch):
    course.steps_of("course")

    def refuse(command):
        raise course.start.Stop("no network")

    monkeypatch.setattr(course.start, "work", refuse)
    with pytest.raises(course.start.Stop):
        course.start.prepare("test")
    monkeypatch.setattr(course.start, "work", course.work)
    assert course.steps_of("course") == NOTHING


# ---- how it works -------------------------------------------------------------------------------


def test_uv_is_used_where_it_works(course):
    course.uv = True
    course.steps_of("course")
    assert [step[0] for step in course.steps] == ["uv", "uv"]


@pytest.mark.parametrize("uv", [True, False])
def test_hashes_are_required(course, uv):
    course.uv = uv
    course.steps_of("course")
    assert "--require-hashes" in course.steps[-1]


def test_environment_can_be_remade_by_its_own_python(course, monkeypatch):
    monkeypatch.setattr(sys, "executable", course.start.PYTHON)
    monkeypatch.setattr(sys, "_base_executable", "/usr/bin/python3")
    course.steps_of("course")
    assert course.steps[0][0] == "/usr/bin/python3"


def test_package_is_found_through_a_path_that_is_plain_ascii(course):
    course.steps_of("course")
    line = (course.site / "course_lib.pth").read_bytes().decode("ascii").strip()
    assert (course.site / line).resolve() == course.folder.resolve()


def test_paths_of_another_python_do_not_leak_in(course, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/opt/robots")
    assert "PYTHONPATH" not in course.start.environment_variables()


def test_every_check_runs_and_one_failure_fails_the_whole(course, monkeypatch):
    seen = []

    def run(command, folder=None):
        seen.append(command)
        return 1 if "ruff" in command else 0

    monkeypatch.setattr(course.start, "run", run)
    assert course.start.run_checks(["-x"]) == 1
    assert [command[2] for command in seen] == ["ruff", "ruff", "mypy", "pytest"]
    assert seen[-1][-1] == "-x"


def test_no_words_mean_lab(course, monkeypatch):
    monkeypatch.setattr(course.start, "hand_over", lambda command: command[-1])
    assert course.start.main([]) == "lab"


def test_other_words_go_to_the_course_command(course, monkeypatch):
    monkeypatch.setattr(course.start, "hand_over", lambda command: command[-2:])
    assert course.start.main(["lab", "--no-browser"]) == ["lab", "--no-browser"]


@pytest.mark.parametrize("word", ["--no-browser", "--port"])
def test_a_first_word_with_a_dash_belongs_to_lab(course, monkeypatch, word):
    monkeypatch.setattr(course.start, "hand_over", lambda command: command[-3:])
    assert course.start.main([word, "9000"]) == ["lab", word, "9000"]


def test_words_are_checked_before_an_installation_and_by_the_course_itself_later(
    course, monkeypatch
):
    monkeypatch.setattr(course.start, "hand_over", lambda command: 0)
    course.start.main(["--no-browser"])
    course.start.main(["status"])
    assert course.checked == [["lab", "--no-browser"]]


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["lba"], 2, "there is no command 'lba'; did you mean lab?"),
        (["--prot", "9000"], 2, "unrecognized arguments: --prot"),
        (["check", "--help"], 0, "a set (welcome, or its number 0)"),
        (["--help"], 0, "start.py COMMAND --help"),
        (["--version"], 0, "not installed yet"),
    ],
)
def test_wrong_words_and_questions_are_answered_without_an_environment(
    tmp_path, words, status, says
):
    """The Python has no package at all: what is checked may need none."""
    names = ["start.py", "pyproject.toml", "course_lib/cli.py"]
    names += [path.relative_to(ROOT) for path in (ROOT / "course_lib/classroom").rglob("*.py")]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "notebooks").mkdir()
    command = [sys.executable, "-S", "-E", "start.py", *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == status and not (tmp_path / ".venv").exists(), done.stderr
    shown = " ".join((done.stdout + done.stderr).split())  # argparse folds its lines
    assert says in shown


# ---- two at once --------------------------------------------------------------------------------

ONE_START = """
import importlib.util, os, sys, time
spec = importlib.util.spec_from_file_location("start", "start.py")
start = importlib.util.module_from_spec(spec)
spec.loader.exec_module(start)
def bring_up_to_date(pins):
    with open("begun", "a") as file:
        file.write("x")
    while not os.path.exists("go on"):
        time.sleep(0.05)
    start.reason_to_prepare = lambda pins: None
    open("ready", "w").close()
start.bring_up_to_date = bring_up_to_date
start.reason_to_prepare = lambda pins: None if os.path.exists("ready") else "not ready"
start.prepare("course")
"""


@pytest.fixture
def one_start(course):
    """A function that begins a start in a process of its own; all end with the test."""
    begun = []

    def begin():
        command = [sys.executable, "-u", "-c", ONE_START]
        begun.append(
            subprocess.Popen(command, cwd=course.folder, stdout=subprocess.PIPE, text=True)
        )
        return begun[-1]

    yield begin
    for process in begun:
        process.kill()
        process.stdout.close()
        process.wait()


def wait_for(path: Path) -> None:
    patience = time.monotonic() + 300
    while not path.exists():
        assert time.monotonic() < patience, f"no {path.name}"
        time.sleep(0.05)


def test_of_two_first_starts_the_second_waits_says_so_and_finds_it_done(course, one_start):
    first = one_start()
    wait_for(course.folder / "begun")
    second = one_start()
    assert "waiting until it is done" in second.stdout.readline()
    (course.folder / "go on").touch()
    assert (first.wait(300), second.wait(300)) == (0, 0)
    assert (course.folder / "begun").read_text() == "x"  # once, not twice


def test_a_start_that_was_killed_holds_nobody_up(course, one_start):
    first = one_start()
    wait_for(course.folder / "begun")
    first.kill()
    first.wait()
    (course.folder / "go on").touch()
    second = one_start()
    assert second.wait(300) == 0 and "waiting" not in second.stdout.read()
    assert (course.folder / "begun").read_text() == "xx"


def test_where_files_cannot_be_locked_nobody_waits(course, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    library, function = ("msvcrt", "locking") if os.name == "nt" else ("fcntl", "flock")
    monkeypatch.setattr(getattr(course.start, library), function, refuse)
    assert course.steps_of("course") == MAKE


def test_windows_locks_with_its_own_means(course, monkeypatch):
    """msvcrt stands in here; that it is called as Windows documents it is all that can be seen."""
    calls = []

    class Msvcrt:
        LK_NBLCK, LK_UNLCK = 2, 0

        @staticmethod
        def locking(number, mode, count):
            calls.append((mode, count))
            if len(calls) == 1:  # another start has it
                raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(course.start, "WINDOWS", True)
    monkeypatch.setattr(course.start, "msvcrt", Msvcrt, raising=False)
    with course.start.alone():
        assert calls == [(2, 1), (2, 1)]
    assert calls[2:] == [(0, 1)]


# ---- what it says -------------------------------------------------------------------------------


def said(course, capsys, words=()):
    """Return the exit status of start.py and the sentence that it printed."""
    return course.start.main(list(words)), capsys.readouterr().err


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 10, 13), (3, 15, 0)])
def test_unsupported_python_is_refused_by_name(course, version):
    with pytest.raises(course.start.Stop, match=r"needs Python 3\.11 to 3\.14 and this is Python"):
        course.start.check_python(version)


@pytest.mark.parametrize("minor", [11, 12, 13, 14])
def test_supported_python_passes(course, minor):
    assert course.start.check_python((3, minor, 0)) is None


def test_missing_ensurepip_names_the_debian_package(course, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    status, sentence = said(course, capsys)
    package = f"sudo apt install python3.{sys.version_info.minor}-venv"
    assert status == 1 and package in sentence


def test_missing_pins_say_that_the_course_is_incomplete(course, capsys):
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
    step = [sys.executable, "-c", f"print({warning!r}); print('[notice] new'); print('Done')"]
    fresh(course).work(step)
    shown = capsys.readouterr().out
    assert "WARNING" not in shown and "notice" not in shown and "Done" in shown


def test_a_long_reason_ends_with_a_whole_word(course):
    said = course.start.explain("ERROR: could not connect " + "again " * 100)
    assert said.endswith("again ...)") and len(said) < 400


def test_ctrl_c_is_no_traceback(course, capsys, monkeypatch):
    def interrupt(command):
        raise KeyboardInterrupt

    monkeypatch.setattr(course.start, "work", interrupt)
    status, sentence = said(course, capsys)
    assert status == 130 and "carries on" in sentence


def test_failing_step_stops_with_its_own_last_words(course):
    step = [sys.executable, "-c", "print('half done'); print('it broke'); raise SystemExit(3)"]
    start = fresh(course)
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
