"""Names whose file is read when they are first used behave as if it had been read at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
START = "import sys, pickle, inspect\nimport course_lib as torch\nfrom course_lib import Tensor\n"
READ = "any(name.startswith('course_lib.ops') for name in sys.modules)"


def run(code: str) -> str:
    """What a program prints that has read no operations yet."""
    done = subprocess.run(
        [sys.executable, "-c", START + code], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    "code",
    [
        f"not {READ}",
        f"'softmax' in dir(torch) and 'softmax' in dir(Tensor) and not {READ}",
        "torch.softmax is torch.softmax and Tensor.softmax is Tensor.softmax",
        "hasattr(torch, 'stack') and hasattr(Tensor, 'T') and not hasattr(torch, 'nothing')",
        "not hasattr(Tensor, 'nothing') and isinstance(Tensor.T, property)",
        "Tensor(2, 3).T.shape == (3, 2) and 2 * Tensor([1.]) == Tensor([2.])",
        "pickle.loads(pickle.dumps(torch.softmax)) is torch.softmax",
        "pickle.dumps(Tensor([1.])) and hash(Tensor([1.]))",
        "repr(Tensor([1.])) == 'tensor([1.])' and 1 in Tensor([1.]) and len(Tensor([1.])) == 1",
        "list(inspect.signature(torch.softmax).parameters)[:2] == ['input', 'dim']",
        "{'softmax', 'Tensor', 'nn'} <= set(torch.__all__)",
    ],
)
def test_a_name_is_there_before_its_file_is_read(code):
    assert run(f"print(bool({code}))") == "True"


def test_a_star_brings_all_names():
    assert run("from course_lib import *\nprint(tensor([1.]).softmax(0), nn.Linear)").startswith(
        "tensor([1.]) <class"
    )


def test_a_property_cannot_be_written_to():
    code = "x = torch.ones(2)\ntry:\n    x.T = 3\nexcept AttributeError as error:\n    print(error)"
    assert run(code) == "attribute 'T' of 'torch._C.TensorBase' objects is not writable"


def test_what_a_reader_puts_in_place_of_a_method_stays():
    code = """
own = lambda x: "own"
Tensor.exp = torch.exp = own
torch.log(torch.ones(1)), torch.sin(torch.ones(1))  # read the same files
print(torch.ones(1).exp(), torch.exp(1))
"""
    assert run(code) == "own own"


def test_a_subclass_calls_the_method_that_it_replaces():
    code = """
class Loud(Tensor):
    def exp(self):
        return "loud", super().exp().item()
print(Tensor._make(torch.zeros(1)._array, torch.float32, Loud).exp())
"""
    assert run(code) == "('loud', 1.0)"


def test_a_method_put_back_is_the_method():
    code = """
before = vars(Tensor)["exp"]
Tensor.exp = None
torch.exp(torch.zeros(1))
Tensor.exp = before
print(torch.zeros(1).exp(), torch.zeros(1).exp())
"""
    assert run(code) == "tensor([1.]) tensor([1.])"


def test_completion_sees_functions_not_what_stands_for_them():
    code = "import jedi; found = jedi.Interpreter('x.softm', [{'x': torch.ones(2)}]).complete()\n"
    assert run(code + "print([(f.name, f.type) for f in found])") == "[('softmax', 'function')]"
