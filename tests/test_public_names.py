"""What `import course_lib as torch` gives: PyTorch's names, and none besides.

That each is explained is asked by tests/site/test_site_reference.py.
"""

from __future__ import annotations

import importlib
import pkgutil
import subprocess

import pytest

import course_lib
from course_lib import Tensor, lazy

lazy.read_all()
OWN = {"plain"}  # the switch for reading the library
PUBLIC = {name for name in dir(course_lib) if not name.startswith("_")} - OWN
METHODS = sorted(name for name in dir(Tensor) if not name.startswith("_"))
FILES = pkgutil.walk_packages(course_lib.ops.__path__, "course_lib.ops.")
OPS = sorted(file.name for file in FILES if not file.ispkg)


@pytest.mark.parametrize("name", OPS)
def test_a_file_of_operations_says_exactly_what_it_exports(name):
    module = importlib.import_module(name)
    assert list(module.__all__) == sorted(set(module.__all__))
    assert [name for name in module.__all__ if not hasattr(course_lib, name)] == []


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("namespace", "ours"), [("torch", sorted(PUBLIC)), ("torch.Tensor", METHODS)]
)
def test_pytorch_has_every_name_that_we_have(namespace, ours, oracle):
    code = f"import torch; print(*dir({namespace}))"
    ask = [oracle, "-c", code]
    theirs = subprocess.run(ask, capture_output=True, text=True, check=True).stdout.split()
    assert sorted(set(ours) - set(theirs)) == []
