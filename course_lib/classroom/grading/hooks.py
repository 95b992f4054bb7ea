"""What a student's code changed in the process that shows its answers: names, hooks, functions.

A watch is set before the student's code and read after it. It sees what is changed in the ordinary
ways. It runs beside the student's code, so it can be blinded; it is one of several means.
"""

from __future__ import annotations

import builtins
import json
import random
import sys
import threading
import types
from collections.abc import Callable, Iterable
from typing import Any

from course_lib.classroom.grading import decoy

# What Python itself reports while it runs, and what no answer to a question has to do.
_EVENTS = {
    "sys.addaudithook": "added an audit hook",
    "sys.settrace": "set a trace function",
    "sys.setprofile": "set a profile function",
    "gc.get_objects": "went through all objects",
    "gc.get_referrers": "went through all objects",
    "gc.get_referents": "went through all objects",
    "ctypes.dlopen": "used ctypes",
    "ctypes.dlsym": "used ctypes",
    "ctypes.string_at": "used ctypes",
    "ctypes.addressof": "used ctypes",
    "ctypes.cdata": "used ctypes",
    "code.__new__": "made code objects",
    "function.__new__": "made functions from code objects",
    "os.kill": "sent signals",
    "os.fork": "started processes",
    "os.exec": "started processes",
    "os.posix_spawn": "started processes",
    "subprocess.Popen": "started processes",
    "socket.connect": "reached for the network",
    "socket.bind": "reached for the network",
    "socket.getaddrinfo": "reached for the network",
    "socket.gethostbyname": "reached for the network",
}
_REWRITTEN = ("__code__", "__defaults__", "__kwdefaults__", "__class__")
_FRAMES = {"sys._getframe": "looked at frames", "sys._current_frames": "looked at frames"}


class Watch:
    """Remembers how things are now; `changes` says how they differ later.

    To look at an object is to write its count of references, and that costs a forked process a
    copy of the page. So of the two large places, the library and its tensor, only what a check can
    meet is looked at: names that it uses, or the functions of the exercise that it calls, names by
    which tensors are written down, and operators.
    """

    def __init__(self) -> None:
        self._places = [(name, holder, dict(holder)) for name, holder in _holders()]
        self._operators = {place: _operators(before) for place, _, before in self._places}
        self._codes = [(function, function.__code__) for function in _functions(self._places)]
        self._nodes = _nodes_of_their_own()
        watched = [name for name in sys.modules if _is_watched(name) or name in _PACKAGES]
        self._modules = {name: sys.modules[name] for name in watched}
        self._importing: list[list[Any]] = [list(sys.meta_path), list(sys.path_hooks)]
        self._heard: set[str] = set()
        self._listening = False
        sys.addaudithook(self._hear)

    def start(self) -> None:
        """Listen from now on: the student's code is next."""
        self._listening = True

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        rewritten = event == "object.__setattr__" and arguments[1] in _REWRITTEN
        if not self._listening or not (rewritten or event in _EVENTS or event in _FRAMES):
            return
        self._listening = False  # asking for the caller is an event too
        caller = str(sys._getframe(1).f_globals.get("__name__"))
        self._listening = True
        if event in _FRAMES:
            if caller == "__main__":
                self._heard.add(_FRAMES[event])
        elif not caller.startswith(("course_lib.", "numpy", "importlib.")):
            self._heard.add(f"set {arguments[1]}" if rewritten else _EVENTS[event])

    def changes(self, look: Any) -> list[str]:
        """In words, what is not as it was, of what the check `look` may meet."""
        self._listening = False
        found = set(self._heard)
        used = {*_used(look), *_WRITTEN_DOWN}
        for place, holder, before in self._places:
            names: Iterable[str] = before
            if len(before) > _LARGE:
                names = [*self._operators[place], *used.intersection(before)]
            for name in names:
                value = before[name]
                if holder.get(name) is not value and _matters(name, value):
                    found.add(f"changed {place}.{name}")
            if len(before) <= _LARGE:
                new = holder.keys() - before.keys()
                found |= {f"added {place}.{name}" for name in new if _matters(name, holder[name])}
        for function, code in self._codes:
            if function.__code__ is not code:
                found.add(f"changed the code of {function.__qualname__}")
        found |= {f"changed {kind}" for kind in _nodes_of_their_own() - self._nodes}
        if any(sys.modules.get(name) is not module for name, module in self._modules.items()):
            found.add("changed sys.modules")
        now = [sys.meta_path[: len(self._importing[0])], sys.path_hooks[: len(self._importing[1])]]
        if now != self._importing:
            found.add("changed how modules are imported")
        if sys.gettrace() is not None or threading.gettrace() is not None:
            found.add("set a trace function")
        if sys.getprofile() is not None or threading.getprofile() is not None:
            found.add("set a profile function")
        return sorted(found)[:20]


def _holders() -> list[tuple[str, Any]]:
    """Namespaces that a check and the writing down of its data rely on, by name."""
    import course_lib

    modules = [builtins, json, random, course_lib]
    modules += [module for name, module in sorted(sys.modules.items()) if _is_watched(name)]
    holders: list[tuple[str, Any]] = [(module.__name__, vars(module)) for module in modules]
    classes = [random.Random, json.JSONEncoder, decoy.Decoy, Watch]
    classes += [sys.modules["course_lib.classroom.probe"].Show]
    leaf = course_lib.ones(1, requires_grad=True)
    for one in (leaf, leaf.untyped_storage(), leaf.exp().grad_fn):
        classes += [kind for kind in type(one).__mro__ if kind is not object]
    return holders + [(kind.__name__, vars(kind)) for kind in dict.fromkeys(classes)]


_PACKAGES = {"builtins", "course_lib", "course_lib.classroom", "json", "numpy", "random", "sys"}


def _is_watched(name: str) -> bool:
    """Modules whose every name counts: those that check, write down and judge."""
    return name.startswith(("json.", "course_lib.classroom."))


_LARGE = 300  # names: the library's, and its tensor's
_WRITTEN_DOWN = (
    *("shape", "dtype", "device", "requires_grad", "grad_fn", "detach", "tolist", "clone"),
    *("data_ptr", "untyped_storage", "storage", "storage_offset", "stride", "numpy", "item"),
    *("is_contiguous", "is_leaf", "grad", "data", "_version", "_base", "size", "equal", "allclose"),
)


def _operators(before: dict[str, Any]) -> list[str]:
    return [name for name in before if name.startswith("__") and name.endswith("__")]


def _nodes_of_their_own() -> set[str]:
    """The classes of nodes that say themselves, and not by their base, what they are called."""
    import course_lib

    kind = type(course_lib.ones(1, requires_grad=True).exp().grad_fn)
    found = [kind.__mro__[-2]]  # the base of all nodes: behind it there is only `object`
    for one in found:  # which grows meanwhile
        found += one.__subclasses__()
    names = ("name", "next_functions")
    return {f"{one.__name__}.{name}" for one in found for name in names if name in vars(one)}


def _functions(places: list[tuple[str, Any, dict[str, Any]]]) -> list[types.FunctionType]:
    return [
        value
        for place, _, before in places
        if "classroom" in place
        for value in before.values()
        if type(value) is types.FunctionType
    ]


_ORDINARY = {"_", "SECONDS", "__doc__", "__loader__", "__spec__", "__annotations__"}


def _matters(name: str, value: Any) -> bool:
    """Plain data changes in ordinary use: a default dtype, a count."""
    if name in _ORDINARY:
        return False
    return callable(value) or isinstance(value, (types.ModuleType, *_DESCRIPTORS))


_DESCRIPTORS = (property, staticmethod, classmethod, types.MemberDescriptorType)


def replaced(
    look: Callable[..., Any], given: dict[str, Any], names: dict[str, Any], answers: list[str]
) -> list[str]:
    """Names that the check uses and that the answer put something else behind.

    >>> look = eval("lambda show: show('x', sum(x))")
    >>> replaced(look, {}, {"x": [1], "sum": max}, ["x"])
    ['changed sum']
    """
    found = []
    for name in _used(look):
        if name in answers or name not in names:
            continue
        before = given.get(name, vars(builtins).get(name))
        mattered = callable(before) or isinstance(before, types.ModuleType)
        if mattered and names[name] is not before:
            found.append(f"changed {name}")
    return found


def _used(look: Any) -> list[str]:
    """The names that a check uses, itself or in functions of the same namespace that it calls."""
    if type(look) is not types.FunctionType:
        return []
    codes, used = [look.__code__], dict[str, None]()
    for code in codes:  # which grows meanwhile
        for name in code.co_names:
            called = look.__globals__.get(name)
            if name not in used and type(called) is types.FunctionType:
                codes += [called.__code__] if called.__globals__ is look.__globals__ else []
            used[name] = None
        codes += [inner for inner in code.co_consts if type(inner) is types.CodeType]
    return list(used)
