"""Whether a recorded mistake is the one a student made: by what was shown, and by the code.

Note [A message needs proof]
Two mistakes may show the same. A message that explains a mistake the student did not make is worse
than none. Numbers and shapes say enough by themselves, unless the code is that of another recorded
mistake. A `None`, a truth value, a `nan`, an empty list and an error have many causes: there the
code, where it is known, has to use the same functions and attributes as the recorded mistake. And
what a message quotes because the recorded mistake has it, the student's code has to have as well.

A prediction may be wrong in several places, and no author writes down every combination. A recorded
mistake that is wrong in a single place, and whose message begins by saying that the others are
right, explains that place: without its beginning, the message holds wherever the same is predicted
there.
"""

import ast
import functools
import hashlib
import json
import keyword
import re
from typing import Any

import course_lib
from course_lib.classroom.edits import statements
from course_lib.classroom.numbers import ENDLESS

MANY = 8  # truth values that are not as they are by chance

Data = dict[str, Any]
Place = tuple[int, str]

# "Four are right. " or "`y` is right. But ": the rest is about the place that is wrong
OTHERS_ARE_RIGHT = re.compile(r"[^.:]*\b(?:is|are)\b[^.:]*\bright\b[^.:]*\.\s+(?:But )?")


def message_for(data: Data, record: Data, alike: list[Data], source: str) -> str:
    """The message of the recorded mistake in `alike` that the student made for certain, or "".

    `alike` are the recorded wrong answers that show the same as `data`; `source` is the student's
    cell, "" where it is not known: then only what was shown can decide. Of mistakes that show the
    same, the one with this very code counts, else the first.
    """
    found, wrong = [*map(without_code, alike)], [*map(without_code, record["wrong"])]
    if source:
        (whole, used), text = marks(parts(source)), _squeeze(source)
        signs = {name for one in found for name in one["named"] if _is_sign(name)}
        words = _words(parts(source)) | {sign for sign in signs if sign in text}
        alike = [one for one in found if words.issuperset(one["named"])]
        found = [one for one in alike if one["marks"][0] == whole]
        if not found and all(other["marks"][0] != whole for other in wrong):
            found = [one for one in alike if one["marks"][1] == used]
            found = alike if _says_much(data, record) else found
    elif not _says_much(data, record):
        return ""
    return str(found[0]["message"]) if found else ""


def message_for_a_place(data: Data, record: Data) -> str:
    """What is recorded about the first place of a prediction that a known mistake explains, or "".

    >>> def shown(*numbers):
    ...     items = [{"kind": "int", "value": number} for number in numbers]
    ...     value = {"kind": "list", "items": items}
    ...     return {"entries": [{"label": "both", "value": value}], "error": None}
    >>> wrong = {"message": "The first is right. But 3 counts twice.", "data": shown(1, 3)}
    >>> record = {"solution": {"data": shown(1, 2)}, "wrong": [wrong]}
    >>> message_for_a_place(shown(7, 3), record), message_for_a_place(shown(7, 8), record)
    ('3 counts twice.', '')
    """
    right, mine = places(record["solution"]["data"]), places(data)
    if mine.keys() != right.keys():
        return ""
    told = record["places"] if "places" in record else explain_places(record)
    known = {(place, _freeze(value)): message for place, value, message in reversed(told)}
    said = (known.get((place, _freeze(value)), "") for place, value in mine.items())
    return next(filter(None, said), "")


def explain_places(record: Data) -> list[tuple[Place, Data, str]]:
    """Each place that a recorded mistake explains, what is wrong there, and what to say about it.

    A sealed record has them ready-made, as far as a student's prediction opens them.
    """
    right, found = places(record["solution"]["data"]), []
    for wrong in record["wrong"]:
        its = places(wrong["data"])
        apart = [place for place in right if its.get(place) != right[place]]
        begins = OTHERS_ARE_RIGHT.match(wrong["message"])
        if begins and len(apart) == 1 and its.keys() == right.keys():
            rest = wrong["message"][begins.end() :]
            if not re.search(r"\b(?:is|are) right\b", rest):
                found.append((apart[0], its[apart[0]], rest[:1].upper() + rest[1:]))
    return found


def _freeze(value: Data) -> str:
    return json.dumps(value, sort_keys=True)  # the order of its keys says nothing


def places(data: Data) -> dict[Place, Data]:
    """What was shown, place by place: the entries, or the items of the only one."""
    if data["error"]:
        return {}
    entries = data["entries"]
    if len(entries) == 1 and entries[0]["value"]["kind"] in ("list", "tuple"):
        return {(place, ""): item for place, item in enumerate(entries[0]["value"]["items"])}
    return {(place, entry["label"]): entry["value"] for place, entry in enumerate(entries)}


NAME = r"name '(\w+)' is not defined"
OF_TORCH = " If it belongs to PyTorch, write `torch.{}`."

# What Python or PyTorch says, and below it what that means, whatever the code was that it stopped.
# What is taken over from the error are names and numbers: its other words may be a student's, and a
# page shows these sentences with the Markdown in them.
SAID_AND_MEANT = r"""
(?:float|int)\(\) argument must be .*, not '(\w+)'
    A number is expected here, not an object of type `{}`.
could not convert string to float: '.'
    A number is expected here, not a text. If it is a list in quotes, leave out the quotes.
(?:could not convert string to float|invalid literal for int\(\) with base 10): .*
    A number is expected here, not a text.
can only join an iterable
    A text in quotes is expected here, or a list of texts.
sequence item \d+: expected str instance, (\w+) found
    A text in quotes is expected here, not an object of type `{}`.
'((?!NoneType)\w+)' object is not iterable
    Several values are expected here, such as a list, not a single `{}`.
'(list|tuple|set)' object has no attribute '(?:get|items|keys)'
    A dictionary is expected here, not a {}.
'NoneType' object has no attribute 'zero_'
    A gradient is `None` until the first `backward()`, and `None` has no `zero_`.
'NoneType' object (?:has no|is not|does not).*|unsupported operand .*'NoneType'.*
    There is a `None` here. Is a value missing, or a `return`?
unsupported operand type\(s\) for ([-+*/%@&|^<>=]+)[^:]*: '(\w+)' and '(\w+)'
    `{0}` cannot combine an object of type `{1}` with one of type `{2}`.
cannot access local variable '(\w+)' where it is not associated with a value
    `{}` has no value yet in this line of the function.
maximum recursion depth exceeded.*
    A function calls itself here again and again, without an end.
result type (\w+) can't be cast to the desired output type (\w+)
    An operation in place keeps the dtype of its tensor: {1} numbers cannot become {0} ones.
.*DefaultCPUAllocator: can't allocate memory.*
    There is not enough memory for a tensor of this size.
step must be greater than zero
    A slice of a tensor only goes forwards: its step is 1 or more.
(too many|not enough) values to unpack \(expected (\d+).*\)
    Something that is taken apart here holds {0} values: their number should be {1}.
name '(?:true|false|none|null)' is not defined
    Python writes `True`, `False` and `None` with a capital letter.
'(\w+)' object is not callable
    A function is expected in front of round brackets, not an object of type `{}`.
'(list|tuple|dict)' object has no attribute '(\w+)'
    A {} has no `{}`. Is it meant for each of its items?
'(bool|int|float)' object has no attribute '(\w+)'
    This is a single Python value of type `{}`, and no tensor, so it has no `{}`.
module '([\w.]+)' has no attribute '(\w+)'
    The course's `{0}` has nothing called `{1}`. Is it spelled right?
'Tensor' object has no attribute '(\w+)'
    The course's tensors have nothing called `{}`. Is it spelled right?
cannot assign \w+ before Module.__init__\(\) call|.* has no attribute '_(?:parameters|modules)'
    Call `super().__init__()` first. It prepares the module for its parts.
zip\(\) argument 2 is (shorter|longer) than argument 1
    Two lists meet here, and the second one is {}.
name '(\w+)' is not defined
    Nothing is called `{}`. Is it spelled right?
'([<>]=?)' not supported between instances of '(\w+)' and '(\w+)'
    `{0}` cannot compare an object of type `{1}` with one of type `{2}`.
(?:\S+\.)?(\w+)\(\) got an unexpected keyword argument '(\w+)'
    `{0}` has no argument called `{1}`. Is it spelled right?
(?:\S+\.)?(\w+)\(\) missing \d+ required positional arguments?: ([\w'\", ]*)
    `{0}` needs an argument that it was not given: {1}.
(?:\S+\.)?(\w+)\(\) takes (\d+) positional arguments? but (\d+) (?:was|were) given
    `{0}` takes another number of arguments than it got: {1}, not {2}. In a method, `self`
    counts, too.
The size of tensor a \((\d+)\) must match the size of tensor b \((\d+)\) at .* (\d+)
    Two tensors meet whose shapes do not fit: in dimension {2} of the result, one has the size
    {0} and the other {1}. Sizes fit if they are equal, or one of them is 1.
stack expects each tensor to be equal size.*
    `stack` needs tensors of the same shape, and these differ.
view size is not compatible with input tensor's size and stride.*
    The strides of this tensor allow no view of that shape.
shape '(\[[-\d, ]*\])' is invalid for input of size (\d+)
    The count of numbers is {1}, and the shape {0} has room for another count.
only Tensors of floating point .*dtype can require gradients
    Only floats and complex numbers can require gradients, and these numbers are of another
    dtype. Numbers written without a point become int64.
you can only change requires_grad flags of leaf variables\..*
    This tensor is a result, not a leaf: whether it requires grad follows from its inputs.
.*(?:only supports floating-|expected a floating p|should be floating p|be either a floating p).*
    This operation needs floats, and these numbers are of another dtype.
mat1 and mat2 shapes cannot be multiplied \((\d+)x(\d+) and (\d+)x(\d+)\)
    In a matrix product the inner sizes have to be equal. Here they are {1} and {2}.
a Tensor with (\d+) elements cannot be converted to Scalar
    One number is expected here, and this tensor has {}.
Boolean value of Tensor with more than one value is ambiguous
    A single truth value is expected here, and this tensor has several elements. Which question
    about them do you ask: `all()` or `any()`?
index (-?\d+) is out of bounds for dimension (\d+) with size (\d+)
    There is no index {0} in dimension {1}: its size is {2}, and counting begins at 0.
Dimension out of range \(expected .* of \[(-?\d+), (-?\d+)\], but got (-?\d+)\)
    This tensor has no dimension {2}: its dimensions go from {0} to {1}.
element 0 of tensors does not require grad and does not have a grad_fn
    `backward()` has no way to go: what it starts from has no history. Either nothing requires
    grad, or the history was cut off.
a (?:view of a )?leaf Variable that requires grad is being used in an in-place.*
    PyTorch refuses to write into a leaf that requires grad while recording is on.
one of the variables needed for gradient computation has been modified.*
    A value that `backward()` needs was overwritten after it had been saved.
grad can be implicitly created only for scalar outputs
    `backward()` needs one number to start from, or an argument that says how much each number
    counts.
Trying to backward through the graph a second time.*
    An earlier pass went through this graph and freed what it had saved.
"""
EXPLAINED = {
    said: " ".join(meant.split())
    for said, meant in re.findall(r"^(\S.*)\n((?: +.*\n)+)", SAID_AND_MEANT, re.MULTILINE)
}


def explain_error(error: Data) -> str:
    """The message of an error in other words, "" where there are none.

    >>> explain_error({"message": "could not convert string to float: 'two'"})
    'A number is expected here, not a text.'
    """
    for said, meant in EXPLAINED.items():
        if found := re.fullmatch(said, error["message"], re.DOTALL):
            told, name = meant.format(*found.groups()), found[1] if said == NAME else ""
            line = error.get("code", "")
            if name and not re.search(rf"\b{name}\s*[.([*/+@]|[*/+@]\s*{name}\b", line):
                told += " If it is a text, it needs quotes."  # nobody computes with a text
            return told + (OF_TORCH.format(name) if name in dir(course_lib) else "")
    return ""


def marks(found: frozenset[str]) -> list[str]:
    """Two digests, of the parts and of what they use: enough to compare, and no code to read.

    >>> marks(parts("a = 2 * b")) == marks(parts("c = d * 2")), len(marks(parts("")))
    (True, 2)
    """
    texts = (json.dumps(sorted(one)) for one in (found, uses(found)))
    return [hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16] for text in texts]


def _says_much(data: Data, record: Data) -> bool:
    """Whether what was shown has numbers that are not there by chance."""
    if data["error"]:
        return False
    if data["entries"] == record["stub"]["data"]["entries"]:
        return False  # as the cell was handed out: what was changed in it cannot be seen
    values = [entry["value"] for entry in data["entries"]]
    right = [entry["value"] for entry in record["solution"]["data"]["entries"]]
    other = [value for k, value in enumerate(values) if k >= len(right) or value != right[k]]
    truths = [value["value"] for value in values if value["kind"] == "bool"]
    if len(truths) >= MANY and set(truths) == {True, False}:
        return True  # so many are a pattern
    return not all(map(_has_many_causes, other))


def _has_many_causes(value: Data) -> bool:
    """Whether a value says little: no number, nothing inside, or `nan` and `inf` alone."""
    inside: Any = value.get("items", value.get("values", [value.get("value")]))
    little = value["kind"] in ("None", "...", "bool", "unreadable")
    return little or all(one in ENDLESS for one in inside)


@functools.lru_cache(maxsize=256)
def parts(source: str) -> frozenset[str]:
    """What a piece of code does, without the names that its author chose.

    >>> sorted(parts("def f(x):\\n    return x.sum() * 2"))
    ['*', '.sum', '2', 'return']
    """
    nodes = [node for one in statements(source) for node in ast.walk(one)]
    return frozenset(found for node in nodes if (found := _part(node)))


def uses(found: frozenset[str]) -> frozenset[str]:
    """The functions, attributes and keywords among the parts.

    >>> sorted(uses(parts("y = f(x).sum() * 2")))
    ['.sum', 'f()']
    """
    return frozenset(part for part in found if part[0] == "." or part[-1] in ")=")


def names_in(message: str, code: str) -> list[str]:
    """What the message quotes and the code has: who does not write it made another mistake.

    >>> names_in("`x = …` keeps what `flatten` gives; write `stack`.", "x = x.flatten()")
    ['flatten', 'x=']
    """
    quoted = re.findall(r"`([^`]*)`", message)
    said = re.findall(r"\w+", " ".join(quoted))
    signs = {_squeeze(one).rstrip("…)") for one in quoted if _is_sign(one)}
    written = {one for one in signs if one in _squeeze(code)}
    return sorted(_words(parts(code)).intersection(said) | written)


def _is_sign(quoted: str) -> bool:
    """Whether it is more than names, such as `x[0]` or `except`: then a code has it or has not."""
    said = quoted.islower() and keyword.iskeyword(quoted)  # True and None are values
    return said or bool(re.search(r"[^\w\s.()\"…]", quoted))


def _squeeze(text: str) -> str:
    return "".join(text.split())


def _words(found: frozenset[str]) -> set[str]:
    return {part.strip(".()=") for part in uses(found)}


def without_code(wrong: Data) -> Data:
    """What is needed of a recorded wrong answer to tell whether a student made the same mistake.

    A handout and a grader's helper have no more of it.
    """
    if "marks" in wrong:
        return wrong
    code, message = wrong.get("code", ""), wrong["message"]
    known = {"marks": marks(parts(code)), "named": names_in(message, code)}
    return {"data": wrong["data"], "message": message, **known}


_SIGNS = {
    ast.Mult: "*", ast.MatMult: "@", ast.Add: "+", ast.Sub: "-", ast.Div: "/", ast.Pow: "**",
    ast.FloorDiv: "//", ast.Mod: "%", ast.Return: "return", ast.For: "for", ast.While: "while",
    ast.If: "if", ast.With: "with", ast.Try: "try", ast.AugAssign: "in place", ast.Not: "not",
    ast.USub: "minus", ast.Invert: "~", ast.Delete: "del", ast.Subscript: "[]", ast.Slice: ":",
}  # fmt: skip


def _part(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f".{node.attr}"
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return f"alone {_part(node.value.func) or _part(node.value)}"  # its result is not used
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Attribute | ast.Name):
        return ".unused"  # as of a method without its parentheses
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return f"{node.func.id}()"
    if isinstance(node, ast.keyword):
        return f"{node.arg}="
    if isinstance(node, ast.Constant):
        return repr(node.value)
    if isinstance(node, ast.Compare):
        return " ".join(type(op).__name__ for op in node.ops)
    return _SIGNS.get(type(node), "")
