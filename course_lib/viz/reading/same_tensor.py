"""Which tensor is meant: a function gives out what it saved as a new object, an error as words."""

import re
from dataclasses import dataclass
from typing import Any

from course_lib.viz.reading.walk import name_of, walk

_SAID = re.compile(
    r"modified by an inplace operation: \[(?P<type>\S+) \[(?P<shape>[\d, ]*)\]\]"
    r"(?:, which is output (?P<output>\d+) of (?P<maker>[\w:]+),)?"
    r" is at version (?P<now>\d+); expected version (?P<saved>\d+)"
)


@dataclass(frozen=True)
class Overwritten:
    """What the error about an in-place operation says of the tensor."""

    type: str
    shape: tuple[int, ...]
    maker: str
    saved: int
    now: int

    def describe(self) -> str:
        """Its type and shape in words.

        >>> Overwritten("torch.FloatTensor", (2,), "Exp", 0, 1).describe()
        'a torch.FloatTensor of shape (2,)'
        """
        return f"a {self.type} of shape {self.shape}"


def read(message: str) -> Overwritten | None:
    """The facts in the message, None when it is about something else.

    >>> read("no such thing") is None
    True
    """
    found = _SAID.search(message)
    if not found:
        return None
    shape = tuple(int(n) for n in found["shape"].replace(",", " ").split())
    maker = (found["maker"] or "").rpartition("::")[2]
    return Overwritten(found["type"], shape, maker, int(found["saved"]), int(found["now"]))


def fits(tensor: Any, said: Overwritten) -> bool:
    """Whether a tensor can be the one that the message is about: nothing it says is against it."""
    if not _alike(tensor, said):
        return False
    if tensor.grad_fn is None or not said.maker:  # of a tensor without grad_fn no maker is told
        return tensor.grad_fn is None and not said.maker
    return said.maker in {short_name(node) for node in walk([tensor.grad_fn]).nodes}


def _alike(tensor: Any, said: Overwritten) -> bool:
    facts = (tuple(tensor.shape), tensor._version)
    return facts == (said.shape, said.now) and bool(tensor.type() == said.type)


def short_name(node: Any) -> str:
    """The name that messages give to a function: `ExpBackward0` is `Exp`, `FillBackward3` `Fill3`.

    >>> class Fill:
    ...     def name(self): return "FillBackward3"
    >>> short_name(Fill())
    'Fill3'
    """
    return re.sub("Backward0?", "", name_of(node))


def same(one: Any, other: Any) -> bool:
    """Whether two objects are one tensor: the same object, or the same output of one function.

    >>> import course_lib as torch
    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> y = x.exp()
    >>> same(y, y.grad_fn._saved_result), same(x, y)
    (True, False)
    """
    if one is other:
        return True
    if one.grad_fn is None or one.grad_fn is not other.grad_fn:
        return False
    return bool(one.output_nr == other.output_nr and one.shape == other.shape)


def was_made_by(tensor: Any, node: Any, said: Overwritten) -> bool:
    """Whether a tensor is the result of a node, overwritten since as often as the message says.

    Each write that was recorded stands between the two as one function, and leads to the one
    before by its first input. What was made out of the result instead has more functions on the
    way than it had writes.

    >>> import course_lib as torch
    >>> x = torch.tensor([1., 2.], requires_grad=True)
    >>> y = x.exp()
    >>> node, z = y.grad_fn, y + 1
    >>> _ = y.add_(1)
    >>> said = Overwritten("torch.FloatTensor", (2,), "Exp", 0, 1)
    >>> was_made_by(y, node, said), was_made_by(z, node, said)
    (True, False)
    """
    if said.maker != short_name(node) or not _alike(tensor, said):
        return False
    step = tensor.grad_fn
    for _ in range(said.now - said.saved):
        if step is node or step is None or not step.next_functions:
            break
        step = step.next_functions[0][0]
    return step is node
