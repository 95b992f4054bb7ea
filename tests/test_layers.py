"""Who may import whom, read from the imports themselves.

    ground ← core ← declare ← ops ← library ← public ← viz, classroom ← cli

`ground` is what knows no tensor: words, dtypes, memory, rng, calls, and the files beside them.
`library` is what PyTorch keeps in modules of its own: autograd, nn, optim, utils and the like. A
file imports only from its own layer or from one to its left, inside functions too; viz and
classroom see no more of the library than its users do.
"""

import ast
import functools
import subprocess
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = sorted((ROOT / "course_lib").rglob("*.py"))
GROUND = "words dtypes memory rng calls homes lazy modes version"
LAYERS = [GROUND, "core", "declare", "ops", "library", "public"]
LAYERS += ["viz classroom", "cli"]
# What no user imports; `torch.version` is PyTorch's own name.
INSIDE = {*GROUND.split()[:-1], "core", "declare", "ops"}
VAGUE = {"common", "helper", "helpers", "manager", "misc", "util", "utils"}
TORCHS_OWN = {"course_lib/utils", "course_lib/nn/utils"}


class Import(NamedTuple):
    """One imported module, and whether importing the file is enough to load it."""

    file: str
    module: str
    at_once: bool


def imports(source: str, file: str) -> Iterator[Import]:
    """The imports of a file below course_lib/; those that only a type checker reads are left out.

    >>> list(imports("from course_lib.memory import layout", "core/op.py"))
    [Import(file='core/op.py', module='course_lib.memory.layout', at_once=True)]
    """
    package = ["course_lib", *Path(file).parts[:-1]]

    def visit(node: ast.AST, at_once: bool) -> Iterator[Import]:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            return
        if isinstance(node, ast.Import):
            yield from (Import(file, name.name, at_once) for name in node.names)
        if isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*start, *(node.module or "").split(".")]).strip(".")
            for name in node.names:
                yield Import(file, module_of(base, name.name), at_once)
        inner = at_once and not isinstance(
            node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
        )
        for child in ast.iter_child_nodes(node):
            yield from visit(child, inner)

    return visit(ast.parse(source), True)


def module_of(base: str, name: str) -> str:
    """`base.name` if that is a module of ours, else `base`, of which it is a name."""
    path = ROOT.joinpath(*base.split("."), name)
    return f"{base}.{name}" if path.is_dir() or path.with_suffix(".py").is_file() else base


def layer(module: str) -> int:
    """The place in `LAYERS` of a module of ours.

    >>> LAYERS[layer("course_lib.core.op")], LAYERS[layer("course_lib.nn")]
    ('core', 'library')
    """
    top = module.split(".")[1:2]
    if not top:
        return LAYERS.index("public")
    known = [place for place, names in enumerate(LAYERS) if top[0] in names.split()]
    return known[0] if known and top[0] not in ("library", "public") else LAYERS.index("library")


def module_name(file: str) -> str:
    parts = ["course_lib", *Path(file).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def forbidden(found: Import) -> bool:
    own, other = module_name(found.file), found.module
    if own == "course_lib" or other.partition(".")[0] != "course_lib":
        return False
    if layer(own) >= LAYERS.index("viz classroom"):
        top = (other.split(".") + [""])[1]
        sideways = layer(other) == layer(own) and top != own.split(".")[1]
        return top in INSIDE or sideways or layer(other) > layer(own)
    return layer(other) > layer(own)


@functools.cache
def every_import() -> list[Import]:
    return [
        found
        for path in FILES
        for found in imports(
            path.read_text(encoding="utf-8"), path.relative_to(ROOT / "course_lib").as_posix()
        )
    ]


# ---- the rule ------------------------------------------------------------------------------------


def test_every_file_imports_only_from_its_own_layer_and_those_to_its_left():
    assert [found for found in every_import() if forbidden(found)] == []


def test_grading_is_a_house_of_its_own_that_only_its_commands_enter():
    """It asks `course_lib` and the classroom; nobody in there knows it but four commands."""
    entered = {one.file for one in every_import() if one.module.startswith("course_grading")}
    assert entered == {
        f"classroom/commands/{name}.py" for name in ("export", "grade", "mark", "preview")
    }
    asked = {
        found.module.removeprefix("course_lib").split(".")[1:2][0]
        for path in (ROOT / "course_grading").rglob("*.py")
        for found in imports(path.read_text(encoding="utf-8"), "")
        if found.module.startswith("course_lib.")
    }
    assert asked <= {"classroom", "version"}


def test_no_import_leads_back_to_where_it_came_from():
    graph: dict[str, set[str]] = {}
    for found in every_import():
        if found.module.startswith("course_lib."):
            name = module_name(found.file)
            graph.setdefault(name, set()).add(found.module)
    for name, targets in graph.items():
        targets.discard(name)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" → ".join(error.args[1]))


def test_pictures_are_read_then_drawn_and_no_import_leads_back():
    """reading ← remedies ← drawing ← pictures: inside functions too."""
    drawers = ["reading", "remedies", "drawing", "pictures"]
    inside = [found for found in every_import() if found.file.startswith("viz/")]
    wrong = [
        found
        for found in inside
        if found.module.startswith("course_lib.viz.")
        and found.file.count("/") == 2
        and drawers.index(found.module.split(".")[2]) > drawers.index(found.file.split("/")[1])
    ]
    assert wrong == []
    late = [
        found for found in inside if found.module.startswith("course_lib") and not found.at_once
    ]
    assert [found for found in late if found.module != "course_lib"] == []


def test_packages_from_outside_are_imported_inside_functions():
    ours = {"course_lib", "course_grading", "numpy", *sys.stdlib_module_names}
    outside = [found for found in every_import() if found.module.partition(".")[0] not in ours]
    assert [found for found in outside if found.at_once] == []


def loaded_by(*steps: str) -> list[set[str]]:
    """The modules that each step of one program loads."""
    code = "import sys\nold = {*sys.modules}\n"
    code += "".join(
        f"{s}\nprint(*{{*sys.modules}} - old)\nold |= {{*sys.modules}}\n" for s in steps
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [set(line.split()) for line in done.stdout.splitlines()]


def test_import_loads_nothing_from_outside_a_name_numpy_alone_and_each_the_rest_when_it_is_used():
    steps = loaded_by("import course_lib", "course_lib.Tensor", "course_lib.nn.Linear")
    outside = [{name.partition(".")[0] for name in s} - sys.stdlib_module_names for s in steps[:2]]
    assert outside == [{"course_lib"}, {"course_lib", "numpy"}]
    assert [
        name for name in steps[0] if name.startswith(("course_lib.core", "course_lib.ops"))
    ] == []
    late = ("course_lib.nn", "course_lib.optim", "course_lib.utils")
    late += ("course_lib.ops.", "course_lib.serialization")
    assert [name for name in steps[0] | steps[1] if name.startswith(late)] == []
    assert "course_lib.nn" in steps[2]


def test_no_file_has_a_name_that_says_nothing():
    named = {path.relative_to(ROOT).with_suffix("").as_posix() for path in FILES}
    named |= {path.parent.relative_to(ROOT).as_posix() for path in FILES}
    assert {name for name in named if name.rpartition("/")[2] in VAGUE} <= TORCHS_OWN


# ---- the reading itself --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "line", "wrong"),
    [
        ("memory/layout.py", "from course_lib.core import op", True),
        ("memory/layout.py", "from ..core.op import Op", True),
        ("memory/layout.py", "def f():\n    import course_lib.core", True),
        ("memory/layout.py", "import numpy", False),
        ("core/op.py", "from course_lib.memory import layout", False),
        ("core/op.py", "from course_lib.core import graph", False),
        ("core/op.py", "import course_lib", True),
        ("core/op.py", "if TYPE_CHECKING:\n    import course_lib", False),
        ("ops/shape/transpose.py", "from course_lib import autograd", True),
        ("ops/shape/transpose.py", "from course_lib.declare.op import op", False),
        ("nn/linear.py", "from course_lib.autograd import Function", False),
        ("nn/linear.py", "from course_lib.viz import draw_graph", True),
        ("viz/pictures/graph.py", "import course_lib as torch", False),
        ("viz/pictures/graph.py", "import course_lib.nn", False),
        ("viz/pictures/graph.py", "from course_lib.core.graph import Node", True),
        ("viz/pictures/graph.py", "from course_lib.classroom import check", True),
        ("viz/pictures/graph.py", "from course_lib.viz.reading.walk import walk", False),
        ("classroom/commands/lab.py", "from course_lib import cli", True),
        ("cli.py", "from course_lib.classroom.commands import lab", False),
    ],
)
def test_an_import_is_judged(file, line, wrong):
    assert any(forbidden(found) for found in imports(line, file)) is wrong
