"""The `course` command: a table of sub-commands, each living in the module that does its work.

To add a sub-command, add one row to `COMMANDS` and give its module two functions:
`add_arguments(parser)` declares the words it takes, `run(arguments)` returns the exit code.
Only the module of the sub-command that was asked for is imported, so that help comes at once.
"""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import platform
import sys
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from course_lib.classroom.prompt import typed
from course_lib.classroom.record import meant
from course_lib.classroom.trouble import Trouble

# What the extra `lab` brings, by the names that are imported; the library itself needs none of it.
LAB = "ipykernel ipywidgets jupyter_client jupyter_core jupyterlab nbclient nbformat nbval".split()


class Command(NamedTuple):
    """One row: the word, what it does in one line, its module, and words to copy."""

    name: str
    summary: str
    module: str
    examples: tuple[tuple[str, str], ...]


COMMANDS = (
    Command(
        "lab",
        "open the course in JupyterLab",
        "course_lib.classroom.commands.lab",
        (
            ("lab", "open the lessons in the browser"),
            ("lab my-course", "keep your files in the folder my-course"),
            ("lab --no-browser", "only print the address to open"),
            ("lab --port 9000", "serve on this port and no other"),
        ),
    ),
    Command(
        "doctor",
        "check this installation and say what to do",
        "course_lib.classroom.commands.doctor",
        (
            ("doctor", "check everything, one line each"),
            ("doctor my-course", "check the folder my-course too"),
            ("doctor --json", "the same for a program to read"),
        ),
    ),
    Command(
        "status",
        "show what you have solved so far",
        "course_lib.classroom.commands.status",
        (
            ("status", "stage by stage, in words and bars"),
            ("status --json", "the same for a program to read"),
            ("status --merge other.jsonl", "add the progress of another machine"),
        ),
    ),
    Command(
        "next",
        "name the next question to solve",
        "course_lib.classroom.commands.next",
        (("next", "the first question that is not solved, and its file"),),
    ),
    Command(
        "check",
        "run an exercise notebook and judge it",
        "course_lib.classroom.commands.check",
        (
            ("check", "check the set you worked on last"),
            ("check welcome", "check one set; exit 0 when all is correct"),
            ("check welcome-3", "only this question of it"),
            ("check all", "check every set"),
        ),
    ),
    Command(
        "watch",
        "check a notebook each time it is saved",
        "course_lib.classroom.commands.watch",
        (
            ("watch", "every set of exercises, until Ctrl-C"),
            ("watch welcome", "only this one"),
        ),
    ),
    Command(
        "explain",
        "say what an error means, by its words",
        "course_lib.classroom.commands.explain",
        (
            ("explain view size is not compatible", "what happened, and the first cure"),
            ("explain loss does not go down", "mistakes without an error, too"),
            ("explain --json index out of range", "the same for a program to read"),
        ),
    ),
    Command(
        "search",
        "find where the course speaks of something",
        "course_lib.classroom.search",
        (
            ("search view or copy", "lessons, exercises, glossary, pictures and errors"),
            ('search "difference between * and @"', "signs stand in quotes"),
        ),
    ),
    Command(
        "hint",
        "show the next hint of a question",
        "course_lib.classroom.commands.hint",
        (
            ("hint welcome-3", "the next hint, one at a time"),
            ("hint welcome-3 1", "the first hint again"),
        ),
    ),
    Command(
        "solution",
        "show a solution of a question",
        "course_lib.classroom.commands.solution",
        (("solution welcome-3", "a solution, and why it is one"),),
    ),
    Command(
        "reset",
        "start a set afresh, with a backup",
        "course_lib.classroom.commands.reset",
        (("reset welcome", "your version is kept in the folder backups"),),
    ),
    Command(
        "update",
        "get new versions of unchanged files",
        "course_lib.classroom.commands.update",
        (
            ("update", "what you changed is kept, and named"),
            ("update my-course", "the same in the folder my-course"),
        ),
    ),
    Command(
        "release",
        "make exercises from source notebooks",
        "course_lib.classroom.commands.release",
        (
            ("release", "make exercises/ from solutions/"),
            ("release my-sources handout", "make an own set of exercises"),
            ("release --check", "only say whether something is stale"),
            ("release my-sources handout --graded keep", "for students, and for the grader"),
        ),
    ),
    Command(
        "preview",
        "show what students will see of a set",
        "course_lib.classroom.commands.preview",
        (
            ("preview my-sources", "a page for each set, with the messages they will meet"),
            ("preview my-sources --no-solutions", "as it is handed out to be graded"),
        ),
    ),
    Command(
        "grade",
        "grade a folder of student notebooks",
        "course_lib.classroom.commands.grade",
        (
            ("grade submissions --out results", "a folder or a file for each student"),
            ("grade submissions --out results --resume", "go on after an interruption"),
            ("grade submissions --out results --anonymous ids", "also without names"),
            ("grade --self-test", "what holds hostile answers back on this machine"),
        ),
    ),
    Command(
        "mark",
        "mark essays and look at flags in a browser",
        "course_grading.mark",
        (
            ("mark results --class my-class", "what waits for you, answer by answer"),
            ("mark results --who Lee --port 9000", "under your name, on this port"),
        ),
    ),
    Command(
        "export",
        "write exercises for another grader",
        "course_lib.classroom.commands.export",
        (
            ("export --otter my-sources masters", "notebooks that otter assign takes"),
            ("export --gradescope welcome welcome.zip", "an autograder for Gradescope"),
        ),
    ),
    Command(
        "new-exercise",
        "begin a set of exercises of your own",
        "course_lib.classroom.commands.new_exercise",
        (
            ("new-exercise ex05_storage_and_strides", "a commented template in solutions/"),
            ("new-exercise homework my-sources", "the same in a folder of your own"),
        ),
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `course` with these words and return the exit code: 0 done, 1 failed, 2 unclear."""
    _say_anything()
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        try:
            return _run(words)
        finally:
            sys.stdout.flush()  # here, where a reader that went away can be told from a failure
    except Trouble as trouble:
        print(f"course: {trouble}", file=sys.stderr)
        return trouble.exit_code
    except KeyboardInterrupt:
        print("course: interrupted", file=sys.stderr)
        return 130  # 128 + SIGINT, as shells report it
    except OSError as error:
        # `course --help | head -1` ends our output; Windows calls that an invalid argument.
        if not isinstance(error, BrokenPipeError) and (os.name, error.errno) != (
            "nt",
            errno.EINVAL,
        ):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes at exit
        return 1


def parse(words: list[str]) -> argparse.Namespace:
    """What `words` ask for; leaves the program, with a message, if it cannot be told.

    start.py calls this before anything is installed, so nothing here, nor at the head of a
    sub-command's module, may import a package.
    """
    asked = next((word for word in words if not word.startswith("-")), None)
    parser = _parser(asked)
    known = [command.name for command in COMMANDS]
    if asked is not None and asked not in known:
        said = meant(asked, known) or f"the commands are {', '.join(known)}"
        parser.error(f"there is no command {asked!r}; {said}")
    parsed = parser.parse_args(words)
    if parsed.command is None:
        parser.print_help()
    return parsed


def _run(words: list[str]) -> int:
    parsed = parse(words)
    if not parsed.command:
        return 0
    if sys.platform == "emscripten":
        raise Trouble("the commands start programs of their own, which a browser does not allow")
    try:
        return int(parsed.run(parsed))
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in LAB:
            raise
        raise Trouble(
            f"this command needs {error.name}, which is not installed: "
            f'pip install "course-lib[lab]" brings it'
        ) from error


def _say_anything() -> None:
    """Let both streams print any path: an old Windows console has no letter for most of them."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


# ---- words and help ------------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    """argparse's parser, ending each complaint with the command that explains more."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\nTry: {self.prog} --help\n")


class _Version(argparse.Action):
    """`--version`: looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from course_lib.version import COURSE, MODELLED

        python = f"Python {platform.python_version()} on {platform.system()}"
        print(f"course {COURSE}, as PyTorch {MODELLED} ({python})")
        parser.exit()


def _examples(rows: Sequence[tuple[str, str]]) -> str:
    lines = [(typed(words), says) for words, says in rows]
    width = max(len(line) for line, _ in lines)
    return "examples:\n" + "\n".join(f"  {line:<{width}}  {says}" for line, says in lines)


def _parser(asked: str | None) -> argparse.ArgumentParser:
    """A parser that knows every sub-command's name, and the words of the one asked for."""
    parser = _Parser(
        prog=typed(),
        description="Learn PyTorch from the inside: lessons, exercises and checks.",
        epilog=_examples([command.examples[0] for command in COMMANDS])
        + f"\n\nMore about one command: {typed('COMMAND --help')}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version", action=_Version, nargs=0, help="show the version of the course and of Python"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for command in COMMANDS:
        sub = commands.add_parser(
            command.name,
            help=command.summary,
            description=command.summary[0].upper() + command.summary[1:] + ".",
            epilog=_examples(command.examples),
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if command.name == asked:
            module = importlib.import_module(command.module)
            module.add_arguments(sub)
            sub.set_defaults(run=module.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
