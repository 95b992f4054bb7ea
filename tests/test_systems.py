"""What other systems lack or do differently, simulated as far as that is honest.

Nothing here proves that Windows or macOS work: .github/workflows/tests.yml runs the suite there.
What each use of `os`, `signal` and the like does on which system stands in docs/systems.md.
"""

import ast
import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from course_lib.classroom import content
from course_lib.classroom.source import read
from course_lib.classroom.workspace import Workspace

ROOT = Path(__file__).resolve().parents[1]
OURS = [ROOT / "start.py", *(ROOT / "course_lib").rglob("*.py"), *(ROOT / "tools").rglob("*.py")]
HIDDEN = {"__pycache__", "build", "dist", "workspace", "course"}


def course_files() -> list[str]:
    """What a clone holds, as paths with `/`, without what runs leave behind."""
    found = []
    for folder, below, files in os.walk(ROOT):
        keep = {".ci", ".github", ".records"}
        below[:] = [n for n in below if n in keep or not (n.startswith(".") or n in HIDDEN)]
        found += [(Path(folder) / name).relative_to(ROOT).as_posix() for name in files]
    return found


# ---- names and paths -----------------------------------------------------------------------------


def test_every_name_can_be_written_on_windows_and_none_differs_from_another_by_case_only():
    """On Windows and on most Macs the two would be one file."""
    names = [name.lower() for name in course_files()]
    assert len(names) > 500 and sorted(set(names)) == sorted(names)
    reserved = re.compile(r'(?i)(^|/)(con|prn|aux|nul|com\d|lpt\d)(\.|/|$)|[<>:"|?*\\]|[. ](/|$)')
    assert [name for name in names if reserved.search(name)] == []


def test_paths_leave_room_for_the_folder_of_a_student_on_windows():
    """It allows 260 letters in all: 90 are left for a folder such as C:/Users/Zoë/My course."""
    assert max(map(len, course_files())) <= 120
    packages = Path(nbformat.__file__).parents[1]
    longest = 0
    for record in packages.glob("*.dist-info/RECORD"):
        with open(record, newline="", encoding="utf-8") as file:
            longest = max(longest, *(len(row[0]) for row in csv.reader(file)))
    assert len("/.venv/Lib/site-packages/") + longest <= 170


def test_a_workspace_in_a_very_deep_folder_is_made_and_found_again(tmp_path):
    workspace = Workspace(tmp_path / "/".join(["a folder with a long name ü"] * 9))
    assert workspace.refresh().added
    assert not any(vars(workspace.refresh()).values())


def test_what_was_copied_is_remembered_with_the_same_names_on_every_system(tmp_path):
    workspace = Workspace(tmp_path / "mine")
    names = workspace.refresh().added
    assert names == list(content.names(content.root())) and not any("\\" in n for n in names)


# ---- line ends -----------------------------------------------------------------------------------


def test_a_notebook_with_the_line_ends_of_windows_counts_as_unchanged(tmp_path):
    workspace = Workspace(tmp_path / "mine")
    workspace.refresh()
    path = workspace.file(content.WELCOME)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert content.WELCOME in set(workspace.list_untouched())
    assert not any(vars(workspace.refresh()).values())
    source = ROOT / "solutions/ex00_welcome.ipynb"  # and the source of an exercise
    windows = tmp_path / source.name
    windows.write_bytes(source.read_bytes().replace(b"\n", b"\r\n"))
    ours, theirs = ([q.answer for q in read(p).questions.values()] for p in (source, windows))
    assert ours == theirs


def test_an_answer_typed_with_the_line_ends_of_windows_is_still_judged(tmp_path):
    """Some editors put them into the cells themselves."""
    from course_lib.classroom.commands.check import run_through

    workspace = Workspace(tmp_path / "mine")
    workspace.refresh()
    book = nbformat.read(workspace.file("exercises/ex00_welcome.ipynb"), as_version=4)
    for cell in book.cells:
        if cell.source.startswith("# Answer to welcome-3\n"):
            cell.source = (
                "# Answer to welcome-3\ndef mean_square(x):\n    return (x * x).sum() / x.shape[0]"
            )
        cell.source = cell.source.replace("\n", "\r\n")
    nbformat.write(book, workspace.file("exercises/ex00_welcome.ipynb"))
    sitting = run_through(workspace.file("exercises/ex00_welcome.ipynb"))
    assert sitting.broken is None or sitting.broken == ""
    assert sitting.verdicts["welcome-3"]["word"] == "correct"


# ---- encodings -----------------------------------------------------------------------------------


def opened_as_text(tree: ast.AST) -> list[ast.Call]:
    """Calls that read or write text and leave the encoding to the system."""
    found = []
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call):
            continue
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if isinstance(call.func, ast.Attribute):
            name = call.func.attr if call.func.attr in ("read_text", "write_text", "fdopen") else ""
        if name not in ("open", "read_text", "write_text", "fdopen"):
            continue
        constants = [str(word.value) for word in ast.walk(call) if isinstance(word, ast.Constant)]
        if any(word.startswith("/proc/") for word in constants):  # Linux itself: plain ASCII
            continue
        binary = any(re.fullmatch(r"[rwxa+]*b[rwxa+]*", word) for word in constants)
        encoded = any(word.arg == "encoding" for word in call.keywords)
        if not binary and not encoded and not {"utf-8", "ascii"} & set(constants):
            found.append(call)
    return found


@pytest.mark.parametrize("path", OURS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_text_is_read_or_written_in_the_encoding_of_the_system(path):
    """Windows would take cp1252, and a lesson has letters that it lacks."""
    calls = opened_as_text(ast.parse(path.read_text(encoding="utf-8")))
    assert [f"line {call.lineno}: {ast.unparse(call)}" for call in calls] == []
    planted = "open('a')\nopen('a', 'rb')\nopen('a', encoding='utf-8')\nPath('a').read_text()"
    assert [call.lineno for call in opened_as_text(ast.parse(planted))] == [1, 4]


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437"])
def test_a_console_of_another_encoding_shows_what_it_can(tmp_path, encoding):
    code = """
from course_lib import cli
for words in ("status", "next", "hint numpy-1", "solution numpy-1"):
    assert cli.main([*words.split(), "--folder", sys.argv[1]]) == 0
    print("== next ==")
"""
    variables = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    workspace = tmp_path / "π ü 語"
    Workspace(workspace).refresh()
    command = [sys.executable, "-c", "import sys" + code, str(workspace)]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, timeout=300)
    assert done.returncode == 0 and b"Traceback" not in done.stderr, done.stderr
    assert all(told.strip() for told in done.stdout.decode(encoding).split("== next ==")[:4])


# ---- without what only POSIX has -----------------------------------------------------------------

WITHOUT = """
import importlib, os, pkgutil, signal, sys
import asyncio, multiprocessing, socket, subprocess, tempfile, unittest, webbrowser, numpy
for name in ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "syslog"):
    sys.modules[name] = None  # importing it raises ImportError
gone = {
    os: ["fork", "forkpty", "killpg", "setsid", "getuid", "geteuid", "getgid", "setuid", "getpgid",
         "chown", "mkfifo", "getloadavg", "sysconf", "statvfs", "nice", "O_NOFOLLOW",
         "O_DIRECTORY", "O_PATH", "O_NONBLOCK", "O_CLOEXEC", "pidfd_open", "sched_getaffinity",
         "unshare", "setns", "WNOHANG", "waitid"],
    signal: ["setitimer", "getitimer", "ITIMER_REAL", "SIGHUP", "SIGKILL", "SIGUSR1", "SIGSTOP",
             "pthread_sigmask", "set_wakeup_fd", "alarm", "pause", "SIGCHLD", "SIGPIPE"],
}
for module, names in gone.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
import course_lib as torch
"""


def without_posix(code: str) -> str:
    """What `code` prints where Python has none of what it has on POSIX systems alone."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT + code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_module_is_imported_without_what_only_posix_has():
    code = """
count = 0
for found in pkgutil.walk_packages(torch.__path__, "course_lib."):
    importlib.import_module(found.name)
    count += 1
print(count)
"""
    files = [*(ROOT / "course_lib").rglob("*.py")]
    assert int(without_posix(code)) == len(files) - 1  # all but course_lib itself


def test_gradients_pictures_and_files_come_without_what_only_posix_has(tmp_path):
    code = f"""
from course_lib.viz import draw_graph
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x * x).sum()
picture = draw_graph(y)
picture.save({str(tmp_path / "a.png")!r})
y.backward()
torch.save(x.grad, {str(tmp_path / "a.pt")!r})
batches = torch.utils.data.DataLoader([1, 2, 3, 4], batch_size=2, num_workers=0)
print(torch.load({str(tmp_path / "a.pt")!r}), len(list(batches)), picture.svg[:4])
"""
    assert without_posix(code) == "tensor([2., 4.]) 2 <svg\n"


def test_a_check_judges_and_stops_without_what_only_posix_has():
    """An endless loop too: there the timer is a thread (classroom/stop.py)."""
    code = """
from course_lib.classroom import stop
from course_lib.classroom.probe import probe
stop.SECONDS = 0.3
def endless():
    while True:
        pass
print(probe(lambda show: show("x", 1 + 1), "demo-1")["error"])
print(probe(lambda show: show("x", endless()), "demo-1")["error"]["type"])
"""
    assert without_posix(code) == "None\nTookTooLong\n"


def test_a_workspace_is_made_and_progress_kept_without_what_only_posix_has(tmp_path):
    code = f"""
from pathlib import Path
from course_lib.classroom.workspace import Workspace
from course_lib import cli
folder = Path({str(tmp_path / "mine")!r})
Workspace(folder).refresh()
for words in (["reset", "welcome"], ["hint", "welcome-1"], ["next"], ["status"], ["update"]):
    option = [str(folder)] if words == ["update"] else ["--folder", str(folder)]
    assert cli.main([*words, *option]) == 0, words
"""
    assert "Hint 1 of" in without_posix(code)
    kept = (tmp_path / "mine/.course/progress.jsonl").read_text(encoding="utf-8")
    assert "welcome-1" in kept and '"hint"' in kept
    assert list(tmp_path.glob("mine/backups/*.ipynb"))
