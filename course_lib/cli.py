"""The `course` command: a table of sub-commands, each a module of that name in `commands/`.

To add a sub-command, add its summary and examples to the tables. `WORDS` in its module says which
words it takes (or `add_arguments(parser)` does), `run(arguments)` returns the exit code.
Only the module of the sub-command that was asked for is imported, so that help comes at once.
"""

import argparse
import errno
import importlib
import os
import platform
import sys
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from course_lib.classroom.prompt import add_options, command_line
from course_lib.classroom.record import ask_nearest
from course_lib.classroom.trouble import Trouble

# What the extra `lab` brings, by the names that are imported; the library itself needs none of it.
LAB = "ipykernel ipywidgets jupyter_client jupyter_core jupyterlab nbclient nbformat nbval".split()


class Command(NamedTuple):
    """The word, what it does in one line, and words to copy."""

    name: str
    summary: str
    examples: list[tuple[str, str]]


SUMMARIES = {
    "lab": "open the course in JupyterLab",
    "doctor": "check this installation and say what to do",
    "status": "show what you have solved so far",
    "next": "name the next question to solve",
    "check": "run an exercise notebook and judge it",
    "watch": "check a notebook each time it is saved",
    "explain": "say what an error means, by its words",
    "search": "find where the course speaks of something",
    "hint": "show the next hint of a question",
    "solution": "show a solution of a question",
    "reset": "start a set afresh, with a backup",
    "update": "get new versions of unchanged files",
    "release": "make exercises from source notebooks",
    "preview": "show what students will see of a set",
    "grade": "grade a folder of student notebooks",
    "mark": "mark essays and look at flags in a browser",
    "export": "write exercises for another grader",
    "new-exercise": "begin a set of exercises of your own",
}
EXAMPLES = {  # words to copy, by the command that they begin with
    "lab": "open the lessons in the browser",
    "lab my-course": "keep your files in the folder my-course",
    "lab --no-browser": "only print the address to open",
    "lab --port 9000": "serve on this port and no other",
    "doctor": "check everything, one line each",
    "doctor my-course": "check the folder my-course too",
    "doctor --json": "the same for a program to read",
    "status": "stage by stage, in words and bars",
    "status --json": "the same for a program to read",
    "status --merge other.jsonl": "add the progress of another machine",
    "next": "the first question that is not solved, and its file",
    "check": "check the set you worked on last",
    "check welcome": "check one set; exit 0 when all is correct",
    "check welcome-3": "only this question of it",
    "check all": "check every set",
    "watch": "every set of exercises, until Ctrl-C",
    "watch welcome": "only this one",
    "explain view size is not compatible": "what happened, and the first cure",
    "explain loss does not go down": "mistakes without an error, too",
    "explain --json index out of range": "the same for a program to read",
    "search view or copy": "lessons, exercises, glossary, pictures and errors",
    'search "difference between * and @"': "signs stand in quotes",
    "hint welcome-3": "the next hint, one at a time",
    "hint welcome-3 1": "the first hint again",
    "solution welcome-3": "a solution, and why it is one",
    "reset welcome": "your version is kept in the folder backups",
    "update": "what you changed is kept, and named",
    "update my-course": "the same in the folder my-course",
    "release": "make exercises/ from solutions/",
    "release my-sources handout": "make an own set of exercises",
    "release --check": "only say whether something is stale",
    "release my-sources handout --graded keep": "for students, and for the grader",
    "preview my-sources": "a page for each set, with the messages they will meet",
    "preview my-sources --no-solutions": "as it is handed out to be graded",
    "grade submissions --out results": "a folder or a file for each student",
    "grade submissions --out results --resume": "go on after an interruption",
    "grade submissions --out results --anonymous ids": "also without names",
    "grade --self-test": "what holds hostile answers back on this machine",
    "mark results --class my-class": "what waits for you, answer by answer",
    "mark results --who Lee --port 9000": "under your name, on this port",
    "export --otter my-sources masters": "notebooks that otter assign takes",
    "export --gradescope welcome welcome.zip": "an autograder for Gradescope",
    "new-exercise ex05_storage_and_strides": "a commented template in solutions/",
    "new-exercise homework my-sources": "the same in a folder of your own",
}
COMMANDS = [
    Command(name, summary, [(w, says) for w, says in EXAMPLES.items() if w.split()[0] == name])
    for name, summary in SUMMARIES.items()
]


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
        said = ask_nearest(asked, known) or f"the commands are {', '.join(known)}"
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
        self.exit(2, f"course: {message}\nTry: {self.prog} --help\n")


class _Version(argparse.Action):
    """`--version`: looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from course_lib.version import COURSE, MODELLED

        python = f"Python {platform.python_version()} on {platform.system()}"
        print(f"course {COURSE}, as PyTorch {MODELLED} ({python})")
        parser.exit()


def _examples(rows: Sequence[tuple[str, str]]) -> str:
    lines = [(command_line(words), says) for words, says in rows]
    width = max(len(line) for line, _ in lines)
    return "examples:\n" + "\n".join(f"  {line:<{width}}  {says}" for line, says in lines)


def _parser(asked: str | None) -> argparse.ArgumentParser:
    """A parser that knows every sub-command's name, and the words of the one asked for."""
    parser = _Parser(
        prog=command_line(),
        description="Learn PyTorch from the inside: lessons, exercises and checks.",
        epilog=_examples([command.examples[0] for command in COMMANDS])
        + f"\n\nMore about one command: {command_line('COMMAND --help')}",
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
            name = command.name.replace("-", "_")
            module = importlib.import_module(f"course_lib.classroom.commands.{name}")
            if hasattr(module, "add_arguments"):
                module.add_arguments(sub)
            else:
                add_options(sub, module.WORDS)
            sub.set_defaults(run=module.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
