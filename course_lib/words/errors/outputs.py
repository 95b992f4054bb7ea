"""`out=` tensors of another dtype: which an operation accepts, and what it says of the others.

Most operations write into any `out` that their result can be cast to.  Many take only the very
dtype of their result, each in its own words; some compute in the dtype of `out`.
"""

from __future__ import annotations

from typing import Any

from course_lib.words.errors.sentence import C_NAMES, Sentence, type_word
from course_lib.words.errors.types import cannot_cast

# {made} and {given} are dtypes in words (Float, Long), {made_c} and {given_c} as in C (long int).
ONLY_THE_SAME = {
    "Expected out tensor to have dtype {made_c}, but got {given_c} instead": (
        "addmm addmv baddbmm bmm mm diag gather inverse linalg_inv linalg_vector_norm norm softmax "
        "log_softmax msort sort topk scatter scatter_add slice_scatter slogdet tril triu aminmax "
        "max_along min_along argmax argmin isin diag_embed diagonal_copy "
        "linalg_svd linalg_svdvals linalg_eigh linalg_eigvalsh linalg_qr linalg_cholesky solved"
    ),
    "Found dtype {given} but expected {made}": (
        "abs bitwise_not ceil floor frac hardshrink neg sgn sign trunc clamp_numbers to_number "
        "round_whole round_decimals lerp_tensor"
    ),
    "expected scalar_type {made} but found {given}": "cummax cummin logcumsumexp",
    "Expected the dtype for input and out to match, but got {made} for input's dtype and {given} "
    "for out's dtype.": "amax amin",
    "result dtype {given} does not match input dtype {made}": "dot vdot",
    "addmv input tensors must have the same dtype, but got {given}, {made}, and {made}": "mv",
    "tensordot: Expected the output tensor to have dtype {made}, but got an output tensor with "
    "dtype {given}": "inner tensordot",
    "torch.frexp() expects mantissa to have dtype {made_c} but got {given_c}": "frexp",
    "torch.frexp() expects exponent to have int dtype but got {given_c}": "frexp.1",
    "index_select(): self and result must have the same scalar type": "index_select",
    "masked_select(): self and result must have the same scalar type": "masked_select",
    "output values must be of same type as input": "kthvalue",
    "output indices must be of scalar type Long": "kthvalue.1",
    "expected scalar type '{made}' but got '{given}' for values output": "mode",
    "expected scalar type 'Long' but got '{given}' for indices output": "mode.1",
    "Expected tensor for 'values' to have the same type as tensor for argument #2 'self'; but type "
    "{given_t} does not equal {made_t} (while checking arguments for median)": "median nanmedian",
    "Expected tensor for argument #1 'indices' to have scalar type Long; but got {given_t} instead "
    "(while checking arguments for median)": "median.1 nanmedian.1",
    "nan_to_num: dtype of out: {given} should be same as input: {made}": "nan_to_num",
    "Expected out type to be {made} but got {given}": "chosen where",
    "Expected object of scalar type {made} but got scalar type {given} for argument 'out'": (
        "complex polar"
    ),
    "the output given to float_power has dtype {given} but the operation's result requires dtype "
    "{made}": "float_power",
    "torch.histogram: input tensor and hist tensor should have the same dtype, but got input "
    "{made_c} and hist {given_c}": "histc",
    "multinomial expects Long tensor out, got: {given}": "multinomial",
    "isposinf does not support non-boolean outputs.": "isposinf",
    "isneginf does not support non-boolean outputs.": "isneginf",
    "signbit does not support non-boolean outputs.": "signbit",
    "heaviside is not yet implemented for tensors with different dtypes.": "heaviside",
    "nonzero: Expected out tensor to have scalar type Long but got scalar type{given}": "nonzero",
    "multi_dot(): expected out tensor to have dtype {made_c} but got {given_c}": "multi_dot",
}
ONLY_HIGHER = {
    "torch.linalg.eig: Expected eigenvalues to be safely castable from {made} dtype, but got "
    "eigenvalues with dtype {given}": "linalg_eig",
    "torch.linalg.eigvals: Expected eigenvalues to be safely castable from {made} dtype, but got "
    "eigenvalues with dtype {given}": "linalg_eigvals",
    "logsumexp(): Expected floating point type for result tensor, but got: {given}": "logsumexp",
    "mean.dtype_out(): input types can't be cast to the desired output type {given}": "mean_all",
    "ldexp can't be cast to the desired output type {given}": "ldexp",
    "Expected canCast( typeMetaToScalarType(self.dtype()), typeMetaToScalarType(out.dtype())) to "
    "be true, but got false.  (Could this error message be improved?  If so, please report an "
    "enhancement request to PyTorch.)": "max min",
    "matrix_power: Expected result to be safely castable from {made} dtype, but got result with "
    "dtype {given}": "matrix_power",
}
SAME = {name: text for text, names in ONLY_THE_SAME.items() for name in names.split()}
HIGHER = {name: text for text, names in ONLY_HIGHER.items() for name in names.split()}
COMPUTED_IN_OUT = frozenset("sum prod nansum cumsum cumprod mean".split())


def name_for_output(op: Any) -> str:
    """Under which name the tables have an operation: some have other rules for numbers."""
    if op.name in ("max", "min") and op.returns:
        return op.name + "_along"
    for name in (op.kernel.__name__, op.name):
        if name in SAME or name in HIGHER:
            return name
    return op.name.removesuffix("_all")


def check_output(name: str, made: Any, given: Any, number: int = 0) -> None:
    """Raise PyTorch's error if output `number`, of dtype `made`, may not go into one of `given`."""
    key = f"{name}.{number}" if f"{name}.{number}" in SAME else name
    if key in SAME:
        if made is not given:
            raise RuntimeError(filled(SAME[key], made, given))
    elif name in ("all", "any"):
        if given.name not in ("bool", "uint8"):
            text = f"{name} only supports bool tensor for result, got: {type_word(given)}"
            raise RuntimeError(text)
    elif name == "nansum" and made.category == 2 and given.category != 2:
        raise NotImplementedError(f"\"nansum_cpu\" not implemented for '{type_word(given)}'")
    elif name in ("cumsum", "cumprod") and given.name == "bool":
        raise NotImplementedError(f"\"{name}_out_cpu\" not implemented for 'Bool'")
    elif made.category > given.category:
        if name in ("cat", "stack"):
            text = "torch.cat(): input types can't be cast to the desired output type {given}"
            raise TypeError(filled(text, made, given))
        raise RuntimeError(cannot_hold(name, made, given))


def check_wanted(name: str, wanted: Any, given: Any) -> None:
    """Raise if ``dtype=`` asks for another dtype than that of `out`."""
    if wanted is given:
        return
    if name == "nansum":
        raise RuntimeError(
            "nansum: provided dtype must match dtype of result. Got "
            f"{type_word(given)} and {type_word(wanted)}."
        )
    raise RuntimeError(filled(next(iter(ONLY_THE_SAME)), wanted, given))


inplace_dtype = Sentence(
    "Bad in-place call: input tensor dtype {own:c} and output tensor dtype {wanted:c} should match"
)


def cannot_hold(name: str, made: Any, given: Any) -> str:
    """What an operation says if its result, of dtype `made`, may not go into memory of `given`."""
    return filled(HIGHER[name], made, given) if name in HIGHER else cannot_cast(made, given)


def filled(text: str, made: Any, given: Any) -> str:
    """A text with the two dtypes in it."""
    return text.format(
        made=type_word(made),
        given=type_word(given),
        made_c=C_NAMES[made.name],
        given_c=C_NAMES[given.name],
        made_t=tensor_type(made),
        given_t=tensor_type(given),
    )


def tensor_type(dtype: Any) -> str:
    """How old checks name a kind of tensor: torch.FloatTensor, CPUBoolType."""
    word = type_word(dtype)
    return (
        f"CPU{word}Type"
        if dtype.is_complex or word in ("Bool", "BFloat16")
        else (f"torch.{word}Tensor")
    )
