"""tools/profiles.py: each profile reaches NumPy and OpenBLAS, and covers what a reader sees."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import profiles  # noqa: E402  the folder is only now on the path

EVERY = pytest.mark.parametrize("profile", profiles.PROFILES.values(), ids=list(profiles.PROFILES))
HERE = profiles.platform.machine().lower() in ("x86_64", "amd64")

LOOK = """
from numpy._core._multiarray_umath import __cpu_features__

print(sorted(name for name, here in __cpu_features__.items() if here))
"""


def test_one_profile_runs_everything_that_compares_text_or_bits():
    """A new test of that kind is added there, or it is true on its author's processor only."""
    oldest = set(profiles.PROFILES["oldest"].tests)
    assert [path for path in oldest if not (ROOT / path).exists()] == []
    assert all(set(profile.tests) <= oldest for profile in profiles.PROFILES.values())
    assert {"notebooks", "solutions", "tests/test_docstrings.py", "tests/test_oracle.py"} <= oldest
    assert {"tests/viz/test_pinned.py", "tests/test_solutions.py", "tests/autograd"} <= oldest


@EVERY
@pytest.mark.skipif(not HERE, reason="the profiles are of x86-64")
def test_a_profile_takes_from_numpy_what_it_says(profile):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", LOOK],
        env=profiles.variables(profile),
        capture_output=True,
        text=True,
        check=True,
    )
    assert not [name for name in profile.features.split() if repr(name) in done.stdout]


def test_a_failing_profile_fails_the_whole_and_the_others_still_run(monkeypatch, capsys):
    asked = []

    def passes(name, options):
        asked.append(name)
        return name != "oldest"

    monkeypatch.setattr(profiles, "passes", passes)
    monkeypatch.setattr(profiles.platform, "machine", lambda: "x86_64")
    assert profiles.main([]) == 1 and asked == list(profiles.PROFILES)
    assert "failed: oldest" in capsys.readouterr().out
    assert profiles.main(["zen", "-x"]) == 0
    assert profiles.main(["pentium"]) == 2
    monkeypatch.setattr(profiles.platform, "machine", lambda: "arm64")
    assert profiles.main([]) == 0 and "x86-64" in capsys.readouterr().out  # nothing is pretended


def test_the_page_shows_the_table_and_the_whole_check_runs_the_profiles():
    page = (ROOT / "docs/systems.md").read_text(encoding="utf-8")
    assert "\n".join(profiles.table()) in page, "put there what tools/profiles.py --list prints"
    text = (ROOT / ".ci/run").read_text(encoding="utf-8")
    asked = re.findall(r"^ *other_processors ([a-z ]+)", text, re.MULTILINE)
    assert sorted(" ".join(asked).split()) == sorted(profiles.PROFILES)
