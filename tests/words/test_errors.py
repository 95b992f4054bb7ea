"""The sentences lie in files by subject, in one namespace, and no other error shows beside them."""

import re
from collections import Counter
from pathlib import Path

import pytest

import course_lib as torch
from course_lib.words import errors

LIBRARY = Path(__file__).resolve().parents[2] / "course_lib"
WORDS = LIBRARY / "words/errors"


def test_no_sentence_has_two_names_nor_a_name_two_sentences() -> None:
    names = Counter(file.stem for file in WORDS.glob("*.py"))  # a file hides a name like its own
    for file in WORDS.glob("*.py"):
        names.update(re.findall(r"^def (\w+)", file.read_text(encoding="utf-8"), re.MULTILINE))
    for file in WORDS.glob("*.txt"):
        for line in file.read_text(encoding="utf-8").splitlines():
            assert re.fullmatch(r"(# .+|\w+: \S.*|    \S.*)?", line) and line == line.rstrip()
            names.update(re.findall(r"^\w+(?=: )", line))
    names.update(map(errors.read, errors.sentences().values()))
    assert len(names) > 1300 and max(names.values()) == 1


def test_every_sentence_is_said_and_all_that_is_said_is_there() -> None:
    texts = [file.read_text(encoding="utf-8") for file in LIBRARY.rglob("*.py")]
    users = [text for text in texts if "import errors" in text]
    said = {name for text in users for name in re.findall(r"(?<![\w.])errors\.(\w+)", text)}
    assert errors.sentences().keys() - said == set()
    assert [name for name in said if not hasattr(errors, name)] == []


def test_words_are_sentences_and_check_nothing() -> None:
    """What is refused stands on the operation: `calls/rules.py`."""
    for file in WORDS.parent.rglob("[!_]*.py"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"^ *raise\b|import course_lib|course_lib\.(calls|memory)", text, re.M)


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
