"""`course grade`: grade a folder of student notebooks, safely, into a folder of results."""

import argparse
import functools
import json
import re
import sys
import traceback

from course_grading.folder import Outcome, grade_folder, watch
from course_grading.overrides import TO_MARK
from course_grading.row import plural
from course_grading.steps import Steps
from course_grading.walls import SANDBOXES, Limits, report, words
from course_lib.classroom.prompt import add_options
from course_lib.classroom.stop import CLOCK
from course_lib.classroom.trouble import Trouble

WORDS = {
    "SUBMISSIONS?": "a folder with a folder, or an .ipynb file, for each student; or a "
    "zip file of it",
    "--out RESULTS": "the folder to write to",
    "--exercises FOLDER": "released exercises of your own, solutions included "
    "(default: the course's)",
    "--class FOLDER": "roster.csv, rules.toml, extensions.csv, overrides.csv, a platform's grading "
    "sheet",
    "--set NAME …": "grade only this set, and name who did not hand it in; may be given again",
    "--regrade QUESTION …": "new marks for this question alone; all others stay as they are in "
    "RESULTS",
    "--anonymous FOLDER": "also write the results without names into this folder; the key stays in "
    "RESULTS",
    "--resume": "go on where an earlier run was interrupted",
    "--watch": "go on until Ctrl-C, and grade what is handed in as it comes",
    "--jobs N": "processes at once (default: one a core)",
    "--seed TEXT": "keep it secret (default: drawn anew)",
    "--timeout S": "seconds of computing for one answer and its check, and "
    f"{CLOCK:g} times as many by the clock (default: {Limits.seconds:g})",
    "--json": "print JSON for a program to read",
    "--scheduler ADDRESS": "a dask scheduler that lends workers",
    "--unsafe": "grade even where this machine cannot hold hostile answers back; the report says "
    "so",
    "--self-test": "only show what holds on this machine",
    f"--sandbox {{{','.join(SANDBOXES)}}}": "what holds answers back (auto: best)",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the words of `course grade`."""
    add_options(parser, WORDS)
    parser.set_defaults(jobs=0, seed="", timeout=Limits.seconds, scheduler="", sandbox="auto")


FAILED = 3  # the grader itself, or the machine it runs on


def run(arguments: argparse.Namespace) -> int:
    """Grade: 0 all is graded, 1 something needs a person, 2 it was not begun, 3 it broke off."""
    try:
        return _run(arguments)
    except Trouble as trouble:
        code = FAILED if trouble.exit_code == 1 else trouble.exit_code
        raise Trouble(str(trouble), code) from None
    except KeyboardInterrupt:
        print("\nWhat was finished is kept: the same line with --resume goes on.", file=sys.stderr)
        raise
    except BrokenPipeError:
        raise  # the reader of the output has gone, as with `| head`: `course` ends quietly
    except Exception:
        traceback.print_exc()
        print(
            "course: the grader itself failed. Rows that were finished are kept: run the same line "
            "with --resume. If it fails again, please report the lines above.",
            file=sys.stderr,
        )
        return FAILED


def _run(arguments: argparse.Namespace) -> int:
    if arguments.self_test:
        from course_grading.self_test import self_test

        return self_test(arguments.json, arguments.sandbox)
    if arguments.submissions is None or arguments.out is None:
        raise Trouble("name the folder of submissions and, after --out, one for the results", 2)
    arguments.class_ = vars(arguments)["class"]  # a word of Python's own
    _check(arguments)
    if arguments.watch:
        return _watch(arguments)
    return _grade(arguments).exit_code


def _grade(arguments: argparse.Namespace) -> Outcome:
    """One pass: grade, and say what came out."""
    with Steps(quiet=arguments.json) as steps:
        outcome = grade_folder(
            arguments.submissions,
            arguments.out,
            exercises=arguments.exercises,
            class_=arguments.class_,
            sets=tuple(arguments.set),
            anew=tuple(arguments.regrade),
            resume=arguments.resume,
            jobs=arguments.jobs,
            seed=arguments.seed,
            limits=Limits(seconds=arguments.timeout),
            scheduler=arguments.scheduler,
            unsafe=arguments.unsafe,
            sandbox=arguments.sandbox,
            anonymous=arguments.anonymous,
            step=steps.step,
        )
    facts = json.dumps(_facts(outcome), indent=None if arguments.watch else 1)
    print(facts if arguments.json else _words(outcome), flush=True)
    return outcome


def _watch(arguments: argparse.Namespace) -> int:
    """Pass after pass until Ctrl-C, which is how it is meant to end; the status of the last."""
    if arguments.regrade:
        raise Trouble("--regrade is for one run, --watch for many; leave one of them out", 2)
    folders = [arguments.submissions, *([arguments.class_] if arguments.class_ else [])]
    status = 0

    def grade() -> Outcome:
        made = _grade(arguments)
        arguments.resume = True
        return made

    say = functools.partial(print, file=sys.stderr, flush=True)
    say(f"Watching {arguments.submissions}; Ctrl-C ends it.")
    try:
        for outcome in watch(folders, grade, say):
            status = outcome.exit_code
    except KeyboardInterrupt:
        say("\nWatching has ended; what was graded is kept.")
    return status


def _check(arguments: argparse.Namespace) -> None:
    if not 0 < arguments.timeout <= 3600:
        raise Trouble("--timeout takes seconds between 0 and 3600", 2)
    if not 0 <= arguments.jobs <= 999:
        raise Trouble("--jobs takes a number of processes", 2)
    if arguments.scheduler and not re.search(r":\d+", arguments.scheduler):
        raise Trouble("--scheduler takes an address with a port, as tcp://10.0.0.1:8786", 2)
    out, handed_in = arguments.out.resolve(), arguments.submissions.resolve()
    if out.is_relative_to(handed_in):
        raise Trouble("the results would lie among the submissions; name another folder", 2)
    if arguments.class_ and out.is_relative_to(arguments.class_.resolve()):
        raise Trouble("the results would lie in the folder of the class; name another folder", 2)
    without = arguments.anonymous and arguments.anonymous.resolve()
    if without and (without.is_relative_to(out) or out.is_relative_to(without)):
        raise Trouble("--anonymous takes a folder apart from the results with names", 2)
    if without and without.is_relative_to(handed_in):
        raise Trouble("--anonymous takes a folder apart from the submissions", 2)


def _facts(outcome: Outcome) -> dict[str, object]:
    return {
        "results": str(outcome.folder),
        "submissions": outcome.submissions,
        "review": outcome.review,
        "open": outcome.open,
        "kept": outcome.kept,
        "students": outcome.students,
        "changed": outcome.changed,
        "untimed": outcome.untimed,
        "unused_overrides": outcome.unused,
        "uploads": [str(path) for path in outcome.uploads],
        **report(outcome.holds),
    }


def _words(outcome: Outcome) -> str:
    said, warned = words(outcome.holds)
    if warned:
        print(said, file=sys.stderr)
    kept = f", {outcome.kept} of them before" if outcome.kept else ""
    person = {0: "none needs", 1: "1 needs"}.get(outcome.review, f"{outcome.review} need")
    lines = [said, f"{plural(outcome.submissions, 'submission')} graded{kept}; {person} a person."]
    if outcome.open:
        count = plural(outcome.open, "answer waits", "answers wait")
        early = "; until then the upload is premature" if outcome.uploads else ""
        lines.append(f"{count} to be marked{early}: see {outcome.folder / TO_MARK}")
    lines += outcome.unused
    if outcome.untimed:
        count = plural(outcome.untimed, "notebook")
        lines.append(f"When {count} came is not known, so a deadline could not be applied.")
    if outcome.changed:
        whose = plural(outcome.changed, "student has", "students have")
        lines.append(f"{whose} a new or another mark: see {outcome.folder / 'changes.csv'}")
    lines += [f"To upload: {path}" for path in outcome.uploads]
    return "\n".join([*lines, f"Open {outcome.folder / 'index.html'}"])
