"""requirements/*.txt: complete, exact, hashed, free of addresses, one answer for every system."""

import re
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement

from course_grading.walls import FOR_WASM
from course_lib.viz.drawing.render import missing

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
LAB = EXTRAS["lab"]


def pins(name: str) -> dict[str, Requirement]:
    """Return the pinned packages of requirements/<name>.txt by name."""
    text = (ROOT / f"requirements/{name}.txt").read_text(encoding="utf-8")
    lines = re.findall(r"^([a-z0-9].*?) \\$", text, re.M)
    return {line.name: line for line in map(Requirement, lines)}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("course", PROJECT["dependencies"] + LAB),
        ("test", PROJECT["dependencies"] + LAB + EXTRAS["test"]),
    ],
)
def test_pins_satisfy_what_the_package_asks_for(name, wanted):
    pinned = pins(name)
    for want in map(Requirement, wanted):
        pin = pinned[want.name.replace("_", "-")]
        (version,) = [item.version for item in pin.specifier]
        assert want.specifier.contains(version), want


def test_pictures_have_extras_of_their_own_which_lab_has_too_and_errors_name():
    assert [Requirement(line).name for line in PROJECT["dependencies"]] == ["ml_dtypes", "numpy"]
    for extra in ("viz", "plot", "png"):
        assert set(EXTRAS[extra]) <= set(LAB)
        needed = [Requirement(line).name for line in EXTRAS[extra]]
        assert all(missing(name).endswith(f"pip install {' '.join(needed)}") for name in needed)


def test_what_runs_answers_in_webassembly_is_an_extra_that_the_tests_have():
    assert EXTRAS["sandbox"] == [*FOR_WASM]
    assert set(EXTRAS["sandbox"]) <= set(EXTRAS["test"])


def test_test_pins_hold_all_course_pins_at_the_same_versions():
    course, test = (
        {(pin.name, str(pin.specifier)) for pin in pins(name).values()}
        for name in ("course", "test")
    )
    assert course <= test
    # what tests need everywhere may lose a marker, and never gains one
    assert all(
        pins("test")[name].marker in (None, pin.marker) for name, pin in pins("course").items()
    )


@pytest.mark.parametrize("name", ["course", "test", "site"])
def test_pins_have_hashes_and_no_addresses(name):
    text = (ROOT / f"requirements/{name}.txt").read_text(encoding="utf-8")
    assert "://" not in text and "--index" not in text and "--find-links" not in text
    assert len(re.findall(r"==.*\\\n +--hash=sha256:", text)) == len(pins(name))


def test_what_the_site_shares_with_the_course_is_at_the_same_version():
    course = pins("course")
    shared = {name: pin for name, pin in pins("site").items() if name in course}
    assert "numpy" in shared
    assert {n for n, pin in shared.items() if pin.specifier != course[n].specifier} == set()


def test_one_numpy_serves_every_python():
    assert pins("course")["numpy"].marker is None


def test_windows_only_packages_carry_a_marker():
    assert not pins("course")["pywinpty"].marker.evaluate({"os_name": "posix"})


def test_pre_commit_uses_the_pinned_ruff():
    used = re.findall(r"ruff==[\d.]+", (ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    assert set(used) == {str(pins("test")["ruff"])}


@pytest.mark.skipif(Path(sys.prefix) != ROOT / ".venv", reason="not the environment of start.py")
def test_the_environment_holds_what_is_pinned():
    """Without this, a pin that nobody installed anew is a claim that nobody has tried."""
    here = default_environment()
    wanted = {
        name: next(iter(pin.specifier)).version
        for name, pin in pins("test").items()
        if pin.marker is None or pin.marker.evaluate(here)
    }
    held = {name: version(name) for name in wanted}
    assert held == wanted
