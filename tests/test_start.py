"""start.py's decisions, on a made-up environment; no test here installs anything."""

import ast
import errno
import importlib.util
import json
import os
import shutil
import subprocess
import sys
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
        self.folder, self.steps, self.uv = folder, [], False
        self.site = folder / ".venv/lib/python3.11/site-packages"
        self.pin("course", "1.0")
        self.pin("test", "1.0")
        patch.setattr(self.start, "work", self.work)
        patch.setattr(self.start, "has_uv", lambda: self.uv)
        patch.setattr(self.start, "environment_python", lambda: "3.11.7")

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
        ("ERROR: No matching distribution found for wasmtime", "not made for this kind"),
        ("Segmentation fault", "last words were:\nCollecting numpy\nSegmentation fault"),
    ],
)
def test_failure_of_the_installer_is_explained(course, output, words):
    assert words in course.start.explain("Collecting numpy\n" + output)


def test_ctrl_c_is_no_traceback(course, capsys, monkeypatch):
    def interrupt(command):
        raise KeyboardInterrupt

    monkeypatch.setattr(course.start, "work", interrupt)
    status, sentence = said(course, capsys)
    assert status == 130 and "carries on" in sentence


def test_failing_step_stops_with_its_own_last_words(course):
    step = [sys.executable, "-c", "print('half done'); print('it broke'); raise SystemExit(3)"]
    spec = importlib.util.spec_from_file_location("start", course.folder / "start.py")
    start = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(start)
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
