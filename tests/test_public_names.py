"""What `import course_lib as torch` gives: PyTorch's names, each explained, and none besides."""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import subprocess

import pytest

import course_lib
from course_lib import Tensor, lazy

lazy.read_all()
PUBLIC = {name for name in dir(course_lib) if not name.startswith("_")}
METHODS = sorted(name for name in dir(Tensor) if not name.startswith("_"))
FILES = pkgutil.walk_packages(course_lib.ops.__path__, "course_lib.ops.")
OPS = sorted(file.name for file in FILES if not file.ispkg)


def explained(value: object) -> bool:
    return bool((inspect.getdoc(value) or "").strip())


def test_every_public_function_and_class_has_a_docstring():
    values = {name: getattr(course_lib, name) for name in PUBLIC}
    asked = {n: v for n, v in values.items() if inspect.isroutine(v) or inspect.isclass(v)}
    assert [name for name, value in asked.items() if not explained(value)] == []


def test_every_method_of_a_tensor_has_a_docstring():
    assert [name for name in METHODS if not explained(inspect.getattr_static(Tensor, name))] == []


@pytest.mark.parametrize("name", OPS)
def test_a_file_of_operations_says_exactly_what_it_exports(name):
    module = importlib.import_module(name)
    assert list(module.__all__) == sorted(set(module.__all__))
    assert [name for name in module.__all__ if not hasattr(course_lib, name)] == []


@pytest.mark.oracle
@pytest.mark.skipif(
    "COURSE_ORACLE_PYTHON" not in os.environ,
    reason="set COURSE_ORACLE_PYTHON to a Python that has torch 2.13 to ask for its names",
)
@pytest.mark.parametrize(
    ("namespace", "ours"), [("torch", sorted(PUBLIC)), ("torch.Tensor", METHODS)]
)
def test_pytorch_has_every_name_that_we_have(namespace, ours):
    code = f"import torch; print(*dir({namespace}))"
    ask = [os.environ["COURSE_ORACLE_PYTHON"], "-c", code]
    theirs = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.split()
    assert sorted(set(ours) - set(theirs)) == []
