"""`python -m benchmarks`: the words of its command line, and its exit status.

0: all results of course_lib are right; 1: one is not, or could not be had; 2: words not understood;
3: with --strict, all are right, but a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import sys

from benchmarks import table
from benchmarks.libraries import BY_HAND, LIBRARIES, OURS, REFERENCE, installed, pythons
from benchmarks.rounds import Effort, run
from benchmarks.startup import STARTUPS
from benchmarks.workloads import WORKLOADS

ROWS = {**WORKLOADS, **STARTUPS}
FULL, QUICK = Effort(11, 0.2, again=4), Effort(3, 0.03, again=0)


def words() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Time course_lib beside other libraries; ratios count, not seconds.",
        epilog=f"workloads: {' '.join(ROWS)}",
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds, under a minute")
    parser.add_argument("--rounds", type=int, help="how many rounds (11, quick: 3)")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=ROWS, help="these workloads")
    parser.add_argument(
        "--peers",
        nargs="*",
        metavar="NAME",
        choices=[name for name in LIBRARIES if name not in (OURS, BY_HAND)],
        help="these libraries beside course_lib and NumPy by hand; all if not said",
    )
    parser.add_argument(
        "--python", nargs="+", default=[], metavar="NAME=PATH", help="the Python that has a library"
    )
    parser.add_argument("--json", action="store_true", help="every number, for programs")
    parser.add_argument("--strict", action="store_true", help="status 3 if a goal is missed")
    return parser


def main(arguments: list[str] | None = None) -> int:
    parser = words()
    chosen = parser.parse_args(arguments)
    try:
        paths = pythons(chosen.python)
    except ValueError as error:
        parser.error(str(error))
    effort = QUICK if chosen.quick else FULL
    if chosen.rounds is not None:
        if chosen.rounds < 1:
            parser.error("--rounds wants at least one")
        effort = Effort(chosen.rounds, effort.seconds, effort.again)
    names = [OURS, BY_HAND, *(LIBRARIES if chosen.peers is None else chosen.peers)]
    facts = {name: installed(LIBRARIES[name], paths[name]) for name in LIBRARIES if name in names}
    missing = [LIBRARIES[name].title for name, known in facts.items() if known is None]
    present = {name: paths[name] for name, known in facts.items() if known is not None}
    rows = [ROWS[name] for name in ROWS if chosen.only is None or name in chosen.only]
    results = run(rows, present, effort, told=lambda name: say(f"… {name}"))
    if chosen.json:
        print(json.dumps(as_data(rows, results, facts), indent=1))
    else:
        print(table.table(rows, results))
        for note in table.notes(rows, results):
            print(f"* {note}")
        for title in missing:
            print(f"* {title} is not installed and is left out")
    return status(rows, results, chosen.strict)


def say(text: str) -> None:
    """Progress, where it is in nobody's way."""
    if sys.stderr.isatty():
        print(text, file=sys.stderr, flush=True)


def status(rows: list, results: dict, strict: bool) -> int:
    ours = {row.name: results[row.name][OURS] for row in rows}
    if any(outcome.problem for outcome in ours.values()):
        return 1
    if strict:
        for row in rows:
            reference, hand = results[row.name].get(REFERENCE), results[row.name][BY_HAND]
            for ratio, goal in (
                (ours[row.name].times(reference), row.goal),
                (ours[row.name].times(hand), row.goal_by_hand),
            ):
                if table.verdict(ratio, goal) == "missed":
                    return 3
    return 0


def as_data(rows: list, results: dict, facts: dict) -> dict:
    """The whole run as plain data."""
    return {
        "libraries": facts,
        "workloads": [
            {
                "name": row.name,
                "title": row.title,
                "goal": row.goal,
                "goal_by_hand": row.goal_by_hand,
                "outcomes": {
                    name: {
                        "values": outcome.values,
                        "problem": outcome.problem,
                        "absent": outcome.absent,
                        "times_torch": outcome.times(results[row.name].get(REFERENCE)),
                        "times_by_hand": outcome.times(results[row.name][BY_HAND]),
                    }
                    for name, outcome in results[row.name].items()
                },
            }
            for row in rows
        ],
    }


if __name__ == "__main__":
    sys.exit(main())
