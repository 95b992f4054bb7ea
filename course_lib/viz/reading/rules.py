"""How a function makes the gradient that it sends: the rule in words, and the same in numbers.

A rule is a formula whose names are `gradient` (what the function receives) and what the function
saved (`_saved_other`), as in PyTorch's table of derivatives. Its value is computed from its words
where these are a formula, else from code beside them. Its words are told only where the value is
what the function has sent: a rule that does not fit some special case is never shown.
"""

import math
import re
from typing import Any

from course_lib.viz.reading.saved import as_signed, value_of
from course_lib.viz.reading.values import is_tensor, number, short

SUMMED = ", summed over what broadcasting had repeated"
LONG = 96  # letters; a longer line tells the formula without its numbers


def _along(gradient: Any, sizes: Any, dim: Any, keepdim: bool) -> Any:
    """The gradient of a sum along dimensions: the same number for all that were summed."""
    if not keepdim:
        for d in sorted(as_signed(d) % len(sizes) for d in dim):
            gradient = gradient.unsqueeze(d)
    return gradient.expand(sizes)


def _place_gradient(gradient: Any, sizes: Any, dim: int, at: Any) -> Any:
    """Zeros with the gradient at the place that was taken out."""
    whole = gradient.new_zeros(tuple(sizes))
    whole[(*[slice(None)] * (as_signed(dim) % len(sizes)), at)] = gradient
    return whole


FUNCTIONS: dict[str, Any] = {
    "cos": lambda x: x.cos(), "exp": lambda x: x.exp(), "log": lambda x: x.log(),
    "sign": lambda x: x.sign(), "sin": lambda x: x.sin(), "along": _along, "slice": slice,
    "place": _place_gradient, "signed": as_signed,
    "sum_along": lambda x, dim: x.sum(as_signed(dim), keepdim=True),
}  # fmt: skip
# Functions: the rule for each of their inputs, and behind := how it is computed where its words are
# a sentence. Lines that begin with spaces go on with the line before.
_TABLE = """\
AddBackward0: gradient · 1; gradient · alpha
SubBackward0: gradient · 1; gradient · (−alpha)
RsubBackward0: gradient · (−alpha); gradient · 1
RsubBackward1: gradient · (−alpha)
NegBackward0: gradient · (−1)
MulBackward0: gradient · other; gradient · self
DivBackward0: gradient / other; −gradient · self / other²
PowBackward0: gradient · exponent · self^(exponent − 1)
PowBackward1: gradient · exponent · self^(exponent − 1); gradient · result · log(self)
AbsBackward0: gradient · sign(self)
CosBackward0: gradient · (−sin(self))
ExpBackward0: gradient · result
LogBackward0: gradient / self
Log1PBackward0: gradient / (1 + self)
ReciprocalBackward0: −gradient · result²
ReluBackward0: gradient where result > 0, else 0 := gradient * (result > 0)
RsqrtBackward0: −gradient · result³ / 2
SigmoidBackward0: gradient · result · (1 − result)
SinBackward0: gradient · cos(self)
SqrtBackward0: gradient / (2 · result)
TanhBackward0: gradient · (1 − result²)
WhereBackward0: gradient where condition, else 0 := gradient * condition;
  0 where condition, else gradient := gradient * ~condition
MaskedFillBackward0: 0 where mask, else gradient := gradient * ~mask
SumBackward0: gradient, once for every element := gradient.expand(self_sym_sizes)
SumBackward1: gradient, once for every element that was added up :=
  along(gradient, self_sym_sizes, dim, keepdim)
MeanBackward0: gradient / n, once for every element := gradient.expand(self_sym_sizes) / n
ProdBackward0: gradient · result / self
AmaxBackward0: gradient where self = result, else 0 := gradient * (self == result)
LogsumexpBackward0: gradient · exp(self − result) :=
  along(gradient, self.shape, dim, keepdim) * exp(self - along(result, self.shape, dim, keepdim))
LinalgVectorNormBackward0: gradient · self / result
SoftmaxBackward0: result · (gradient − sum(gradient · result)) :=
  result * (gradient - sum_along(gradient * result, dim))
LogSoftmaxBackward0: gradient − exp(result) · sum(gradient) :=
  gradient - exp(result) * sum_along(gradient, dim)
MseLossBackward0: gradient · 2 · (self − target) / n; gradient · 2 · (target − self) / n
DotBackward0: gradient · tensor; gradient · self
MvBackward0: the outer product of gradient and vec := gradient.unsqueeze(1) * vec;
  selfᵀ @ gradient
MmBackward0 BmmBackward0: gradient @ mat2ᵀ; selfᵀ @ gradient
AddmmBackward0: gradient · 1; gradient @ mat2ᵀ; mat1ᵀ @ gradient
CloneBackward0 ToCopyBackward0 ExpandBackward0: gradient · 1
ViewBackward0 UnsafeViewBackward0 ReshapeAliasBackward0 UnsqueezeBackward0 SqueezeBackward0
  SqueezeBackward1: gradient, in the shape of the input := gradient
TBackward0: gradientᵀ := gradient.t()
TransposeBackward0: gradient, with the two dimensions swapped back :=
  gradient.transpose(signed(dim0), signed(dim1))
SelectBackward0: gradient at the place that was selected, 0 elsewhere :=
  place(gradient, self_sym_sizes, dim, signed(index))
SliceBackward0: gradient at the places of the slice, 0 elsewhere :=
  place(gradient, self_sym_sizes, dim, slice(signed(start), signed(end), step))
"""


def _rule(told: str) -> tuple[str, list[str], Any]:
    """The words of a rule, the names in it, and the code that computes what it gives."""
    words, _, code = told.partition(" := ")
    code = re.sub(r"(\w+)ᵀ", r"\1.transpose(-2, -1)", code or words)
    for sign, python in zip("·−²³^", ("*", "-", "**2", "**3", "**"), strict=True):
        code = code.replace(sign, python)
    names = [n for n in dict.fromkeys(re.findall(r"(?<!\.)\b[a-z]\w*", code)) if n not in FUNCTIONS]
    return words, names, compile(code, words, "eval")


RULES = {
    name: tuple(map(_rule, rules.split("; ")))
    for names, rules in (row.split(": ") for row in _TABLE.replace("\n ", "").splitlines())
    for name in names.split()
}


def describe_rule(node: Any, name: str, slot: int, gradient: Any, sent: Any) -> str:
    """The rule with its numbers, `""` where no rule gives what was sent."""
    rules = RULES.get(name, ())
    if slot >= len(rules) or gradient is None:
        return ""
    words, names, code = rules[slot]
    values: dict[str, Any] = {}
    try:
        for name in names:  # what they stand for
            if name == "gradient":
                value = gradient
            elif name == "n":
                whole = value_of(node, "self")
                value = math.prod(node._saved_self_sym_sizes if whole is None else whole.shape)
            else:
                value = value_of(node, name)
            values[name] = value.detach() if is_tensor(value) else value
        whole = eval(code, FUNCTIONS | values)
        value = sum_to_shape(whole, tuple(sent.shape))
    except (AttributeError, IndexError, RuntimeError, TypeError, ValueError):
        return ""  # a case that the rule does not cover, or something that was not saved
    if differ(value, sent):
        return ""
    repeated = whole.numel() != value.numel()
    return _sentence(words + SUMMED * repeated, values, sent)


def _sentence(words: str, values: dict[str, Any], sent: Any) -> str:
    """The rule, the same with its numbers, and what comes out."""
    result, shown = short(sent), {name: _short(value) for name, value in values.items()}
    words = words.replace("alpha", "1") if shown.get("alpha") == "1" else words
    names = re.compile(rf"\b({'|'.join(shown)})\b", re.ASCII)
    if result.startswith("(") or any(not shown[name] for name in names.findall(words)):
        return words  # too many numbers to tell
    if re.search(r",|\b(where|the)\b", words):  # a sentence, no formula
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
    if value.numel() == math.prod(shape):
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
