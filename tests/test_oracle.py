"""`course_lib` gives what PyTorch gave in every recorded case that pending.txt does not list.

The cases stand in tests/oracle/cases/, what PyTorch 2.13 did in tests/oracle/facts/. After adding
a case run tests/oracle/record.py with a Python that has torch; compare.py beside it shows progress.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ORACLE = Path(__file__).parent / "oracle"
sys.path.insert(0, str(ORACLE))

from observe import observe  # noqa: E402  the folder is only now on the path
from snippets import cases, families, fingerprint  # noqa: E402
from verdict import agree, load, pending, report  # noqa: E402

import course_lib  # noqa: E402

SHOWN = 20


@pytest.mark.parametrize("family", families())
def test_course_lib_does_what_pytorch_did(family):
    facts, known, differing, agreeing = load(family)[1], pending(), [], []
    for case in cases(family):
        got = observe(case.code, course_lib)
        equal = agree(facts[case.id], got, case.approximate)
        if equal and case.id in known:
            agreeing.append(case.id)
        if not equal and case.id not in known:
            differing.append(report(case, facts[case.id], got))
    assert not differing, f"{len(differing)} cases differ:\n\n" + "\n\n".join(differing[:SHOWN])
    assert not agreeing, (
        f"{len(agreeing)} pending cases agree; run tests/oracle/compare.py --update-pending:\n"
        + "\n".join(agreeing[:SHOWN])
    )


@pytest.mark.parametrize("family", families())
def test_record_belongs_to_the_cases(family):
    digest, facts = load(family)
    items = cases(family)
    assert list(facts) == [case.id for case in items], "run tests/oracle/record.py"
    assert digest == fingerprint(items), "a program changed; run tests/oracle/record.py"


def test_pending_lists_only_cases_that_exist():
    every = {case.id for family in families() for case in cases(family)}
    assert not set(pending()) - every


@pytest.mark.oracle
@pytest.mark.skipif(
    "COURSE_ORACLE_PYTHON" not in os.environ,
    reason="set COURSE_ORACLE_PYTHON to a Python that has torch 2.13 to record again",
)
def test_recording_again_changes_nothing(tmp_path):
    python = os.environ["COURSE_ORACLE_PYTHON"]
    command = [python, str(ORACLE / "record.py"), "--into", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    for family in families():
        digest, facts = load(family, tmp_path)
        assert (digest, facts) == load(family), f"{family} differs from its record"


@pytest.mark.parametrize(
    ("expected", "got", "approximate", "verdict"),
    [
        ("tensor float32 [] = 1.0", "tensor float32 [] = 1.0000001", True, True),
        ("tensor float32 [] = 1.0", "tensor float32 [] = 1.0000001", False, False),
        ("tensor float32 [] = 1.0", "tensor float32 [] = 1.001", True, False),
        ("tensor float64 [] = 1.0", "tensor float64 [] = 1.0000001", True, False),
        ("tensor float32 [] = 1.0", "tensor float32 [1] = 1.0", True, False),
        ("tensor int64 [] = 1", "tensor int64 [] = 2", True, False),
    ],
)
def test_only_last_digits_of_floats_may_differ(expected, got, approximate, verdict):
    assert agree([expected], [got], approximate) is verdict
