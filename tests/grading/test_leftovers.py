"""What a run leaves behind: nothing, however hard an answer tries; and where Python may lie."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import course_lib
from course_grading import self_test, warm, workfolder
from course_grading.walls import Limits
from course_grading.warm import Warm
from course_lib.classroom.trouble import Trouble

BARE = ("namespaces",)  # without these
PACKAGE = Path(course_lib.__file__).parent
HOLDS = """
from course_grading.walls import Limits
from course_grading.warm import Warm
warm = Warm({}, Limits())
print(warm.holds["namespaces"])
warm.close()
"""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="warm processes are of Linux")


def deep(folder: Path, levels: int) -> None:
    """Folders inside each other, deeper than any path may be long."""
    folder.mkdir()
    here = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("inside", dir_fd=here)
        below = os.open("inside", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)


def test_a_folder_of_any_depth_is_cleared_and_what_it_points_to_is_not(tmp_path):
    keep = tmp_path / "keep"
    keep.mkdir()
    (keep / "kept").write_text("a")
    work = workfolder.WorkFolder(str(tmp_path))
    place = Path(work.path)
    deep(place / "deep", 300)
    (place / "link").symlink_to(keep)
    (place / "shut").mkdir(mode=0)
    (place / "shut too").mkdir()
    (place / "shut too" / "inside").mkdir(mode=0)
    (place / "a\nb").write_text("")
    work.clear()
    assert os.listdir(place) == [] and os.listdir(keep) == ["kept"]
    work.remove()
    assert os.listdir(tmp_path) == ["keep"]


def test_a_folder_that_another_grader_sweeps_away_at_once_is_made_again(tmp_path, monkeypatch):
    make = tempfile.mkdtemp
    swept = []

    def made_and_swept(**where):
        base = make(**where)
        if not swept:
            os.rmdir(base)
            swept.append(base)
        return base

    monkeypatch.setattr(workfolder.tempfile, "mkdtemp", made_and_swept)
    work = workfolder.WorkFolder(str(tmp_path))
    assert swept and os.path.dirname(work.path) not in swept
    work.remove()


def test_why_a_warm_process_did_not_start_is_said(monkeypatch):
    broken = "server.Sandbox.build = lambda sandbox: open('/no/such/folder'); "
    begun = warm.START.replace("server.main", broken + "server.main")
    monkeypatch.setattr(warm, "START", begun)
    with pytest.raises(Trouble, match=r"did not start \(FileNotFoundError: .*/no/such.*\); `"):
        Warm({}, Limits())


def test_what_takes_the_folders_place_is_not_cleared(tmp_path):
    (tmp_path / "keep").mkdir()
    (tmp_path / "keep" / "kept").write_text("a")
    work = workfolder.WorkFolder(str(tmp_path))
    os.chmod(work.base, 0o700)
    os.rename(work.path, work.path + "-moved")
    os.symlink(tmp_path / "keep", work.path)
    Path(work.path + "-moved", "left").write_text("")
    work.clear()
    assert os.listdir(work.path + "-moved") == [] and os.listdir(tmp_path / "keep") == ["kept"]
    work.remove()
    assert os.listdir(tmp_path) == ["keep"] and os.listdir(tmp_path / "keep") == ["kept"]


def test_what_is_written_is_added_up_however_it_lies(tmp_path):
    work = workfolder.WorkFolder(str(tmp_path))
    assert not work.too_full(0, 0)
    deep(Path(work.path) / "deep", 50)
    here = Path(work.path) / "deep"
    (here / "file").write_bytes(bytes(3 << 20))
    assert work.too_full(1 << 20, 1000) and work.too_full(1 << 30, 20)
    assert not work.too_full(1 << 30, 1000)
    work.remove()


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """Where folders for temporary files are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("without", [(), BARE], ids=["all walls", "no namespaces"])
def test_a_warm_process_leaves_no_folder(without, temporary):
    warm = Warm({}, Limits(), without=without)
    if not without and warm.holds["namespaces"]:
        pytest.skip(f"this system has no namespaces: {warm.holds['namespaces']}")
    assert len(os.listdir(temporary)) == bool(without)
    warm.close()
    assert os.listdir(temporary) == []


def test_folders_of_killed_processes_are_swept_and_those_in_use_are_not(temporary):
    killed, living = (Warm({}, Limits(), without=BARE) for _ in range(2))
    for process in self_test.family(killed.process):
        os.kill(process, signal.SIGKILL)
    killed._process.wait()
    assert os.path.basename(killed._base) in os.listdir(temporary)
    third = Warm({}, Limits(), without=BARE)
    bases = {os.path.basename(one._base) for one in (living, third)}
    assert set(os.listdir(temporary)) == bases
    for one in (living, third, killed):
        one.close()
    assert os.listdir(temporary) == []


def test_the_walls_stand_wherever_the_library_lies(tmp_path):
    """Also below the folder for temporary files, which the new root has one of its own of."""
    for package in (PACKAGE, PACKAGE.with_name("course_grading")):
        left = shutil.ignore_patterns("__pycache__")
        shutil.copytree(package, tmp_path / package.name, ignore=left)
    told = []
    for place in (PACKAGE.parent, tmp_path):
        words = [sys.executable, "-c", HOLDS]
        done = subprocess.run(words, cwd=place, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        told.append(done.stdout)
    assert told[0] == told[1]
