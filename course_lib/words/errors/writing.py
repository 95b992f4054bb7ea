"""`out=` tensors of another dtype, by operation, and the functions that warn.

Most operations write into any `out` that their result can be cast to.  Many take only the very
dtype of their result, each in its own words; some compute in the dtype of `out`.
"""

import sys
import warnings

from course_lib.words.errors.sentence import Sentence

COMPUTED_IN_OUT = frozenset("sum prod cumsum mean".split())

EXPECTED_OUT = Sentence("Expected out tensor to have dtype {made:c}, but got {given:c} instead")

ONLY_THE_SAME = {
    EXPECTED_OUT: (
        "addmm bmm mm gather linalg_vector_norm softmax log_softmax sort topk scatter "
        "scatter_add tril triu max min argmax argmin isin linalg_svd linalg_eigh"
    ),
    "Found dtype {given:word} but expected {made:word}": (
        "abs bitwise_not ceil floor neg sgn sign trunc clamp_numbers round"
    ),
    "Expected the dtype for input and out to match, but got {made:word} for input's dtype and "
    "{given:word} for out's dtype.": "amax amin",
    "result dtype {given:word} does not match input dtype {made:word}": "dot",
    "addmv input tensors must have the same dtype, but got {given:word}, {made:word}, and "
    "{made:word}": "mv",
    "index_select(): self and result must have the same scalar type": "index_select",
    "expected scalar type '{made:word}' but got '{given:word}' for values output": "mode",
    "expected scalar type 'Long' but got '{given:word}' for indices output": "mode.1",
    "Expected out type to be {made:word} but got {given:word}": "chosen _where",
}

ONLY_HIGHER = {
    "result type {made:word} can't be cast to the desired output type {given:c}": "clamp_numbers",
    "logsumexp(): Expected floating point type for result tensor, but got: {given:word}": (
        "logsumexp"
    ),
    "mean.dtype_out(): input types can't be cast to the desired output type {given:word}": (
        "mean_all"
    ),
    "Expected canCast( typeMetaToScalarType(self.dtype()), typeMetaToScalarType(out.dtype())) to "
    "be true, but got false.  (Could this error message be improved?  If so, please report an "
    "enhancement request to PyTorch.)": "max_all min_all",
    "torch.cat(): input types can't be cast to the desired output type {given:word}": "cat stack",
}

SAME = {name: Sentence(text) for text, names in ONLY_THE_SAME.items() for name in names.split()}

HIGHER = {name: Sentence(text) for text, names in ONLY_HIGHER.items() for name in names.split()}


# ---- warnings ------------------------------------------------------------------------------------


def warn(text: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line of the user's code, not of the library's."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("course_lib"):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, category, stacklevel=level)


given: set[str] = set()
always = False  # what `set_warn_always` was told


def warn_once(text: str, key: str = "") -> None:
    """Warn as `warn` does, but once in a process, as PyTorch does where the warning is C++'s.

    A `key` counts texts that differ as one.
    """
    key = key or text
    if always:
        warn(text)
    elif key not in given:
        given.add(key)
        warn(text)
