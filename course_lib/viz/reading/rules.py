"""How a function makes the gradient that it sends: the rule in words, and the same in numbers.

A rule is a formula whose names are `gradient` (what the function receives) and what the function
saved (`_saved_other`), as in PyTorch's table of derivatives. Its value is computed from its words
where these are a formula, else by a function. Its words are told only where the value is what the
function has sent: a rule that does not fit some special case is never shown.
"""

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from course_lib.viz.reading.saved import as_signed, value_of
from course_lib.viz.reading.values import is_tensor, number, short

SUMMED = ", summed over what broadcasting had repeated"
LONG = 96  # letters; a longer line tells the formula without its numbers


@dataclass(frozen=True)
class Rule:
    """What one input is sent: a formula in words, and a function of the same names."""

    words: str
    value: Callable[..., Any]

    @property
    def is_formula(self) -> bool:
        """Whether its words are a formula; others are a sentence."""
        return not re.search(r",|\b(where|the)\b", self.words)


SAME = Rule("gradient · 1", lambda gradient: gradient)
SHAPED = Rule("gradient, in the shape of the input", lambda gradient: gradient)
SPREAD = Rule(
    "gradient, once for every element",
    lambda gradient, self_sym_sizes: gradient.expand(self_sym_sizes),
)


def _along(gradient: Any, sizes: Any, dim: Any, keepdim: bool) -> Any:
    """The gradient of a sum along dimensions: the same number for all that were summed."""
    if not keepdim:
        for d in sorted(as_signed(d) % len(sizes) for d in dim):
            gradient = gradient.unsqueeze(d)
    return gradient.expand(sizes)


def _place_gradient(gradient: Any, sizes: Any, index: tuple[Any, ...]) -> Any:
    """Zeros with the gradient at the place that was taken out."""
    whole = gradient.new_zeros(tuple(sizes))
    whole[index] = gradient
    return whole


def _formula(words: str) -> Rule:
    """A rule whose value is computed as its words say."""
    code = re.sub(r"(\w+)ᵀ", r"\1.transpose(-2, -1)", words)
    for sign, python in zip("·−²³^", ("*", "-", "**2", "**3", "**"), strict=True):
        code = code.replace(sign, python)
    names = [n for n in dict.fromkeys(re.findall(r"(?<!\.)\b[a-z]\w*", code)) if n not in FUNCTIONS]
    return Rule(words, eval(f"lambda {', '.join(names)}: {code}", dict(FUNCTIONS)))


FUNCTIONS = {
    "cos": lambda x: x.cos(), "exp": lambda x: x.exp(), "log": lambda x: x.log(),
    "sign": lambda x: x.sign(), "sin": lambda x: x.sin(),
}  # fmt: skip
# name of a function: the rule for each of its inputs, as words where these are a formula
_RULES: dict[str, tuple[str | Rule, ...]] = {
    # ---- arithmetic ----
    "AddBackward0": (SAME, "gradient · alpha"),
    "SubBackward0": (SAME, "gradient · (−alpha)"),
    "RsubBackward0": ("gradient · (−alpha)", SAME),
    "RsubBackward1": ("gradient · (−alpha)",),
    "NegBackward0": ("gradient · (−1)",),
    "MulBackward0": ("gradient · other", "gradient · self"),
    "DivBackward0": ("gradient / other", "−gradient · self / other²"),
    "PowBackward0": ("gradient · exponent · self^(exponent − 1)",),
    "PowBackward1": (
        "gradient · exponent · self^(exponent − 1)", "gradient · result · log(self)"
    ),
    # ---- one number after the other ----
    "AbsBackward0": ("gradient · sign(self)",),
    "CosBackward0": ("gradient · (−sin(self))",),
    "ExpBackward0": ("gradient · result",),
    "LogBackward0": ("gradient / self",),
    "Log1PBackward0": ("gradient / (1 + self)",),
    "ReciprocalBackward0": ("−gradient · result²",),
    "ReluBackward0": (
        Rule("gradient where result > 0, else 0", lambda gradient, result: gradient * (result > 0)),
    ),
    "RsqrtBackward0": ("−gradient · result³ / 2",),
    "SigmoidBackward0": ("gradient · result · (1 − result)",),
    "SinBackward0": ("gradient · cos(self)",),
    "SqrtBackward0": ("gradient / (2 · result)",),
    "TanhBackward0": ("gradient · (1 − result²)",),
    "WhereBackward0": (
        Rule("gradient where condition, else 0", lambda gradient, condition: gradient * condition),
        Rule("0 where condition, else gradient", lambda gradient, condition: gradient * ~condition),
    ),
    "MaskedFillBackward0": (
        Rule("0 where mask, else gradient", lambda gradient, mask: gradient * ~mask),
    ),
    # ---- many numbers to few, few to many ----
    "SumBackward0": (SPREAD,),
    "SumBackward1": (
        Rule("gradient, once for every element that was added up",
             lambda gradient, self_sym_sizes, dim, keepdim:
             _along(gradient, self_sym_sizes, dim, keepdim)),
    ),
    "MeanBackward0": (
        Rule("gradient / n, once for every element",
             lambda gradient, n, self_sym_sizes: gradient.expand(self_sym_sizes) / n),
    ),
    "ProdBackward0": ("gradient · result / self",),
    "AmaxBackward0": (
        Rule("gradient where self = result, else 0",
             lambda gradient, self, result: gradient * (self == result)),
    ),
    "LogsumexpBackward0": (
        Rule("gradient · exp(self − result)",
             lambda gradient, self, result, dim, keepdim: _along(gradient, self.shape, dim, keepdim)
             * (self - _along(result, self.shape, dim, keepdim)).exp()),
    ),
    "LinalgVectorNormBackward0": ("gradient · self / result",),
    "SoftmaxBackward0": (
        Rule("result · (gradient − sum(gradient · result))", lambda gradient, result, dim:
             result * (gradient - (gradient * result).sum(as_signed(dim), keepdim=True))),
    ),
    "LogSoftmaxBackward0": (
        Rule("gradient − exp(result) · sum(gradient)", lambda gradient, result, dim:
             gradient - result.exp() * gradient.sum(as_signed(dim), keepdim=True)),
    ),
    "MseLossBackward0": (
        "gradient · 2 · (self − target) / n", "gradient · 2 · (target − self) / n"
    ),
    # ---- matrices ----
    "DotBackward0": ("gradient · tensor", "gradient · self"),
    "MvBackward0": (
        Rule("the outer product of gradient and vec", lambda gradient, vec:
             gradient.unsqueeze(1) * vec),
        "selfᵀ @ gradient",
    ),
    "MmBackward0": ("gradient @ mat2ᵀ", "selfᵀ @ gradient"),
    "BmmBackward0": ("gradient @ mat2ᵀ", "selfᵀ @ gradient"),
    "AddmmBackward0": (SAME, "gradient @ mat2ᵀ", "mat1ᵀ @ gradient"),
    # ---- the same numbers in another form ----
    "CloneBackward0": (SAME,), "ToCopyBackward0": (SAME,), "ExpandBackward0": (SAME,),
    "ViewBackward0": (SHAPED,), "UnsafeViewBackward0": (SHAPED,),
    "ReshapeAliasBackward0": (SHAPED,), "UnsqueezeBackward0": (SHAPED,),
    "SqueezeBackward0": (SHAPED,), "SqueezeBackward1": (SHAPED,),
    "TBackward0": (Rule("gradientᵀ", lambda gradient: gradient.t()),),
    "TransposeBackward0": (
        Rule("gradient, with the two dimensions swapped back", lambda gradient, dim0, dim1:
             gradient.transpose(as_signed(dim0), as_signed(dim1))),
    ),
    "SelectBackward0": (
        Rule("gradient at the place that was selected, 0 elsewhere",
             lambda gradient, self_sym_sizes, dim, index: _place_gradient(gradient, self_sym_sizes,
             (*[slice(None)] * (as_signed(dim) % len(self_sym_sizes)), as_signed(index)))),
    ),
    "SliceBackward0": (
        Rule("gradient at the places of the slice, 0 elsewhere",
             lambda gradient, self_sym_sizes, dim, start, end, step: _place_gradient(
             gradient, self_sym_sizes, (*[slice(None)] * (as_signed(dim) % len(self_sym_sizes)),
             slice(as_signed(start), as_signed(end), step)))),
    ),
}  # fmt: skip
RULES = {
    name: tuple(one if isinstance(one, Rule) else _formula(one) for one in rules)
    for name, rules in _RULES.items()
}


def rule_of(name: str, slot: int) -> Rule | None:
    """The rule by which a function makes the gradient of its input number `slot`.

    >>> rule_of("MulBackward0", 0).words
    'gradient · other'
    """
    rules = RULES.get(name, ())
    return rules[slot] if slot < len(rules) else None


def describe_rule(node: Any, name: str, slot: int, gradient: Any, sent: Any) -> str:
    """The rule with its numbers, `""` where no rule gives what was sent."""
    rule = rule_of(name, slot)
    if rule is None:
        return ""
    try:
        values = _values(rule, node, gradient)
        whole = rule.value(**values)
        value = sum_to_shape(whole, tuple(sent.shape))
    except (AttributeError, IndexError, RuntimeError, TypeError, ValueError):
        return ""  # a case that the rule does not cover, or something that was not saved
    if differ(value, sent):
        return ""
    repeated = whole.numel() != value.numel()
    return _sentence(replace(rule, words=rule.words + SUMMED * repeated), values, sent)


def _values(rule: Rule, node: Any, gradient: Any) -> dict[str, Any]:
    """What the names of a rule stand for."""
    values = {}
    for name in inspect.signature(rule.value).parameters:
        if name == "gradient":
            value = gradient
        elif name == "n":
            whole = value_of(node, "self")
            value = math.prod(node._saved_self_sym_sizes if whole is None else whole.shape)
        else:
            value = value_of(node, name)
        values[name] = value.detach() if is_tensor(value) else value
    return values


def _sentence(rule: Rule, values: dict[str, Any], sent: Any) -> str:
    """The rule, the same with its numbers, and what comes out."""
    result, shown = short(sent), {name: _short(value) for name, value in values.items()}
    words = rule.words.replace("alpha", "1") if shown.get("alpha") == "1" else rule.words
    names = re.compile(rf"\b({'|'.join(shown)})\b", re.ASCII)
    if result.startswith("(") or any(not shown[name] for name in names.findall(words)):
        return words  # too many numbers to tell
    if not rule.is_formula:
        return f"{words}: {short(values['gradient'])} becomes {result}"
    sentence = f"{words} = {names.sub(lambda found: shown[found[1]], words)} = {result}"
    return sentence if len(sentence) <= LONG else f"{words} = {result}"


def _short(value: Any) -> str:
    """A value inside a formula; a negative number in brackets; `""` if there are too many."""
    if isinstance(value, bool) or not (is_tensor(value) or isinstance(value, (int, float))):
        return ""
    line = short(value) if is_tensor(value) else number(value)
    if line.startswith("("):
        return ""
    return f"({line})" if line.startswith("-") else line


def sum_to_shape(value: Any, shape: tuple[int, ...]) -> Any:
    """A gradient summed over the dimensions that broadcasting had added; else in that shape."""
    if tuple(value.shape) == shape or value.numel() == math.prod(shape):
        return value.reshape(shape)
    while value.dim() > len(shape):
        value = value.sum(0)
    for dim, size in enumerate(shape):
        if size == 1:
            value = value.sum(dim, keepdim=True)
    return value


def differ(one: Any, other: Any) -> bool:
    """Whether two gradients are more than a rounding apart."""
    if tuple(one.shape) != tuple(other.shape):
        return True
    near = 2e-2 if "16" in str(other.dtype) else 1e-4
    distance = (one.detach() - other.detach()).abs()
    return bool((distance > near * other.detach().abs() + 1e-12).any())
