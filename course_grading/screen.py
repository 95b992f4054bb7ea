"""Look through the text of an answer for what no answer needs. One more means, easily evaded.

Words found here change no verdict: a right answer that has one is laid before a person.
"""

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from typing import Any

from course_grading.statements import parse

# Names with two underscores are Python's own; an answer needs these of them, to write or to read.
_NAMES_OF_PYTHON = {
    f"__{name}__"
    for name in (
        *("name", "doc", "file", "version", "init", "new", "post_init", "call", "repr", "str"),
        *("len", "iter", "next", "getitem", "setitem", "contains", "enter", "exit", "hash", "all"),
        *("add", "radd", "iadd", "sub", "rsub", "isub", "mul", "rmul", "imul", "truediv", "abs"),
        *("rtruediv", "floordiv", "mod", "pow", "rpow", "matmul", "rmatmul", "neg", "pos", "lt"),
        *("le", "gt", "ge", "int", "float", "annotations", "main", "slots"),
    )
}
_NAMES = {
    *("f_globals", "f_locals", "f_back", "f_builtins", "f_code", "f_trace", "gi_frame", "gi_code"),
    *("cr_frame", "cr_code", "ag_frame", "ag_code", "gi_yieldfrom", "cr_await", "tb_frame"),
    *("tb_next", "with_traceback", "_getframe", "_current_frames", "_exit", "currentframe"),
    *("settrace", "setprofile", "monitoring", "addaudithook", "get_objects", "get_referrers"),
    *("get_referents", "excepthook", "unraisablehook", "meta_path", "path_hooks", "setrlimit"),
    *("memfd_create", "get_type_hints", "ForwardRef", "evaluate_forward_ref"),
    *("runstring", "rundocs", "ctypeslib", "load_module", "exec_module", "attrgetter"),
    *("methodcaller", "update_wrapper", "update_abstractmethods", "Formatter", "get_field"),
    *("make_dataclass", "new_class", "read_pickle", "stride_tricks", "suppress_warnings"),
    *("import_module", "import_item", "load_backend_module", "from_buffer", "memmap", "recarray"),
}
# Set on a tensor or its like, these lie about it, whatever else they may be names of.
_ASKED = {
    *("untyped_storage", "data_ptr", "storage_offset", "is_contiguous", "tolist", "detach"),
    *("nbytes", "next_functions", "grad_fn", "is_leaf", "numel", "element_size"),
    *("_array", "_cell", "_dtype", "_extras", "_node", "_output_nr", "_requires_grad"),
    *("_owner", "_view"),
}
CALLED = {
    *("exec", "eval", "compile", "globals", "locals", "vars", "breakpoint", "setattr", "delattr"),
    *("memoryview", "__import__"),
}
_IN_TEXT = re.compile(r"\b(?:exec|eval|compile|globals|locals|vars|setattr|delattr|getattr)\s*\(")
_DUNDER = re.compile(r"\b__\w+__\b")
# Modules that an answer may use; what it needs beyond, a solution of the question uses too.
_ORDINARY = {
    *("__future__", "course_lib", "torch", "numpy", "np", "math", "cmath", "random", "statistics"),
    *("itertools", "functools", "operator", "collections", "heapq", "bisect", "copy", "string"),
    *("re", "textwrap", "json", "fractions", "decimal", "numbers", "typing", "dataclasses", "enum"),
    *("abc", "contextlib", "warnings", "time", "datetime", "pprint", "matplotlib", "graphviz"),
    *("IPython", "pandas", "tqdm"),
}
# What an answer may hold without having imported it: `display` and the like are the grader's own.
FAMILIAR = frozenset({"__main__", "builtins", "course_grading", *_ORDINARY})
FAMILIAR |= {f"_{name}" for name in _ORDINARY}
_OF_THE_COURSE = {
    *("autograd", "nn", "optim", "utils", "func", "linalg", "special", "fft", "random", "testing"),
    *("viz", "cuda", "backends", "version", "distributions"),
}
_HIDDEN = {  # what modules hold that they import themselves: `warnings.sys`
    *("sys", "os", "posix", "gc", "ctypes", "signal", "builtins", "bltns", "importlib", "inspect"),
    *("_os", "_sys", "threading", "_thread", "linecache", "types", "io", "_io", "subprocess"),
    *("copyreg", "weakref", "pickle", "marshal", "tracemalloc", "atexit", "codecs"),
    *("concurrent", "asyncio", "multiprocessing", "cbook", "classroom", "shutil", "pathlib"),
    "tempfile",
}
_CLASSROOM = {"check", "hint", "solution"}
_OF_IPYTHON = {"display", "get_ipython", "version_info"}


def find_odd(
    cells: list[list[Any]], tools: set[str], allowed: set[str], used: Iterable[str] = ()
) -> list[str]:
    """In words, what is odd; `tools` are modules and classes that the exercise brings.

    `used` are the names that the check uses, but for those it asks for.

    >>> find_odd([[3, "torch.equal = lambda *a: True"]], {"torch"}, set())
    ['cell 3 assigns to torch.equal']
    """
    found: list[str] = []
    trees = [(number, parse(text)) for number, text in cells]
    tools = tools.union(*(_tools(tree, tools) for _, tree in trees if tree is not None))
    for number, tree in trees:
        for what in _odd(tree, tools, {*used}) if tree is not None else ():
            if what not in allowed:
                found.append(f"cell {number} {what}")
    return list(dict.fromkeys(found))[:10]


def words(text: str, tools: set[str]) -> list[str]:
    """What is odd in a solution, and so allowed to every answer."""
    tree = parse(text)
    return sorted(set(_odd(tree, tools | _tools(tree, tools), set()))) if tree is not None else []


def _odd(tree: ast.AST, tools: set[str], used: set[str]) -> Iterator[str]:
    called = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    decorators = {id(one) for node in ast.walk(tree) for one in getattr(node, "decorator_list", ())}
    for node in ast.walk(tree):
        if "__name__" in (getattr(node, part, None) for part in ("asname", "name", "rest")):
            yield "sets __name__"
        if isinstance(node, ast.Import):
            for name in node.names:
                yield from _module(name.name)
        elif isinstance(node, ast.ImportFrom):
            yield from _from(node)
        elif isinstance(node, ast.Attribute):
            yield from _attribute(node, tools)
        elif isinstance(node, ast.Name):
            yield from _name(node, called.get(id(node)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from _text(node.value)
        elif isinstance(node, (ast.BinOp, ast.JoinedStr)):
            yield from _text(_join_text(node))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and is_odd(node.name):
            yield f"defines {node.name}"
        elif isinstance(node, ast.MatchClass):
            yield from (f"uses {word}" for word in node.kwd_attrs if is_odd(word))
        elif isinstance(node, ast.Call):
            yield from _call(node, id(node) in decorators)
        elif isinstance(node, ast.ClassDef):
            yield from _class(node)
        elif isinstance(node, ast.Global):
            names = [name for name in node.names if name in used or hasattr(builtins, name)]
            yield from (f"sets {name} for all" for name in names)


def is_odd(name: str) -> bool:
    """A name that is Python's own and no answer's business."""
    dunder = name.startswith("__") and name.endswith("__")
    return name in _NAMES or name in _HIDDEN or (dunder and name not in _NAMES_OF_PYTHON)


def _text(text: str) -> Iterator[str]:
    """A text that is a name, or a path of names, for `getattr` and its kind; or code."""
    words = [*text.split("."), *_DUNDER.findall(text)]
    if any(is_odd(word) for word in words) or _IN_TEXT.search(text):
        yield f"has the text {text[:60]!r}"


def _join_text(node: ast.expr) -> str:
    """A text that is written in pieces: `"__co" + "de__"`, `f"__co{'de__'}"`."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else " "
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _join_text(node.left) + _join_text(node.right)
    if isinstance(node, ast.JoinedStr):
        return "".join(map(_join_text, node.values))
    return _join_text(node.value) if isinstance(node, ast.FormattedValue) else " "


def _tools(tree: ast.AST, tools: set[str]) -> set[str]:
    """Other names for modules, what is in them, and the class of something: `kind = type(x)`."""
    found = set(tools)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(name.asname or name.name).partition(".")[0] for name in node.names}
        elif isinstance(node, (ast.Assign, ast.NamedExpr, ast.For)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            value = node.iter if isinstance(node, ast.For) else node.value
            called = getattr(value, "func", None)
            roots = {_root(one) for one in ast.walk(value) if isinstance(one, ast.Attribute)}
            plain = not any(isinstance(one, ast.Call) for one in ast.walk(value))
            if getattr(called, "id", "") == "type" or (plain and roots & found):
                found |= {one.id for one in targets if isinstance(one, ast.Name)}
    return found - {"self"}


def _name(node: ast.Name, call: ast.Call | None) -> Iterator[str]:
    own = call is not None and bool(call.args) and getattr(call.args[0], "id", "") == "self"
    if node.id == "setattr" and own:
        yield "uses setattr on self"
    elif node.id in CALLED or (is_odd(node.id) and node.id not in _HIDDEN):
        yield f"uses {node.id}"
    elif node.id == "getattr" and call is None:
        yield "hands getattr on"
    elif node.id == "__name__" and isinstance(node.ctx, ast.Store):
        yield "sets __name__"


def _attribute(node: ast.Attribute, tools: set[str]) -> Iterator[str]:
    root = _root(node)
    hidden = node.attr in _HIDDEN and root == "self"  # an attribute of its own
    if (is_odd(node.attr) and not hidden) or node.attr in CALLED - {"eval", "compile"}:
        yield f"uses {node.attr}"
    elif node.attr in ("eval", "compile") and root in ("builtins", "bltns"):
        yield f"uses {node.attr}"
    elif root == "IPython" and isinstance(node.value, ast.Name) and node.attr not in _OF_IPYTHON:
        yield f"uses IPython.{node.attr}"
    elif node.attr.startswith("_") and not node.attr.endswith("__") and root in tools:
        yield f"uses {ast.unparse(node)[:60]}"
    if isinstance(node.ctx, (ast.Store, ast.Del)):
        if root in tools or node.attr in _ASKED:
            yield f"assigns to {ast.unparse(node)[:60]}"
        elif root == "" and "type(" in ast.unparse(node.value):
            yield f"assigns to an attribute of {ast.unparse(node.value)[:60]}"
        elif node.attr.startswith("_") and root != "self":
            yield f"assigns to {ast.unparse(node)[:60]}"


def _call(node: ast.Call, decorates: bool) -> Iterator[str]:
    """`getattr` is fine with a name that can be read; `type` with three arguments makes a class."""
    called = getattr(node.func, "id", getattr(node.func, "attr", ""))
    if called == "getattr" and len(node.args) > 1 and not isinstance(node.args[1], ast.Constant):
        yield "uses getattr with a name that is computed"
    if len(node.args) == 3 and (called == "type" or isinstance(node.func, ast.Call)):
        yield "makes a class with type"
    if called == "wraps" and (node.keywords or not decorates):
        yield "uses wraps on what is no function of its own"
    if any(one.arg in ("allow_pickle", "weights_only") for one in node.keywords):
        yield "reads pickled objects"
    given = getattr(node.args[0], "func", None) if node.args else None
    lies = called == "frombuffer" and getattr(given, "attr", "") != "tobytes"
    if lies or called == "ndarray" or any(one.arg == "refcheck" for one in node.keywords):
        yield "reads memory as it lies"


def _class(node: ast.ClassDef) -> Iterator[str]:
    for base in node.bases:
        if ast.unparse(base).rpartition(".")[2] in ("Tensor", "ndarray", "UntypedStorage"):
            yield f"derives a class from {ast.unparse(base)[:60]}"
    if node.keywords:
        yield "makes a class with a metaclass"


def _module(name: str) -> Iterator[str]:
    root, *parts = name.split(".")
    if root not in _ORDINARY:
        yield f"imports {root}"
    elif any(part in _HIDDEN or part.startswith("_") for part in parts):
        yield f"imports {name}"
    elif root == "course_lib" and parts and parts[0] not in _OF_THE_COURSE:
        yield f"imports {name}"
    elif root == "IPython" and parts not in ([], ["display"], ["core", "display"]):
        yield f"imports {name}"


def _from(node: ast.ImportFrom) -> Iterator[str]:
    module = node.module or ""
    if module != "course_lib.classroom":
        yield from _module(module)
    for name in node.names:
        if module == "course_lib.classroom":
            if name.name not in _CLASSROOM:
                yield f"imports course_lib.classroom.{name.name}"
        elif name.name == "*" and module.partition(".")[0] not in ("course_lib", "torch"):
            yield f"imports everything from {module}"
        elif name.name != "*" and is_odd(name.name) and module != "__future__":
            yield f"imports {module}.{name.name}"
        elif module == "IPython" and name.name not in _OF_IPYTHON:
            yield f"imports IPython.{name.name}"


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
