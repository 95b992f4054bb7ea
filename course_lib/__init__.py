"""A tensor library to be read: PyTorch's names and behaviour, in Python on NumPy.

>>> import course_lib as torch
>>> x = torch.tensor([1., 2.], requires_grad=True)
>>> (x * x).sum().backward()
>>> x.grad
tensor([2., 4.])
"""

from importlib import import_module as _import_module
from math import e, inf, nan, pi

from course_lib import autograd, backends, cuda, linalg, random
from course_lib.autograd import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
)
from course_lib.autograd.anomaly import is_anomaly_check_nan_enabled, is_anomaly_enabled
from course_lib.autograd.grad_mode import is_inference, is_inference_mode_enabled
from course_lib.core.tensor import Tensor
from course_lib.facts import names as _names
from course_lib.facts import tracebacks as _tracebacks
from course_lib.facts.devices import device, get_default_device, set_default_device
from course_lib.facts.dtypes import (
    bfloat16,
    complex64,
    complex128,
    dtype,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from course_lib.facts.dtypes import bool_ as bool
from course_lib.facts.formatting import set_printoptions
from course_lib.facts.fresh import layout, strided
from course_lib.facts.heap import keep_freed_memory as _keep_freed_memory
from course_lib.facts.limits import finfo, iinfo
from course_lib.facts.size import Size
from course_lib.forms.fronts import publish as _publish
from course_lib.ops.activations import *
from course_lib.ops.activations_inplace import *
from course_lib.ops.adaptive_pooling import *
from course_lib.ops.addmm import *
from course_lib.ops.advanced import *
from course_lib.ops.arithmetic import *
from course_lib.ops.bilinear import *
from course_lib.ops.blends import *
from course_lib.ops.bounds import *
from course_lib.ops.chance import *
from course_lib.ops.combining import *
from course_lib.ops.compare import *
from course_lib.ops.comparing import *
from course_lib.ops.complex_numbers import *
from course_lib.ops.complex_views import *
from course_lib.ops.conv import *
from course_lib.ops.copies import *
from course_lib.ops.copying import *
from course_lib.ops.counting import *
from course_lib.ops.creation import *
from course_lib.ops.decompositions import *
from course_lib.ops.determinants import *
from course_lib.ops.dtype_queries import *
from course_lib.ops.einsum import *
from course_lib.ops.extremes import *
from course_lib.ops.gathering import *
from course_lib.ops.generator import *
from course_lib.ops.grids import *
from course_lib.ops.indexing import *
from course_lib.ops.integers import *
from course_lib.ops.joining import *
from course_lib.ops.legacy import *
from course_lib.ops.like import *
from course_lib.ops.logic import *
from course_lib.ops.masking import *
from course_lib.ops.matmul import *
from course_lib.ops.norms import *
from course_lib.ops.numbers import *
from course_lib.ops.numpy_bridge import *
from course_lib.ops.padding import *
from course_lib.ops.patching import *
from course_lib.ops.pooling import *
from course_lib.ops.powers import *
from course_lib.ops.products import *
from course_lib.ops.pseudoinverse import *
from course_lib.ops.quantiles import *
from course_lib.ops.random import *
from course_lib.ops.ranges import *
from course_lib.ops.rearrange import *
from course_lib.ops.reduce import *
from course_lib.ops.reshape import *
from course_lib.ops.resize import *
from course_lib.ops.rounding import *
from course_lib.ops.sampling import *
from course_lib.ops.scans import *
from course_lib.ops.scattering import *
from course_lib.ops.searching import *
from course_lib.ops.sharing import *
from course_lib.ops.shuffling import *
from course_lib.ops.softmax import *
from course_lib.ops.solving import *
from course_lib.ops.sorting import *
from course_lib.ops.special import *
from course_lib.ops.splitting import *
from course_lib.ops.squeezing import *
from course_lib.ops.statistics import *
from course_lib.ops.storage import *
from course_lib.ops.text import *
from course_lib.ops.triangles import *
from course_lib.ops.trigonometry import *
from course_lib.ops.views import *
from course_lib.ops.weight_norm import *
from course_lib.ops.windows import *
from course_lib.ops.writing import *
from course_lib.serialization import *

newaxis = None
half, float, double = float16, float32, float64
short, int, long = int16, int32, int64
cfloat, cdouble = complex64, complex128

_publish(globals())
Tensor.__module__ = __name__  # where its users find it, pickle and completion included
_names.leave_out(Tensor)
_tracebacks.install()
_keep_freed_memory()


_LATER = ("func", "nn", "optim", "utils")  # imported when first used: a third of the modules


def __getattr__(name: str) -> object:
    if name in _LATER:
        return _import_module(f"{__name__}.{name}")
    raise _names.no_name("torch", name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})


__version__ = "0.1.0"
