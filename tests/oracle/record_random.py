"""Asks PyTorch for random numbers, and keeps them in `random.json`.

Run where PyTorch 2.13 is installed: `python tests/oracle/record_random.py`. A program is a seed
and calls that share one generator; the answer is every call's numbers and the generator's state.
A new program, or a call that PyTorch refuses, is a new line in the file, without the answer.
What runs a call takes either library as `torch`.
"""

import hashlib
import json
import random
import struct
from pathlib import Path
from typing import Any

ANSWERS = Path(__file__).with_name("random.json")
SHOWN = 48  # of longer results, the first numbers and a digest

FLOATS = ("float16", "bfloat16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
INTEGERS = ("uint8", "int8", "int16", "int32", "int64")


def _empty(torch: Any, dtype: Any, shape: list[int], order: list[int]) -> Any:
    """An empty tensor whose memory is laid out in another order of dimensions."""
    return torch.empty(shape, dtype=dtype).permute(order)


# What a call means: name → function of a library, a dtype and the call's arguments.
CALLS = {
    "rand": lambda t, dtype, n: t.rand(n, dtype=dtype),
    "uniform": lambda t, dtype, n, low, high: t.empty(n, dtype=dtype).uniform_(low, high),
    "uniform_permuted": lambda t, dtype, shape, order: _empty(t, dtype, shape, order).uniform_(),
    "randn": lambda t, dtype, n: t.randn(n, dtype=dtype),
    "normal": lambda t, dtype, n, mean, std: t.empty(n, dtype=dtype).normal_(mean, std),
    "normal_permuted": lambda t, dtype, shape, order: _empty(t, dtype, shape, order).normal_(),
    "exponential": lambda t, dtype, n, rate: t.empty(n, dtype=dtype).exponential_(rate),
    "integers": lambda t, dtype, n, low, high: t.empty(n, dtype=dtype).random_(low, high),
    "any_integer": lambda t, dtype, n: t.empty(n, dtype=dtype).random_(),
    "permutation": lambda t, dtype, n: t.randperm(n, dtype=dtype),
    "bernoulli": lambda t, dtype, n, p: t.empty(n, dtype=dtype).bernoulli_(p),
    "multinomial": lambda t, dtype, weights, n, replacement: t.multinomial(
        t.tensor(weights, dtype=dtype), n, replacement
    ),
}


# ---- programs ----------------------------------------------------------------------------------


def call(name: str, dtype: str, *arguments: Any) -> dict[str, Any]:
    """One call, as it stands in the record."""
    return {"call": name, "dtype": dtype, "with": list(arguments)}


WAYS = [(1, False), (3, False), (4, False), (1, True), (9, True)]


def any_call(choose: random.Random) -> dict[str, Any]:
    """A call drawn at random."""
    n = choose.choice([0, 1, 2, 3, 5, 15, 16, 17, 31, 40])
    dtype = choose.choice(FLOATS)
    p = choose.choice([0.1, 0.5, 0.93])
    low = choose.choice([0, -5, 3, -(2**40)])
    shape = [choose.choice([1, 2, 4]), choose.choice([1, 3, 5])]
    return choose.choice(
        [
            call("rand", choose.choice(FLOATS + COMPLEX), n),
            call("uniform", dtype, n, low % 10, low % 10 + p),
            call("uniform_permuted", dtype, shape, [1, 0]),
            call("randn", choose.choice(FLOATS + COMPLEX), n),
            call("normal", dtype, n, p - 0.2, choose.choice([0.0, 1.0, 2.3])),
            call("normal_permuted", dtype, shape, [1, 0]),
            call("exponential", dtype, n, 3 * p),
            call("integers", "int64", n, low, low + choose.choice([1, 10, 2**28, 2**33])),
            call("any_integer", choose.choice((*FLOATS, *INTEGERS, "bool")), n),
            call("permutation", "int64", n),
            call("bernoulli", choose.choice((*FLOATS, *INTEGERS, "bool")), n, p),
            call("multinomial", "float32", [0.1 + k % 3 for k in range(9)], *choose.choice(WAYS)),
        ]
    )


def any_programs(seed: int, count: int) -> list[dict[str, Any]]:
    """`count` programs of up to 12 random calls each."""
    choose = random.Random(seed)
    return [
        {
            "seed": choose.choice([0, 1, -3, 2**32 + 5, choose.getrandbits(63)]),
            "calls": [any_call(choose) for _ in range(choose.randint(1, 12))],
        }
        for _ in range(count)
    ]


# ---- answers -----------------------------------------------------------------------------------


def run(torch: Any, call: dict[str, Any]) -> Any:
    """What the library's default generator gives for the call."""
    return CALLS[call["call"]](torch, getattr(torch, call["dtype"]), *call["with"])


def values(torch: Any, tensor: Any) -> list[Any]:
    """The numbers in order, complex ones as two; float64 holds each of them exactly."""
    if tensor.is_complex():
        tensor = torch.view_as_real(tensor)
    return tensor.flatten().tolist()


def digest(numbers: list[Any]) -> str:
    """A short name for a long list of numbers."""
    return hashlib.sha256(json.dumps(numbers).encode()).hexdigest()[:16]


def state(memory: bytes) -> tuple[str, float | None]:
    """The 5056 bytes in short: a digest of the word stream's, and the normal number kept back."""
    spare, valid = struct.unpack_from("<d8xi", memory, 5024)
    return hashlib.sha256(memory[:5016]).hexdigest()[:16], spare if valid else None


def answered(torch: Any, program: dict[str, Any]) -> dict[str, Any]:
    """The program with the library's numbers, and its state afterwards."""
    torch.manual_seed(program["seed"])
    calls = []
    for step in program["calls"]:
        numbers = values(torch, run(torch, step))
        step = {**step, "gives": numbers[:SHOWN]}
        if len(numbers) > SHOWN:
            step["digest"] = digest(numbers)
        calls.append(step)
    words, spare = state(bytes(torch.get_rng_state().tolist()))
    return {"seed": program["seed"], "words": words, "spare": spare, "calls": calls}


def refused(torch: Any, call: dict[str, Any]) -> dict[str, Any]:
    """The call with the exception that it raises."""
    try:
        run(torch, call)
    except (RuntimeError, ValueError, TypeError) as error:
        return {**call, "raises": type(error).__name__, "message": str(error).split("\n")[0]}
    raise SystemExit(f"PyTorch accepts {call}")


def main() -> None:
    """Writes one line per call, so that a change shows which."""
    import torch

    kept = json.loads(ANSWERS.read_text(encoding="utf-8"))
    programs = [answered(torch, program) for program in kept["programs"]]
    lines = []
    for program in programs:
        steps = ",\n  ".join(json.dumps(step) for step in program["calls"])
        head = json.dumps({key: program[key] for key in ("seed", "words", "spare")})
        lines.append(f'{head[:-1]}, "calls": [\n  {steps}]}}')
    errors = ",\n".join(json.dumps(refused(torch, step)) for step in kept["refused"])
    text = '{"programs": [\n' + ",\n".join(lines) + '\n], "refused": [\n' + errors + "\n]}\n"
    ANSWERS.write_text(text, encoding="utf-8")
    print(f"{len(programs)} programs, {len(kept['refused'])} refusals")


if __name__ == "__main__":
    main()
