"""Writes `course_lib/homes.py`: which file has which name; see Note [Later].

    python tools/write_homes.py               write it
    python tools/write_homes.py --check       say whether it is up to date

Operations attach themselves to Tensor when their file is read, so all files are read here, and each
method is noted with the file that was being read.  While they are read, the old tables are out of
the way.
"""

import importlib
import pkgutil
import sys
from collections import defaultdict
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
FILE = ROOT / "course_lib/homes.py"
HEAD = '''\
"""Which file has which name: Note [Later].

Written by tools/write_homes.py; run that again instead of editing this.
"""
'''
OTHERS = {
    "determinism": {
        *("get_num_threads", "set_num_threads", "use_deterministic_algorithms"),
        *("is_warn_always_enabled", "set_warn_always"),
    },
    "dtypes.limits": {"finfo", "iinfo"},
    "serialization": {"load", "save"},
    "words.formatting": {"set_printoptions"},
}
Homes = dict[str, set[str]]


def read_all() -> list[str]:
    """Read every file that has operations, or methods of Tensor; gives their names."""
    found = []
    for package in ("ops", "autograd"):
        path = [str(ROOT / "course_lib" / package)]
        files = pkgutil.walk_packages(path, f"course_lib.{package}.")
        found += [file.name for file in files if not file.ispkg]
    for name in found:
        importlib.import_module(name)
    return found


def attributes() -> tuple[Homes, Homes]:
    """The methods and the properties of Tensor by the file that attaches them."""
    from course_lib.declare.methods import attach_as

    methods, properties = defaultdict(set), defaultdict(set)

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code is attach_as.__code__:
            name, value = frame.f_locals["name"], frame.f_locals["value"]
            reading: Any = frame
            while reading.f_code.co_name != "<module>":
                reading = reading.f_back
            homes = properties if isinstance(value, property) else methods
            homes[reading.f_globals["__name__"].removeprefix("course_lib.")].add(name)

    sys.setprofile(note)
    try:
        read_all()
    finally:
        sys.setprofile(None)
    return methods, properties


def functions() -> Homes:
    """What `torch` has of each file."""
    modules = {name: importlib.import_module(name) for name in read_all()}
    return OTHERS | {
        name.removeprefix("course_lib."): set(getattr(module, "__all__", ()))
        for name, module in modules.items()
        if name.startswith("course_lib.ops.")
    }


def left_out() -> str:
    """What PyTorch's tensors have and ours do not, once all files are read."""
    from course_lib.calls import overloads
    from course_lib.core.tensor import Tensor

    lacking = [name for name in overloads.names("Tensor") if not hasattr(Tensor, name)]
    return f'LEFT_OUT = "{" ".join(sorted(lacking))}"\n'


def table(name: str, homes: Homes) -> str:
    """The text of one table; a name has one home."""
    seen: dict[str, str] = {}
    lines = [f"{name} = {{"]
    for module in sorted(homes):
        for known in homes[module]:
            if seen.setdefault(known, module) != module:
                raise AssertionError(f"{known}: {seen[known]} and {module}")
        if homes[module]:
            lines.append(f'    "{module}": "{" ".join(sorted(homes[module]))}",')
    return "\n".join([*lines, "}", ""])


def text() -> str:
    """The text of the file."""
    names: Any = ModuleType("course_lib.homes")
    names.METHODS, names.PROPERTIES, names.FUNCTIONS = {}, {}, {}
    names.LEFT_OUT = ""
    sys.modules[names.__name__] = names
    methods, properties = attributes()
    tables = {"METHODS": methods, "PROPERTIES": properties, "FUNCTIONS": functions()}
    texts = [table(name, homes) for name, homes in tables.items()]
    return "\n".join([HEAD, *texts, left_out()])


def main(words: list[str]) -> int:
    """Write the file, or with `--check` only say whether it is up to date."""
    written, now = FILE.read_text(encoding="utf-8") if FILE.exists() else "", text()
    if words != ["--check"]:
        FILE.write_text(now, encoding="utf-8", newline="\n")
    elif written != now:
        print("not up to date: course_lib/homes.py; run: python tools/write_homes.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
