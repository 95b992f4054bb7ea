"""Random numbers equal PyTorch's: recorded programs everywhere, random ones in the oracle run.

`python tests/rng/test_rng.py 5000 1` compares 5000 random programs (seed 1) with PyTorch, bit by
bit, generator states included.
"""

import functools
import json
import math
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import course_lib as torch
from course_lib.ops.make.random import sample_like
from course_lib.rng import samplers

RECORDER = Path(__file__).parents[1] / "oracle" / "record_random.py"
RECORDED = json.loads(RECORDER.with_name("random.json").read_text(encoding="utf-8"))
recorder = SimpleNamespace(**runpy.run_path(str(RECORDER)))


def drawn(name: str, theirs: Any, library: Any, dtype: Any, n: int, given: float) -> Any:
    """What `exponential_` or `bernoulli_` draws: the course has the sampler, and no such method."""
    if library is not torch:
        return theirs(library, dtype, n, given)
    return sample_like(torch.empty(n, dtype=dtype), getattr(samplers, name), (given,), {})


for lacking in ("exponential", "bernoulli"):
    recorder.CALLS[lacking] = functools.partial(drawn, lacking, recorder.CALLS[lacking])

# Calls that use no function of the C library: the same bits on every system.
ARITHMETIC = {"rand", "uniform", "uniform_permuted", "integers", "any_integer", "permutation"}
ARITHMETIC.add("bernoulli")


def exact(step: dict[str, Any]) -> bool:
    if step["call"] in ("randn", "normal"):  # blocks of float32 are arithmetic, too
        parts = 2 if step["dtype"] == "complex64" else 1
        return step["with"][0] * parts >= 16 and step["dtype"] not in ("float64", "complex128")
    return step["call"] in ARITHMETIC


def close(got: list[Any], expected: list[Any], dtype: str) -> bool:
    """One unit in the last place: C libraries differ by that, and rounding may pass it on."""
    epsilon = {"float16": 2**-10, "bfloat16": 2**-7, "float64": 2**-51, "complex128": 2**-51}
    tolerance = epsilon.get(dtype, 2**-22)
    return all(math.isclose(a, b, rel_tol=tolerance) for a, b in zip(got, expected, strict=True))


# ---- the same numbers --------------------------------------------------------------------------


def _name(program: dict[str, Any]) -> str:
    first = program["calls"][0]
    return f"{first['call']}-{first['dtype']}-seed{program['seed']}"


@pytest.mark.parametrize("program", RECORDED["programs"], ids=_name)
def test_a_seed_gives_pytorchs_numbers_and_state(program):
    ours = recorder.answered(torch, program)
    for step, got in zip(program["calls"], ours["calls"], strict=True):
        if exact(step):
            assert got["gives"] == step["gives"], step["call"]
        else:
            assert close(got["gives"], step["gives"], step["dtype"]), step["call"]
        assert got.get("digest") == step.get("digest"), step["call"]
    assert ours["words"] == program["words"]
    assert (ours["spare"] is None) == (program["spare"] is None)
    assert ours["spare"] is None or math.isclose(ours["spare"], program["spare"], rel_tol=2**-51)


@pytest.mark.parametrize("step", RECORDED["refused"], ids=lambda step: step["message"][:60])
def test_what_pytorch_refuses_is_refused_in_its_words(step):
    assert recorder.refused(torch, step) == step


def compare_with_pytorch(count: int, seed: int) -> list[str]:
    """What differs in `count` random programs: bits, dtypes, states."""
    import torch as theirs

    different = []
    for program in recorder.any_programs(seed, count):
        theirs.manual_seed(program["seed"]), torch.manual_seed(program["seed"])
        for number, step in enumerate(program["calls"]):
            expected, got = recorder.run(theirs, step), recorder.run(torch, step)
            same = (got.shape, repr(got.dtype)) == (expected.shape, repr(expected.dtype))
            same &= recorder.values(torch, got) == recorder.values(theirs, expected)
            if not same or torch.get_rng_state().tolist() != theirs.get_rng_state().tolist():
                different.append(f"seed {program['seed']}, call {number}: {step}")
                torch.set_rng_state(torch.tensor(theirs.get_rng_state().numpy()))
    return different


@pytest.mark.oracle
def test_random_programs_give_the_same_bits_as_pytorch(ask):
    ask(__file__, 200, 5)


# ---- the generator -----------------------------------------------------------------------------


def test_the_default_generator_starts_anew_in_every_process():
    program = "import course_lib as torch; print(torch.initial_seed())"
    command = [sys.executable, "-c", program]
    seeds = {subprocess.run(command, capture_output=True, check=True).stdout for _ in range(2)}
    assert len(seeds) == 2


def test_importing_the_generator_does_not_load_numpy_random():
    program = "import sys, course_lib.rng.rng; print('numpy.random' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.split() == [b"False"]


def test_in_order_ignores_the_strides_of_dimensions_of_size_one():
    laid = samplers.in_order(np.arange(6), (2, 1, 3), (3, 0, 1))
    assert laid.tolist() == [[[0, 1, 2]], [[3, 4, 5]]]


if __name__ == "__main__":
    found = compare_with_pytorch(int(sys.argv[1]), int(sys.argv[2]))
    print("\n".join(found[:20]))
    print(f"{len(found)} calls differ")
    sys.exit(bool(found))
