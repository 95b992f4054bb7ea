"""The same tests draw this library's tensors and, where PyTorch is installed, PyTorch's."""

import importlib
import sys
from pathlib import Path

import pytest

import course_lib

sys.path.append(str(Path(__file__).parent))  # for `strided`, whatever pytest's import mode is

# `draw_storage` wants views; a library joins these tests when its tensors have all of this.
STRIDED = (
    "untyped_storage",
    "element_size",
    "as_strided",
    "stride",
    "storage_offset",
    "t",
    "expand",
)
has_views = all(hasattr(getattr(course_lib, "Tensor", None), name) for name in STRIDED)


def library(name):
    if name == "torch":
        pytest.importorskip("torch", reason="PyTorch is not installed; it is no dependency")
    return importlib.import_module(name)


@pytest.fixture(params=["course_lib", "torch"])
def lib(request):
    """`course_lib`, then real PyTorch: pictures read only what both of them have."""
    return library(request.param)


@pytest.fixture(params=["strided", *["course_lib"] * has_views, "torch"])
def views(request):
    """Libraries whose tensors are windows on a storage: a stand-in on NumPy among them."""
    return library(request.param)


@pytest.fixture
def x(lib):
    """The leaf that most tests begin with."""
    return lib.tensor([1.0, 2.0], requires_grad=True)
