"""What an operation refuses, as data on its declaration.

    @op(returns=("values", "indices"), refuses=(
        within("dim"),
        Rule(lambda self, k, dim: not 0 <= k <= (self.shape or {dim: 1})[dim], errors.TOPK_RANGE),
        no("complex", errors.no_complex_order),
    ))
    def topk(self, k, dim=-1, largest=True, sorted=True): ...

A rule is a condition on arguments, by their names, and the sentence and class of the error that is
raised if it is true.  Rules are read in their order, which is PyTorch's.  Where one takes more than
a comparison, a function stands in its place: its parameters are arguments, too, and it raises by
itself, by `refuse` and the like, or returns None.  `checking` makes one check of all of them.
"""

import operator
from collections.abc import Callable, Iterable
from typing import Any

from course_lib.calls.arguments import parameters
from course_lib.dtypes.kinds import NUMBERS, promote_all
from course_lib.memory.dims import check_broadcast, wrap_dim
from course_lib.words import errors

WORDS = ("bool", "integer", "floating", "complex")  # the categories of dtypes, in their order


class Rule:
    """One refusal: when, in which words, and as which error.

    `of` names the arguments that `when` gets, if they are not called as its parameters are.  The
    gaps of the sentence are filled with the arguments and the `name` of the operation.
    """

    __slots__ = ("when", "says", "error", "of")

    def __init__(
        self, when: Callable, says: Any, error: type = RuntimeError, of: tuple[str, ...] = ()
    ):
        self.when, self.says, self.error = when, says, error
        self.of = of or parameters(when)


def refusing(error: type) -> Callable[..., None]:
    """A function that raises an error if something is wrong; `values` fill its sentence's gaps."""

    def refuse(wrong: Any, says: Any, *values: Any, error: type = error) -> None:
        if wrong:
            raise error(says(*values) if values else says)

    return refuse


refuse, refuse_type, refuse_value = map(refusing, (RuntimeError, TypeError, ValueError))
refuse_index, lacking = map(refusing, (IndexError, NotImplementedError))


def no(kinds: str, says: Any, error: type = RuntimeError, of: str = "self") -> Rule:
    """A rule against tensors with some kinds of elements: ``no("bool complex", …)``."""
    refused = [WORDS.index(kind) for kind in kinds.split()]
    return Rule(lambda tensor: tensor._dtype.category in refused, says, error, (of,))


def lacks(kinds: str, kernel: str, of: str = "self") -> Rule:
    """A rule that there is no `kernel` for a tensor with these kinds of elements."""
    return no(kinds, lambda **values: errors.no_kernel(kernel, values[of]), NotImplementedError, of)


def unless(kernel: str, *kinds: str) -> Callable:
    """A rule that there is no `kernel` for these kinds of elements, the operands' common one."""
    refused = [WORDS.index(kind) for kind in kinds]

    def check(*values: Any) -> None:
        dtype = common(values)
        if dtype.category in refused:
            check_broadcast(values)  # PyTorch looks for a kernel after that
            raise NotImplementedError(errors.no_kernel(kernel, dtype))

    return check


def common(values: Iterable[Any]) -> Any:
    """The promoted dtype of the tensors and numbers among `values`."""
    return promote_all([v for v in values if hasattr(v, "_dtype") or isinstance(v, NUMBERS)])


def within(dim: str = "dim", of: str = "self") -> Rule:
    """A rule that an argument is a dimension of the tensor; `wrap_dim` raises the IndexError."""
    return Rule(lambda at, x: wrap_dim(operator.index(at), x._array.ndim) < 0, "", of=(dim, of))


def checking(name: str, refuses: Any, params: tuple[str, ...]) -> Callable | None:
    """The check of the arguments of one operation, given in the order of `params`.

    `refuses` is a rule or a tuple of rules; with an empty tuple there is no check.
    """
    rules = refuses if refuses.__class__ is tuple else (refuses,)
    steps = [step(name, rule, params) for rule in rules]
    if len(steps) < 2:
        return steps[0] if steps else None

    def check(*values: Any) -> None:
        for one in steps:
            one(*values)

    return check


def step(name: str, rule: Any, params: tuple[str, ...]) -> Callable:
    """One rule as a function of all arguments, in the order of `params`."""
    if not isinstance(rule, Rule):
        code, names = rule.__code__, parameters(rule)
        takes_all = code.co_flags & 0x04 or names[: len(params)] == params
        if takes_all and not code.co_kwonlyargcount:
            return rule  # type: ignore[no-any-return]
        rule = Rule(rule, "", of=tuple([name for name in names if name in params]))
    when, says, alone = rule.when, rule.says, len(rule.of) == 1
    picked = operator.itemgetter(*map(params.index, rule.of))

    def check(*values: Any) -> None:
        if when(picked(values)) if alone else when(*picked(values)):
            named = {"name": name, **dict(zip(params, values))}
            raise rule.error(says(**named) if callable(says) else says)

    return check
