"""The sentences lie in files by subject, in one namespace, and no other error shows beside them."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

import course_lib as torch

FILES = sorted((Path(__file__).resolve().parents[2] / "course_lib/words/errors").glob("*.py"))


def test_no_sentence_has_two_names_nor_a_name_two_sentences() -> None:
    names = Counter(file.stem for file in FILES)  # a file, once read, hides a name like its own
    for file in FILES:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names[node.name] += 1
            elif isinstance(node, ast.Assign):
                names.update(t.id for t in node.targets if isinstance(t, ast.Name))
                said = node.value.args[0] if isinstance(node.value, ast.Call) else node.value
                names.update({said.value} if isinstance(said, ast.Constant) else ())
    assert [name for name, count in names.items() if count > 1] == []


def test_words_are_sentences_and_check_nothing() -> None:
    """What is refused stands on the operation: `calls/rules.py`."""
    for file in FILES[0].parents[1].rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            assert not isinstance(node, ast.Raise), file
            for name in getattr(node, "names", ()) if isinstance(node, ast.ImportFrom) else ():
                origin = f"{node.module}.{name.name}"
                assert not origin.startswith(("course_lib.calls", "course_lib.memory")), file


@pytest.mark.parametrize(
    "refused",
    [
        lambda a, b: a + b,
        lambda a, b: a - b,
        lambda a, b: a * b,
        lambda a, b: a / b,
        lambda a, b: a**b,
        lambda a, b: a > b,
        lambda a, b: torch.add(a, b, alpha=2),
        torch.maximum,
        lambda a, b: torch.where(a > 0, a, b),
        lambda a, b: a.add_(b),
        lambda a, b: a @ b,
        lambda a, b: a.__setitem__(slice(None), b),
        lambda a, b: b.char().__setitem__(0, 300),
    ],
)
@pytest.mark.parametrize("requires_grad", [False, True])
def test_no_error_of_numpy_shows_above_pytorchs(refused, requires_grad):
    for _ in range(2):  # the first call makes the fast path
        a, b = torch.ones(3, requires_grad=requires_grad), torch.ones(2)
        assert stands_alone(lambda a=a, b=b: refused(a, b))


def stands_alone(refused) -> bool:
    """A traceback prints what was being handled, too: the reader would see code of the library."""
    with pytest.raises((RuntimeError, TypeError)) as caught:
        refused()
    return caught.value.__context__ is None or caught.value.__suppress_context__
