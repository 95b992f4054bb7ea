"""`course grade --self-test`: try what hostile answers try, and show what holds on this machine."""

import contextlib
import json
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from course_grading import trials, unit, walls, warm
from course_grading.expected import Recorded
from course_grading.reference import Exercise
from course_grading.trials import Trial
from course_grading.walls import MEGABYTE, Limits
from course_lib.classroom.probe import Data
from course_lib.classroom.verdict import CORRECT

_CHECK = '@check("trial-1")\ndef trial_1(show):\n    show("it", attempt())'
_KIT: Data = {key: [] for key in ("before", "between", "binds", "tools", "used", "screened")}
_KIT |= {"check": _CHECK, "stub_plain": "", "answers": ["attempt"], "memory": False}
KITS: dict[str, Data] = {"trial": {"idents": [], "questions": {"trial-1": _KIT}}}

Seen = tuple[str, str, bool, str]  # the promise, what was tried, whether it was held, how


def run_attempts(runner: warm.Asked) -> Iterator[Seen]:
    """Every attempt, as it is made: each in a process of its own."""
    with trials.plant_names() as names:
        for one in trials.TRIALS:
            try:
                why = trials.attempt(runner, [one], names).get(one.words, "its process was ended")
            except warm.Lost:
                why = ""
            yield one.promise, one.words, bool(why), why
        yield _deletes_through_a_link(runner, names)
    yield _leaves_for_the_next(runner)
    yield _outlives(runner)
    yield from _stays_in_memory(runner)
    yield from _forges(runner)


# ---- attempts that take more than one answer -----------------------------------------------------


def _deletes_through_a_link(runner: warm.Asked, names: dict[str, Any]) -> Seen:
    """Its folder becomes a link to another: what clears the folder must not follow it."""
    place = Path(names["folder"], "for-a-link")
    place.mkdir()
    (place / "kept").write_text("kept", encoding="utf-8")
    code = (
        "import os; here = os.getcwd(); os.rename(here, here + '-moved'); "
        f"os.symlink({str(place)!r}, here)"
    )
    words = "has a folder deleted through a link"
    with contextlib.suppress(warm.Lost):
        trials.attempt(runner, [Trial("files", words, code)], names)
        trials.attempt(runner, [Trial("files", words, "pass")], names)
    held = (place / "kept").exists()
    return "files", words, held, "nothing was deleted" if held else "it was emptied"


def _leaves_for_the_next(runner: warm.Asked) -> Seen:
    words = "leaves a file for the next answer"
    leave = "import os; open('left', 'w').write('x'); os.mkdir('d'); open('d/left', 'w').write('x')"
    look = (
        "import os; found = os.listdir('.') + os.listdir('..'); assert set(found) & {'left', 'd'}"
    )
    trials.attempt(runner, [Trial("files", words, leave)], {})
    why = trials.attempt(runner, [Trial("files", words, look)], {}).get(words, "it was ended")
    return "files", words, bool(why), why


def _outlives(runner: warm.Asked) -> Seen:
    words = "starts a process that outlives it"
    code = "import os; os.fork() or (os.setsid(), os.execv('/bin/sleep', ['sleep', '60']))"
    before = family(runner.process)
    why = trials.attempt(runner, [Trial("processes", words, code)], {}).get(words, "")
    left = set(family(runner.process)) - set(before)
    return "processes", words, not left, why or "it was ended with it"


def _stays_in_memory(runner: warm.Asked) -> Iterator[Seen]:
    """What one answer held must not be in the process that the next one is a copy of."""
    mark = secrets.token_hex(16)
    code = f"mark = {mark!r}; kept = [mark + str(n) for n in range(1000)]"
    trials.attempt(runner, [Trial("memory", "leaves its text in memory", code)], {})
    words = "finds another answer in memory"
    try:
        found = [one for one in family(runner.process) if in_memory(one, mark.encode())]
    except OSError:
        return  # this user may not look, or this system has no such way to
    yield "memory", words, not found, "it is not there" if not found else "it is there"


def family(process: int) -> list[int]:
    """A process and all that it started, as /proc tells."""
    found = [process]
    for one in found:  # which grows meanwhile
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            found += [int(child) for child in task.read_text(encoding="ascii").split()]
    return found


def in_memory(process: int, mark: bytes) -> bool:
    """True when the mark stands anywhere in the memory of that process. Needs the right to look."""
    with (
        open(f"/proc/{process}/maps", encoding="utf-8", errors="replace") as maps,
        open(f"/proc/{process}/mem", "rb", 0) as memory,
    ):
        for line in maps:
            span, rights, *_ = line.split()
            first, last = (int(end, 16) for end in span.split("-"))
            if "r" not in rights or line.rstrip().endswith(("[vvar]", "[vsyscall]")):
                continue
            before = b""
            for place in range(first, last, 16 * MEGABYTE):
                memory.seek(place)
                try:
                    part = before + memory.read(min(16 * MEGABYTE, last - place))
                except OSError:
                    break  # a device, or beyond the end of its file
                if mark in part:
                    return True
                before = part[-len(mark) :]
    return False


def _forges(runner: warm.Asked) -> Iterator[Seen]:
    """An answer writes right results to where results go, by itself, and ends its process."""
    right = {"entries": [{"label": "it", "value": {"kind": "int", "value": 7}}], "error": None}
    lines = [
        json.dumps(line)
        for line in (
            {"at": 0},
            {"data": right, "changed": [], "holds": []},
            *({"decoy": kind, "data": None} for kind in ("spoilt", "nothing", "copied")),
            {"changed": [], "end": True},
        )
    ]
    text = "\n".join(lines) + "\n"
    for words, end in (
        ("forges results and leaves", "os._exit(0)"),
        ("forges results and is killed", "os.kill(os.getpid(), 9)"),
        ("forges results and goes on", "pass"),
    ):
        code = (
            "import os\n"
            f"text = {text!r}.encode()\n"
            "for number in range(3, 64):\n"
            "    try: os.write(number, text)\n"
            "    except OSError: pass\n"
            f"{end}\n"
            "def attempt(): return 7"
        )
        row = unit.grade(_notebook(code), _course(right), runner)
        question = row["questions"][0]
        held = question["word"] != CORRECT and bool(row["review"])
        yield "verdicts", words, held, question["reason"] or question["word"]


def _course(right: Data) -> unit.Course:
    """A course of one question, whose right answer is known."""
    record = {
        "type": "write",
        "answers": ["attempt"],
        "solution": {"data": right},
        "stub": {"code": "attempt = ...", "data": {"entries": [], "error": None}},
        "wrong": [],
        "decoys": [],
        "nothing": {"entries": [], "error": None},
        "together": True,
    }
    expected = Recorded({"seeds": ["a", "b"], "records": {"trial": [{"trial-1": record}] * 2}})
    exercise = Exercise("trial", "trial.ipynb", "", {"trial-1": 1}, {}, KITS["trial"])
    return unit.Course({"trial": exercise}, expected, LIMITS)


def _notebook(answer: str) -> bytes:
    cell: Data = {
        "cell_type": "code",
        "source": f"# Answer to trial-1\n{answer}",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
    }
    return json.dumps(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    ).encode()


# ---- the command ---------------------------------------------------------------------------------

LIMITS = Limits(seconds=2.0, memory=1024 * MEGABYTE)


def self_test(as_json: bool, sandbox: str = "auto") -> int:
    """Print what holds; 0 when every attempt was held back, else 1."""
    runner = warm.start(KITS, LIMITS, unsafe=True, sandbox=sandbox)
    try:
        broken = trials.broken_promises(runner)
        found = list(run_attempts(runner))
    finally:
        runner.close()
    held = not broken and not walls.open_promises(runner.holds)
    if as_json:
        print(json.dumps(_facts(runner.holds, found), indent=1))
    else:
        _say(runner.holds, found)
    sys.stdout.flush()
    return 0 if held and all(ok for _, _, ok, _ in found) else 1


def _facts(holds: walls.Holds, found: list[Seen]) -> Data:
    return {
        **walls.report(holds),
        "trials": [
            {"promise": promise, "trial": words, "held": ok, "seen": how}
            for promise, words, ok, how in found
        ],
    }


def _say(holds: walls.Holds, found: list[Seen]) -> None:
    print(walls.words(holds)[0])
    for wall, why in holds.items():
        print(f"  {'✓' if not why else '✗'} {wall}{': ' + why if why else ''}")
    for name in dict.fromkeys(promise for promise, *_ in found):
        by = walls.holding(holds).get(name)
        held_by = f" (held by {', '.join(by)})" if by else " (HELD BY NOTHING)" if by == [] else ""
        print(f"{name}{held_by}: an answer that …")
        for promise, words, ok, how in found:
            if promise == name:
                print(f"  {'✓ is held back' if ok else '✗ SUCCEEDS    '}  {words:<42} {how[:90]}")


__all__ = ["KITS", "family", "in_memory", "run_attempts", "self_test"]
