"""What a run leaves behind: nothing, however hard an answer tries; and where Python may lie."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import course_lib
from course_lib.classroom.grading.limits import Limits
from course_lib.classroom.grading.sandbox import clear
from course_lib.classroom.grading.warm import Warm

PACKAGE = Path(course_lib.__file__).parent
HOLDS = """
from course_lib.classroom.grading.limits import Limits
from course_lib.classroom.grading.warm import Warm
warm = Warm({}, Limits())
print(warm.holds["namespaces"], warm._wrapper)
warm.close()
"""
linux = pytest.mark.skipif(sys.platform != "linux", reason="warm processes are forked on Linux")


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


def test_a_folder_of_any_depth_is_deleted_and_what_it_points_to_is_not(tmp_path):
    keep = tmp_path / "keep"
    keep.write_text("a")
    deep(tmp_path / "work", 3000)
    (tmp_path / "work" / "link").symlink_to(keep)
    (tmp_path / "work" / "shut").mkdir(mode=0)
    clear(str(tmp_path / "work"))
    assert os.listdir(tmp_path) == ["keep"]
    clear(str(tmp_path / "work"))  # there is none: nothing to do


@linux
@pytest.mark.parametrize("without", [(), ("namespaces",)], ids=["all walls", "no namespaces"])
def test_a_warm_process_leaves_no_folder(without, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    warm = Warm({}, Limits(), without=without)
    assert len(os.listdir(tmp_path)) == 1
    warm.close()
    assert os.listdir(tmp_path) == []


@linux
def test_the_walls_stand_wherever_the_library_lies(tmp_path):
    """Also below the folder for temporary files, which the new root has one of its own of."""
    shutil.copytree(PACKAGE, tmp_path / "course_lib", ignore=shutil.ignore_patterns("__pycache__"))
    told = []
    for place in (PACKAGE.parent, tmp_path):
        words = [sys.executable, "-c", HOLDS]
        done = subprocess.run(words, cwd=place, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        told.append(done.stdout)
    assert told[0] == told[1]
