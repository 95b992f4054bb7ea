"""Random numbers equal PyTorch's: recorded programs everywhere, random ones in the oracle run.

`python tests/rng/test_rng.py 5000 1` compares 5000 random programs (seed 1) with PyTorch, bit by
bit, generator states included.
"""

from __future__ import annotations

import hashlib
import json
import math
import runpy
import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from course_lib.dtypes.dtypes import dtype_of_name
from course_lib.rng import samplers
from course_lib.rng.rng import Generator

RECORDER = Path(__file__).parents[1] / "oracle" / "record_random.py"
RECORDED = json.loads(RECORDER.with_name("random.json").read_text(encoding="utf-8"))


# ---- what a recorded call means here -----------------------------------------------------------


def _permuted(sampler, g, dtype, shape, order):
    shape = np.empty(shape, np.int8).transpose(order)
    count = shape.size
    contiguous = {"contiguous": shape.flags.c_contiguous} if sampler is samplers.normal else {}
    values = sampler(g, count, dtype=dtype, **contiguous)
    return samplers.in_order(values, shape.shape, shape.strides)


OURS = {
    "rand": lambda g, dtype, n: samplers.uniform(g, n, dtype=dtype),
    "uniform": lambda g, dtype, *a: samplers.uniform(g, *a, dtype),
    "uniform_permuted": lambda g, dtype, *a: _permuted(samplers.uniform, g, dtype, *a),
    "randn": lambda g, dtype, n: samplers.normal(g, n, dtype=dtype),
    "normal": lambda g, dtype, *a: samplers.normal(g, *a, dtype),
    "normal_permuted": lambda g, dtype, *a: _permuted(samplers.normal, g, dtype, *a),
    "exponential": lambda g, dtype, *a: samplers.exponential(g, *a, dtype),
    "integers": lambda g, dtype, *a: samplers.integers(g, *a, dtype),
    "any_integer": lambda g, dtype, *a: samplers.any_integer(g, *a, dtype),
    "permutation": lambda g, dtype, *a: samplers.permutation(g, *a, dtype),
    "bernoulli": lambda g, dtype, *a: samplers.bernoulli(g, *a, dtype),
    "multinomial": lambda g, dtype, w, *a: samplers.multinomial(g, np.array(w, dtype), *a),
}

# Calls that use no function of the C library: the same bits on every system.
ARITHMETIC = {"rand", "uniform", "uniform_permuted", "integers", "any_integer", "permutation"}
ARITHMETIC.add("bernoulli")


def run(step: dict[str, Any], generator: Generator) -> np.ndarray:
    return OURS[step["call"]](generator, dtype_of_name(step["dtype"]).numpy, *step["with"])


def values(array: np.ndarray) -> list[Any]:
    if array.dtype.kind == "c":
        array = array.view(array.real.dtype)
    if array.dtype.kind not in "biu":
        array = array.astype(np.float64)
    return array.ravel().tolist()


def state(memory: bytes) -> tuple[str, float | None]:
    spare, valid = struct.unpack_from("<d8xi", memory, 5024)
    return hashlib.sha256(memory[:5016]).hexdigest()[:16], spare if valid else None


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
    generator = Generator().manual_seed(program["seed"])
    for step in program["calls"]:
        got = values(run(step, generator))
        shown = len(step["gives"])
        if exact(step):
            assert got[:shown] == step["gives"], step["call"]
        else:
            assert close(got[:shown], step["gives"], step["dtype"]), step["call"]
        if "digest" in step:
            digest = hashlib.sha256(json.dumps(got).encode()).hexdigest()[:16]
            assert digest == step["digest"], step["call"]
    words, spare = state(generator.get_state().tobytes())
    assert words == program["words"]
    assert (spare is None) == (program["spare"] is None)
    assert spare is None or math.isclose(spare, program["spare"], rel_tol=2**-51)


@pytest.mark.parametrize("step", RECORDED["refused"], ids=lambda step: step["message"][:60])
def test_what_pytorch_refuses_is_refused_in_its_words(step):
    with pytest.raises(RuntimeError) as refusal:
        run(step, Generator())
    assert refusal.type.__name__ == step["raises"]
    assert str(refusal.value) == step["message"]


def compare_with_pytorch(count: int, seed: int) -> list[str]:
    """What differs in `count` random programs: bits, dtypes, states."""
    recorder = runpy.run_path(str(RECORDER))
    import torch

    different = []
    for program in recorder["any_programs"](seed, count):
        torch.manual_seed(program["seed"])
        generator = Generator().manual_seed(program["seed"])
        for number, step in enumerate(program["calls"]):
            expected, got = recorder["run"](step), run(step, generator)
            same = got.shape == tuple(expected.shape)
            same &= f"torch.{dtype_of_name(got.dtype.name)!r}" == f"torch.{expected.dtype!r}"
            same &= values(got) == recorder["values"](expected)
            if not same or generator.get_state().tolist() != torch.get_rng_state().tolist():
                different.append(f"seed {program['seed']}, call {number}: {step}")
                generator.set_state(torch.get_rng_state().numpy())
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
