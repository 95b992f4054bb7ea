"""Errors of neural-network functions."""

from __future__ import annotations

from course_lib.words.errors.sentence import Sentence

GELU_APPROXIMATE = "approximate argument must be either none or tanh."
NEGATIVE_SLOPE = (
    "In-place leakyReLu backward calculation is triggered with a negative slope which is not "
    "supported. This is caused by calling in-place forward function with a negative slope, "
    "please call out-of-place version instead. File an issue at "
    "https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu backward "
    "calculation with negative slope"
)
NEGATIVE_ELU = (
    "In-place elu backward calculation is triggered with a negative slope which is not supported. "
    "This is caused by calling in-place forward function with a negative slope, please call "
    "out-of-place version instead."
)

implicit_dim = Sentence(
    "Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X "
    "as an argument."
)
