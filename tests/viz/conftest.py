"""The same tests draw this library's tensors and, where PyTorch is installed, PyTorch's."""

import functools
import importlib

import pytest
from programs import names_after


def library(name):
    if name == "torch":
        pytest.importorskip("torch", reason="PyTorch is not installed; it is no dependency")
    return importlib.import_module(name)


@pytest.fixture(params=["course_lib", "torch"])
def lib(request):
    """`course_lib`, then real PyTorch: pictures read only what both of them have."""
    return library(request.param)


@pytest.fixture(params=["strided", "course_lib", "torch"])
def views(request):
    """Libraries whose tensors are windows on a storage: a stand-in on NumPy among them."""
    return library(request.param)


@pytest.fixture
def x(lib):
    """The leaf that most tests begin with."""
    return lib.tensor([1.0, 2.0], requires_grad=True)


@pytest.fixture
def run(lib, x):
    """A function that runs a program as if it stood in a file, and gives back its names."""
    return functools.partial(names_after, lib, x=x)
