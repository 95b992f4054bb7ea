"""Errors of elementwise operations and comparisons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from course_lib.words.errors.sentence import C_NAMES, Sentence, type_word
from course_lib.words.errors.shapes import check_broadcast

WORDS = ("bool", "integer", "floating", "complex")  # the categories of dtypes, in their order

POSITIVE_BOOL = "The `+` operator, on a bool tensor is not supported."
NEGATIVE_POWER = "Integers to negative integer powers are not allowed."
CLAMP_WITHOUT_BOUNDS = "torch.clamp: At least one of 'min' or 'max' must not be None"
INVERT_TYPE = "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
NO_COMPLEX_SIGN = (
    "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn "
    "instead."
)
ADDCDIV_OF_INTEGERS = (
    "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will "
    "perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be "
    "implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer "
    "inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv "
    "behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all "
    "dtypes."
)
BOTH_BOOL = (
    "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
    "`logical_xor()` operator instead."
)
ONE_BOOL = (
    "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to "
    "invert a mask, use the `~` or `logical_not()` operator instead."
)
NEGATION_OF_BOOL = (
    "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a "
    "mask, use the `~` or `logical_not()` operator instead."
)
ABS_IN_PLACE = "In-place abs is not supported for complex tensors."

no_kernel = Sentence("\"{kernel}\" not implemented for '{dtype:word}'")
no_derivative = Sentence("derivative for aten::{name} is not implemented")
compared_dtypes = Sentence("{one:word} did not match {other:word}")
negative_tolerance = Sentence("{name} must be greater than or equal to zero, but got {value}")


def pow_arguments(base: Any, exponent: Any, out: Any) -> str:
    return (
        f"pow() received an invalid combination of arguments - got ({type(base).__name__}, "
        f"{type(exponent).__name__}), but expected one of:\n"
        " * (Tensor input, Tensor exponent, *, Tensor out = None)\n"
        " * (Number self, Tensor exponent, *, Tensor out = None)\n"
        " * (Tensor input, Number exponent, *, Tensor out = None)\n"
    )


# ---- checks that a declaration names -------------------------------------------------------------


def common(values: dict[str, Any]) -> Any:
    """The promoted dtype of the tensors and numbers among `values`."""
    shared: Any = None
    for value in values.values():
        if value.__class__ is int and shared is not None and shared.category:
            continue
        found = getattr(value, "_dtype", None)
        if found is None or (shared is not None and found is not shared):
            break
        shared = found
    else:  # tensors of one dtype, with or without whole numbers beside them
        return shared
    from course_lib.dtypes import kinds

    return kinds.folded(
        [v for v in values.values() if hasattr(v, "_dtype") or isinstance(v, kinds.NUMBERS)]
    )


def unless(kernel: str, *words: str, text: str = "", error: type = NotImplementedError) -> Callable:
    """A check that refuses these categories of dtypes: there is no `kernel`, or as `text` says."""
    refused = tuple(WORDS.index(word) for word in words)

    def check(**values: Any) -> None:
        dtype = common(values)
        if dtype.category in refused and not text:
            check_broadcast(list(values.values()))  # PyTorch looks for a kernel after that
        if dtype.category in refused:
            raise error(text or no_kernel(kernel, dtype))

    return check


def check_clamp(self: Any, **limits: Any) -> None:
    """A check that refuses numbers to which no tensor can be limited, and limits of bools."""
    given = {name: limit for name, limit in limits.items() if limit is not None}
    if self._dtype.plain and all([limit.__class__ in (int, float) for limit in given.values()]):
        return
    if self.is_floating_point() and any(complex(limit).imag for limit in given.values()):
        raise RuntimeError(NO_DOUBLE)
    dtype = common({"self": self, **given})
    if dtype.is_complex:
        raise NotImplementedError(CLAMP_COMPLEX)
    if dtype.category == 0:
        sides = ["clamp", *given, "scalar_cpu"] if len(given) == 1 else ["clamp_scalar_cpu"]
        raise NotImplementedError(no_kernel("_".join(sides), dtype))


def check_clamp_in_place(self: Any, limits: tuple) -> None:
    """Raise if the limits ask for a dtype that the tensor cannot have; PyTorch names it in C."""
    given = {f"limit {n}": limit for n, limit in enumerate(limits) if limit is not None}
    dtype = common({"self": self, **given})
    if self._dtype.category < dtype.category < 3:
        raise RuntimeError(
            f"result type {type_word(dtype)} can't be cast to the desired output type "
            f"{C_NAMES[self._dtype.name]}"
        )


def check_clamp_tensors(self: Any, **limits: Any) -> None:
    """Raise for complex numbers, if the limits are tensors."""
    if self._dtype.is_complex:
        raise NotImplementedError(CLAMP_COMPLEX)
    given = {name: limit for name, limit in limits.items() if limit is not None}
    dtype = common({"self": self, **given})
    if dtype.is_complex:
        kernels = {("min",): "maximum_cpu", ("max",): "minimum_cpu"}
        raise NotImplementedError(no_kernel(kernels.get(tuple(given), "clamp_cpu"), dtype))


def check_alpha(self: Any, other: Any, alpha: Any) -> None:
    """Raise if the factor `alpha` has a higher category than the operands."""
    if alpha.__class__ is int and alpha == 1:
        return
    dtype = common({"self": self, "other": other})
    if isinstance(alpha, bool) and dtype.category:
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if isinstance(alpha, float) and dtype.category < 2:
        raise RuntimeError(
            "For integral input tensors, argument alpha must not be a floating point number."
        )
    if isinstance(alpha, complex) and dtype.category < 3:
        raise RuntimeError(
            "For non-complex input tensors, argument alpha must not be a complex number."
        )


def check_subtraction(self: Any, other: Any, alpha: Any) -> None:
    """Raise if an operand of a subtraction is bool, or `alpha` does not fit."""
    found = [
        0 if isinstance(v, bool) else getattr(getattr(v, "_dtype", None), "category", None)
        for v in (self, other)
    ]
    if found == [0, 0]:
        raise RuntimeError(BOTH_BOOL)
    if 0 in found:
        raise RuntimeError(ONE_BOOL)
    check_alpha(self, other, alpha)


def check_negation(self: Any) -> None:
    """Raise for a bool tensor."""
    if self._dtype.category == 0:
        raise RuntimeError(NEGATION_OF_BOOL)


def check_rounding_mode(self: Any, other: Any, rounding_mode: Any) -> None:
    """Raise for an unknown rounding mode, or a dtype that cannot be rounded."""
    if rounding_mode not in ("floor", "trunc"):
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"'{rounding_mode}'"
        )
    unless(f"div_{rounding_mode}_cpu", "bool", "complex")(self=self, other=other)


def check_divisor(other: Any) -> None:
    """Raise if an integer divisor is zero, or an array of them contains one."""
    if other == 0 if other.__class__ is int else not hasattr(other, "restride") and not other.all():
        raise RuntimeError("ZeroDivisionError")


not_a_tensor = Sentence(
    "{function}(): argument '{name}' (position {position}) must be Tensor, not {value:type}"
)

NO_DOUBLE = "value cannot be converted to type double without overflow"
CLAMP_COMPLEX = "clamp is not supported for complex types"
MAXIMUM_COMPLEX = "maximum not implemented for complex tensors."
MINIMUM_COMPLEX = "minimum not implemented for complex tensors."
RELU_BOOL = "Boolean inputs not supported for relu"


def no_rounding(name: str) -> Callable:
    """A check that refuses to round complex numbers and bools."""
    of_complex = unless("", "complex", text=f"{name} is not supported for complex inputs")
    of_bool = unless(f"{name}_vml_cpu", "bool")

    def check(self: Any) -> None:
        of_complex(self=self)
        of_bool(self=self)

    return check


def check_relu(self: Any) -> None:
    """Raise for a bool or a complex tensor."""
    if self._dtype.category == 0:
        raise RuntimeError(RELU_BOOL)
    if self._dtype.category == 3:
        raise NotImplementedError(CLAMP_COMPLEX)


def clamp_arguments(input: Any, limits: tuple) -> str:
    words = ", ".join(type(limit).__name__ for limit in limits if limit is not None)
    return (
        f"clamp() received an invalid combination of arguments - got ({words}), but expected one "
        "of:\n * (Tensor min = None, Tensor max = None)\n"
        " * (Number min = None, Number max = None)\n"
    )


def check_lerp(self: Any, end: Any, weight: Any) -> None:
    """Raise for operands of different dtypes, or for bools and integers.

    A weight without dimensions may have another dtype, which then takes part in promotion.
    """
    single = hasattr(weight, "_dtype") and not weight._array.ndim
    for name, value in (("end", end), ("weight", self if single else weight)):
        dtype = getattr(value, "_dtype", self._dtype)
        if dtype is not self._dtype:
            raise RuntimeError(
                f"expected dtype {C_NAMES[self._dtype.name]} for `{name}` but got dtype "
                f"{C_NAMES[dtype.name]}"
            )
    kernel = "lerp_kernel_tensor" if hasattr(weight, "_dtype") else "lerp_kernel_scalar"
    unless(kernel, "bool", "integer")(self=self, **({"weight": weight} if single else {}))


def check_addcmul(**values: Any) -> None:
    """Raise for bool operands."""
    values.pop("value")
    unless("addcmul_cpu_out", "bool")(**values)


def check_addcdiv(tensor1: Any, tensor2: Any, **others: Any) -> None:
    """Raise for a quotient of integers."""
    if common({"tensor1": tensor1, "tensor2": tensor2}).category < 2:
        raise RuntimeError(ADDCDIV_OF_INTEGERS)
