"""Mistakes in a source that reading it does not show: what is missing, and what running it proves.

A question is released only when all this holds: the solution is correct, for the course's seed and
for another; every other right answer is correct too; every wrong answer is told apart from the
right one, from the stub and from each other; no hint contains the solution. A question to learn
from has to have hints, wrong answers, another right one and an explanation; one that is only
graded may do without.
"""

import ast
import contextlib
import io
import re
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

from course_lib.classroom import by_hand, credit
from course_lib.classroom.check import recording
from course_lib.classroom.edits import bound_names, is_edited
from course_lib.classroom.mistakes import parts
from course_lib.classroom.probe import Data
from course_lib.classroom.source import BEGIN, END, Mistake, Note, Question, Source
from course_lib.classroom.verdict import CORRECT, GUESSED, NOT_ATTEMPTED, judge, same

SEED, OTHER_SEED = "course", "another seed"
EDITED = ("write a function", "fix the bug")  # types that need two wrong answers
SECTIONS = ("stub", "hint", "right answer", "wrong answer", "explanation", "partial credit")


def rehearse(source: Source, question: Question, answer: str, seed: str = SEED) -> Data | None:
    """What the check of `question` shows for that answer cell, None when it never runs.

    As in a notebook, a cell that raises does not keep the next one from running.
    """
    names: dict[str, Any] = {"__name__": "__main__"}
    quiet = contextlib.redirect_stdout(io.StringIO())
    with recording(seed) as book, quiet, warnings.catch_warnings(action="ignore"):
        for cell in source.setup + question.run:
            text = answer if cell.role == "answer" else cell.text
            with contextlib.suppress(Exception):
                exec(compile(text, f"<cell {cell.number}>", "exec", dont_inherit=True), names)
    return book.get(question.name)


def answers(question: Question) -> list[str]:
    """The names that the answer cell binds: a check that misses one has met no answer yet."""
    return [name for node in ast.parse(question.answer).body for name in bound_names(node)]


# ---- what is missing -----------------------------------------------------------------------------


def missing(source: Source, graded: bool = False) -> list[Mistake]:
    """Mistakes that can be seen without running anything; notes are optional if it is `graded`."""
    found = list(_astray(source))
    owner: dict[str, str] = {}
    for question in source.questions.values():
        told = list(_missing(source, question, graded))
        found += told
        if told:
            continue
        for name in answers(question):
            other = owner.setdefault(name, question.name)
            if other != question.name:
                problem = f"{other} has an answer named `{name}` too"
                remedy = "rename one: run out of order, a check would look at the other's"
                found.append(question.mistake("answer", problem, remedy))
    return found


def _astray(source: Source) -> Iterator[Mistake]:
    """What is marked as not for students, in a cell that they get as it is."""
    for cell in source.cells:
        for words in sorted({words for _, words in by_hand.marker_lines(cell.text)}):
            role, named = OWN[words]
            if cell.role != role:
                problem = f"{words} markers in a cell that is not the {role} of a question"
                remedy = f"begin the cell with {named} and its name, or drop the markers"
                yield Mistake(source.path.name, cell.number, cell.question, problem, remedy)
        if cell.kind == "markdown" and not cell.role:
            for line in re.findall(
                r"^(?:# Answer to \w+-\w+|#### Rubric)$", cell.text, re.MULTILINE
            ):
                remedy = "put an answer below its prompt, and a rubric into the notes"
                problem = f"students would get this cell as it is, and it says “{line}”"
                yield Mistake(source.path.name, cell.number, cell.question, problem, remedy)


OWN = {"SOLUTION": ("answer", "# Answer to"), "MARK SCHEME": ("notes", "### Notes on")}


def _missing(source: Source, question: Question, graded: bool) -> Iterator[Mistake]:
    name, told = question.name, question.mistake
    marks = {
        "prompt": f"a Markdown cell with `{name}` · puzzle · difficulty 1 of 5 · 2 minutes",
        "answer": f"a code cell that begins with # Answer to {name}",
        "check": f'a code cell that begins with @check("{name}")',
        "notes": f"a Markdown cell headed ### Notes on {name} between the MARK SCHEME lines",
    }
    needed = [role for role in marks if role != "notes" or not graded]
    absent = [role for role in needed if role not in question.cells]
    for role in absent:
        yield told(role, f"it has no {role} cell", f"add {marks[role]}")
    if absent:
        return
    if name.rpartition("-")[0] != source.name:
        yield told("prompt", f"the name does not begin with {source.name}-", "rename the question")
    for phrase in ("**You practise**", "**Why it matters.**"):
        if phrase not in question.cells["prompt"].text:
            yield told("prompt", f"the prompt never says {phrase}", "add a sentence that does")
    text = question.cells["notes"].text if "notes" in question.cells else _NO_NOTES
    if "BEGIN MARK SCHEME" not in text or "END MARK" not in text:
        yield told(*by_hand.UNMARKED)
    marked = [line.strip() for line, _ in by_hand.marker_lines(question.cells["answer"].text)]
    if not marked or marked != [BEGIN, END] * (len(marked) // 2):
        remedy = f"write each on a line of its own, in turn: {BEGIN} and {END}"
        yield told("answer", "the solution is not between its two markers", remedy)
    yield from _missing_notes(question, graded, text)
    for cell in question.run:
        try:
            ast.parse(cell.text)
        except SyntaxError as error:
            problem = f"line {error.lineno} is no Python ({error.msg})"
            remedy = "mend it; magics and ! lines do not belong into exercises"
            yield Mistake(question.file, cell.number, name, problem, remedy)


_NO_NOTES = "<!-- BEGIN MARK SCHEME --><!-- END MARK SCHEME -->"


def _missing_notes(question: Question, graded: bool, text: str) -> Iterator[Mistake]:
    told = partial(question.mistake, "notes")
    if len(re.findall(r"^```", text, re.MULTILINE)) % 2:
        yield told("a ``` fence is not closed", "put ``` on a line of its own behind the code")
    for heading in question.notes:
        if heading not in SECTIONS:
            yield told(f"no section is called “{heading}”", f"use one of: {', '.join(SECTIONS)}")
    hints = [note.words for note in question.notes.get("hint", [])]
    if not all(hints) or len(set(hints)) < len(hints):
        yield told("a hint is empty, or there twice", "let each hint say something of its own")
    yield from _credit(question)
    if not graded:
        yield from _missing_help(question, len(hints))
    for heading in ("stub", "right answer", "wrong answer"):
        for note in question.notes.get(heading, []):
            if not note.code:
                yield told(f"a section “{heading}” has no code", "add a ```python fence")
            if heading == "wrong answer" and not note.words:
                yield told("a wrong answer has no message", "say below its code what went wrong")


def _missing_help(question: Question, hints: int) -> Iterator[Mistake]:
    """What a question to learn from has to have besides."""

    def told(problem: str, remedy: str) -> Mistake:
        return question.mistake("notes", problem, remedy + _OR_GRADED)

    if not 2 <= hints <= 3:
        yield told(f"it has {hints} hints", "write two or three, each going a step further")
    least = 2 if question.facts["type"] in EDITED else 1
    wrong = question.notes.get("wrong answer", [])
    if len(wrong) < least:
        problem = f"it has {len(wrong)} wrong answers"
        yield told(problem, f"add typical mistakes, {least} at least, each with its message")
    if not question.notes.get("right answer"):
        yield told("it has no other right answer", "add one that is written differently")
    if not "".join(note.words for note in question.notes.get("explanation", [])):
        yield told("it has no explanation", "add a section #### Explanation")


_OR_GRADED = " (questions that are only graded need none: see --graded)"


def _credit(question: Question) -> Iterator[Mistake]:
    """Statements about partial credit that make no sense."""
    told = partial(question.mistake, "notes")
    worth = credit.worth(question.facts)
    for note in question.notes.get("partial credit", []):
        if note.words != credit.EACH_VALUE:
            remedy = f"write “{credit.EACH_VALUE}” below it, or delete the section"
            yield told("its partial credit says nothing that is known", remedy)
    for note in question.notes.get("wrong answer", []):
        points = credit.near_miss(note.title)
        if points is not None and points >= worth:
            problem = f"a wrong answer brings {points:g} of {worth} points"
            yield told(problem, "give it fewer: all of them are for a right answer")


# ---- what running proves -------------------------------------------------------------------------


def prove(source: Source, question: Question) -> tuple[dict[str, Any], list[Mistake]]:
    """The record of a question, and the mistakes that running its answers shows."""
    right = rehearse(source, question, question.answer)
    if right is None or right["error"] or not right["entries"]:
        error = (right or {}).get("error")
        reason = f" ({error['type']}: {error['message']})" if error else ""
        problem = f"the solution shows nothing{reason}"
        return {}, [question.mistake("check", problem, "run the notebook and mend that cell")]
    record = _record(source, question, right)
    return record, list(_prove(source, question, record))


def _prove(source: Source, question: Question, record: dict[str, Any]) -> Iterator[Mistake]:
    told, right = question.mistake, record["solution"]["data"]
    if judge(question.name, record["stub"]["data"], record).word != NOT_ATTEMPTED:
        remedy = "let the check show something that needs the answer"
        yield told("answer", "the stub passes", remedy)
    for hint, text in _telling(question):
        problem = f"hint {hint} contains the solution's `{text}`"
        yield told("notes", problem, "say the way, not the result")
    for note in question.notes.get("right answer", []):
        yield from _prove_right(source, question, note, right)
    yield from _prove_wrong(question, record)
    other = rehearse(source, question, question.answer, OTHER_SEED)
    for number, wrong in enumerate(record["wrong"], 1):
        data = rehearse(source, question, wrong["code"], OTHER_SEED)
        if other is not None and data is not None and same(other, data):
            problem = f"wrong answer {number} passes with another seed"
            yield told("notes", problem, "draw inputs that always tell it from the solution")
    if question.facts["type"] not in GUESSED and other is not None and same(right, other):
        remedy = "draw the inputs from show.random"
        yield told("check", "the data does not depend on the seed", remedy)


def _record(source: Source, question: Question, right: Data) -> dict[str, Any]:
    def shown(code: str) -> dict[str, Any]:
        return {"code": code, "data": rehearse(source, question, code)}

    notes, stub = question.notes, shown(question.stub)
    values: dict[str, Any] = {}
    if "partial credit" in notes:
        nothing = rehearse(source, question, credit.no_work(question.stub))
        counts = credit.counting(right, *filter(None, (stub["data"], nothing)))
        values = {"partial": credit.EACH_VALUE, "counts": counts}
    return {
        **question.facts,
        "answers": answers(question),
        "cells": [[cell.role, cell.text] for cell in source.setup + question.run],
        "solution": {"code": question.answer, "data": right},
        "stub": stub,
        "right": [question.variant(note.code) for note in notes.get("right answer", [])],
        "wrong": [
            shown(question.variant(note.code)) | {"message": note.words} | _points(note)
            for note in notes.get("wrong answer", [])
        ],
        "hints": [note.words for note in notes.get("hint", [])],
        "explanation": "\n\n".join(note.words for note in notes.get("explanation", [])),
        **values,
    }


def _points(note: Note) -> dict[str, Any]:
    points = credit.near_miss(note.title)
    return {} if points is None else {"points": points}


def _prove_right(source: Source, question: Question, note: Note, right: Data) -> Iterator[Mistake]:
    for seed in (SEED, OTHER_SEED):
        expected = right if seed == SEED else rehearse(source, question, question.answer, seed)
        data = rehearse(source, question, question.variant(note.code), seed)
        if expected is None or data is None or not same(expected, data):
            called = f" “{note.title}”" if note.title else ""
            problem = f"the other right answer{called} is not correct"
            yield question.mistake("notes", problem, "mend it, or the check")
            return


def _prove_wrong(question: Question, record: dict[str, Any]) -> Iterator[Mistake]:
    told = partial(question.mistake, "notes")
    # what is shown, what the code does that shows it, and which wrong answers these are
    alike: list[tuple[Data, frozenset[str], list[str]]] = []
    for number, wrong in enumerate(record["wrong"], 1):
        data = wrong["data"]
        word = judge(question.name, data, record, is_edited([wrong["code"]], record)).word
        if word == CORRECT:
            yield told(f"wrong answer {number} passes", "change the inputs of the check")
        elif word == NOT_ATTEMPTED:
            yield told(f"wrong answer {number} does what the stub does", "change or drop it")
        else:
            does = parts(wrong["code"])
            known = [
                numbers
                for shown, done, numbers in alike
                if same(shown, data) and (done == does or record["type"] in GUESSED)
            ]
            known[0].append(str(number)) if known else alike.append((data, does, [str(number)]))
    for _, _, numbers in alike:
        if len(numbers) > 1:
            problem = f"wrong answers {', '.join(numbers)} show the same data by the same means"
            yield told(problem, "change the inputs of the check, or keep one of them")


def _telling(question: Question) -> Iterator[tuple[int, str]]:
    """Each text of the solution that a hint contains, with the number of the hint.

    What an answer itself is set to may not be told, however short it is: that is what is asked.
    Of values further inside, plain ones and those that the prompt shows tell nothing.
    """
    tree, prompt = ast.parse(question.answer), question.cells["prompt"].text
    parts = set()
    for node in ast.walk(tree):
        value = getattr(node, "value", None)
        if isinstance(node, (ast.Assign, ast.Return)) and isinstance(value, ast.expr):
            text = ast.unparse(value).strip("'\"")
            plain = isinstance(value, (ast.Constant, ast.Name)) or _says(prompt, text)
            if not _says(question.stub, text) and not (plain and node not in tree.body):
                parts.add(text)
    for number, note in enumerate(question.notes.get("hint", []), 1):
        for text in sorted(parts):
            if _says(note.words, text):
                yield number, text


def _says(words: str, code: str) -> bool:
    """True when the words contain the code as such, however it is spaced."""
    tokens = re.findall(r"\w+|[^\w\s]", code)
    pattern = r"\s*".join(re.escape(token) for token in tokens)
    return bool(re.search(rf"(?<![\w.]){pattern}(?!\.?\w)", words))
