"""Random programs do here what they did in PyTorch when they were recorded."""

import json

import pytest
from random_programs import RECORD, SHOWN, TEXTS, digest, outcome
from running_programs import run

import course_lib as torch

DIGESTS = json.loads(RECORD.read_text(encoding="utf-8"))["digests"]


def recorded_texts() -> list[list[str]]:
    """What the first programs did, in full."""
    parts = TEXTS.read_text(encoding="utf-8").split("# ")[1:]
    return [part.strip("\n").splitlines()[1:] for part in parts]


def test_there_are_enough_programs() -> None:
    assert len(DIGESTS) >= 2000


@pytest.mark.parametrize("seed", range(SHOWN))
def test_a_program_whose_outcome_is_recorded_in_full(seed: int) -> None:
    assert outcome(seed, torch) == recorded_texts()[seed]


@pytest.mark.parametrize("first", range(0, len(DIGESTS), 100))
def test_a_hundred_programs_have_their_recorded_digests(first: int) -> None:
    wrong = [
        seed
        for seed in range(first, min(first + 100, len(DIGESTS)))
        if DIGESTS[seed] and digest(outcome(seed, torch)) != DIGESTS[seed]
    ]
    assert not wrong, (
        f"seeds {wrong}; where PyTorch is installed, `random_programs.py 1 {wrong[0]}` shrinks it"
    )


def test_a_line_that_needs_what_a_failed_line_was_to_make_is_left_out() -> None:
    told = run(["a = torch.ones(2) + torch.ones(3)", "b = a * 2", "c = torch.ones(1)"], torch)
    assert "b = a * 2" not in told
    assert "c = torch.ones(1)" in told


def test_a_wrong_version_is_seen() -> None:
    lines = ["a = torch.ones(2)", "a.data.mul_(2)"]
    assert run(lines, torch) != run([lines[0], "a.mul_(2)"], torch)
