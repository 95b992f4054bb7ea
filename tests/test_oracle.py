"""`course_lib` gives what PyTorch gave in every recorded case that pending.txt does not list.

The cases stand in tests/oracle/cases/, what PyTorch 2.13 did in tests/oracle/facts/. After adding
a case run tests/oracle/record.py with a Python that has torch; compare.py beside it shows progress.
"""

import subprocess
import sys
from pathlib import Path

import pytest

ORACLE = Path(__file__).parent / "oracle"
sys.path.insert(0, str(ORACLE))

from observe import observe, spell  # noqa: E402  the folder is only now on the path
from snippets import cases, families, fingerprint, parse  # noqa: E402
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


@pytest.mark.parametrize("family", families())
def test_no_case_is_mistyped(family):
    slips = (
        "raises SyntaxError",
        "raises NameError",
        "cannot be described",
        "too many values to r",
    )
    facts = load(family)[1]
    assert not [k for k, lines in facts.items() if any(slip in str(lines) for slip in slips)]


def test_pending_lists_only_cases_that_exist():
    every = {case.id for family in families() for case in cases(family)}
    assert not set(pending()) - every


@pytest.mark.oracle
def test_recording_again_changes_nothing(tmp_path, oracle):
    command = [oracle, str(ORACLE / "record.py"), "--into", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    for family in families():
        digest, facts = load(family, tmp_path)
        recorded_digest, recorded = load(family)
        assert (digest, list(facts)) == (recorded_digest, list(recorded)), family
        # The last digits are the processor's: PyTorch takes other instructions on another one.
        other = [c.id for c in cases(family) if not agree(recorded[c.id], facts[c.id], True)]
        assert not other, f"{family}: PyTorch does something else now: {other[:SHOWN]}"


def test_a_case_with_variables_stands_for_every_combination():
    text = "[s]\n$a = 1 | 2\n$b = x | y\n| s = $a\nf($a)\n@named\ng($b)\nh()\n\nlast"
    assert [(case.id, case.code) for case in parse("f", text)] == [
        ("f/s/f(1)", "s = 1\nf(1)"),
        ("f/s/f(2)", "s = 2\nf(2)"),
        ("f/s/named [a=1, b=x]", "s = 1\ng(x)\nh()"),
        ("f/s/named [a=1, b=y]", "s = 1\ng(y)\nh()"),
        ("f/s/named [a=2, b=x]", "s = 2\ng(x)\nh()"),
        ("f/s/named [a=2, b=y]", "s = 2\ng(y)\nh()"),
        ("f/s/last [a=1]", "s = 1\nlast"),
        ("f/s/last [a=2]", "s = 2\nlast"),
    ]


def test_two_cases_of_one_name_are_refused():
    with pytest.raises(ValueError, match="two cases are called f/s/x"):
        parse("f", "[s]\nx\nx")


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("1 + 1", ["2"]),
        ("x = [1.5, None]", ["[1.5, None]"]),
        ("x = [1]; x[0] = 'two'", ["[two]"]),
        ("1, 'a\\nb'", ["1", r"'a\nb'"]),
        ("(1,)", ["(1,)"]),
        ("1 / 0", ["raises ZeroDivisionError: division by zero"]),
        ("import warnings; warnings.warn('old'); 3", ["warns UserWarning: old", "3"]),
        (
            "torch.no_such_name",
            ["raises AttributeError: module 'torch' has no attribute 'no_such_name'"],
        ),
        ("raise ValueError('at 0x7f0011223344')", ["raises ValueError: at 0x…"]),
        (
            "np.arange(6).reshape(2, 3).T",
            ["array int64 [3, 2] strides [1, 3] = [[0, 3], [1, 4], [2, 5]]"],
        ),
    ],
)
def test_an_outcome_is_described_in_lines(code, lines):
    assert observe(code, course_lib) == lines


def test_floats_are_spelled_with_the_digits_of_their_dtype():
    assert spell([0.10000000149011612, -0.0], "float32") == "[0.1, -0.0]"
    assert spell([0.10000000149011612, float("nan")], "float64") == "[0.10000000149011612, nan]"


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


@pytest.mark.parametrize(
    "left_on",
    [
        "torch.autograd.set_detect_anomaly(True)",
        "torch.inference_mode().__enter__()",
        "torch.set_grad_enabled(False)",
        "torch.set_default_device('meta')",
        "torch.set_default_dtype(torch.float64)",
    ],
)
def test_a_case_that_leaves_a_mode_on_does_not_disturb_the_next(left_on):
    codes = "torch.ones(1)", "y = torch.ones(1).requires_grad_().exp(); y.zero_(); y.backward()"
    before = [observe(code, course_lib) for code in codes]
    observe(left_on, course_lib)
    assert [observe(code, course_lib) for code in codes] == before
