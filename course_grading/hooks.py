"""What a student's code changed in the process that shows its answers: modules, classes, hooks.

A watch is set before the student's code and read after it. It does not compare what is at the end,
when all may have been put back: each change is told when it is made. It runs beside the student's
code, so it can be blinded; it is one of several means.
"""

import collections
import copyreg
import ctypes
import dataclasses
import enum
import functools
import logging
import os
import re
import sys
import types
import typing
import warnings
from collections.abc import Iterator
from typing import Any

from course_grading import screen, visible

# What Python itself reports while it runs, and what no answer to a question has to do.
_EVENTS = types.MappingProxyType(
    {
        event: told
        for told, events in {
            "added an audit hook": "sys.addaudithook",
            "set a trace function": "sys.settrace",
            "set a profile function": "sys.setprofile",
            "watched the interpreter": "sys.monitoring.register_callback",
            "went through all objects": "gc.get_objects gc.get_referrers gc.get_referents",
            "used ctypes": "ctypes.dlopen ctypes.dlsym ctypes.string_at ctypes.cdata "
            "ctypes.addressof",
            "made code objects": "code.__new__",
            "ran a text as code": "exec",
            "made functions from code objects": "function.__new__",
            "sent signals": "os.kill",
            "started processes": "os.fork os.exec os.posix_spawn subprocess.Popen",
            "reached for the network": "socket.connect socket.bind socket.getaddrinfo "
            "socket.gethostbyname",
            "looked at frames": "sys._getframe sys._current_frames",
        }.items()
        for event in events.split()
    }
)
_frame = sys._getframe  # what an answer puts in its place there blinds nobody
_REWRITTEN = ("__code__", "__defaults__", "__kwdefaults__", "__class__")
_FRAMES = ("tb_frame", "gi_frame", "cr_frame", "ag_frame")
# Where Python's own library does such a thing for anybody who makes a class, or warns.
_MEANS = types.MappingProxyType(
    {
        "ran a text as code": (collections, dataclasses),
        "looked at frames": (collections, enum, typing, logging, warnings),
        "set __defaults__": (collections,),
    }
)


class Watch:
    """Is told what is done, and remembers how things are now; `changes` says how they differ."""

    def __init__(self) -> None:
        self._heard: dict[str, None] = {}
        self._listening = False
        watched = [module for name, module in sorted(sys.modules.items()) if _is_watched(name)]
        self._kinds = _Kinds(_classes(watched))
        self._modules = {module.__name__: module for module in watched}
        self._importing: list[list[Any]] = [list(sys.meta_path), list(sys.path_hooks)]
        kind = _watched_module(self._notice_change)
        for module in watched:
            if type(module) is types.ModuleType:
                module.__class__ = kind
        sys.addaudithook(self._hear)

    def start(self) -> None:
        """Listen from now on: the student's code is next."""
        self._listening = True

    def _notice_change(self, module: Any, name: str, *values: Any) -> None:
        """A name of a watched module is about to be set or deleted."""
        values += (vars(module).get(name),)
        matters = _matters(name, values) or module.__name__.startswith(_JUDGES)
        if self._listening and matters and self._is_the_answers():
            self._heard[f"changed {module.__name__}.{name}"] = None

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        told = _EVENTS.get(event)
        if event == "object.__setattr__" and arguments[1] in _REWRITTEN:
            told = f"set {arguments[1]}"
        elif event == "object.__getattr__" and arguments[1] in _FRAMES:
            told = "took a frame"
        if told and self._listening and self._is_the_answers(told, *arguments):
            self._heard[told] = None

    def _is_the_answers(self, told: str = "", *about: Any) -> bool:
        """Whether an answer does it, itself or by way of Python's own library."""
        self._listening = False  # asking for the caller is an event too
        frame: Any = _frame(2)
        self._listening = True
        nearest = frame.f_code.co_filename
        if any(nearest == one.__file__ for one in _MEANS.get(told, ())):
            return type(about[0]) is types.CodeType and not _is_plain(about[0])
        if told == "took a frame" and os.path.isabs(nearest):  # and does not give it away
            return False
        while frame is not None:
            file = frame.f_code.co_filename
            if file != __file__ and file.startswith((*_TRUSTED, *_NOT_TRUSTED)):
                return bool(file.startswith(_NOT_TRUSTED))
            frame = frame.f_back
        return True

    def changes(self) -> list[str]:
        """In words, what was done, and what is not as it was."""
        self._listening = False
        found = {*self._heard, *self._kinds.changes()}
        if any(sys.modules.get(name) is not module for name, module in self._modules.items()):
            found.add("changed sys.modules")
        now = [sys.meta_path[: len(self._importing[0])], sys.path_hooks[: len(self._importing[1])]]
        if now != self._importing:
            found.add("changed how modules are imported")
        return sorted(found)[:20]


def _is_plain(code: types.CodeType) -> bool:
    """Whether code has no names but those that classes are made with: a field may be any text."""
    names = {one for one in code.co_names if not re.fullmatch(_OF_A_DATACLASS, one)}
    odd = names & {*screen.CALLED, "getattr"} or any(map(screen.is_odd, names))
    inner = [one for one in code.co_consts if isinstance(one, types.CodeType)]
    return not odd and all(map(_is_plain, inner))


_OF_A_DATACLASS = "__(class|qualname|setattr|delattr|create_fn|dataclass_.*)__"


# ---- modules and classes -------------------------------------------------------------------------

_TRUSTED = (f"{visible.LIBRARY}{os.sep}", f"{visible.GRADING}{os.sep}", "<frozen importlib")
_NOT_TRUSTED = ("<cell", "<check")  # a check calls nothing that changes things, but an answer may
_JUDGES = ("course_lib.classroom", "course_grading")  # their names matter whatever they hold
_PACKAGES = {"builtins", "sys", "json", "random", "course_lib", "course_grading", "numpy", "math"}
_PACKAGES |= {"itertools", "functools", "operator", "collections", "contextlib", "copy"}


def _is_watched(name: str) -> bool:
    """Modules whose names a check relies on: those that compute, check, write down and judge."""
    return name.partition(".")[0] in _PACKAGES


def _watched_module(tell: Any) -> type:
    class Watched(types.ModuleType):
        def __setattr__(self, name: str, value: Any) -> None:
            tell(self, name, value)
            super().__setattr__(name, value)

        def __delattr__(self, name: str) -> None:
            tell(self, name)
            super().__delattr__(name)

    Watched.__name__ = "module"  # what a check shows of one stays the same
    return Watched


def _matters(name: str, values: tuple[Any, ...]) -> bool:
    """Plain data changes in ordinary use, and a module gets the names of those inside it."""
    if name == "_" or any(isinstance(one, types.ModuleType) for one in values[:1]):
        return name != "_" and not str(values[0].__name__).endswith(f".{name}")
    return any(callable(one) or isinstance(one, types.ModuleType) for one in values)


class _Kinds:
    """Classes as they are now; a change is seen even if it was taken back.

    Python numbers the states of a class, and never gives a number twice. It does not tell the
    number, which is at this place in CPython; elsewhere, what is there in the end is compared.
    """

    def __init__(self, kinds: list[type]) -> None:
        for kind in kinds:
            copyreg._slotnames(kind)  # type: ignore[attr-defined]  # kept in it from the first copy on
        self._kinds = [(kind, dict(vars(kind)), hasattr(kind, "a name")) for kind in kinds]
        # To look at a class is to write its count of references, and that costs a forked process a
        # copy of the page; so these are read instead. Looking for a name had it numbered.
        self._numbers = [_number(kind) for kind in kinds]
        self._first = [number.value if _is_numbered() else -1 for number in self._numbers]

    def changes(self) -> Iterator[str]:
        """The names of what is not as it was, or the class alone where all is again."""
        now = [number.value for number in self._numbers]
        for place in [at for at, first in enumerate(self._first) if now[at] != first]:
            kind, before, _ = self._kinds[place]
            names = {**before, **vars(kind)}
            other = [name for name in names if vars(kind).get(name) is not before.get(name)]
            yield from (f"changed {kind.__name__}.{name}" for name in other)
            if not other and self._first[place] > 0:
                yield f"changed {kind.__name__}, and put it back"


def _number(kind: type) -> ctypes.c_uint32:
    words = 46 * ctypes.sizeof(ctypes.c_void_p)  # between the head of a type and its number
    return ctypes.c_uint32.from_address(id(kind) + words + object.__basicsize__)


@functools.cache
def _is_numbered() -> bool:
    """Whether this Python has the number of a class there."""
    kind = type("Kind", (), {})
    seen = [hasattr(kind, "a name") or _number(kind).value for _ in range(2)]
    type.__setattr__(kind, "name", 1)
    return 0 < seen[0] == seen[1] != (hasattr(kind, "a name") or _number(kind).value)


def _classes(modules: list[types.ModuleType]) -> list[type]:
    """The classes of those modules that can be changed, with all that are derived from them."""
    found: dict[type, None] = {}
    for module in modules:
        for value in list(vars(module).values()):
            if isinstance(value, type) and value.__flags__ & _OF_A_PROGRAM:
                if _is_watched(str(value.__module__)):
                    found[value] = None
    kinds = list(found)
    for kind in kinds:  # which grows meanwhile
        below: list[type] = type.__subclasses__(kind)
        new = [one for one in below if one not in found]
        found |= dict.fromkeys(new)
        kinds += new
    return [kind for kind in kinds if any(map(callable, vars(kind).values()))]  # not data alone


_OF_A_PROGRAM = 1 << 9  # Python's flag of classes that are not built in


def nodes() -> list[type[Any]]:
    """The classes of the nodes that graphs are made of; the first is the base of all."""
    import course_lib

    kind = type(course_lib.ones(1, requires_grad=True).exp().grad_fn)
    found = [kind.__mro__[-2]]  # behind it there is only `object`
    for one in found:  # which grows meanwhile
        found += one.__subclasses__()
    return found


def shared_methods(names: dict[str, Any]) -> list[tuple[type, str, Any]]:
    """The methods of the classes that an exercise brings, which its check and an answer share."""
    kinds = [one for one in names.values() if type(one) is type and one.__module__ == "__main__"]
    return [
        (kind, name, value)
        for kind in kinds
        for name, value in vars(kind).items()
        if callable(value)
    ]


# ---- what an answer got hold of ------------------------------------------------------------------


def foreign(names: dict[str, Any], given: dict[str, Any], allowed: list[str]) -> list[str]:
    """Modules among the names of an answer, and what comes from such, that no answer needs.

    >>> foreign({"s": sys, "leave": os._exit, "cos": __import__("math").cos}, {}, [])
    ['holds s of sys', 'holds leave of posix']
    """
    found = []
    for name, value in names.items():
        kind, home = type(value), "__main__"
        if issubclass(kind, types.ModuleType):
            home = types.ModuleType.__getattribute__(value, "__name__")
        elif kind in (types.FunctionType, types.BuiltinFunctionType):
            home = value.__module__
        elif issubclass(kind, type):
            home = type.__dict__["__module__"].__get__(value)
        root = str(home or "__main__").partition(".")[0]
        if name.startswith("__") or (name in given and given[name] is value):
            continue
        if root not in screen.FAMILIAR and f"imports {root}" not in allowed:
            found.append(f"holds {name} of {root}")
        elif root == "builtins" and getattr(value, "__name__", "") in screen.CALLED:
            found.append(f"holds {value.__name__} as {name}")
    return found
