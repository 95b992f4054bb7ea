"""Whole training runs: the losses that PyTorch prints for the same seed, step by step."""

import json

import pytest
from optim.training import MODELS, OPTIMIZERS, RECORD, train

import course_lib as torch

FACTS = json.loads(RECORD.read_text(encoding="utf-8"))
RUNS = [(model, kind) for model in MODELS for kind in OPTIMIZERS]

# Sums of float32 numbers in another order differ in the last digit, and each step carries that on:
# after 20 steps by 1e-6 at most where this was written, whereas another rule differs in the third.
CLOSE = {"rel": 3e-5, "abs": 3e-6}


@pytest.mark.parametrize(("model", "kind"), RUNS)
def test_a_training_run_is_that_of_pytorch(model, kind):
    run, fact = train(torch, model, kind), FACTS[f"{model} {kind}"]
    assert run["losses"] == pytest.approx(fact["losses"], **CLOSE)
    for ours, theirs in zip(run["parameters"], fact["parameters"], strict=True):
        assert ours == pytest.approx(theirs, **CLOSE)
