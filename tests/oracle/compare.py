"""Shows how far `course_lib` agrees with PyTorch: `python tests/oracle/compare.py [family …]`."""

import argparse
import importlib
import sys
from types import ModuleType

from observe import observe
from snippets import HERE, Case, asked, cases, families
from verdict import agree, load, pending, report, write_pending

sys.path.insert(0, str(HERE.parents[1]))

Result = tuple[Case, list[str], list[str], bool]


def compare(family: str, ours: ModuleType, only: str) -> list[Result]:
    """Every case of a family with what was expected, what came, and whether they agree."""
    record = load(family)[1]
    results = []
    for case in cases(family):
        if only in case.id:
            expected, got = record.get(case.id, ["no record"]), observe(case.code, ours)
            results.append((case, expected, got, agree(expected, got, case.approximate)))
    return results


def update_pending(results: list[Result], add: bool) -> None:
    """Takes agreeing cases off the list; with `add`, puts differing ones on it."""
    known = pending()
    for case, _, _, equal in results:
        if equal:
            known.pop(case.id, None)
        elif add:
            known.setdefault(case.id, "")
    every = [case.id for family in families() for case in cases(family)]
    rows = {name: known[name] for name in every if name in known}
    write_pending(rows)
    print(f"pending.txt: {len(rows)} cases")


def show_expression(code: str) -> None:
    """Runs one program with torch and with course_lib, whichever can be imported."""
    for name in ("torch", "course_lib"):
        try:
            module = importlib.import_module(name)
        except ImportError as error:
            print(f"{name}: {error}")
            continue
        print("\n".join(f"{name + ':':<12}{line}" for line in observe(code, module)))


def row(name: str, results: list[Result], known: dict[str, str]) -> str:
    """A line of the table; what pending.txt lists is no failure."""
    pending_ones = sum(not equal and case.id in known for case, *_, equal in results)
    good = sum(equal for *_, equal in results)
    return f"{name:<24} {good:>7} {pending_ones:>7} {len(results) - good - pending_ones:>7}"


def main() -> None:
    """Prints the table and what was asked for besides."""
    parser = argparse.ArgumentParser(description="Shows how far course_lib agrees with PyTorch.")
    add = parser.add_argument
    add("family", nargs="*", help="all of them if none is named")
    add("--fail", type=int, default=5, metavar="N", help="show the first N mismatches in detail")
    add("--pending", action="store_true", help="also those that pending.txt lists")
    add("--only", default="", metavar="TEXT", help="only cases whose id contains TEXT")
    add("--expr", metavar="PROGRAM", help="run one program with torch and course_lib, show both")
    add("--update-pending", action="store_true", help="take what agrees now off pending.txt")
    add("--add-pending", action="store_true", help="also put on it what differs now")
    options = parser.parse_args()
    if options.expr:
        return show_expression(options.expr)
    names = asked(parser, options.family)
    ours = importlib.import_module("course_lib")
    results: list[Result] = []
    known = pending()
    print(f"{'family':<24} {'passed':>7} {'pending':>7} {'failed':>7}")
    for family in names:
        found = compare(family, ours, options.only)
        results += found
        print(row(family, found, known), flush=True)
    print(row("all", results, known))
    listed = {} if options.pending else known
    bad = [r for r in results if not r[3] and r[0].id not in listed]
    for case, expected, got, _ in bad[: options.fail]:
        print("\n" + report(case, expected, got))
    if options.update_pending or options.add_pending:
        update_pending(results, options.add_pending)


if __name__ == "__main__":
    main()
