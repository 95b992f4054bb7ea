"""The workflow that publishes the site says what the command understands."""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from course_lib.version import COURSE

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / ".github/workflows/site.yml").read_text(encoding="utf-8")
JOB = yaml.safe_load(TEXT)["jobs"]["publish"]


def test_it_builds_with_the_command_of_the_readme(build, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    runs = [step["run"] for step in JOB["steps"] if "run" in step]
    (command,) = [run for run in runs if "start.py site" in run]
    words = shlex.split(re.sub(r"\$BASE_URL", "https://example.org/course", command))
    options = build.parse(words[words.index("site") + 1 :])
    assert options.versions and options.out == tmp_path / "published"
    assert options.base_url == f"https://example.org/course/{build.version()}/"


def test_it_publishes_tags_and_one_at_a_time():
    text = yaml.safe_load(TEXT)
    assert text[True]["push"] == {"tags": ["v*"]}  # YAML reads `on` as true
    assert text["concurrency"]["cancel-in-progress"] is False


def run(title: str, folder: Path, tag: str) -> subprocess.CompletedProcess[str]:
    """What a step says and does in `folder`, in the shell that GitHub uses."""
    (step,) = (one for one in JOB["steps"] if title in one.get("name", ""))
    settings = dict.fromkeys(["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"], os.devnull)
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
        cwd=folder / step.get("working-directory", "."),
        env={**os.environ, **settings, "GITHUB_REF_NAME": tag},
        capture_output=True,
        text=True,
    )


@pytest.mark.skipif(os.name == "nt", reason="the steps of the workflow are written for bash")
def test_a_tag_that_is_not_the_version_is_refused():
    assert run("The tag is the version", ROOT, f"v{COURSE}").returncode == 0
    refused = run("The tag is the version", ROOT, "v99.0")
    assert refused.returncode == 1 and f"is not v{COURSE}" in refused.stdout


@pytest.mark.skipif(
    os.name == "nt" or not shutil.which("git"), reason="the steps need bash and git"
)
def test_the_first_version_the_next_and_one_run_again_are_published(tmp_path):
    def git(*words: str) -> str:
        done = subprocess.run(["git", "-C", *words], capture_output=True, text=True, check=True)
        return done.stdout

    project = tmp_path / "project"
    project.mkdir()
    git(str(project), "init", "--quiet")
    (project / "README.md").write_text("the project")
    git(str(project), "add", ".")
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    git(str(project), *who, "commit", "--quiet", "--message", "first")
    git(str(project), "clone", "--quiet", "--bare", ".", str(tmp_path / "origin"))
    for number in ("1", "2", "2"):
        checkout = tmp_path / "checkout"
        shutil.rmtree(checkout, ignore_errors=True)
        git(str(tmp_path), "clone", "--quiet", "origin", str(checkout))
        before = run("The versions before", checkout, number)
        assert before.returncode == 0, before.stderr
        (checkout / "published" / number).mkdir(exist_ok=True)
        (checkout / "published" / number / "index.html").write_text(number)
        done = run("Publish", checkout, number)
        assert done.returncode == 0, done.stderr
    shown = git(str(tmp_path / "origin"), "ls-tree", "-r", "--name-only", "published").split()
    assert shown == [".nojekyll", "1/index.html", "2/index.html"]
    assert git(str(tmp_path / "origin"), "rev-list", "--count", "published").strip() == "2"
