"""Property tests try the same examples each time, a busy machine is no failure, and a warning that
comes once in a process is seen by each test."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import settings

import course_lib

ROOT = Path(__file__).resolve().parents[1]

settings.register_profile("suite", deadline=None, derandomize=True)
settings.load_profile("suite")
course_lib.set_warn_always(True)


@pytest.fixture(scope="session")
def oracle():
    """A Python that has real PyTorch, for the tests that are marked `oracle`."""
    if "COURSE_ORACLE_PYTHON" not in os.environ:
        pytest.skip("set COURSE_ORACLE_PYTHON to a Python that has torch 2.13 to have it decide")
    return os.environ["COURSE_ORACLE_PYTHON"]


@pytest.fixture(scope="session")
def ask(oracle):
    """Run that Python with these words, from the course's folder; all has to be well with it."""

    def ran(*words, **given):
        env = os.environ | {"PYTHONPATH": str(ROOT)}
        given = {"cwd": ROOT, "env": env, "capture_output": True, "encoding": "utf-8"} | given
        done = subprocess.run([oracle, *map(str, words)], **given)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    return ran
