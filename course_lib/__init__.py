"""A tensor library to be read: PyTorch's names and behaviour, in Python on NumPy.

>>> import course_lib as torch
>>> x = torch.tensor([1., 2.], requires_grad=True)
>>> (x * x).sum().backward()
>>> x.grad
tensor([2., 4.])
"""

from importlib import import_module as _import_module
from math import e, inf, nan, pi

from course_lib import homes as _homes
from course_lib import lazy as _lazy
from course_lib.calls import missing as _names
from course_lib.words import tracebacks as _tracebacks

newaxis = None

_names.install()
_tracebacks.install()


# Read when first used: Note [Later].
_MODULES = (
    "accelerator autograd backends cuda linalg nn optim random serialization utils version"
).split()
_OWN = {
    "autograd.grad_mode": "enable_grad inference_mode is_anomaly_enabled is_grad_enabled no_grad "
    "set_grad_enabled",
    "core.tensor": "Tensor",
    "dtypes.dtypes": "bfloat16 complex64 complex128 dtype float16 float32 float64 "
    "int8 int16 int32 int64 uint8 uint16 uint32 uint64",
    "memory.devices": "device get_default_device set_default_device",
    "memory.fresh": "layout strided",
    "memory.size": "Size",
}
_RENAMED = {
    **{"bool": "bool_", "short": "int16", "int": "int32", "long": "int64", "half": "float16"},
    **{"float": "float32", "double": "float64", "cfloat": "complex64", "cdouble": "complex128"},
}
_HOMES = _lazy.by_name(_homes.FUNCTIONS | _OWN)
_HOMES |= dict.fromkeys(_RENAMED, f"{__name__}.dtypes.dtypes")
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
    if name in _HOUSE:  # `from course_lib import viz` asks here, and then for the file
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name not in _HOMES:
        raise _names.no_name("torch", name)
    value = getattr(_import_module(_HOMES[name]), _RENAMED.get(name, name))
    fronts = _import_module(f"{__name__}.declare.fronts")
    globals()[name] = value = fronts.make_public(value, "torch", name, __name__)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES, *_HOMES} - _HOUSE)
