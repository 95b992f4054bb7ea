"""Property tests try the same examples each time, a busy machine is no failure, and a warning that
comes once in a process is seen by each test."""

import os

import pytest
from hypothesis import settings

import course_lib

settings.register_profile("suite", deadline=None, derandomize=True)
settings.load_profile("suite")
course_lib.set_warn_always(True)


@pytest.fixture(scope="session")
def oracle():
    """A Python that has real PyTorch, for the tests that are marked `oracle`."""
    if "COURSE_ORACLE_PYTHON" not in os.environ:
        pytest.skip("set COURSE_ORACLE_PYTHON to a Python that has torch 2.13 to have it decide")
    return os.environ["COURSE_ORACLE_PYTHON"]
