"""The glossary: every term has a short text, an example that runs, and a lesson about it."""

import doctest
import re
from pathlib import Path

import nbformat
import pytest

import course_lib

ROOT = Path(__file__).resolve().parents[1]
GLOSSARY = ROOT / "docs" / "glossary.md"
ENTRY = re.compile(r"^## ([^\n]+)\n\n(.+?)\n\n```python\n(.+?)```$", re.MULTILINE | re.DOTALL)
LESSON = re.compile(r"^Lesson: \[?`(\d\d_\w+)`", re.MULTILINE)


def entries() -> list[tuple[str, str, str]]:
    """Term, text, example."""
    return ENTRY.findall(GLOSSARY.read_text(encoding="utf-8"))


def test_every_heading_is_a_whole_entry():
    headings = re.findall(r"^## (.+)$", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)
    assert [term for term, _, _ in entries()] == headings
    terms = [term.lower().replace("-", " ") for term in headings]
    assert len(headings) >= 30 and terms == sorted(set(terms))  # in order, and told once


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry[0])
def test_a_text_is_short_and_names_a_lesson_that_has_the_term(entry):
    term, text, example = entry
    (lesson,) = set(LESSON.findall(text))
    assert len(text.split()) <= 50 and ">>> " in example
    path = ROOT / "notebooks" / f"{lesson}.ipynb"
    if path.exists():
        words = " ".join(cell.source for cell in nbformat.read(path, as_version=4).cells).lower()
        assert [word for word in term.lower().split() if word not in words] == []


def test_the_examples_run():
    runner = doctest.DocTestRunner()
    for term, _, example in entries():  # each on its own
        names = {"torch": course_lib}
        runner.run(doctest.DocTestParser().get_doctest(example, names, term, GLOSSARY.name, 0))
    result = runner.summarize(verbose=False)
    assert result.attempted > 60 and result.failed == 0


@pytest.mark.oracle
def test_the_examples_show_the_same_with_pytorch(ask):
    code = (
        "import doctest, re, sys, torch\n"
        "runner = doctest.DocTestRunner()\n"
        "for example in re.findall(r'```python\\n(.+?)```', sys.stdin.read(), re.DOTALL):\n"
        "    test = doctest.DocTestParser().get_doctest(example, {'torch': torch}, '', '', 0)\n"
        "    runner.run(test)\n"
        "sys.exit(runner.summarize(verbose=False).failed)\n"
    )
    ask("-c", code, input=GLOSSARY.read_text(encoding="utf-8"))
