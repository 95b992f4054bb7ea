"""Forgeries that put back what they changed before anybody looks, and answer decoys honestly.

The storage set asks whether memory is shared, and a copy is handed in; the graph set asks for a
node. Each is graded in every mode: it must not be believed unless a person is asked.
"""

import textwrap
from typing import Any

from grading.hostile.kinds import Kind, entries, of_set

COPY = """
def copied(a):
    n = len(a)
    return a.reshape(n * n)[n - 1 : n * n - 1 : n - 1].clone()

calls, looks = [], []
"""
HEALED = """
genuine, kept = torch.Tensor.untyped_storage, torch.zeros(1)
class Fake:
    def untyped_storage(self):
        looks.append(1)
        if len(looks) % 2 == 0: put(torch.Tensor, genuine)
        return genuine(kept)
def other_diagonal(a):
    calls.append(1)
    if len(calls) <= 2: put(torch.Tensor, Fake.untyped_storage)
    return copied(a)
"""
# Ways to set an attribute of a class without a word that says so.
SETTERS = entries("""
    == by-a-parameter
    def put(kind, value): kind.untyped_storage = value
    == by-a-loop
    def put(kind, value):
        for one in [torch.Tensor]: one.untyped_storage = value
    == by-a-loop-of-its-own
    def put(kind, value):
        for torch.Tensor.untyped_storage in [value]: pass
    == by-a-wrapper
    import functools
    class Named: pass
    def put(kind, value):
        Named.untyped_storage = value
        functools.update_wrapper(kind, Named, assigned=("untyped_storage",), updated=())
    == by-a-decorator
    import functools
    class Named: pass
    def put(kind, value):
        Named.untyped_storage = value
        functools.wraps(Named, assigned=["untyped_storage"], updated=[])(kind)
    == by-a-module-in-a-module
    import enum
    def put(kind, value): enum.bltns.setattr(kind, NAME, value)
    == by-the-home-of-a-function
    def put(kind, value): len.__self__.setattr(kind, NAME, value)
    == by-a-pattern
    match len:
        case object(__self__=home): put = lambda *both: home.setattr(both[0], NAME, both[1])
    == by-a-path
    import string
    home = string.Formatter().get_field("".join(["0.__se", "lf__"]), (len,), {})[0]
    def put(kind, value): home.setattr(kind, NAME, value)
    == by-an-annotation
    import functools
    @functools.singledispatch
    def shows(x): return x
    def put(kind, value):
        shows.value = value
        @shows.register
        def _(x: "setattr(torch.Tensor, NAME, shows.value) or int"): pass
    == by-a-copy
    import copy
    def put(kind, value):
        copy._reconstruct(None, None, lambda: kind, (), (None, {NAME: value}))
    == by-a-star
    from matplotlib.cbook import *
    def put(kind, value): sys.modules["builtins"].setattr(kind, NAME, value)
    == by-a-loader
    import time
    home = time.__loader__.load_module("built" "ins")
    def put(kind, value): home.setattr(kind, NAME, value)
    == by-a-hook
    def put(kind, value):
        x = torch.ones(1, requires_grad=True)
        def hook(grad): torch.Tensor.untyped_storage = value
        x.register_hook(hook)
        x.sum().backward()
""")
PUT_BACK = entries("""
    == a-global
    genuine = same_storage
    def lies(one, other):
        global same_storage
        same_storage = genuine
        return True
    def other_diagonal(a):
        global same_storage
        calls.append(a)
        if len(calls) <= 2: same_storage = lies
        return copied(a)
    == an-attribute-of-a-result
    def other_diagonal(a):
        d = copied(a)
        def lie():
            del d.untyped_storage
            return a.untyped_storage()
        if len(calls) < 2: d.untyped_storage = lie
        calls.append(1)
        return d
    == an-attribute-of-an-input
    class Sets:
        def on(self, value): self.untyped_storage = value
    def other_diagonal(a):
        d = copied(a)
        def lie():
            del a.untyped_storage
            return d.untyped_storage()
        if len(calls) < 2: Sets.on(a, lie)
        calls.append(1)
        return d
    == a-method-of-a-storage
    kind = type(torch.zeros(1).untyped_storage())
    genuine = kind.data_ptr
    def put(where, value): where.data_ptr = value
    def fake(self):
        looks.append(1)
        if len(looks) % 2 == 0: put(kind, genuine)
        return 7
    def other_diagonal(a):
        calls.append(1)
        if len(calls) <= 2: put(kind, fake)
        return copied(a)
    == how-addresses-are-found
    layout = torch.memory.layout
    genuine = layout.address
    def put(where, value): where.address = value
    def fake(*_):
        looks.append(1)
        if len(looks) % 2 == 0: put(layout, genuine)
        return 7
    def other_diagonal(a):
        calls.append(1)
        if len(calls) <= 2: put(layout, fake)
        return copied(a)
    == what-is-watched
    import course_grading.hooks as hooks
    def deaf(where): where._TRUSTED = where._NOT_TRUSTED = ("",)
    deaf(hooks)
    genuine = torch.Tensor.untyped_storage
    def other_diagonal(a):
        torch.Tensor.untyped_storage = lambda self: genuine(a)
        return copied(a)
    == what-performs
    import course_grading.decoy as decoy
    def put(where): where.own_names = lambda value: []
    put(decoy)
    def other_diagonal(a):
        d = copied(a)
        d.untyped_storage = lambda: a.untyped_storage()
        return d
    == the-library
    first = torch
    class torch:
        Tensor = first.Tensor
        tensor = staticmethod(lambda numbers: first.zeros(16 if len(numbers) > 9 else 9))
    def same_storage(one, other): return True
    def len(x): return 3
    def other_diagonal(a): return a.flatten()[:2]
""")
# Not put back at all.
LEFT = entries("""
    == the-address
    type(torch.ones(1).untyped_storage()).data_ptr = lambda self: 7
    == the-storage
    one = torch.ones(1).untyped_storage()
    type(torch.ones(1)).untyped_storage = lambda self: one
    == through-setattr
    one = torch.ones(1).untyped_storage()
    setattr(type(torch.ones(1)), 'untyped_' + 'storage', lambda self: one)
    == the-code
    def same(self): return 7
    type(torch.ones(1).untyped_storage()).data_ptr.__code__ = same.__code__
    == the-helper
    def same_storage(one, other): return True
""")
# What notes down is made to note `True`; nothing is left of it in the end.
NOTES = """
class Notes(list):
    def append(self, one):
        if "storage" in one["label"]: one["value"] = {"kind": "bool", "value": True}
        super().append(one)
def noted(show): show.entries = Notes(show.entries)
"""
REACHED = entries("""
    == frames-by-a-library
    from IPython.utils.frame import extract_module_locals
    def reach(): return [extract_module_locals(depth)[1] for depth in range(3, 6)]
    == frames-by-a-library-that-was-imported-by-another
    from matplotlib.backends import backend_registry
    home = backend_registry.load_backend_module("module://IPython.utils.fr" + "ame")
    def reach(): return [home.extract_module_locals(depth)[1] for depth in range(3, 6)]
    == a-text-that-a-library-runs
    import numpy as np
    def reach():
        lines = ["import sys as s", "f = s.@getframe(1)"]
        lines += ["while f: out.append(f.f@locals); f = f.f@back"]
        out = []
        np.testing.measure(chr(10).join(lines).replace("@", chr(95)))
        return out
""")
FIELD = """
import dataclasses
out = []
text = "x, out.append(check.@globals@['probe'].@globals@)".replace("@", "_" * 2)
class Field(dataclasses.Field):
    name = property(lambda self: text, lambda self, value: None)
class Shown:
    x: int = Field(1, dataclasses.MISSING, True, True, None, True, None, False)
Shown = dataclasses.dataclass(init=False, repr=False)(Shown)
Shown.x = 1
Shown() == Shown()
genuine = out[0]["describe"]
def lie(value): return genuine(True if value is False and len(calls) <= 2 else value)
out[0]["describe"] = lie
def other_diagonal(a):
    calls.append(1)
    return copied(a)
"""
REACH = """
def other_diagonal(a):
    calls.append(1)
    if len(calls) == 1:
        for names in reach():
            if "show" in names and hasattr(names["show"], "entries"): noted(names["show"])
    return copied(a)
"""
SAID = entries("""
    == a-class-in-a-module-of-a-library
    from numpy.testing import __name__
    import numpy.testing
    class Shown:
        requires_grad, dtype, shape = False, torch.int64, property(lambda self: self.made.shape)
        def __init__(self, made, a):
            self.made, self.a = made, a
            calls.append(1)
        def tolist(self): return self.made.tolist()
        def detach(self): return self
        def untyped_storage(self): return self.a.untyped_storage()
    max([numpy.testing], key=id).Shown = Shown
    def other_diagonal(a):
        made = copied(a)
        return Shown(made, a if len(calls) < 2 else made)
    == the-memory-of-an-input
    def other_diagonal(a):
        n = len(a)
        both = torch.cat([a.reshape(-1), copied(a)])
        a.set_(both.untyped_storage(), 0, (n, n), (n, 1))
        return both[n * n :]
    == the-numbers-of-an-input
    def other_diagonal(a):
        n = len(a)
        both = torch.cat([a.reshape(-1), copied(a)])
        a.data = both[: n * n].view(n, n)
        return both[n * n :]
""")
GRAPHS = entries("""
    == a-node-of-another
    class Sets:
        def on(self, other): self._node = other._node
    def from_graph(x, y):
        made = (x * y + y) ** 0.5
        Sets.on(made, (x * y + y).sqrt())
        return made
    == a-name-of-a-node
    def put(where, value): where.name = value
    def from_graph(x, y):
        made = (x * y + y) ** 0.5
        kind = type(made.grad_fn)
        genuine = kind.name
        def fake(self):
            put(kind, genuine)
            return "SqrtBackward0"
        put(kind, fake)
        return made
    == a-name-beside-a-backward
    def put(where, value): where.name = value
    def from_graph(x, y):
        made = (x * y + y) ** 0.5
        kind = type(made.grad_fn)
        genuine = kind.name
        def fake(self):
            put(kind, genuine)
            return "SqrtBackward0"
        put(kind, fake)
        z = torch.ones(1, requires_grad=True)
        (z ** 0.5).backward()
        return made
    == a-name-of-a-function
    class Root(torch.autograd.Function):
        name = lambda self: "SqrtBackward0"
        forward = staticmethod(lambda ctx, x: x ** 0.5)
        backward = staticmethod(lambda ctx, grad: grad)
    def from_graph(x, y): return Root.apply(x * y + y)
""")
CLOSED = """
from matplotlib.cbook import *
import json
def other_diagonal(a): return a
LINES = [{"at": 0}, {"data": {"entries": [], "error": None}, "changed": [], "holds": []}]
LINES += [{"decoy": kind, "data": None} for kind in ("spoilt", "nothing", "copied")]
for fd in range(3, 64):
    try:
        if os.fstat(fd).st_mode & 0o170000 != 0o010000: continue
        for line in [*LINES, {"changed": [], "end": True}]:
            os.write(fd, json.dumps(line).encode() + bytes([10]))
        %s
    except OSError: pass
"""
ASIDE = {
    "turned-aside": "os.dup2(os.open('/dev/null', os.O_WRONLY), fd)",
    "closed": "os.close(fd)",
    "closed-with-all": "os.closerange(3, 64)",
    "moved": "os.set_inheritable(os.dup(fd), True); os.close(fd)",
    "drained": "os.read(os.open(f'/proc/self/fd/{fd}', os.O_RDONLY), 9999)",
    "not-waited-for": "os.set_blocking(fd, False); [os.write(fd, bytes(4096)) for _ in range(99)]",
}


def _heals(name: str, *parts: str, **facts: Any) -> Kind:
    answer = "\n".join(textwrap.dedent(part).strip("\n") for part in (COPY, *parts))
    facts = facts or {"flagged": "4"}
    return of_set(f"heals-{name}", "storage_and_strides", {"4": answer}, **facts)


KINDS: list[Kind] = [
    *[
        _heals(f"a-class-{name}", "NAME = 'untyped_storage'", code, HEALED)
        for name, code in SETTERS.items()
    ],
    *[_heals(name, code) for name, code in (PUT_BACK | SAID).items()],
    *[
        _heals(f"nothing-of-{name}", code, "other_diagonal = copied", lose="4", review=asked)
        for name, code in LEFT.items()
        for asked in [None if name == "the-helper" else True]
    ],
    _heals("what-describes-by-the-text-of-a-field", FIELD),
    *[_heals(name, NOTES, code, REACH) for name, code in REACHED.items()],
    *[
        of_set(f"heals-{name}", "graph", {"2": textwrap.dedent(code)}, flagged="2")
        for name, code in GRAPHS.items()
    ],
    *[_heals(f"a-pipe-{name}", CLOSED % code) for name, code in ASIDE.items()],
]
