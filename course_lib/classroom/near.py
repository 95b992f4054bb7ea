"""How near a wrong answer is to the right one: one fact about both that tells where to look.

Note [A fact, never a cause]
Nobody wrote down this mistake, so nothing here says what the student did, and a row may show what
the check made of the answer, not the answer itself. A sentence states what holds for the data
themselves, such as "the numbers are right, but in another order"; a cause is a question after it.
Each fact is first tried on all rows that differ, then on the first of them. The functions below are
tables: an `if` for each fact, with its sentence, and the most certain fact first.
"""

import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

from course_lib.classroom.numbers import (
    Numbers,
    Pair,
    all_equal,
    all_numbers,
    common_value,
    equal,
    relation,
    shape,
)
from course_lib.classroom.probe import Data

KINDS = {"int": "an int", "float": "a float", "bool": "a bool", "array": "an array"}


def observation(expected: Data, data: Data, marks: tuple[bool, ...], hide: bool = False) -> str:
    """One fact about these data in words, or "". With `hide` it gives no value away.

    >>> def shown(*numbers):
    ...     items = [{"kind": "int", "value": number} for number in numbers]
    ...     return {"entries": [{"label": "x", "value": {"kind": "list", "items": items}}]}
    >>> observation(shown(1, 2, 3), shown(3, 2, 1), (False,))
    'The numbers are right, but in reverse order.'
    """
    ours, yours = expected["entries"], data["entries"]
    apart = [place for place, right in enumerate(marks) if not right]
    if [one["label"] for one in ours] != [one["label"] for one in yours] or not apart:
        return ""
    pairs = [(ours[place]["value"], yours[place]["value"]) for place in apart]
    facts = FACTS if not hide else (_letters, _order, _items)
    where = "" if len(ours) == 1 else f"In {'every' if apart[1:] else 'the'} row marked ✗, "
    if hide and not all(_many(your) for _, your in pairs):
        return ""  # of few values, their order or the count of right ones would be the answer
    for fact in facts:
        if said := fact(pairs):
            return _prefix_place(where, said)
    if not hide and (said := _rows(ours, yours, apart)):
        return said
    told = (fact(pairs[:1]) for fact in facts if apart[1:])
    return _prefix_place("In the first row marked ✗, ", next(filter(None, told), ""))


def _many(data: Data) -> bool:
    return len(data.get("items") or data.get("values") or ()) >= 4


def _prefix_place(where: str, said: str) -> str:
    return where + said[0].lower() + said[1:] if where and said else said


def _names(pairs: list[Pair]) -> str:
    """Names in any order, which a check sorts: what is missing, or does not belong there."""
    return common_value([_compare_names(our, your) for our, your in pairs])


def _compare_names(our: Data, your: Data) -> str:
    ours, yours = sort_texts(our), sort_texts(your)
    if not ours or yours is None or ours == yours:
        return ""
    if ours < yours:
        return "All the right names are there, and at least one that does not belong there."
    if yours < ours:
        return "All the names there are right, but some are missing." if yours else ""
    return "At least one name is missing, and at least one does not belong there."


def sort_texts(data: Data) -> set[str] | None:
    """The items of a list of texts in alphabetical order, each of them once; else None.

    >>> texts = [{"kind": "str", "value": text} for text in "ab"]
    >>> [sort_texts({"kind": "list", "items": part}) for part in (texts[:1], texts[::-1])]
    [{'a'}, None]
    """
    items = data.get("items", ()) if data["kind"] == "list" else [{"kind": ""}]
    texts = [str(item["value"]) if item["kind"] == "str" else "" for item in items]
    return set(texts) if all(texts) and texts == sorted(set(texts)) else None


# ---- the same numbers ----------------------------------------------------------------------------


def _kind(pairs: list[Pair]) -> str:
    if all(_is_none(your) and not _is_none(our) for our, your in pairs):
        return (
            "There is `None` where a value is expected: a function without `return` gives it, and "
            "so does a `.grad` that got or kept nothing."
        )
    if all(our["kind"] == "None" for our, _ in pairs):
        return "`None` is expected. For a `.grad`, that means that no gradient arrives there."
    kinds = {your.get("type") for _, your in pairs}
    if kinds <= {"function", "method", "builtin_function_or_method"}:
        return "There is a function in place of its result. Are its round brackets `()` missing?"
    return ""


def _letters(pairs: list[Pair]) -> str:
    """One text where values are expected: going through it gives letters and signs."""
    lists = [your["items"] if your["kind"] in ("list", "tuple") else [] for _, your in pairs]
    texts = [[str(item.get("value")) for item in items] for items in lists]
    if any(max(map(len, text), default=2) > 1 or not {*text} & {*",(["} for text in texts):
        return ""
    return "The items are single letters of a text. Write a list of values instead, as `[1, 2]`."


def _is_none(data: Data) -> bool:
    items = data["items"] if data["kind"] == "list" else []
    return data["kind"] == "None" or bool(items) and all(item["kind"] == "None" for item in items)


def _form(pairs: list[Pair]) -> str:
    """The right numbers, in their order, in another kind of value, shape or dtype."""
    found = all_numbers(pairs)
    if not found or not all(all_equal(ours[1], yours[1]) for ours, yours in found):
        return ""
    said = [_compare_shapes(*pair, *forms) for pair, forms in zip(pairs, found, strict=True)]
    if any(our["kind"] != your["kind"] for our, your in pairs):
        return common_value(said) or "The numbers are right, but not what holds them."
    shapes = all(ours[0] != yours[0] for ours, yours in found)
    other = "The numbers and their order are right, only the shape is not." if shapes else ""
    return common_value(said) or other or "The numbers are right, but not their types or shapes."


def _compare_shapes(our: Data, your: Data, ours: Numbers, yours: Numbers) -> str:
    if our["kind"] != your["kind"]:
        kinds = [KINDS.get(one["kind"], f"a {one['kind']}") for one in (our, your)]
        if len(your.get("items", ())) == 1 and yours[0] == [1, *ours[0]]:
            return f"What is expected is inside {kinds[1]} with one item. Is `[0]` missing?"
        many = "number is" if ours[0] == [] else "numbers are"
        item = " Does `.item()` help?" if your["kind"] == "tensor" and ours[0] == [] else ""
        return f"The {many} right, but in the form of {kinds[1]}, not of {kinds[0]}.{item}"
    if our["kind"] == "list" and len(kinds := _item_kinds(our, your)) == 2:
        return f"The numbers are right, but the items are {kinds[1]}s, not {kinds[0]}s."
    if our["kind"] not in ("tensor", "array"):
        return "The numbers are right, but their types or their grouping are not."
    if ours[0] != yours[0]:
        ones = yours[0].count(1) - ours[0].count(1)
        if [size for size in ours[0] if size != 1] == [size for size in yours[0] if size != 1]:
            much = {0: "a dimension of size 1 is in another place", 1: "one dimension of size 1 is "
                    "too many", -1: "one dimension of size 1 is missing"}  # fmt: skip
            told = much.get(ones, "the dimensions of size 1 differ")
            return f"The numbers are right, but {told}. Look for `keepdim` and `unsqueeze`."
        return "The numbers and their order are right, only the shape is not."
    differ = [f"`{name}`" for name in ("dtype", "device", "requires_grad")
              if our.get(name, "cpu") != your.get(name, "cpu")]  # fmt: skip
    return f"The numbers are right. What differs is {' and '.join(differ)}."


def _item_kinds(*lists: Data) -> list[str]:
    """The kind of the items of each list, if it is one kind in each and not the same in all."""
    kinds = [{item["kind"] for item in one["items"]} for one in lists]
    alike = any(len(kind) != 1 for kind in kinds) or len(set.union(*kinds)) == 1
    return [] if alike else [kind.pop() for kind in kinds]


def _order(pairs: list[Pair]) -> str:
    """The right numbers or items in another order."""
    if any(sort_texts(your) for _, your in pairs):
        return ""  # the order of names says nothing
    found = all_numbers(pairs)
    if not found:
        lists = all(one["kind"] in ("list", "tuple", "dict") for pair in pairs for one in pair)
        same = lists and all(_count_items(our["items"]) == _count_items(your["items"])
                             for our, your in pairs)  # fmt: skip
        return "The items are right, but in another order." if same else ""
    if any(ours[0] == yours[0] and all_equal(ours[1], yours[1]) for ours, yours in found):
        return ""  # these differ in something else
    if all(_is_reversed(*one) for one in found):
        return "The numbers are right, but in reverse order."
    if all(_is_transposed(*one) for one in found):
        return "It is the transpose of what is expected: its dimensions are in another order."
    if any(all_equal(ours[1], yours[1]) for ours, yours in found):
        return ""  # of these, only the shape is another one
    in_order = partial(sorted, key=lambda one: (type(one) is str, one))
    if all(all_equal(in_order(ours[1]), in_order(yours[1])) for ours, yours in found):
        return "The numbers are right, but in another order."
    return ""


def _count_items(items: list[Any]) -> Counter[str]:
    return Counter(json.dumps(item, sort_keys=True, default=id) for item in items)


def _is_reversed(ours: Numbers, yours: Numbers) -> bool:
    return len(ours[0]) == 1 and ours[0] == yours[0] and all_equal(ours[1], yours[1][::-1])


def _is_transposed(ours: Numbers, yours: Numbers) -> bool:
    """Whether some order of the dimensions makes one of the other."""
    depth = len(ours[0])
    if depth not in (2, 3, 4) or sorted(ours[0]) != sorted(yours[0]) or ours == yours:
        return False
    for order in itertools.permutations(range(depth)):
        if [yours[0][one] for one in order] == ours[0]:
            steps = [math.prod(yours[0][one + 1 :]) for one in order]
            places = itertools.product(*(range(size) for size in ours[0]))
            flat = (sum(map(int.__mul__, place, steps)) for place in places)
            if all_equal(ours[1], [yours[1][place] for place in flat]):
                return True
    return False


# ---- right in part -------------------------------------------------------------------------------


def _rest(pairs: list[Pair]) -> str:
    facts = (_text, _graph, _places, _length)
    return common_value([next(filter(None, (fact(*pair) for fact in facts)), "") for pair in pairs])


def _text(our: Data, your: Data) -> str:
    if our["kind"] == your["kind"] == "str":
        texts = ["".join(str(one["value"]).lower().split()) for one in (our, your)]
        return "The text is right but for capitals or spaces." if texts[0] == texts[1] else ""
    return ""


def _length(our: Data, your: Data) -> str:
    if not our["kind"] == your["kind"] == "list":
        return ""
    more = len(your["items"]) - len(our["items"])
    return f"There are too {'many' if more > 0 else 'few'} items." if more else ""


def _graph(our: Data, your: Data) -> str:
    if not our["kind"] == your["kind"] == "graph" or not our["nodes"] or not your["nodes"]:
        return ""
    ours, yours = (Counter(node[0] for node in one["nodes"]) for one in (our, your))
    many, few = (", ".join(map(_node, names)) for names in (yours - ours, ours - yours))
    if many and few:
        return f"The graph has {many} in place of {few}."
    if many:
        return f"{many} is in the graph more often than expected."
    if few:
        return f"{few} is in the graph less often than expected."
    return "The nodes are the right ones, but they are connected in another way."


def _node(name: str) -> str:
    """The name of a node; a student's own class may be called by anything but a name."""
    return f"`{name}`" if re.fullmatch(r"[\w:.]+", name) else "a node of your own"


def _places(our: Data, your: Data) -> str:
    """Where the wrong numbers are, if some are right."""
    found = all_numbers([(our, your)])
    if not found or found[0][0][0] != found[0][1][0]:
        return ""
    (shape, ours), (_, yours) = found[0]
    wrong = {place for place in range(len(ours)) if not equal(ours[place], yours[place])}
    if not wrong or len(wrong) == len(ours):
        return ""
    for told, group in _groups(shape, ours):
        if wrong == group:
            what = "truth values" if all(type(one) is bool for one in ours) else "numbers"
            return f"All {what} are right except {told}."
    return _items([(our, your)])


def _groups(shape: list[int], ours: list[Any]) -> Iterator[tuple[str, set[int]]]:
    """Sets of places that have a name."""
    size = len(ours)
    numbers = [one if type(one) in (int, float) else 0 for one in ours]
    yield "those that should be negative", {k for k in range(size) if numbers[k] < 0}
    if len(shape) == 1:
        yield "the first", {0}
        yield "the last", {size - 1}
        yield "the first and the last", {0, size - 1}
    if len(shape) == 2:
        rows, columns = shape
        for row in range(rows):
            yield f"those of row {row}", set(range(row * columns, (row + 1) * columns))
        for column in range(columns):
            yield f"those of column {column}", set(range(column, size, columns))
        if rows == columns:
            yield "those on the diagonal", set(range(0, size, columns + 1))
            yield "those off the diagonal", set(range(size)) - set(range(0, size, columns + 1))
    zeros = {k for k in range(size) if type(ours[k]) is not bool and ours[k] == 0}
    yield "those that should be 0", zeros


def _items(pairs: list[Pair]) -> str:
    """How many items of a list are right, if some are."""
    said = []
    for our, your in pairs:
        listed = our["kind"] == your["kind"] and our["kind"] in ("list", "tuple")
        if not listed or sort_texts(your):
            return ""
        lengths = {one.get("length", len(one["items"])) for one in (our, your)}
        right = sum(map(_matches, our["items"], your["items"]))
        told = f"{right} of the {len(our['items'])} items {'is' if right == 1 else 'are'} right."
        said.append(told if right and len(lengths) == 1 else "")
    return common_value(said)


def _matches(our: Data, your: Data) -> bool:
    found = all_numbers([(our, your)])
    if not found:
        return our == your
    ours, yours = found[0]
    return our["kind"] == your["kind"] and ours[0] == yours[0] and all_equal(ours[1], yours[1])


# ---- row by row ----------------------------------------------------------------------------------


def _rows(ours: list[Data], yours: list[Data], apart: list[int]) -> str:
    """What the rows that differ have in common, beside those that are right."""
    rows = [(ours[place]["value"], yours[place]["value"]) for place in apart]
    wanted, shown = ([json.dumps(row[k], sort_keys=True) for row in rows] for k in (0, 1))
    if all(type(one.get("value")) is bool for row in rows for one in row):
        return _opposite([our["value"] for our, _ in rows], len(yours))
    if len(apart) == 2 and shown == wanted[::-1]:
        return "The two rows marked ✗ have changed places: each shows what the other should."
    if len(apart) > 2 and len(set(shown)) == 1 and len(set(wanted)) == len(wanted):
        return "Every row marked ✗ shows the same, though each should show something else."
    return ""


def _opposite(wanted: list[bool], rows: int) -> str:
    """About wrong truth values, of which the expected ones are given, among so many rows."""
    mixed = set(wanted) == {True, False}
    if mixed and len(wanted) == rows:
        return "Each truth value is the opposite of the expected one."
    if mixed:
        return (
            "The mistakes go both ways: some rows show `True` where `False` is expected, and "
            "some `False` where `True` is expected."
        )
    return f"`{not wanted[0]}` comes too often: the rows marked ✗ should be `{wanted[0]}`."


FACTS = (_letters, _kind, _names, _form, _order, shape, relation, _rest)
