"""The same tests draw this library's tensors and, where PyTorch is installed, PyTorch's."""

import importlib
import linecache

import numpy as np
import pytest

from course_lib import viz


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

    def run(code, **names):
        file = f"<program {code}>"
        linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
        found = {"__name__": "__main__", "torch": lib, "np": np, "x": x}
        found |= {name: getattr(viz, name) for name in viz.__all__} | names
        exec(compile(code, file, "exec"), found)
        return found

    return run
