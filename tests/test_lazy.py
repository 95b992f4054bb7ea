"""Names whose file is read when they are first used behave as if it had been read at once."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
START = "import sys, pickle, inspect\nimport course_lib as torch\nfrom course_lib import Tensor\n"
READ = "any(name.startswith('course_lib.ops') for name in sys.modules)"


def run(code: str, start: str = START) -> str:
    """What a program prints that has read no operations yet."""
    done = subprocess.run(
        [sys.executable, "-c", start + code], cwd=ROOT, capture_output=True, text=True
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


PROGRAMS = {
    "a star brings all names": (
        "from course_lib import *\nprint(tensor([1.]).softmax(0), nn.Linear.__name__)",
        "tensor([1.]) Linear",
    ),
    "a property cannot be written to": (
        "try:\n    torch.ones(2).T = 3\nexcept AttributeError as error:\n    print(error)",
        "attribute 'T' of 'torch._C.TensorBase' objects is not writable",
    ),
    "what a reader puts in place of a method stays": (
        "Tensor.exp = torch.exp = lambda x: 'own'\n"
        "torch.log(torch.ones(1)), torch.sin(torch.ones(1))  # read the same files\n"
        "print(torch.ones(1).exp(), torch.exp(1))",
        "own own",
    ),
    "a subclass calls the method that it replaces": (
        "class Loud(Tensor):\n    def exp(self):\n        return 'loud', super().exp().item()\n"
        "print(Tensor._make(torch.zeros(1)._array, torch.float32, Loud).exp())",
        "('loud', 1.0)",
    ),
    "a method put back is the method": (
        "before = vars(Tensor)['exp']\nTensor.exp = None\ntorch.exp(torch.zeros(1))\n"
        "Tensor.exp = before\nprint(torch.zeros(1).exp(), torch.zeros(1).exp())",
        "tensor([1.]) tensor([1.])",
    ),
    "completion sees functions, not what stands for them": (
        "import jedi; found = jedi.Interpreter('x.softm', [{'x': torch.ones(2)}]).complete()\n"
        "print([(f.name, f.type) for f in found])",
        "[('softmax', 'function')]",
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_finds_what_it_would_find_with_all_files_read(name):
    code, printed = PROGRAMS[name]
    assert run(code) == printed


WHOLE = """
from course_lib.core.tensor import Tensor
x = Tensor([1.0, 2.0])
x.requires_grad = True
(x * x).sum().backward()
try:
    x.adjoint
except AttributeError as error:
    print(x.grad.tolist(), Tensor, error)
"""
FIRST = "core.tensor autograd autograd.leaf declare.fronts ops.make.clone nn linalg viz".split()


@pytest.mark.parametrize("first", FIRST)
def test_a_tensor_is_whole_whichever_file_is_read_first(first):
    assert run(f"import course_lib.{first}\n{WHOLE}", start="") == (
        "[2.0, 4.0] <class 'course_lib.Tensor'> "
        "PyTorch has torch.Tensor.adjoint; the course does not. Use PyTorch itself for it."
    )


def test_a_graph_of_another_library_is_drawn_without_our_tensors_and_without_numpy():
    code = (
        "import sys; sys.path.append('tests/viz')\n"
        "from test_own_engine import Function, Value, draw_graph\n"
        "drawn = draw_graph(Value(9.0, Function('MulBackward0', Value(3.0)))).svg\n"
        "print('MulBackward0' in drawn, {'numpy', 'course_lib.core'} & {*sys.modules})"
    )
    assert run(code, start="") == "True set()"
