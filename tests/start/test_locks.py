"""Of two first starts at once, one works and the other waits."""

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

ONE_START = """
import importlib.util, os, sys, time
spec = importlib.util.spec_from_file_location("start", "start.py")
start = importlib.util.module_from_spec(spec)
spec.loader.exec_module(start)
def bring_up_to_date(pins):
    with open("begun", "a") as file:
        file.write("x")
    patience = time.monotonic() + 120
    while not os.path.exists("go on"):
        assert time.monotonic() < patience  # two that both think they are alone end here
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
    assert "install" in course.steps_of("course")


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
