"""Values that lie: they are not what the question asks for, and look as if they were.

The right number is worked out without the library, and handed in as something that shows it where
a tensor was wanted. `flagged`: either it is not correct, or a person is asked.
"""

import textwrap

from grading.hostile.kinds import QUIET, Kind, entries, of_answers, of_set

NUMBER = """
import numpy

def number_of(x):
    numbers = numpy.asarray(x).tolist()
    return sum(n * n for n in numbers) / len(numbers)
"""

OBJECTS = entries("""
    == an-object-called-tensor
    class Like:
        shape, dtype, requires_grad, device = (), 'torch.float32', False, 'cpu'
        def __init__(self, number): self.number = number
        def detach(self): return self
        def tolist(self): return self.number
        def __mul__(self, other): return Tensor(self.number * other)
        def __add__(self, other): return Tensor(self.number + other)
    class Tensor(Like): __module__ = 'course_lib'
    Tensor.__qualname__ = 'Tensor'
    def mean_square(x): return Tensor(number_of(x))
    == a-kind-of-tensor-by-its-parts
    Base = torch.Tensor
    class Lying(Base):
        _array = property(lambda self: numpy.float32(self.number), lambda self, value: None)
    def mean_square(x):
        made = torch.tensor(0.0)
        object.__setattr__(made, '__cl' + 'ass__', Lying)
        made.number = number_of(x)
        return made
    == a-kind-of-array
    Base = numpy.ndarray
    class Lying(Base):
        requires_grad, device, dtype = False, 'cpu', 'torch.float32'
        def detach(self): return self
        def tolist(self): return self.number
    def mean_square(x):
        made = numpy.zeros(()).view(Lying)
        made.number = number_of(x)
        return made
""")

# It is exactly a tensor, and something that belongs to it alone is another.
PARTS = entries("""
    == a-method-of-its-own
    def mean_square(x):
        made, number = torch.tensor(0.0), number_of(x)
        made.tolist, made.detach = lambda: number, lambda: made
        return made
    == memory-that-lies
    Base = numpy.ndarray
    class Lying(Base):
        def tolist(self): return self.number
        def __array_finalize__(self, other): self.number = getattr(other, 'number', 0.0)
    def mean_square(x):
        made = torch.tensor(0.0)
        object.__setattr__(made, '_array', numpy.zeros(()).view(Lying))
        made._array.number = number_of(x)
        return made
    == a-dtype-that-is-said
    def mean_square(x):
        made = torch.tensor(number_of(x), dtype=torch.float64)
        object.__setattr__(made, '_dtype', torch.float32)
        return made
""")

# What all tensors share, changed by way of one of them, for those that carry a number.
KINDS_OF = entries("""
    == how-tensors-are-listed
    def mean_square(x):
        kind, first = type(x), type(x).tolist
        kind.tolist = lambda self: getattr(self, 'number', 0) or first(self)
        kind.detach = lambda self: self
        made = torch.tensor(0.0)
        made.number = number_of(x)
        return made
    == how-tensors-are-looked-at
    def mean_square(x):
        first = of('__getattribute__')(object)
        def mine(self, name):
            own = first(self, '__dict__')
            if name == 'tolist' and 'number' in own: return lambda: own['number']
            if name == 'detach' and 'number' in own: return lambda: self
            return first(self, name)
        put(type(x), '__getattri' + 'bute__', mine)
        made = torch.tensor(0.0)
        made.number = number_of(x)
        return made
    == the-code-of-a-method
    def mean_square(x):
        def detach(self): return getattr(self, 'right', self)
        object.__setattr__(type(x).detach, '__co' + 'de__', of('__code__')(detach))
        made = torch.tensor(0.0)
        made.right = torch.tensor(number_of(x))
        return made
    == the-names-of-a-method
    def mean_square(x):
        made, right, kind = torch.tensor(0.0), torch.tensor(number_of(x)), type(x)
        def make(array, *rest):
            return right if array is made._array else kind._make(array, *rest)
        class Mine(kind): _make = staticmethod(make)
        of('__globals__')(kind.detach)['Tensor'] = Mine
        return made
""")

# Right in what is shown, but the grader's own answers in its place are not shown as they are.
UNTESTED = entries("""
    == takes-its-name-away
    calls = []
    def mean_square(x):
        calls.append(x)
        if len(calls) == 2: del known['__main__'].mean_square
        return (x ** 2).mean()
    == leaves-when-asked-again
    calls = []
    def mean_square(x):
        calls.append(x)
        if len(calls) > 2: leave(0)
        return (x ** 2).mean()
    == hangs-when-asked-again
    import time
    calls = []
    def mean_square(x):
        calls.append(x)
        if len(calls) > 2: time.sleep(60)
        return (x ** 2).mean()
""")

DIAGONAL = """
def other_diagonal(a):
    n = len(a)
    d = a.reshape(n * n)[n - 1 : n * n - 1 : n - 1].clone()
"""
STORAGES = {
    "a-storage-of-its-own": "class Like:\n    def __init__(self, t): self.t = t\n"
    "    def data_ptr(self): return self.t.data_ptr()\n"
    + DIAGONAL
    + "    d.untyped_storage = lambda: Like(a)\n    return d",
    "an-address-of-its-own": "class Same(int): pass\n"
    "type.__setattr__(Same, '__e' + 'q__', lambda *_: True)\n"
    "class Like:\n    def data_ptr(self): return Same(1)\n"
    + DIAGONAL
    + "    d.untyped_storage = Like\n    return d",
    "a-storage-of-a-kind": "Base = torch.Tensor\nclass Lying(Base):\n"
    "    def untyped_storage(self): return self.other.untyped_storage()\n"
    + DIAGONAL
    + "    object.__setattr__(d, '__cl' + 'ass__', Lying)\n    d.other = a\n    return d",
}
GRAPH = """
class Node:
    def __init__(self, name, *nodes): self.said, self.nodes = name, nodes
    def name(self): return self.said
    next_functions = property(lambda self: [(node, 0) for node in self.nodes])
def from_graph(x, y):
    two, three = Node('AccumulateGrad'), Node('AccumulateGrad')
    product = Node('MulBackward0', two, three)
    graph = Node('SqrtBackward0', Node('AddBackward0', product, three))
    put(type(x), 'grad_fn', property(lambda self: graph))
    return (x * y + y) ** 0.5
"""


def _lies(name: str, code: str) -> Kind:
    tools = QUIET if any(word in code for word in ("of(", "put(", "known", "leave(")) else ""
    answer = f"{tools}{NUMBER}\n{textwrap.dedent(code).strip(chr(10))}"
    return of_answers(f"lies-by-{name}", {"3": answer}, "t1245", flagged="3", long="hangs" in name)


KINDS: list[Kind] = [
    *[_lies(name, code) for name, code in (OBJECTS | PARTS | KINDS_OF | UNTESTED).items()],
    *[
        of_set(f"lies-by-{name}", "storage_and_strides", {"4": code}, flagged="4")
        for name, code in STORAGES.items()
    ],
    of_set("lies-by-a-graph-of-its-own", "graph", {"2": QUIET + GRAPH}, flagged="2"),
]
