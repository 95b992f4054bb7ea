"""`python -m benchmarks.operations`: single operations beside PyTorch, on few numbers and on many.

On few, the calls of Python and NumPy decide; on many, NumPy's kernels. Results are compared before
times count. The exit status is 0 if all are right.
"""

import argparse
import json
import sys
import tempfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import table
from benchmarks.libraries import LIBRARIES, OURS, REFERENCE, place, pythons
from benchmarks.rounds import Effort, Outcome, Worker, measure
from benchmarks.workload import Step, Workload

GOAL = 1.5
SIZES = {"small": 8, "large": 1000}
# `sort` counts by its values: of equal ones PyTorch may put either first.
# x, y: n × n floats; p: positive ones; k: n × n whole numbers below n; v: n of them; m: a mask
TEXTS = """
add: x + y | multiply: x * 2 | exponential: x.exp() | power: x ** 2 | clamp: x.clamp(-1, 1)
whole numbers: k + 1 | compare: k == v | where: where(m, x, y) | masked_fill: x.masked_fill(m, 0.0)
sum: x.sum() | sum of rows: x.sum(1) | mean: x.mean() | standard deviation: x.std(1)
largest: x.max(1) | argmax: x.argmax(1) | norm: x.norm() | all: m.all()
softmax: x.softmax(1) | log_softmax: x.log_softmax(1) | cumsum: x.cumsum(1) | cumsum 0: x.cumsum(0)
sort: x.sort(1)[0] | topk: x.topk(5, 1) | gather: x.gather(1, k) | gather 0: x.gather(0, k)
scatter_add: x.scatter_add(1, k, y)
rows added: x.index_add(0, v, y)
rows by number: x[v] | rows selected: x.index_select(0, v) | by a mask: x[m]
one element: x[1, 2] | item: x[1, 2].item() | row written: x.__setitem__(1, y[1])
element added to: x.__setitem__((1, 2), x[1, 2] + 0) | number written: x.__setitem__((1, 2), 0.5)
cat: cat([x, y]) | stack: stack([x, y], 1) | flip: x.flip(0) | transposed: x.t().contiguous()
from a list: tensor(numbers) | zeros: zeros(n, n) | arange: arange(n * n) | clone: x.clone()
randn: randn(n, n) | rand: rand(n, n) | randint: randint(0, 10, (n, n)) | randperm: randperm(60 * n)
multinomial: multinomial(p, 1) | einsum: einsum("ij,jk->ik", x, y)
matmul: x @ y | whole matmul: k[:200, :200] @ k[:200, :200]
"""
PAIRS = [one.split(": ", 1) for line in TEXTS.strip().splitlines() for one in line.split(" | ")]


def prepared(text: str, n: int, module: Any) -> Step:
    """The step that evaluates one of the texts."""
    rng = np.random.default_rng(5)
    module.manual_seed(5)
    given = module.from_numpy
    numbers = rng.standard_normal((3, n, n)).astype(np.float32)
    names = {word: getattr(module, word) for word in FUNCTIONS}
    names |= {"x": given(numbers[0]), "y": given(numbers[1]), "p": given(np.abs(numbers[2]) + 0.1)}
    names |= {"k": given(rng.integers(0, n, (n, n))), "v": given(rng.integers(0, n, n))}
    names |= {"m": given(rng.random((n, n)) < 0.5), "numbers": rng.random(n).tolist(), "n": n}
    evaluate = eval(f"lambda: {text}", names)

    def step() -> Any:
        found = evaluate()
        found = names["x"] if found is None else found  # what was written to
        return found if isinstance(found, tuple) else (found,)

    return step


FUNCTIONS = (
    "where cat stack tensor zeros arange randn randint randperm rand multinomial einsum".split()
)
OPERATIONS = {
    f"operation-{name}-{size}": Workload(
        f"operation-{name}-{size}",
        f"{name}, {size}",
        goal=GOAL,
        makers={REFERENCE: partial(prepared, text, n)},
    )
    for name, text in PAIRS
    for size, n in SIZES.items()
}


def measured(names: list[str], paths: dict[str, str], effort: Effort) -> dict[str, dict[str, Any]]:
    """The outcomes of the named operations, of PyTorch and of ours."""
    found: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder, workers = Path(name), {}
        for library in (REFERENCE, OURS):
            workers[library] = Worker(library, place(library, paths[library], folder))
            stack.callback(workers[library].close)
        for operation in names:
            if sys.stderr.isatty():
                print(f"… {operation}", file=sys.stderr, flush=True)
            found[operation] = measure(OPERATIONS[operation], workers, effort, folder)
    return found


def lines(found: dict[str, dict[str, Outcome]]) -> list[list[str]]:
    """A line of the table for each operation."""
    return [
        [
            OPERATIONS[name].title,
            table.absolute(outcomes[REFERENCE]),
            table.cell(outcomes[OURS], outcomes[REFERENCE]),
            table.verdict(outcomes[OURS].times(outcomes[REFERENCE]), GOAL),
        ]
        for name, outcomes in found.items()
    ]


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.operations", description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="WORD", help="those with a word in their name")
    parser.add_argument("--python", nargs="+", default=[], metavar="NAME=PATH")
    parser.add_argument("--rounds", type=int, metavar="N", default=3)
    parser.add_argument("--json", action="store_true", help="every number, for programs")
    chosen = parser.parse_args(arguments)
    words = chosen.only or [""]
    names = [name for name in OPERATIONS if any(word in name for word in words)]
    if not names:
        parser.error(f"no operation has {' or '.join(words)} in its name")
    try:
        paths = {library: pythons(chosen.python)[library] for library in LIBRARIES}
    except ValueError as error:
        parser.error(str(error))
    found = measured(names, paths, Effort(sittings=1, rounds=chosen.rounds, seconds=0.02, again=0))
    if chosen.json:
        ratios = {n: o[OURS].times(o[REFERENCE]) for n, o in found.items()}
        print(json.dumps(ratios, indent=1))
    else:
        print(table.markdown(["operation", "PyTorch", "course_lib × PyTorch", ""], lines(found)))
    return int(any(outcomes[OURS].problem for outcomes in found.values()))


if __name__ == "__main__":
    sys.exit(main())
