"""What `import course_lib as torch` gives: PyTorch's names, and none besides.

That each is explained is asked by tests/site/test_site_reference.py.
"""

import importlib
import pkgutil
from pathlib import Path

import pytest

import course_lib
from course_lib import Tensor, lazy

lazy.read_all()
PUBLIC = {name for name in dir(course_lib) if not name.startswith("_")}
METHODS = sorted(name for name in dir(Tensor) if not name.startswith("_"))
FILES = pkgutil.walk_packages(course_lib.ops.__path__, "course_lib.ops.")
OPS = sorted(file.name for file in FILES if not file.ispkg)


@pytest.mark.parametrize("name", OPS)
def test_a_file_of_operations_says_exactly_what_it_exports(name):
    exported = getattr(importlib.import_module(name), "__all__", [])
    assert list(exported) == sorted(set(exported))
    assert [name for name in exported if not hasattr(course_lib, name)] == []


@pytest.mark.oracle
@pytest.mark.parametrize(
    ("namespace", "ours"), [("torch", sorted(PUBLIC)), ("torch.Tensor", METHODS)]
)
def test_pytorch_has_every_name_that_we_have(namespace, ours, ask):
    theirs = ask("-c", f"import torch; print(*dir({namespace}))").split()
    assert sorted(set(ours) - set(theirs)) == []


# ---- names that went -----------------------------------------------------------------------------

FORMER = Path(__file__).with_name("former_names.txt")
KEPT = FORMER.parents[1] / "tools" / "keep.txt"


def answer(name: str) -> str:
    """What one finds under a name such as ``torch.nn.Linear``: "there", or an error's words."""
    found = course_lib
    for part in name.split(".")[1:]:
        try:
            found = getattr(found, part)
        except AttributeError as error:
            return str(error)
    return "there"


def test_every_former_name_is_there_or_sends_the_reader_to_pytorch():
    rows = (line.split(": ") for line in FORMER.read_text(encoding="utf-8").splitlines()[1:])
    names = [f"{place}.{name}" for place, names in rows for name in names.split()]
    answers = {name: answer(name) for name in names}
    gone = {name: words for name, words in answers.items() if words != "there"}
    assert len(names) > 1400 and len(gone) > 600
    wrong = {n: w for n, w in gone.items() if "; the course does not. Use PyTorch itself" not in w}
    assert {n: w for n, w in wrong.items() if not w.startswith("PyTorch has ")} == {}


def test_what_is_kept_though_nothing_runs_it_is_there():
    lines = KEPT.read_text(encoding="utf-8").splitlines()
    names = [name for line in lines if not line.startswith("#") for name in line.split()]
    assert lines[0].startswith("# ") and len(names) == len(set(names))
    assert [name for name in names if answer(name) != "there"] == []
