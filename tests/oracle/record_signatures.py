"""Writes `course_lib/calls/signatures.txt`: what PyTorch's functions accept.

    python tests/oracle/record_signatures.py        (with a Python that has PyTorch and PyYAML)

PyTorch's own generator, which is part of its package (`torchgen`), writes the C++ bindings again;
the signatures in them are the texts that its error messages are made of.  Bindings that PyTorch's
authors wrote by hand are named in `BY_HAND`; their texts are looked up in the compiled library.
Functions that PyTorch has in Python are recorded with their parameters.
"""

import importlib
import inspect
import pkgutil
import re
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import torch
import torchgen

HERE = Path(__file__).resolve().parent
TARGET = HERE.parents[1] / "course_lib" / "calls" / "signatures.txt"
SOURCES = {
    "python_torch_functionsEverything.cpp": "torch",
    "python_variable_methods.cpp": "Tensor",
    "python_nn_functions.cpp": "nn",
    "python_linalg_functions.cpp": "linalg",
}
BY_HAND = (
    "tensor(PyObject* data, *, ScalarType dtype",
    "as_tensor(PyObject* data, ",
    "asarray(PyObject* obj, ",
    "frombuffer(PyObject* buffer, ",
    "range(Scalar start, ",
    "nonzero(Tensor input, *, ",
    "numel(Tensor input)",
    "device(Device device",
    "device(std::string_view type, ",
    "finfo(ScalarType type",
    "finfo()",
    "iinfo(ScalarType type",
    "Generator(Device device",
    "new(*, Device? device",
    "new(Storage storage",
    "new(Tensor other)",
    "new(SymIntArrayRef size, ",
    "new(PyObject* data, ",
    "new_tensor(PyObject* data, ",
)
# Subjects that the course does not teach: sparse, quantized, named and nested tensors, vendors'
# libraries, spectra, special functions, and what is private.
LEFT_OUT = re.compile(
    r"^_|^(cudnn|mkldnn|miopen|fbgemm|fft|special|sparse|sym|nested|slow|thnn)_|quantiz|_quant|^q_|xnnpack|"
    r"names?$|sparse|_batch_norm_|batch_norm_\w+|mkldnn|jagged|coalesce|crow|ccol|"
    r"(row|col)_indices|_forward|_backward|bessel|^stft|^istft|window|ctc_loss|^grid_|affine_grid|"
    r"^map2?_|^apply_|upsample|pool3d$|kaiser|^rnn_|constrain|vdot_|im2col|col2im|"
    r"mps$|ipu$|xpu$|mtia|^lu_|geqrf|orgqr|ormqr|cholesky|triangular|svd_low|pca|lobpcg|ldl_"
)
# The places whose public names are listed: `torch`, and what is below it.
CLASSES = {"Tensor": torch.Tensor, "nn.Module": torch.nn.Module}
PLACES = (
    "torch Tensor accelerator autograd autograd.function autograd.functional autograd.graph "
    "backends cuda func linalg nn nn.Module nn.functional nn.init nn.parameter nn.utils "
    "nn.utils.parametrizations nn.utils.parametrize nn.utils.prune nn.utils.rnn optim "
    "optim.lr_scheduler random serialization utils utils.checkpoint utils.data"
)
HEAD = """\
# What PyTorch's functions accept, in the words of its own argument parser (version {version}).
# One line per signature, in the order in which PyTorch tries them; `def` marks functions that
# PyTorch has in Python, `names` lists everything public.
# Written by tests/oracle/record_signatures.py; read by overloads.py.
"""


def generated(folder: Path) -> None:
    """PyTorch's C++ bindings, written into a folder by its own generator."""
    from torchgen.packaged.autograd.gen_python_functions import gen

    root = Path(torchgen.__file__).parent / "packaged"
    native, own = root / "ATen" / "native", root / "autograd"
    files = (native / "native_functions.yaml", native / "tags.yaml", own / "deprecated.yaml")
    gen(str(folder), *map(str, files), str(own / "templates"), symint=True)


def parsers(text: str) -> Iterator[list[str]]:
    """The signatures of each argument parser in a C++ file."""
    for block in re.findall(r"PythonArgParser parser\(\{(.*?)\n\s*\}", text, re.DOTALL):
        found = re.findall(r'"((?:\\.|[^"\\])*)",?\s*$', block, re.MULTILINE)
        yield [one.replace('\\"', '"') for one in found]


def compiled(place: str) -> Iterator[str]:
    """Signatures that are written by hand in PyTorch's C++ sources."""
    library = (Path(torch.__file__).parent / "lib" / "libtorch_python.so").read_bytes()
    texts = [t.decode() for t in re.findall(rb"[\x20-\x7e]{7,}", library)]
    for start in BY_HAND:
        if start.startswith("new_") == (place == "torch"):
            continue
        found = [t for t in dict.fromkeys(texts) if t.startswith(start)]
        if not found:
            raise SystemExit(f"not in the library: {start}")
        yield from found


def without_arguments(text: str) -> Iterator[str]:
    """Methods that take nothing at all."""
    for name in re.findall(r'\{"(\w+)", [^{}]*, METH_NOARGS', text):
        yield f"{name}()"


def in_python(place: str, names: object) -> Iterator[str]:
    """Functions that are written in Python: their name and parameters, without the defaults."""
    for name, function in sorted(vars(names).items()):
        if not isinstance(function, FunctionType) or LEFT_OUT.search(name):
            continue
        code = function.__code__
        if not code.co_filename.startswith(str(Path(torch.__file__).parent)):
            continue
        shell = FunctionType(code, {}, None, function.__defaults__, function.__closure__)
        shell.__kwdefaults__ = function.__kwdefaults__
        params = [
            p.replace(annotation=p.empty, default=p.empty if p.default is p.empty else None)
            for p in inspect.signature(shell).parameters.values()
        ]
        shown = str(inspect.Signature(params))
        own = "" if function.__qualname__.endswith(name) else f" = {function.__qualname__}"
        yield f"def {place}.{name}{shown}{own}"


def public_names(place: str) -> list[str]:
    """What PyTorch has in a place: modules that are not read yet too, but nothing of Python's."""
    if place in CLASSES:
        return [name for name in dir(CLASSES[place]) if not name.startswith("_")]
    module = importlib.import_module("torch" if place == "torch" else f"torch.{place}")
    names = {name for name in dir(module) if is_of_pytorch(getattr(module, name))}
    names |= {found.name for found in pkgutil.iter_modules(getattr(module, "__path__", ()))}
    return sorted(name for name in names - {"TYPE_CHECKING"} if not name.startswith("_"))


def is_of_pytorch(value: object) -> bool:
    """Whether a value is not something that a module of PyTorch has imported from Python's."""
    home = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", None)
    if value is torch:
        return False
    outside = (sys.stdlib_module_names - {"builtins"}) | {"numpy", "typing_extensions"}
    return not isinstance(home, str) or home.partition(".")[0] not in outside


def signatures() -> Iterator[str]:
    """All lines of the file."""
    with tempfile.TemporaryDirectory() as folder:
        generated(Path(folder))
        for file, place in SOURCES.items():
            text = (Path(folder) / file).read_text()
            groups = [g for g in parsers(text) if g]
            if place in ("torch", "Tensor"):
                groups += [[text] for text in compiled(place)]
            if place == "Tensor":
                groups += [[text] for text in without_arguments(text)]
            for group in sorted(groups, key=lambda group: group[0].partition("(")[0]):
                name = group[0].partition("(")[0].removeprefix(f"{place}_")
                if not LEFT_OUT.search(name):
                    yield from (f"{place}.{text}" for text in group)
    for place, names in (("torch", torch), ("Tensor", torch.Tensor)):
        yield from in_python(place, names)
    yield from in_python("F", torch.nn.functional)
    for place in PLACES.split():
        public = " ".join(public_names(place))
        yield from (f"names {place}: {line}" for line in textwrap.wrap(public, 90))


def main() -> None:
    """Writes the file."""
    lines = list(dict.fromkeys(signatures()))
    text = HEAD.format(version=torch.__version__.partition("+")[0])
    TARGET.write_text(text + "\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    print(f"{TARGET.name}: {len(lines)} lines")


if __name__ == "__main__":
    main()
