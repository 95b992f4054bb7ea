"""The same tests draw this library's tensors and, where PyTorch is installed, PyTorch's."""

import importlib

import pytest


@pytest.fixture(params=["course_lib", "torch"])
def lib(request):
    """`course_lib`, then real PyTorch: pictures read only what both of them have."""
    if request.param == "torch":
        pytest.importorskip("torch", reason="PyTorch is not installed; it is no dependency")
    return importlib.import_module(request.param)
