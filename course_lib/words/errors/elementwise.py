"""Errors of elementwise operations and comparisons."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

POSITIVE_BOOL = "The `+` operator, on a bool tensor is not supported."
NEGATIVE_POWER = "Integers to negative integer powers are not allowed."
ZERO_DIVISION = "ZeroDivisionError"
BOOL_ALPHA = "Boolean alpha only supported for Boolean results."
FLOATING_ALPHA = "For integral input tensors, argument alpha must not be a floating point number."
COMPLEX_ALPHA = "For non-complex input tensors, argument alpha must not be a complex number."
CLAMP_WITHOUT_BOUNDS = "torch.clamp: At least one of 'min' or 'max' must not be None"
CLAMP_COMPLEX = "clamp is not supported for complex types"
NO_DOUBLE = "value cannot be converted to type double without overflow"
INVERT_TYPE = "~ (operator.invert) is only implemented on integer and Boolean-type tensors"
RELU_BOOL = "Boolean inputs not supported for relu"
HARDTANH_BOOL = "Bool inputs not supported for hardtanh"
HARDTANH_UNSIGNED = "cannot do hardtanh on an unsigned type with negative limits"
ABS_IN_PLACE = "In-place abs is not supported for complex tensors."
NO_COMPLEX_SIGN = (
    "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn "
    "instead."
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

no_kernel = Sentence("\"{kernel}\" not implemented for '{dtype:word}'")
no_derivative = Sentence("derivative for aten::{name} is not implemented")
no_complex = Sentence("{name} not implemented for complex tensors.")
no_rounding = Sentence("{name} is not supported for complex inputs")
rounding_mode = Sentence(
    "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'"
)
compared_dtypes = Sentence("{one:word} did not match {other:word}")
negative_tolerance = Sentence("{name} must be greater than or equal to zero, but got {value}")
lerp_dtype = Sentence("expected dtype {own:c} for `{name}` but got dtype {found:c}")
pow_arguments = Sentence(
    "pow() received an invalid combination of arguments - got ({base:type}, {exponent:type}), but "
    "expected one of:\n"
    " * (Tensor input, Tensor exponent, *, Tensor out = None)\n"
    " * (Number self, Tensor exponent, *, Tensor out = None)\n"
    " * (Tensor input, Number exponent, *, Tensor out = None)\n"
)


def clamp_arguments(limits: tuple) -> str:
    words = ", ".join(type(limit).__name__ for limit in limits if limit is not None)
    return (
        f"clamp() received an invalid combination of arguments - got ({words}), but expected one "
        "of:\n * (Tensor min = None, Tensor max = None)\n"
        " * (Number min = None, Number max = None)\n"
    )
