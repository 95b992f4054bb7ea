"""The same tests draw this library's tensors and, where PyTorch is installed, PyTorch's."""

import importlib

import pytest


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
