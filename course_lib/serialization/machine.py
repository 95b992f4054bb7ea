"""A reader of pickles that can only make data.

A pickle is a program for a small machine with a stack: *push a string*, *make a tuple of the last
three*, *call what lies below with what lies on top*.  The full machine imports any name and calls
it.  This one knows the names below and those that the user has added, and what it calls checks its
arguments.  So a file from a stranger can be wrong, but nothing of it runs.

`pickletools` knows how each instruction is written; `ACTIONS` says what it does.
"""

from __future__ import annotations

import pickle
import pickletools
from _compat_pickle import IMPORT_MAPPING, NAME_MAPPING
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from typing import IO, Any

from course_lib.core.tensor import Tensor
from course_lib.memory.devices import device
from course_lib.memory.size import Size
from course_lib.serialization import safe
from course_lib.serialization.rebuild import FUNCTIONS, named, rebuild_layout
from course_lib.words import errors

PROTOCOL = 2
BLOCKED = ("sys", "os", "posix", "nt")
PARTS_OF_A_KEY = 1000  # hashing a key visits each part of a tuple; tuples can be nested at will

# ---- what may be called --------------------------------------------------------------------------


def key(value: Any) -> Any:
    """`value` if it can be a key, and one that takes little time to hash."""
    parts = [value]
    for seen, part in enumerate(parts):
        if seen > PARTS_OF_A_KEY:
            raise ValueError("a key of a thousand parts")
        if isinstance(part, (tuple, frozenset)):
            parts.extend(part)
    return value


def encoded(text: Any, codec: Any = "utf-8") -> bytes:
    """How bytes are written in a pickle of protocol 2."""
    if type(text) is not str or codec not in ("latin1", "latin-1", "utf-8", "ascii"):
        raise ValueError(f"bytes in the encoding {codec!r}")
    return text.encode(codec)


def array_of_bytes(content: Any = b"") -> bytearray:
    if type(content) is not bytes:
        raise ValueError(f"a bytearray of {type(content).__name__}")
    return bytearray(content)


def set_of(values: Any = ()) -> set:
    return {key(value) for value in values}


def ordered(pairs: Any = ()) -> OrderedDict:
    return OrderedDict((key(k), v) for k, v in pairs)


def counter(counts: Any = ()) -> Counter:
    if counts and type(counts) is not dict:
        raise ValueError(f"a Counter of {type(counts).__name__}")
    return Counter(dict(counts))


def mapping(pairs: Any = ()) -> dict:
    if type(pairs) is not dict:
        raise ValueError(f"a dict of {type(pairs).__name__}")
    return dict(pairs)


def parameter(data: Any = None, requires_grad: Any = True) -> Tensor:
    return FUNCTIONS["torch._utils._rebuild_parameter"](data, requires_grad, None)


CALLED: dict[str, tuple[Any, Callable]] = {  # the name: what it means, and what is called instead
    "collections.OrderedDict": (OrderedDict, ordered),
    "collections.Counter": (Counter, counter),
    "_codecs.encode": (encoded, encoded),
    "builtins.bytearray": (bytearray, array_of_bytes),
    "builtins.dict": (dict, mapping),  # which modules of ours keep their parameters in
    "builtins.set": (set, set_of),
    "builtins.complex": (complex, complex),
    "torch.Size": (Size, Size),
    "torch.device": (device, device),
    "torch.serialization._get_layout": (rebuild_layout, rebuild_layout),
    **{name: (function, function) for name, function in FUNCTIONS.items()},
}


def today(module: str, name: str) -> tuple[str, str]:
    """A name as Python 3 has it: files have those of Python 2."""
    if (module, name) in NAME_MAPPING:
        return NAME_MAPPING[(module, name)]
    return IMPORT_MAPPING.get(module, module), name


def meaning(module: str, name: str) -> Any:
    """What a name in the file stands for; an error if it is not allowed."""
    module, name = today(module, name)
    path = f"{module}.{name}"
    if module in BLOCKED:
        raise pickle.UnpicklingError(errors.blocked_global(path, module))
    if path in CALLED:
        return CALLED[path][0]
    found = named(path)
    if found is not None:
        return found
    allowed = trusted(safe.by_path)
    if path not in allowed:
        raise pickle.UnpicklingError(errors.unsafe_global(path.removeprefix("builtins.")))
    return allowed[path]


def is_allowed(value: Any) -> bool:
    """Whether the user has said that files may use this class or function."""
    return any(value is known for known in trusted(safe.by_path).values())


# ---- the machine ---------------------------------------------------------------------------------


class Machine:
    """Runs one pickle; `persistent_load` gives the storages that it names."""

    def __init__(self, file: IO[bytes], persistent_load: Callable[[Any], Any]):
        self.file, self.persistent_load = file, persistent_load
        self.stack: list[Any] = []
        self.marks: list[list[Any]] = []  # the stacks below the current one
        self.memo: dict[int, Any] = {}

    def load(self) -> Any:
        """What the pickle makes."""
        try:
            for name, argument in self.instructions():
                ACTIONS[name](self, argument)
            return self.stack.pop()
        except Passed as passed:
            raise passed.error from None
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise pickle.UnpicklingError(f"{type(error).__name__}: {error}") from error

    def instructions(self) -> Iterator[tuple[str, Any]]:
        """The instructions of the file with their arguments, before the one that says stop."""
        while True:
            code = self.file.read(1)
            if not code:
                raise EOFError
            opcode = OPCODES.get(code)
            if opcode is None:
                raise pickle.UnpicklingError(errors.unsupported_opcode(code[0]))
            if opcode.name == "STOP":
                return
            if opcode.name == "GLOBAL":
                yield opcode.name, (self.line(), self.line())
                continue
            try:
                argument = opcode.arg and opcode.arg.reader(self.file)
            except UnicodeDecodeError:
                raise
            except ValueError as error:
                raise EOFError from error  # the file ends within an argument
            yield opcode.name, argument

    def names(self) -> set[str]:
        """The names that the pickle would look up; nothing is made of it."""
        found = (argument for name, argument in self.instructions() if name == "GLOBAL")
        return {".".join(today(*argument)) for argument in found}

    def line(self) -> str:
        """The next line of the file, as it is."""
        text = self.file.readline()
        if not text.endswith(b"\n"):
            raise EOFError
        return text[:-1].decode()

    def push(self, value: Any) -> None:
        self.stack.append(value)

    def to_mark(self) -> list[Any]:
        """What has been pushed since the last mark."""
        items, self.stack = self.stack, self.marks.pop()
        return items

    # ---- names and calls -------------------------------------------------------------------------

    def find(self, name: tuple[str, str]) -> None:
        self.push(meaning(*name))

    def call(self, _: None) -> None:
        arguments, function = self.stack.pop(), self.stack.pop()
        if type(arguments) is not tuple:
            raise TypeError("arguments that are no tuple")
        for known, instead in CALLED.values():
            if known is function:
                self.push(instead(*arguments))
                return
        if function is named("torch.nn.parameter.Parameter"):
            self.push(parameter(*arguments))
        elif is_allowed(function):
            self.push(trusted(function, *arguments))
        else:
            raise pickle.UnpicklingError(errors.unknown_call(function))

    def make(self, _: None) -> None:
        arguments, kind = self.stack.pop(), self.stack.pop()
        if not is_allowed(kind):
            raise pickle.UnpicklingError(errors.unknown_class(kind))
        self.push(trusted(kind.__new__, kind, *arguments))

    def build(self, _: None) -> None:
        state, value = self.stack.pop(), self.stack[-1]
        if type(value) is OrderedDict:
            value.__dict__.update(state)
        elif is_allowed(type(value)):
            trusted(set_state, value, state)
        else:
            raise pickle.UnpicklingError(errors.unknown_build(type(value)))

    def storage(self, _: None) -> None:
        asked = self.stack.pop()
        if type(asked) not in (tuple, int):
            raise pickle.UnpicklingError(errors.no_persistent_id(asked))
        if type(asked) is tuple and asked and asked[0] not in ("storage", b"storage"):
            raise pickle.UnpicklingError(errors.no_storage_id(asked[0]))
        self.push(trusted(self.persistent_load, asked))

    # ---- containers ------------------------------------------------------------------------------

    def mark(self, _: None) -> None:
        self.marks.append(self.stack)
        self.stack = []

    def last(self, count: int) -> None:
        if len(self.stack) < count:
            raise IndexError("a tuple of more than there is")
        self.stack[-count:] = [tuple(self.stack[-count:])]

    def off(self, count: int) -> list[Any]:
        """The last values, which leave the stack."""
        if len(self.stack) <= count:
            raise IndexError("more is taken than there is")
        items = self.stack[-count:]
        del self.stack[-count:]
        return items

    def extend(self, items: list[Any], verb: str) -> None:
        if type(self.stack[-1]) is not list:
            raise pickle.UnpicklingError(errors.no_list(self.stack[-1], verb))
        self.stack[-1].extend(items)

    def update(self, items: list[Any], name: str) -> None:
        if type(self.stack[-1]) not in (dict, OrderedDict, Counter):
            raise pickle.UnpicklingError(errors.no_mapping(self.stack[-1], name))
        for at in range(0, len(items), 2):
            self.stack[-1][key(items[at])] = items[at + 1]

    def protocol(self, number: int) -> None:
        if number != PROTOCOL:
            errors.warn(errors.other_protocol(number))


class Passed(Exception):
    """Carries an error of the user's own past the machine, which would call it a broken file."""

    def __init__(self, error: Exception):
        super().__init__(error)
        self.error = error


def trusted(function: Callable, *arguments: Any) -> Any:
    """The result of a call whose errors are the user's to see: of what the user gave or allowed."""
    try:
        return function(*arguments)
    except Exception as error:
        raise Passed(error) from error


def set_state(value: Any, state: Any) -> None:
    """What a full unpickler does with a state."""
    if hasattr(value, "__setstate__"):
        value.__setstate__(state)
        return
    slots = None
    if isinstance(state, tuple) and len(state) == 2:
        state, slots = state
    if state:
        value.__dict__.update(state)
    for name, part in (slots or {}).items():
        setattr(value, name, part)


def constant(make: Callable[[], Any]) -> Callable[[Machine, Any], None]:
    return lambda machine, _: machine.push(make())


def remember(machine: Machine, at: int) -> None:
    machine.memo[at] = machine.stack[-1]


ACTIONS: dict[str, Callable[[Machine, Any], None]] = {
    "PROTO": Machine.protocol,
    "NONE": constant(lambda: None),
    "NEWTRUE": constant(lambda: True),
    "NEWFALSE": constant(lambda: False),
    "EMPTY_TUPLE": constant(tuple),
    "EMPTY_LIST": constant(list),
    "EMPTY_DICT": constant(dict),
    "EMPTY_SET": constant(set),
    **dict.fromkeys("BININT BININT1 BININT2 LONG1 BINFLOAT BINUNICODE".split(), Machine.push),
    "SHORT_BINSTRING": lambda machine, text: machine.push(text.encode("latin-1").decode()),
    "MARK": Machine.mark,
    "TUPLE": lambda machine, _: machine.push(tuple(machine.to_mark())),
    "TUPLE1": lambda machine, _: machine.last(1),
    "TUPLE2": lambda machine, _: machine.last(2),
    "TUPLE3": lambda machine, _: machine.last(3),
    "APPEND": lambda machine, _: machine.extend(machine.off(1), "append to"),
    "APPENDS": lambda machine, _: machine.extend(machine.to_mark(), "extend"),
    "SETITEM": lambda machine, _: machine.update(machine.off(2), "SETITEM"),
    "SETITEMS": lambda machine, _: machine.update(machine.to_mark(), "SETITEMS"),
    "BINGET": lambda machine, at: machine.push(machine.memo[at]),
    "LONG_BINGET": lambda machine, at: machine.push(machine.memo[at]),
    "BINPUT": remember,
    "LONG_BINPUT": remember,
    "BINPERSID": Machine.storage,
    "GLOBAL": Machine.find,
    "REDUCE": Machine.call,
    "NEWOBJ": Machine.make,
    "BUILD": Machine.build,
}
OPCODES = {
    opcode.code.encode("latin-1"): opcode
    for opcode in pickletools.opcodes
    if opcode.name in ACTIONS or opcode.name == "STOP"
}
