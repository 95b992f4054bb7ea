"""The workflow runs what start.py promises, on what it promises it for."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


@pytest.fixture(scope="module")
def jobs() -> dict[str, Any]:
    text = (ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text)["jobs"])


@pytest.fixture(scope="module")
def start() -> ModuleType:
    spec = importlib.util.spec_from_file_location("start", ROOT / "start.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def commands(job: dict[str, Any]) -> list[str]:
    return [step["run"] for step in job["steps"] if "run" in step]


def test_the_oldest_and_the_newest_python_run_on_every_system_and_the_others_somewhere(jobs, start):
    matrix = jobs["suite"]["strategy"]["matrix"]
    assert matrix["python"] == [".".join(map(str, edge)) for edge in (start.OLDEST, start.NEWEST)]
    systems = [name.partition("-")[0] for name in matrix["system"]]
    assert systems.count("ubuntu") == systems.count("macos") == 2 and "windows" in systems
    assert "macos-latest" in matrix["system"]  # Apple silicon
    run = {*matrix["python"], *(row["python"] for row in matrix["include"])}
    assert run == {f"3.{minor}" for minor in range(start.OLDEST[1], start.NEWEST[1] + 1)}
    assert jobs["suite"]["strategy"]["fail-fast"] is False
    assert all(job["timeout-minutes"] >= 30 for job in jobs.values())


def test_the_suite_is_the_command_of_the_readme(jobs):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "python3 start.py test" in readme
    assert commands(jobs["suite"])[0] == "python start.py test"
    assert commands(jobs["suite"])[-1] == "python start.py grade --self-test --sandbox wasm"
    assert commands(jobs["everything"]) == [".ci/run"]


def test_the_newest_dependencies_are_not_the_pins(jobs):
    install, *_, last = commands(jobs["newest"])
    assert "--upgrade" in install and "requirements" not in install and "[lab,test]" in install
    assert last == "python -m pytest"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_what_is_used_of_others_is_named_with_its_version(path):
    jobs = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    used = [step["uses"] for job in jobs.values() for step in job["steps"] if "uses" in step]
    assert used and all(re.fullmatch(r"actions/[a-z-]+@v\d+", name) for name in used)
