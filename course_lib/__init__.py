"""A tensor library to be read: PyTorch's names and behaviour, in Python on NumPy.

>>> import course_lib as torch
>>> x = torch.tensor([1., 2.], requires_grad=True)
>>> (x * x).sum().backward()
>>> x.grad
tensor([2., 4.])
"""

from importlib import import_module as _import_module
from math import e, inf, nan, pi

from course_lib import autograd
from course_lib import homes as _homes
from course_lib import lazy as _lazy
from course_lib.autograd import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    no_grad,
    set_grad_enabled,
)
from course_lib.autograd.anomaly import is_anomaly_enabled
from course_lib.calls import missing as _names
from course_lib.core.tensor import Tensor
from course_lib.declare.fronts import publish as _publish
from course_lib.declare.fronts import published as _published
from course_lib.dtypes.dtypes import (
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
from course_lib.dtypes.dtypes import bool_ as bool
from course_lib.memory.devices import device, get_default_device, set_default_device
from course_lib.memory.fresh import layout, strided
from course_lib.memory.heap import keep_freed_memory as _keep_freed_memory
from course_lib.memory.size import Size
from course_lib.words import tracebacks as _tracebacks

newaxis = None
half, float, double = float16, float32, float64
short, int, long = int16, int32, int64
cfloat, cdouble = complex64, complex128

_lazy.stand_in(Tensor)
_publish(globals())
Tensor.__module__ = __name__  # where its users find it, pickle and completion included
_names.leave_out(Tensor)
_names.install()
_tracebacks.install()
_keep_freed_memory()


# Read when first used: Note [Later].
_MODULES = "accelerator backends cuda linalg nn optim random serialization utils version".split()
_FUNCTIONS = _lazy.by_name(_homes.FUNCTIONS)
# How the library is built and what the course adds: there for readers, but no name of PyTorch's.
_HOUSE = set(
    "calls classroom cli core declare determinism dtypes homes lazy memory modes ops rng viz "
    "words".split()
)


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return _import_module(f"{__name__}.{name}")
    if name == "__version__":
        return _import_module(f"{__name__}.version").__version__
    if name == "__all__":
        return [known for known in __dir__() if not known.startswith("_")]
    if name not in _FUNCTIONS:
        raise _names.no_name("torch", name)
    value = getattr(_import_module(_FUNCTIONS[name]), name)
    globals()[name] = value = _published(value, "torch", name, __name__)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, *_FUNCTIONS} - _HOUSE)
