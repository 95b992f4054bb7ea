"""`course explain`: what an error means, by words of its message."""

import argparse
import json
import re
import textwrap
from dataclasses import asdict, dataclass

from course_lib.classroom import content
from course_lib.classroom.prompt import command_line
from course_lib.classroom.search import Passage, find, terms

WIDTH, OTHERS = 88, 3
ENOUGH = 0.5  # of the words, on a page that fits
_HAPPENED = re.compile(r"^## What happened\n\n(.*?)\n\n##", re.M | re.S)
_CODE = re.compile(r"^```python\n(.*?)^```", re.M | re.S)
_CURE = re.compile(r"^### (?:1\. )?(.+?)\n(.*?)^```python\n(.*?)^```", re.M | re.S)
_MARKS = re.compile(r"\*(\w[^*\n]*)\*|^\|.*\n", re.M)  # emphasis, and rows of a table
_LINKS = re.compile(r"\[([^]]+)\]\([^)]*\)")


@dataclass(frozen=True)
class Entry:
    """What a page of the error index says first."""

    sentence: str
    kind: str  # such as `RuntimeError · Shapes · lesson 09 · Broadcasting`
    example: str  # code that leads to it
    happened: str  # there
    cause: str
    cure: str
    code: str
    path: str


WORDS = {
    "WORDS…": "of the message, or of what goes wrong",
    "--json": "print JSON for a program to read",
}


def run(arguments: argparse.Namespace) -> int:
    """Print the page that fits best: 0 there is one, 1 there is none."""
    words = " ".join(arguments.words)
    found = [entry(one) for one in fitting(words)]
    if arguments.json:
        print(json.dumps({"words": words, "pages": [asdict(one) for one in found]}, indent=1))
    elif found:
        print("\n".join(as_lines(found)))
    else:
        print(f"No page of the error index fits {words!r}.")
        print("Try other words of the message's last line, without the names of your own code,")
        print(f"such as {command_line('explain view size is not compatible')}")
        print(f"All pages are listed in {content.root() / content.ERRORS / 'README.md'}")
    return int(not found)


def fitting(words: str) -> list[Passage]:
    """The pages that have at least half of the words, the best first.

    A sentence that has the words in their order goes before one that has them in another. Numbers
    are those of the reader's tensors, which no page has.
    """
    words = re.sub(r"\b\d[\dx]*\b", "", words)
    wanted = set(terms(words))
    in_order = " ".join(terms(words))
    found = find(words, most=OTHERS + 1, within=content.ERRORS)
    found.sort(key=lambda one: in_order not in " ".join(terms(one.title)))
    return [
        one
        for one in found
        if len(wanted & set(terms(f"{one.title} {one.text} {one.code}"))) >= ENOUGH * len(wanted)
    ]


def entry(page: Passage) -> Entry:
    """What the page says first."""
    path = content.root() / page.file
    text = path.read_text(encoding="utf-8")
    example, happened, cure = _CODE.search(text), _HAPPENED.search(text), _CURE.search(text)
    if not example or not happened or not cure:
        raise ValueError(f"{path} has no example, no story or no cure")
    kind = _LINKS.sub(r"\1", text.split("\n")[2]).replace("`", "")
    told = [_MARKS.sub(r"\1", part) for part in (happened[1], cure[1], cure[2])]
    story, cause, remedy = (" ".join(part.split()) for part in told)
    return Entry(page.title, kind, example[1], story, cause, remedy, cure[3], str(path))


def as_lines(found: list[Entry]) -> list[str]:
    """The first page in full, and where the others are."""
    best, *others = found
    silent = best.kind.startswith("No error")
    cause = f"{'How to get it right' if silent else 'Most common cause'}: {best.cause}"
    parts = [best.happened, f"{cause.rstrip('.')}. {best.cure}".rstrip()]
    lines = [*textwrap.wrap(best.sentence, WIDTH), f"({best.kind})", ""]
    lines += ["For example:", "", textwrap.indent(best.example, "    ")]
    for part in parts:
        lines += [*textwrap.wrap(part, WIDTH), ""]
    lines += [textwrap.indent(best.code, "    "), f"All causes, with a cure for each: {best.path}"]
    if others:
        lines += ["", "Also:", *(f"  {one.sentence}\n    {one.path}" for one in others)]
    return lines
