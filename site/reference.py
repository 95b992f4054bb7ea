"""Writes the pages of the library reference, from the library itself.

Signatures come from the stubs, which know every way of calling an operation; words and examples
from the docstrings, whose examples the suite runs; the lesson from the first cell that uses a name.
An operation attaches itself to PyTorch's names when its file is read, so everything is read here.
"""

import ast
import importlib
import inspect
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]

DRAWERS = {
    "make": "Make a tensor",
    "shape": "Change the shape",
    "pick": "Choose and place elements",
    "elementwise": "Compute with each element",
    "reduce": "Reduce to fewer elements",
    "linalg": "Multiply and solve",
    "layers": "Operations of layers",
    "bridge": "To and from Python and NumPy",
}
MODULES = (
    *("autograd", "autograd.graph", "linalg", "nn", "nn.functional", "nn.init", "nn.utils"),
    *("nn.utils.rnn", "optim", "optim.lr_scheduler", "utils", "utils.data", "utils.checkpoint"),
    *("random", "accelerator", "cuda", "backends", "version"),
)
OWN = {"viz": "course_lib.viz", "classroom": "course_lib.classroom"}  # not of PyTorch
SPLIT = 60  # a module with more names has a page for each of its files

Uses = dict[str, str]  # a name, and a link to the lesson that uses it first


@dataclass
class Entry:
    """A public name: what one calls it by, how it is called, what it says about itself."""

    name: str
    kind: str  # function, class, method, attribute
    ways: list[str]  # what follows the name, such as "(input) -> Tensor"
    doc: str
    members: "list[Entry]" = field(default_factory=list)


@dataclass
class Page:
    """A page of entries."""

    path: str
    title: str
    lead: str
    entries: list[Entry]


# ---- what there is ------------------------------------------------------------------------------


def pages() -> list[Page]:
    """All pages, every public name on one of them."""
    import course_lib as torch
    from course_lib import homes, lazy

    lazy.read_all()
    of_torch, of_tensor = stub_ways("__init__.pyi"), stub_ways("core/tensor.pyi", "Tensor")
    found = []
    files = sorted({*homes.FUNCTIONS, *homes.METHODS, *homes.PROPERTIES}, key=by_drawer)
    placed: set[str] = set()
    for file in files:
        listed = {
            name for table in (homes.METHODS, homes.PROPERTIES) for name in words_of(table, file)
        }
        entries = [
            entry("torch", name, getattr(torch, name), of_torch)
            for name in sorted(words_of(homes.FUNCTIONS, file))
            if not name.startswith("_")
        ]
        entries += [
            entry("Tensor", name, inspect.getattr_static(torch.Tensor, name), of_tensor)
            for name in sorted(listed)
            if not name.startswith("_")
        ]
        placed |= {one.name for one in entries}
        if entries:
            last = file.rpartition(".")[2]
            lead = first_line(importlib.import_module(f"course_lib.{file}"))
            found.append(Page(f"api/{file}", f"torch: {last.replace('_', ' ')}", lead, entries))
    found.append(rest_of_tensor(torch.Tensor, of_tensor, placed))
    found.append(rest_of_torch(torch, of_torch, placed))
    for name in MODULES:
        found += of_module(f"torch.{name}", importlib.import_module(f"course_lib.{name}"))
    for module in OWN.values():
        found += of_module(module, importlib.import_module(module))
    return found


def rest_of_tensor(kind: type, ways: dict[str, list[str]], placed: set[str]) -> Page:
    """What a tensor has of itself, such as `grad`, `backward` and `requires_grad_`."""
    from course_lib.calls.missing import LeftOut

    named = {n: inspect.getattr_static(kind, n) for n in dir(kind) if n[0] != "_"}
    entries = [
        entry("Tensor", name, value, ways)
        for name, value in named.items()
        if f"Tensor.{name}" not in placed and not isinstance(value, LeftOut)
    ]
    about = Entry("torch.Tensor", "class", [], first_line(kind))
    return Page("api/tensor", "torch.Tensor", first_line(kind), [about, *entries])


def rest_of_torch(torch: ModuleType, ways: dict[str, list[str]], placed: set[str]) -> Page:
    """The classes, modes and constants of `torch` itself."""
    names = [
        name
        for name in dir(torch)
        if name[0] != "_"
        and name != "Tensor"
        and f"torch.{name}" not in placed
        and not inspect.ismodule(getattr(torch, name))
    ]
    entries = [entry("torch", name, getattr(torch, name), ways) for name in names]
    return Page("api/torch", "torch: modes, dtypes, devices", "The other names of torch.", entries)


def of_module(public: str, module: ModuleType) -> list[Page]:
    """The page of a module; one for each of its files, if it has very many names."""
    ways = stub_ways("linalg.pyi") if public == "torch.linalg" else {}
    entries = [(n, entry(public, n, getattr(module, n), ways)) for n in public_names(module)]
    if not entries:
        return []
    path, lead = "api/" + public.removeprefix("torch."), first_line(module)
    parts: dict[str, list[Entry]] = defaultdict(list)
    leads = {}
    for name, one in entries:
        home = str(getattr(getattr(module, name), "__module__", ""))
        home = home if home.startswith("course_lib.") else module.__name__
        last = home.rpartition(".")[2]
        parts[last].append(one)
        leads.setdefault(last, first_line(importlib.import_module(home)))
    if len(entries) <= SPLIT or len(parts) == 1:
        return [Page(path, public, lead, [one for _, one in entries])]
    return [
        Page(f"{path}-{last}", f"{public}: {last.replace('_', ' ')}", leads[last], parts[last])
        for last in sorted(parts)
    ]


def public_names(module: ModuleType) -> list[str]:
    """The names that a module offers: of `__all__`, or of its own; never another module."""
    listed = getattr(module, "__all__", None)
    names = listed if listed is not None else [name for name in dir(module) if name[0] != "_"]
    return sorted(
        name
        for name in names
        if not inspect.ismodule(value := getattr(module, name))
        and (listed is not None or str(getattr(value, "__module__", "")).startswith("course_lib"))
    )


def entry(owner: str, name: str, value: Any, ways: dict[str, list[str]]) -> Entry:
    """What there is to say about one name."""
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    if type(value).__name__ == "Later":  # a method that is read when first used
        value = getattr(importlib.import_module("course_lib").Tensor, name)
    full = f"{owner}.{name}"
    if inspect.isclass(value):
        return Entry(full, "class", signature(value), doc_of(value), members(value))
    if inspect.isroutine(value):
        kind = "method" if owner == "Tensor" else "function"
        return Entry(full, kind, ways.get(name) or signature(value), doc_of(value))
    if callable(value) and owner != "Tensor" and doc_of(value):
        return Entry(full, "function", ways.get(name) or signature(value), doc_of(value))
    own = doc_of(value) if isinstance(value, property) or inspect.isdatadescriptor(value) else ""
    text = own or (f"`{value!r}`" if " at 0x" not in repr(value) else first_line(value))
    return Entry(full, "attribute", [], text)


def members(kind: type) -> list[Entry]:
    """The methods and properties that a class of ours adds, where they say what they do."""
    found = []
    for name, value in vars(kind).items():
        if name.startswith("_") or kind.__name__ == "Tensor":
            continue
        plain = value.__func__ if isinstance(value, staticmethod | classmethod) else value
        text = doc_of(plain)
        if text and inspect.isroutine(plain):
            found.append(Entry(name, "method", signature(plain), text))
        elif text and isinstance(plain, property):
            found.append(Entry(name, "attribute", [], text))
    return found


# ---- signatures and words -----------------------------------------------------------------------


def stub_ways(stub: str, kind: str = "") -> dict[str, list[str]]:
    """Every way of calling what a stub lists, by name; of the class `kind`, if one is given."""
    tree = ast.parse((ROOT / "course_lib" / stub).read_text(encoding="utf-8"))
    body: Iterable[ast.stmt] = tree.body
    if kind:
        body = next(n.body for n in tree.body if isinstance(n, ast.ClassDef) and n.name == kind)
    ways: dict[str, list[str]] = defaultdict(list)
    for node in body:
        if isinstance(node, ast.FunctionDef):
            ways[node.name].append(way(node, drop_self=bool(kind)))
    return dict(ways)


def way(node: ast.FunctionDef, drop_self: bool) -> str:
    """What follows the name in a line that calls it."""
    arguments = node.args
    if drop_self and arguments.args and arguments.args[0].arg in ("self", "cls"):
        arguments.args.pop(0)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    text = f"({ast.unparse(arguments)}){returns}"
    return re.sub(r"(?<![\w.])_(?=[A-Za-z])", "", text)  # _int: the stub's name for Python's int


class Plain(str):
    """An annotation that shows itself without quotation marks."""

    __repr__ = str.__str__


def signature(value: Any) -> list[str]:
    """How a function or a class says that it is called; nothing where it does not say."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return []

    def plain(annotation: Any) -> Any:
        return Plain(annotation) if isinstance(annotation, str) else annotation

    params = [p.replace(annotation=plain(p.annotation)) for p in found.parameters.values()]
    if params and params[0].name in ("self", "cls"):
        params = params[1:]
    empty = inspect.Signature.empty
    returns = empty if inspect.isclass(value) else plain(found.return_annotation)
    text = str(found.replace(parameters=params, return_annotation=returns))
    text = re.sub(r"<[^<>]*>", "...", text)  # an object without a spelling
    return [re.sub(r"\b(?:course_lib|collections|typing)\.(?:\w+\.)*", "", text)]


def doc_of(value: Any) -> str:
    """The docstring of the value itself, not of what it inherits from."""
    text = getattr(value, "__doc__", None)
    if inspect.isclass(value):
        text = vars(value).get("__doc__")
    return inspect.cleandoc(text) if isinstance(text, str) else ""


def first_line(value: Any) -> str:
    return (inspect.getdoc(value) or "").strip().partition("\n")[0]


def words_of(table: dict[str, str], file: str) -> list[str]:
    return table.get(file, "").split()


def by_drawer(file: str) -> tuple[int, str]:
    """A key that puts the files into the order of the drawers."""
    return list(DRAWERS).index(drawer(file)), file


def drawer(file: str) -> str:
    """The drawer that a file's names are shown in."""
    parts = file.split(".")
    return parts[1] if parts[0] == "ops" else "make"


# ---- the lesson of a name -----------------------------------------------------------------------


def first_uses(lessons: Iterable[tuple[str, list[str]]]) -> Uses:
    """Which lesson uses a name first: lessons in their order, each with its cells of code.

    >>> cells = ["import course_lib as torch\\nx = torch.zeros(3)", "x.sum()"]
    >>> uses = first_uses([("00_welcome", cells)])
    >>> uses["torch.zeros"], uses["Tensor.sum"], "torch.ones" in uses
    ('00_welcome', '00_welcome', False)
    """
    uses: Uses = {}
    for lesson, cells in lessons:
        modules = {"torch": "torch"}
        for cell in cells:
            try:
                tree = ast.parse(re.sub(r"^[%!].*$", "", cell, flags=re.M))
            except SyntaxError:  # on purpose: the lesson shows the error
                continue
            for name in names_in(tree, modules):
                uses.setdefault(name, lesson)
    return uses


def names_in(tree: ast.AST, modules: dict[str, str]) -> list[str]:
    """The full names of what a cell uses; `modules` learns what its imports call them."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                full = public(alias.name)
                modules[alias.asname or alias.name.partition(".")[0]] = full
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                full = f"{public(node.module)}.{alias.name}"
                modules[alias.asname or alias.name] = full
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            full = dotted(node, modules)
            found.append(full or f"Tensor.{node.attr}")
        elif isinstance(node, ast.Name) and "." in modules.get(node.id, ""):
            found.append(modules[node.id])
    return found


def public(module: str) -> str:
    """PyTorch's name of a module of ours; pictures and classroom keep their own."""
    own = any(module.startswith(name) for name in OWN.values())
    return module if own else re.sub(r"^course_lib", "torch", module)


def dotted(node: ast.Attribute, modules: dict[str, str]) -> str:
    """The full name of `torch.nn.Linear` and the like; "" for an attribute of a value."""
    parts, inner = [node.attr], node.value
    while isinstance(inner, ast.Attribute):
        parts.append(inner.attr)
        inner = inner.value
    if not isinstance(inner, ast.Name) or inner.id not in modules:
        return ""
    return ".".join([modules[inner.id], *reversed(parts)])


# ---- the text -----------------------------------------------------------------------------------


def texts(uses: Uses, titles: dict[str, str]) -> dict[str, str]:
    """The text of every page by its path; `titles` are those of the lessons."""
    found = pages()
    written = {page.path + ".md": text_of(page, uses, titles) for page in found}
    return {"api/index.md": index(found), **written}


def index(found: list[Page]) -> str:
    """The page that leads to all others."""
    groups: dict[str, list[Page]] = defaultdict(list)
    for page in found:
        file = page.path.removeprefix("api/")
        if file.startswith(("ops.", "dtypes.", "serialization", "words.")):
            groups[DRAWERS[drawer(file)]].append(page)
        elif file in ("tensor", "torch"):
            groups["Tensors"].append(page)
        elif file.startswith("course_lib"):
            groups["Pictures and exercises: the course's own"].append(page)
        else:
            groups["Modules"].append(page)
    number = sum(len(page.entries) for page in found)
    parts = [
        "# Library reference",
        f"The {number} public names of the library, with the signatures of PyTorch 2.13. Each "
        "says what it gives back. The examples begin with `import course_lib as torch`, and the "
        "tests run them. Where a lesson uses a name, a link leads to the first one that does. "
        'All names are also in one <a href="../genindex.html">index</a>.',
    ]
    order = ["Tensors", *DRAWERS.values(), "Modules", "Pictures and exercises: the course's own"]
    for title in order:
        lines = [f"- [{page.title}]({page.path.removeprefix('api/')}.md): {page.lead}"
                 for page in groups[title]]  # fmt: skip
        tree = [page.path.removeprefix("api/") for page in groups[title]]
        parts += [f"## {title}", "\n".join(lines)]
        parts.append("\n".join(["```{toctree}", ":hidden:", "", *tree, "```"]))
    return "\n\n".join(parts) + "\n"


def text_of(page: Page, uses: Uses, titles: dict[str, str]) -> str:
    """A page as MyST Markdown."""
    parts = [f"# {page.title}", page.lead, names_of(page)]
    parts += [block(one, uses, titles, ":" * 5) for one in page.entries]
    return "\n\n".join(part for part in parts if part) + "\n"


def names_of(page: Page) -> str:
    """Links to the entries of a page, where there are several."""
    if len(page.entries) < 3:
        return ""
    links = []
    for one in page.entries:
        shown = re.sub(r"^(torch\.|Tensor(?=\.))", "", one.name)
        links.append(f'<a href="#{one.name}">{shown}</a>')
    return "\n".join(['<nav class="names" aria-label="Names on this page">', *links, "</nav>"])


def block(one: Entry, uses: Uses, titles: dict[str, str], fence: str) -> str:
    """The directive of one name, its members inside."""
    module, _, name = one.name.rpartition(".")
    inside = f"\n:module: {module}"  # so that the index files `torch.abs` under A
    if not module or module == "Tensor":
        inside, name = "", one.name
    ways = [f"{name}{way}" for way in one.ways] or [name]
    parts = []
    for place, line in enumerate(ways):  # one directive each: MyST takes one line of arguments
        head = f"{fence}{{py:{one.kind}}} {line}{inside}" + "\n:no-index:" * (place > 0)
        body = [prose(one.doc), first_use(one.name, uses, titles)] if line is ways[-1] else []
        body += [block(member, {}, titles, fence[:-1]) for member in one.members]
        parts.append("\n\n".join([head, *filter(None, body)]) + f"\n{fence}")
    return "\n\n".join(parts)


def first_use(name: str, uses: Uses, titles: dict[str, str]) -> str:
    """The sentence that leads to the first lesson with a name; "" where no lesson has it."""
    lesson = uses.get(name)
    if not lesson:
        return ""
    return f"First used in lesson [{titles.get(lesson, lesson)}](../notebooks/{lesson}.ipynb)."


def prose(doc: str) -> str:
    """A docstring as Markdown: examples in a fence, everything else as it is."""
    lines, fenced, indent = [], False, ""
    for line in doc.split("\n"):
        if not fenced and line.lstrip().startswith(">>>"):
            indent = line[: len(line) - len(line.lstrip())]
            lines += ["", "```pycon"]
            fenced = True
        elif fenced and not line.strip():
            lines += ["```"]
            fenced = False
        lines.append(line.removeprefix(indent) if fenced else line)
    text = "\n".join([*lines, "```"] if fenced else lines)
    parts = re.split(r"(^```pycon.*?^```$)", text, flags=re.M | re.S)
    parts[::2] = [re.sub(r"``([^`]+)``", r"`\1`", part) for part in parts[::2]]
    return "".join(parts)
