"""The workflow that publishes the site says what the command understands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import yaml

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


def test_what_is_used_of_others_is_named_with_its_version():
    used = [step["uses"] for step in JOB["steps"] if "uses" in step]
    assert used and all(re.fullmatch(r"actions/[a-z-]+@v\d+", name) for name in used)
