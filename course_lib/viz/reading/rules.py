"""How a function makes the gradient that it sends: the rule in words, and the same in numbers.

A rule is a formula whose names are `gradient` (what the function receives) and what the function
saved (`_saved_other`), as in PyTorch's table of derivatives. Its words are told only where its
value is what the function has sent: a rule that does not fit some special case is never shown.
"""

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from course_lib.viz.reading.saved import value_of
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
        for d in sorted(_signed(d) % len(sizes) for d in dim):
            gradient = gradient.unsqueeze(d)
    return gradient.expand(sizes)


def _placed(gradient: Any, sizes: Any, index: tuple[Any, ...]) -> Any:
    """Zeros with the gradient at the place that was taken out."""
    whole = gradient.new_zeros(tuple(sizes))
    whole[index] = gradient
    return whole


def _signed(n: int) -> int:
    """PyTorch tells a saved -1 as the largest number of 64 bits."""
    return n - 2**64 if n >= 2**63 else n


# name of a function: the rule for each of its inputs
RULES: dict[str, tuple[Rule, ...]] = {
    # ---- arithmetic ----
    "AddBackward0": (SAME, Rule("gradient · alpha", lambda gradient, alpha: gradient * alpha)),
    "SubBackward0": (SAME, Rule("gradient · (−alpha)", lambda gradient, alpha: -gradient * alpha)),
    "RsubBackward0": (Rule("gradient · (−alpha)", lambda gradient, alpha: -gradient * alpha), SAME),
    "RsubBackward1": (Rule("gradient · (−alpha)", lambda gradient, alpha: -gradient * alpha),),
    "NegBackward0": (Rule("gradient · (−1)", lambda gradient: -gradient),),
    "MulBackward0": (
        Rule("gradient · other", lambda gradient, other: gradient * other),
        Rule("gradient · self", lambda gradient, self: gradient * self),
    ),
    "DivBackward0": (
        Rule("gradient / other", lambda gradient, other: gradient / other),
        Rule(
            "−gradient · self / other²",
            lambda gradient, self, other: -gradient * self / (other * other),
        ),
    ),
    "PowBackward0": (
        Rule(
            "gradient · exponent · self^(exponent − 1)",
            lambda gradient, self, exponent: gradient * exponent * self ** (exponent - 1),
        ),
    ),
    "PowBackward1": (
        Rule(
            "gradient · exponent · self^(exponent − 1)",
            lambda gradient, self, exponent: gradient * exponent * self ** (exponent - 1),
        ),
        Rule(
            "gradient · result · log(self)",
            lambda gradient, self, result: gradient * result * self.log(),
        ),
    ),
    # ---- one number after the other ----
    "AbsBackward0": (Rule("gradient · sign(self)", lambda gradient, self: gradient * self.sign()),),
    "CosBackward0": (
        Rule("gradient · (−sin(self))", lambda gradient, self: -gradient * self.sin()),
    ),
    "ExpBackward0": (Rule("gradient · result", lambda gradient, result: gradient * result),),
    "LogBackward0": (Rule("gradient / self", lambda gradient, self: gradient / self),),
    "Log1PBackward0": (
        Rule("gradient / (1 + self)", lambda gradient, self: gradient / (1 + self)),
    ),
    "ReciprocalBackward0": (
        Rule("−gradient · result²", lambda gradient, result: -gradient * result * result),
    ),
    "ReluBackward0": (
        Rule(
            "gradient where result > 0, else 0", lambda gradient, result: gradient * (result > 0)
        ),
    ),
    "RsqrtBackward0": (
        Rule("−gradient · result³ / 2", lambda gradient, result: -gradient * result**3 / 2),
    ),
    "SigmoidBackward0": (
        Rule(
            "gradient · result · (1 − result)",
            lambda gradient, result: gradient * result * (1 - result),
        ),
    ),
    "SinBackward0": (Rule("gradient · cos(self)", lambda gradient, self: gradient * self.cos()),),
    "SqrtBackward0": (
        Rule("gradient / (2 · result)", lambda gradient, result: gradient / (2 * result)),
    ),
    "TanhBackward0": (
        Rule("gradient · (1 − result²)", lambda gradient, result: gradient * (1 - result * result)),
    ),
    "WhereBackward0": (
        Rule(
            "gradient where condition, else 0",
            lambda gradient, condition: gradient * condition,
        ),
        Rule(
            "0 where condition, else gradient",
            lambda gradient, condition: gradient * ~condition,
        ),
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
    "ProdBackward0": (
        Rule("gradient · result / self", lambda gradient, result, self: gradient * result / self),
    ),
    "AmaxBackward0": (
        Rule("gradient where self = result, else 0",
             lambda gradient, self, result: gradient * (self == result)),
    ),
    "LogsumexpBackward0": (
        Rule("gradient · exp(self − result)",
             lambda gradient, self, result, dim, keepdim: _along(gradient, self.shape, dim, keepdim)
             * (self - _along(result, self.shape, dim, keepdim)).exp()),
    ),
    "LinalgVectorNormBackward0": (
        Rule("gradient · self / result", lambda gradient, self, result: gradient * self / result),
    ),
    "SoftmaxBackward0": (
        Rule("result · (gradient − sum(gradient · result))", lambda gradient, result, dim:
             result * (gradient - (gradient * result).sum(_signed(dim), keepdim=True))),
    ),
    "LogSoftmaxBackward0": (
        Rule("gradient − exp(result) · sum(gradient)", lambda gradient, result, dim:
             gradient - result.exp() * gradient.sum(_signed(dim), keepdim=True)),
    ),
    "MseLossBackward0": (
        Rule("gradient · 2 · (self − target) / n",
             lambda gradient, self, target, n: gradient * 2 * (self - target) / n),
        Rule("gradient · 2 · (target − self) / n",
             lambda gradient, self, target, n: gradient * 2 * (target - self) / n),
    ),
    # ---- matrices ----
    "DotBackward0": (
        Rule("gradient · tensor", lambda gradient, tensor: gradient * tensor),
        Rule("gradient · self", lambda gradient, self: gradient * self),
    ),
    "MvBackward0": (
        Rule("the outer product of gradient and vec", lambda gradient, vec:
             gradient.unsqueeze(1) * vec),
        Rule("selfᵀ @ gradient", lambda gradient, self: self.t() @ gradient),
    ),
    "MmBackward0": (
        Rule("gradient @ mat2ᵀ", lambda gradient, mat2: gradient @ mat2.t()),
        Rule("selfᵀ @ gradient", lambda gradient, self: self.t() @ gradient),
    ),
    "BmmBackward0": (
        Rule("gradient @ mat2ᵀ", lambda gradient, mat2: gradient @ mat2.transpose(1, 2)),
        Rule("selfᵀ @ gradient", lambda gradient, self: self.transpose(1, 2) @ gradient),
    ),
    "AddmmBackward0": (
        SAME,
        Rule("gradient @ mat2ᵀ", lambda gradient, mat2: gradient @ mat2.t()),
        Rule("mat1ᵀ @ gradient", lambda gradient, mat1: mat1.t() @ gradient),
    ),
    # ---- the same numbers in another form ----
    "CloneBackward0": (SAME,),
    "ToCopyBackward0": (SAME,),
    "ExpandBackward0": (SAME,),
    "ViewBackward0": (SHAPED,),
    "UnsafeViewBackward0": (SHAPED,),
    "ReshapeAliasBackward0": (SHAPED,),
    "UnsqueezeBackward0": (SHAPED,),
    "SqueezeBackward0": (SHAPED,),
    "SqueezeBackward1": (SHAPED,),
    "TBackward0": (Rule("gradientᵀ", lambda gradient: gradient.t()),),
    "TransposeBackward0": (
        Rule("gradient, with the two dimensions swapped back", lambda gradient, dim0, dim1:
             gradient.transpose(_signed(dim0), _signed(dim1))),
    ),
    "SelectBackward0": (
        Rule("gradient at the place that was selected, 0 elsewhere",
             lambda gradient, self_sym_sizes, dim, index: _placed(gradient, self_sym_sizes,
             (*[slice(None)] * (_signed(dim) % len(self_sym_sizes)), _signed(index)))),
    ),
    "SliceBackward0": (
        Rule("gradient at the places of the slice, 0 elsewhere",
             lambda gradient, self_sym_sizes, dim, start, end, step: _placed(
             gradient, self_sym_sizes, (*[slice(None)] * (_signed(dim) % len(self_sym_sizes)),
             slice(_signed(start), _signed(end), step)))),
    ),
}  # fmt: skip


def rule_of(name: str, slot: int) -> Rule | None:
    """The rule by which a function makes the gradient of its input number `slot`.

    >>> rule_of("MulBackward0", 0).words
    'gradient · other'
    """
    rules = RULES.get(name, ())
    return rules[slot] if slot < len(rules) else None


def told_rule(node: Any, name: str, slot: int, gradient: Any, sent: Any) -> str:
    """The rule with its numbers, `""` where no rule gives what was sent."""
    rule = rule_of(name, slot)
    if rule is None:
        return ""
    try:
        values = _values(rule, node, gradient)
        whole = rule.value(**values)
        value = summed_to(whole, tuple(sent.shape))
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


def summed_to(value: Any, shape: tuple[int, ...]) -> Any:
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
