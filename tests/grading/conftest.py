"""What tests of grading share: the welcome exercises, and one warm process for all of them."""

import sys

import pytest
from grading.downloads import table
from grading.submitting import copy_sets, write_class

from course_grading import Limits, class_folder, image, reference, self_test, unit, warm, wasm
from course_grading.expected import Expected

LIMITS = Limits(seconds=5.0)
SEED = "a seed that no student knows"

linux = pytest.mark.skipif(sys.platform != "linux", reason="walls are for Linux")


@pytest.fixture(scope="session")
def welcome(tmp_path_factory):
    """A folder with the welcome exercises alone."""
    return copy_sets(tmp_path_factory.mktemp("exercises"), "welcome")


@pytest.fixture
def about(tmp_path, course):
    """What a class folder says with these files in it, as `roster_csv` and the like."""

    def read(**files):
        texts = {
            name.replace("_", "."): one if isinstance(one, str) else "\ufeff" + table(one)
            for name, one in files.items()
        }
        return class_folder.read(write_class(tmp_path, texts), course.exercises)

    return read


@pytest.fixture(scope="session")
def course(welcome):
    """What every unit of work is given."""
    exercises, records = reference.load(welcome)
    expected = Expected(exercises, records, SEED, LIMITS)
    yield unit.Course(exercises, expected, LIMITS)
    expected.close()


@pytest.fixture(scope="session")
def runner(course):
    """A warm process."""
    made = warm.start(course.kits, course.limits)
    yield made
    made.close()


@pytest.fixture(scope="session")
def in_wasm(course):
    """What runs jobs in WebAssembly; skipped where its parts cannot be had, and only there."""
    try:
        made = wasm.start(course.kits | self_test.KITS, Limits(seconds=2.0))
    except image.Unavailable as unavailable:
        pytest.skip(str(unavailable))
    yield made
    made.close()
