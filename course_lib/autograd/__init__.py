"""Gradients: `backward`, `grad`, the recording modes, user-defined operations."""

from course_lib.autograd import graph, hooks, leaf
from course_lib.autograd.backward import backward, grad
from course_lib.autograd.function import Function
from course_lib.autograd.grad_mode import (
    detect_anomaly,
    enable_grad,
    inference_mode,
    no_grad,
    set_detect_anomaly,
    set_grad_enabled,
)
from course_lib.autograd.gradcheck import gradcheck, gradgradcheck
from course_lib.autograd.saving import SavedTensor
from course_lib.autograd.variable import Variable
from course_lib.calls.missing import complete_module as _completed

__all__ = ["Function", "SavedTensor", "Variable", "backward", "detect_anomaly", "enable_grad"]
__all__ += ["grad", "gradcheck", "gradgradcheck", "graph", "inference_mode", "no_grad"]
__all__ += ["set_detect_anomaly", "set_grad_enabled"]

__getattr__, __dir__ = _completed(globals(), "autograd")
