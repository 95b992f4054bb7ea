"""`python -m benchmarks`: the words of its command line, and its exit status.

0: all results of course_lib are right; 1: one is not, or could not be had; 2: words not understood;
3: with --strict, all are right, but a goal is missed.
"""

import argparse
import json
import os
import sys
from dataclasses import replace
from pathlib import Path

from benchmarks import page
from benchmarks.libraries import BY_HAND, LIBRARIES, OURS, pythons
from benchmarks.rounds import Effort
from benchmarks.run import NAMES, as_data, perform

FULL = Effort(sittings=3, rounds=3, seconds=0.06, again=2)
QUICK = Effort(sittings=1, rounds=3, seconds=0.03, again=0, quick=True)
PEERS = [name for name in LIBRARIES if name not in (OURS, BY_HAND)]


def words() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Time course_lib beside other libraries; ratios count, not seconds.",
        epilog=f"names: {' '.join(NAMES)}",
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds, a minute or two")
    parser.add_argument("--rounds", type=int, metavar="N", help="rounds of each sitting (3)")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="these rows")
    parser.add_argument(
        "--peers",
        nargs="*",
        metavar="NAME",
        default=PEERS,
        help=f"the libraries beside course_lib and NumPy by hand ({' '.join(PEERS)})",
    )
    parser.add_argument(
        "--python", nargs="+", default=[], metavar="NAME=PATH", help="the Python that has a library"
    )
    parser.add_argument("--json", action="store_true", help="every number, for programs")
    parser.add_argument("--page", type=Path, metavar="FILE", help="write a page of it as well")
    parser.add_argument("--strict", action="store_true", help="status 3 if a goal is missed")
    return parser


def main(arguments: list[str] | None = None) -> int:
    parser = words()
    chosen = parser.parse_args(arguments)
    if not hasattr(os, "fork"):
        parser.error("this system cannot divide processes (os.fork), which the workers do")
    effort = QUICK if chosen.quick else FULL
    if chosen.rounds is not None:
        effort = replace(effort, rounds=chosen.rounds)
    names = chosen.only or NAMES
    for given, known in ((names, NAMES), (chosen.peers, PEERS)):
        if unknown := [name for name in given if name not in known]:
            parser.error(f"{unknown[0]} is none of {', '.join(known)}")
    if effort.rounds < 1:
        parser.error("--rounds wants at least one")
    try:
        paths = pythons(chosen.python)
    except ValueError as error:
        parser.error(str(error))
    asked = {name: paths[name] for name in LIBRARIES if name in (OURS, BY_HAND, *chosen.peers)}
    run = perform(names, asked, effort, told=say)
    print(json.dumps(as_data(run), indent=1) if chosen.json else page.tables(run))
    if chosen.page is not None:
        chosen.page.write_text(page.page(run), encoding="utf-8")
    if not run.right():
        return 1
    return 3 if chosen.strict and "missed" in run.verdicts() else 0


def say(name: str) -> None:
    """How far it is, where that is in nobody's way."""
    if sys.stderr.isatty():
        print(f"… {name}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
