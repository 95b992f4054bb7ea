"""Compares random programs, run by PyTorch and by course_lib.

    python tests/autograd/random_programs.py 5000 0      programs of seeds 0 … 4999, compared live
    python tests/autograd/random_programs.py --record    record what PyTorch does
    python tests/autograd/random_programs.py --show 7    one program as both run it

PyTorch has to be installed for all three.  A mismatch is shrunk before it is shown.
"""

import argparse
import hashlib
import importlib
import json
import sys
from pathlib import Path
from types import ModuleType

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from running_programs import run  # noqa: E402
from writing_programs import program  # noqa: E402

RECORD = HERE / "random_programs.json"
TEXTS = HERE / "random_programs.txt"
RECORDED, SHOWN = 2500, 100  # programs with a digest, and of these in full


def outcome(seed: int, torch: ModuleType) -> list[str]:
    """What the program of a seed does: every second one is looked at after every line."""
    return run(program(seed), torch, often=seed % 2 == 0)


def broken(told: list[str]) -> bool:
    """Whether PyTorch itself stumbled: nothing to learn from that."""
    return any("INTERNAL ASSERT" in line or "unallocated storage" in line for line in told)


def digest(told: list[str]) -> str:
    """A short fingerprint of an outcome."""
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:10]


def shrink(lines: list[str], often: bool, ours: ModuleType, theirs: ModuleType) -> list[str]:
    """The program without the lines that the mismatch does not need."""
    index = len(lines) - 1
    while index >= 0:
        shorter = lines[:index] + lines[index + 1 :]
        if run(shorter, ours, often) != run(shorter, theirs, often):
            lines = shorter
        index -= 1
    return lines


def difference(lines: list[str], often: bool, ours: ModuleType, theirs: ModuleType) -> str:
    """A program, what both made of it, and where they differ."""
    parts = [f"    {line}" for line in lines]
    a, b = run(lines, theirs, often), run(lines, ours, often)
    for index in range(max(len(a), len(b))):
        x, y = (told[index] if index < len(told) else "(nothing)" for told in (a, b))
        if x != y:
            parts += [f"  PyTorch     {x}", f"  course_lib  {y}"]
            break
    return "\n".join(parts)


def compare(count: int, first: int, show: int) -> int:
    """Run programs with both, print what differs, give the number of mismatches."""
    theirs, ours = importlib.import_module("torch"), importlib.import_module("course_lib")
    bad = 0
    for seed in range(first, first + count):
        told = outcome(seed, theirs)
        if broken(told) or told == outcome(seed, ours):
            continue
        bad += 1
        if bad <= show:
            often = seed % 2 == 0
            lines = shrink(program(seed), often, ours, theirs)
            print(f"\nseed {seed}\n{difference(lines, often, ours, theirs)}", flush=True)
    print(f"\n{count} programs from seed {first}, {bad} mismatches")
    return bad


def record() -> None:
    """Write down what PyTorch does."""
    torch = importlib.import_module("torch")
    digests, texts = [], []
    for seed in range(RECORDED):
        told = outcome(seed, torch)
        digests.append("" if broken(told) else digest(told))
        if seed < SHOWN:
            texts.append(f"# {seed}\n" + "\n".join(told) + "\n")
    rows = {"pytorch": torch.__version__.partition("+")[0], "digests": digests}
    RECORD.write_text(json.dumps(rows, indent=0) + "\n", encoding="utf-8", newline="\n")
    TEXTS.write_text("\n".join(texts), encoding="utf-8", newline="\n")


def main() -> int:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description="Compares random programs with PyTorch.")
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("first", type=int, nargs="?", default=0)
    parser.add_argument("--most", type=int, default=10, help="mismatches to shrink and show")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--show", type=int, metavar="SEED")
    options = parser.parse_args()
    if options.record:
        record()
    elif options.show is not None:
        for name in ("torch", "course_lib"):
            module = importlib.import_module(name)
            print(f"---- {name}\n" + "\n".join(outcome(options.show, module)))
    else:
        return bool(compare(options.count, options.first, options.most))
    return 0


if __name__ == "__main__":
    sys.exit(main())
