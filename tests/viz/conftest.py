"""The same tests draw this library's tensors and, in the Python of the oracle run, PyTorch's."""

import functools
import importlib
import importlib.util

import pytest
from programs import names_after

LIBRARIES = [name for name in ("course_lib", "torch") if importlib.util.find_spec(name)]


@pytest.fixture(params=LIBRARIES)
def lib(request):
    """`course_lib`, then real PyTorch: pictures read only what both of them have."""
    return importlib.import_module(request.param)


@pytest.fixture
def x(lib):
    """The leaf that most tests begin with."""
    return lib.tensor([1.0, 2.0], requires_grad=True)


@pytest.fixture
def run(lib, x):
    """A function that runs a program as if it stood in a file, and gives back its names."""
    return functools.partial(names_after, lib, x=x)
