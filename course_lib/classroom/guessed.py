"""Compare a typed guess with what the cell then showed: as generous in form as a person would be.

A guess is plain Python: a number, a list for a tensor, a dtype or its name, an error or the word
"error". What was not written down is not judged: `[2, 4]` says nothing about a dtype, and
`torch.tensor([2, 4])` does. Works on the JSON of `probe.py` alone.
"""

import ast
import itertools
import math
from typing import Any

from course_lib.classroom.probe import Data, describe, type_name
from course_lib.classroom.verdict import as_text, differences, rows

KINDS = {"list": "list", "int": "number", "float": "number", "bool": "truth value", "str": "text"}
FORMS = {"bool": "True or False", "int": "a number", "float": "a number", "str": "a text"}
ANY_ERROR = ("error", "an error", "exception", "raises")


def as_guess(value: object) -> Data:
    """A guess as data, or what a cell showed; an error by its kind.

    >>> as_guess(ValueError), as_guess(IndexError("no such row"))
    ({'kind': 'error', 'type': 'ValueError'}, {'kind': 'error', 'type': 'IndexError'})
    """
    if isinstance(value, str) and (words := value.split())[1:] and {*words} <= {"True", "False"}:
        value = [word == "True" for word in words]  # typed without commas
    if type(value) is type and issubclass(value, BaseException):
        return {"kind": "error", "type": value.__name__}
    if isinstance(value, BaseException):
        return {"kind": "error", "type": type_name(value)}
    return describe(value)


def misses(shown: Data, guess: Data) -> list[str]:
    """Sentences that say how the guess differs from what was shown; none where it is right.

    >>> misses(as_guess((True, False)), as_guess("True False")), misses(as_guess(2.0), as_guess(3))
    ([], ['expected 2.0, yours is 3.0'])
    """
    if "error" in (shown["kind"], guess["kind"]) or shown["kind"] != "str" and _is_error(guess):
        return _misses_of_errors(shown, guess)
    ours, yours = in_one_form(shown, guess)
    return _of_another_kind(ours, yours) or differences(ours, yours)


def _of_another_kind(shown: Data, guess: Data) -> list[str]:
    """What to type instead, where one number came for a list, a list for one number, or a text."""
    kinds = shown["kind"], guess["kind"]
    if kinds == ("list", "float") or kinds == ("list", "int"):
        return [f"{_form(shown)} is asked for, and you gave one number"]
    if kinds[0] in FORMS and kinds[1] == "list":
        return ["one value is asked for, and you gave a list"]
    if kinds[1] == "str" and kinds[0] != "str":
        if _is_value(guess["value"]):
            return ["type it without quotation marks"]
        return [f"{_form(shown)} is asked for, and you gave a text"]
    if kinds[0] in FORMS and kinds[0] != kinds[1]:
        return [f"{_form(shown)} is asked for, and you gave {in_words(guess)}"]
    return []


def _is_value(text: str) -> bool:
    """Whether a text would be a value of Python without its quotation marks."""
    try:
        ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    return True


def _form(data: Data) -> str:
    """The form of a value, in words.

    >>> _form(as_guess([[1], [2]])), _form(as_guess([4])), _form(as_guess(True))
    ('a list of 2 lists', 'a list of 1 number', 'True or False')
    """
    if data["kind"] != "list":
        return FORMS.get(data["kind"], f"a value of type {data.get('type', data['kind'])}")
    items, kinds = data["items"], {KINDS.get(item["kind"], "value") for item in data["items"]}
    kind = kinds.pop() if len(kinds) == 1 else "value"
    return f"a list of {len(items)} {kind}{'' if len(items) == 1 else 's'}"


def _is_error(guess: Data) -> bool:
    word = str(guess.get("value", ""))
    return guess["kind"] == "str" and (word.lower() in ANY_ERROR or word.endswith("Error"))


def _misses_of_errors(shown: Data, guess: Data) -> list[str]:
    word = str(guess.get("type" if guess["kind"] == "error" else "value", ""))
    is_one = guess["kind"] == "error" or _is_error(guess)
    if shown["kind"] != "error":
        return ["no error is raised"]
    if not is_one:
        return [f"it raises an error, {shown['type']}"]
    if word.lower() in (*ANY_ERROR, shown["type"].lower()):
        return []
    return [f"it raises an error, as you guessed, but {shown['type']} is its kind"]


def in_one_form(shown: Data, guess: Data) -> tuple[Data, Data]:
    """Both, with all that the guess left open made alike: an `if` for each pair of kinds."""
    if guess["kind"] in ("tensor", "array") and shown["kind"] == guess["kind"]:
        said = {"requires_grad": guess.get("requires_grad")}  # nobody types it in a guess
        return shown | said, guess
    shown, guess = plain(shown), plain(guess)
    if {shown["kind"], guess["kind"]} == {"int", "float"}:
        return _as_float(shown), _as_float(guess)
    if shown["kind"] == guess["kind"] == "float" and _is_rounded(shown["value"], guess["value"]):
        return shown, shown
    if shown["kind"] == guess["kind"] == "list":
        pairs = itertools.zip_longest(shown["items"], guess["items"])
        whole = [in_one_form(*pair) if None not in pair else pair for pair in pairs]
        ours, yours = ([pair[k] for pair in whole if pair[k] is not None] for k in (0, 1))
        return {"kind": "list", "items": ours}, {"kind": "list", "items": yours}
    if shown["kind"] == "name" and guess["kind"] == "str":
        word = str(guess["value"]).removeprefix("torch.")
        return shown, {"kind": "name", "value": f"torch.{word}" if "." in shown["value"] else word}
    if shown["kind"] in ("bool", "None") and guess["kind"] == "str":
        return shown, shown if guess["value"].strip().lower() == as_text(shown).lower() else guess
    if shown["kind"] == guess["kind"] == "str":
        return shown, guess | {"value": _match_shown(shown["value"], guess["value"])}
    return shown, guess


def _match_shown(shown: str, guess: str) -> str:
    """The guess as it was shown where only spaces, capitals and "the" differ."""
    alike = shown.lower().split() == guess.lower().removeprefix("the ").split()
    return shown if alike or shown.lower() == guess.lower().strip() else guess


def plain(data: Data) -> Data:
    """Tensors and tuples as lists: the form in which one guesses."""
    if data["kind"] in ("tensor", "array") and "values" in data:
        return rows([_number(value) for value in data["values"]], data["shape"])
    if data["kind"] == "tuple":
        return data | {"kind": "list"}
    return data


def _is_rounded(shown: Any, guess: Any) -> bool:
    """Whether a guess with decimals is the number as one would round it, such as 1.33 for 4 / 3."""
    if type(shown) is not float or type(guess) is not float or guess.is_integer():
        return False
    return math.isclose(shown, guess, rel_tol=5e-3)


def _as_float(data: Data) -> Data:
    return {"kind": "float", "value": float(data["value"])} if "value" in data else data


def _number(value: Any) -> Data:
    kinds = {bool: "bool", int: "int", list: "complex"}  # of JSON: nan is a text, complex a pair
    return {"kind": kinds.get(type(value), "float"), "value": value}


def in_words(guess: Data) -> str:
    """The guess on one line.

    >>> in_words(as_guess(ValueError)), in_words(as_guess([1, 2]))
    ('ValueError', '[1, 2]')
    """
    return str(guess["type"]) if guess["kind"] == "error" else as_text(guess, 80)
