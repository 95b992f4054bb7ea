"""Writes the stubs: what editors and type checkers know about `torch.` and `Tensor.`.

    python tools/write_stubs.py               write them
    python tools/write_stubs.py --check       say which are not up to date

Operations attach themselves when they are declared, which no program sees that only reads.  So the
stubs are written from the live objects: the names there are, the first lines of their docstrings,
and the ways of calling them (`ways.py`).
"""

import importlib
import inspect
import re
import sys
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from ways import NAMED, Way, hint, ways  # noqa: E402  the folders are only now on the path

from course_lib.calls.missing import LeftOut  # noqa: E402
from course_lib.core.tensor import Tensor  # noqa: E402
from course_lib.lazy import Later, own_attribute  # noqa: E402

TENSOR, CORE = "course_lib/core/tensor.pyi", "course_lib.core.tensor"
MODULES = {  # what has a stub, and where its functions stand among PyTorch's signatures
    "course_lib/__init__.pyi": ("course_lib", "torch"),
    "course_lib/linalg.pyi": ("course_lib.linalg", "linalg"),
}
WIDTH = 100
HEAD = "# Written by tools/write_stubs.py; run that again instead of editing this.\n"

IMPORTS = """\
from builtins import bool as _bool
from builtins import complex as _complex
from builtins import float as _float
from builtins import int as _int
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Self, TypeAlias, overload
import numpy as np
from course_lib.memory.devices import device as _Device
from course_lib.dtypes.dtypes import dtype as _DType
from course_lib.memory.fresh import layout as _Layout
from course_lib.memory.fresh import memory_format as _MemoryFormat
from course_lib.memory.size import Size as _Size
from course_lib.ops.make.generator import Generator as _Generator
"""
UNREAL = {"__dict__", "__doc__", "__getattr__", "__module__", "__slots__", "__weakref__"}
UNREAL |= {"__annotations__", "__ieq__", "__ige__", "__igt__", "__ile__", "__ilt__", "__ine__"}
UNREAL |= {"__firstlineno__", "__static_attributes__"}  # which Python 3.13 and 3.14 add


# ---- text ----------------------------------------------------------------------------------------


def first_line(value: Any) -> str:
    """The first line of a docstring."""
    if isinstance(value, staticmethod):  # without one, getdoc finds Python's own, of this version
        text = inspect.cleandoc(value.__func__.__doc__ or "")
    else:
        text = inspect.getdoc(value) or ""
    text = text.strip().partition("\n")[0]
    return text.replace("\\", "\\\\").replace('"""', "'''").rstrip('"')


def definition(name: str, way: Way, text: str, method: bool) -> list[str]:
    """The lines of one function."""
    params = [*(["cls" if name == "__new__" else "self"] if method else []), *way.params]
    end = f") -> {way.returns}:" + " ..." * (not text)
    lines = [f"def {name}({', '.join(params)}{end}"]
    if len(lines[0]) > WIDTH - 4 * method:
        lines = [f"def {name}(", *(f"    {param}," for param in params), end]
    return [*lines, f'    """{text}"""'] if text else lines


def function_lines(place: str, name: str, function: Any) -> list[str]:
    """The lines of a function with all its overloads."""
    listed, lines, method = ways(place, name, function), [], place == "Tensor"
    for way in listed:
        lines += ["@overload"] * (len(listed) > 1)
        lines += definition(name, way, first_line(function), method)
    return lines


def property_lines(name: str, value: Any) -> list[str]:
    """The lines of a property, with its setter if there is one."""
    returns = hint(inspect.signature(value.fget).return_annotation)
    lines = ["@property", *definition(name, Way((), returns), first_line(value), True)]
    if value.fset is not None:
        kind = "Tensor | None" if name == "grad" else returns
        lines += [f"@{name}.setter", f"def {name}(self, value: {kind}) -> None: ..."]
    return lines


def tensor_stub() -> str:
    """The text of the stub of `core/tensor.py`."""
    body: list[str] = []
    for name, value in sorted(vars(Tensor).items()):
        if isinstance(value, Later):
            value = own_attribute(name)
        if name in UNREAL or isinstance(value, LeftOut):
            continue
        if isinstance(value, property) or inspect.isgetsetdescriptor(value):
            body += property_lines(name, value) if isinstance(value, property) else []
        elif isinstance(value, staticmethod) and name != "__new__":
            body += [f"{name}: Any"]
        elif isinstance(value, (FunctionType, staticmethod)) or name == "__hash__":
            body += function_lines("Tensor", name, value)
        else:
            body += [f"{name}: Any"]
    tuples = []
    for name, fields in sorted(NAMED.items()):
        tuples += [f"class {name}(NamedTuple):", *(f"    {field}: Tensor" for field in fields), ""]
    above = ["_Number: TypeAlias = _int | _float | _complex", "", *tuples, "class Tensor:"]
    indented = [f'    """{first_line(Tensor)}"""', "", *(f"    {line}" for line in body)]
    below = ["", "def __getattr__(name: str) -> Any: ...  # what only the library itself uses"]
    return stub([], above + indented + below)


def module_stub(module: ModuleType, place: str) -> str:
    """The text of the stub of a namespace."""
    imports, body = [], []
    listed = vars(module).get("__all__", ["__version__", *(n for n in dir(module) if n[0] != "_")])
    for name in sorted(listed):
        value = getattr(module, name)
        if isinstance(value, ModuleType):
            package, _, last = value.__name__.rpartition(".")
            if package == module.__name__ and name in dir(module):
                imports.append(f"from {package} import {last} as {name}")
        elif isinstance(value, FunctionType):
            body += function_lines(place, name, value)
        elif isinstance(value, type) and type(value) is type:
            again = f" as {name}" if name == value.__name__ else ""
            imports.append(f"from {home(value)} import {value.__name__}{again}")
            body += [] if again else [f"{name} = {value.__name__}"]
        else:
            plain = "str" if isinstance(value, str) else hint(type(value).__name__)
            kind = "type[Tensor]" if isinstance(value, type) else plain
            body.append(f"{name}: {kind}")
    shared = ["_Number", *sorted(NAMED)] + ["Tensor"] * ("Tensor" not in listed)
    words = set(re.findall(r"\w+", "\n".join(body)))
    used = [f"from {CORE} import {name}" for name in shared if name in words]
    return stub([*used, *sorted(imports)], body)


def viz_stub() -> str:
    """The text of the stub of `viz`, whose names are read from their files when they are used."""
    viz = importlib.import_module("course_lib.viz")
    homes = sorted(viz.HOMES.items(), key=lambda item: (item[1], item[0]))
    imports = [f"from course_lib.viz.{home} import {name} as {name}" for name, home in homes]
    return "\n".join([HEAD, *imports, "", "__all__: list[str]", ""])


def home(kind: type) -> str:
    """The module of ours where a class stands; some say that it is another one."""
    if kind is Tensor:
        return CORE
    if kind.__module__.startswith("course_lib."):
        return kind.__module__
    ours = sorted(name for name in sys.modules if name.startswith("course_lib."))
    return next(name for name in ours if vars(sys.modules[name]).get(kind.__name__) is kind)


def stub(imports: list[str], body: list[str]) -> str:
    """The text of a stub; of the general imports it has those that the body needs."""
    words = set(re.findall(r"[\w.]+", "\n".join(body)))
    words |= {word.partition(".")[0] for word in words}
    needed = []
    for line in IMPORTS.splitlines():
        start, names = line.split("import ")
        kept = [name for name in names.split(", ") if name.split(" ")[-1] in words]
        needed += [f"{start}import {', '.join(kept)}"] * bool(kept)
    return "\n".join([HEAD, *needed, *imports, "", *body, ""])


def stubs() -> dict[str, str]:
    """The text of every stub by its path below the root."""
    texts = {
        path: module_stub(importlib.import_module(name), place)
        for path, (name, place) in MODULES.items()
    }
    return {**texts, TENSOR: tensor_stub(), "course_lib/viz/__init__.pyi": viz_stub()}


def main(words: list[str]) -> int:
    """Write the stubs, or with `--check` only say which are not up to date."""
    old = []
    for name, text in stubs().items():
        path = ROOT / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            old.append(name)
        if words != ["--check"]:
            path.write_text(text, encoding="utf-8", newline="\n")
    if words != ["--check"]:
        print("changed: " + ", ".join(old) if old else "nothing to change")
        return 0
    if old:
        print(f"not up to date: {', '.join(old)}; run: python tools/write_stubs.py")
    return bool(old)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
