"""Values that lie: they are not what the question asks for, and look as if they were.

The right number is worked out without the library, and handed in as something that shows it where
a tensor was wanted. `flagged`: either it is not correct, or a person is asked.
"""

import textwrap

from classroom.grading.hostile.kinds import Kind, of_answers, of_set

NUMBER = """
import numpy, sys

def number_of(x):
    numbers = numpy.asarray(x).tolist()
    return sum(n * n for n in numbers) / len(numbers)
"""

OBJECTS = {
    "an-object-like-a-tensor": """
        class Like:
            shape, dtype, requires_grad, device = (), torch.float32, False, 'cpu'
            def detach(self): return self
            def tolist(self): return self.number
        def mean_square(x):
            made = Like()
            made.number = number_of(x)
            return made
    """,
    "an-object-called-tensor": """
        class Like:
            shape, dtype, requires_grad, device = (), 'torch.float32', False, 'cpu'
            def __init__(self, number): self.number = number
            def detach(self): return self
            def tolist(self): return self.number
            def __mul__(self, other): return Tensor(self.number * other)
            def __add__(self, other): return Tensor(self.number + other)
        own = {'__cl' + 'ass__': torch.Tensor, '__module__': 'course_lib'}
        Tensor = type('Tensor', (Like,), own)
        def mean_square(x): return Tensor(number_of(x))
    """,
    "a-kind-of-tensor": """
        class Lying(torch.Tensor):
            shape = ()
            def detach(self): return self
            def tolist(self): return self.number
        def mean_square(x):
            made = Lying([1.0, 2.0, 3.0])
            made.number = number_of(x)
            return made
    """,
    "a-kind-of-tensor-by-its-parts": """
        class Lying(torch.Tensor):
            _array = property(lambda self: numpy.float32(self.number), lambda self, value: None)
        def mean_square(x):
            made = torch.tensor(0.0)
            setattr(made, '__cl' + 'ass__', Lying)
            made.number = number_of(x)
            return made
    """,
    "a-kind-of-array": """
        class Lying(numpy.ndarray):
            requires_grad, device, dtype = False, 'cpu', 'torch.float32'
            def detach(self): return self
            def tolist(self): return self.number
        def mean_square(x):
            made = numpy.zeros(()).view(Lying)
            made.number = number_of(x)
            return made
    """,
    "a-scalar-of-numpys": """
        class Lying(numpy.float32):
            requires_grad, device, dtype = False, 'cpu', 'torch.float32'
            def detach(self): return self
        def mean_square(x): return Lying(number_of(x))
    """,
}

# It is exactly a tensor, and something that belongs to it alone is another.
PARTS = {
    "a-method-of-its-own": """
        def mean_square(x):
            made, number = torch.tensor(0.0), number_of(x)
            made.tolist, made.detach = lambda: number, lambda: made
            return made
    """,
    "an-item-of-its-own": """
        def mean_square(x):
            made, right = torch.tensor(0.0), torch.tensor(number_of(x))
            made.detach = lambda: right
            return made
    """,
    "memory-that-lies": """
        class Lying(numpy.ndarray):
            def tolist(self): return self.number
            def __array_finalize__(self, other): self.number = getattr(other, 'number', 0.0)
        def mean_square(x):
            made = torch.tensor(0.0)
            made._array = numpy.zeros(()).view(Lying)
            made._array.number = number_of(x)
            return made
    """,
    "memory-that-is-none": """
        class Memory:
            shape, ndim, size, dtype, base = (), 0, 1, numpy.dtype('float32'), None
            strides, itemsize, nbytes = (), 4, 4
            def tolist(self): return self.number
        def mean_square(x):
            made = torch.tensor(0.0)
            made._array = Memory()
            made._array.number = number_of(x)
            return made
    """,
    "a-dtype-that-is-said": """
        def mean_square(x):
            made = torch.tensor(number_of(x), dtype=torch.float64)
            made._dtype = torch.float32
            return made
    """,
    "a-dtype-of-its-own": """
        class Said:
            def __str__(self): return 'torch.float32'
        def mean_square(x):
            made = torch.tensor(number_of(x), dtype=torch.float64)
            made._dtype = Said()
            return made
    """,
}

# What all tensors share, changed by way of one of them, for those that carry a number.
KINDS_OF = {
    "how-tensors-are-listed": """
        def mean_square(x):
            kind, first = type(x), type(x).tolist
            kind.tolist = lambda self: vars(self).get('number') or first(self)
            kind.detach = lambda self: self
            made = torch.tensor(0.0)
            made.number = number_of(x)
            return made
    """,
    "how-shapes-are-told": """
        def mean_square(x):
            kind, first, listed = type(x), type(x).shape, type(x).tolist
            kind.shape = property(lambda self: () if 'lies' in vars(self) else first.fget(self))
            kind.tolist = lambda self: listed(self)[0] if 'lies' in vars(self) else listed(self)
            kind.detach = lambda self: self
            made = torch.tensor([number_of(x)])
            made.lies = True
            return made
    """,
    "how-dtypes-are-told": """
        def mean_square(x):
            kind, first = type(x), type(x).dtype
            kind.dtype = property(lambda self: torch.float32)
            return torch.tensor(number_of(x), dtype=torch.float64)
    """,
    "how-dtypes-are-written": """
        def mean_square(x):
            type(x.dtype).__str__ = lambda self: 'torch.float32'
            type(x.dtype).__repr__ = type(x.dtype).__str__
            return torch.tensor(number_of(x), dtype=torch.float64)
    """,
    "how-tensors-are-looked-at": """
        def mean_square(x):
            def mine(self, name):
                first = getattr(object, '__getattri' + 'bute__')
                own = first(self, '__dict__')
                if name == 'tolist' and 'number' in own: return lambda: own['number']
                if name == 'detach' and 'number' in own: return lambda: self
                return first(self, name)
            setattr(type(x), '__getattri' + 'bute__', mine)
            made = torch.tensor(0.0)
            made.number = number_of(x)
            return made
    """,
    "how-tensors-are-detached": """
        def mean_square(x):
            kind, first = type(x), type(x).detach
            kind.detach = lambda self: vars(self).get('right', self)
            made = torch.tensor(0.0)
            made.right = torch.tensor(number_of(x))
            return made
    """,
    "how-tensors-are-made": """
        def mean_square(x):
            kind, first, right = type(x), type(x)._make, torch.tensor(number_of(x))
            made = torch.tensor(0.0)
            kind._make = staticmethod(
                lambda array, *rest: right if array is made._array else first(array, *rest))
            return made
    """,
    "the-code-of-a-method": """
        def mean_square(x):
            def detach(self): return vars(self).get('right', self)
            setattr(type(x).detach, '__co' + 'de__', detach.__code__)
            made = torch.tensor(0.0)
            made.right = torch.tensor(number_of(x))
            return made
    """,
    "the-names-of-a-method": """
        def mean_square(x):
            made, right, kind = torch.tensor(0.0), torch.tensor(number_of(x)), type(x)
            def make(array, *rest):
                return right if array is made._array else kind._make(array, *rest)
            class Mine(kind): _make = staticmethod(make)
            getattr(kind.detach, '__glo' + 'bals__')['Tensor'] = Mine
            return made
    """,
    "the-memory-of-all": """
        def mean_square(x):
            kind, first = type(x), vars(type(x))['_array']
            kind._array = property(
                lambda self: numpy.float32(vars(self)['number']) if 'number' in vars(self)
                else first.__get__(self), lambda self, value: first.__set__(self, value))
            made = torch.tensor(0.0)
            made.number = number_of(x)
            return made
    """,
}

# Right in what is shown, but no decoy can be made of it.
UNTESTED = {
    "takes-its-name-away": """
        calls = []
        def mean_square(x):
            calls.append(x)
            if len(calls) == 2: vars(sys.modules['__main__']).pop('mean_square', None)
            return (x ** 2).mean()
    """,
    "gives-something-else-later": """
        calls = []
        def mean_square(x):
            calls.append(x)
            return (x ** 2).mean() if len(calls) <= 2 else object()
    """,
    "is-a-class": """
        class mean_square:
            def __new__(cls, x): return (x ** 2).mean()
    """,
    "leaves-when-asked-again": """
        import os
        calls = []
        def mean_square(x):
            calls.append(x)
            if len(calls) > 2: getattr(os, '_ex' + 'it')(0)
            return (x ** 2).mean()
    """,
    "is-killed-when-asked-again": """
        calls = []
        def mean_square(x):
            calls.append(x)
            if len(calls) > 2: sys.modules['signal'].raise_signal(9)
            return (x ** 2).mean()
    """,
    "hangs-when-asked-again": """
        import time
        calls = []
        def mean_square(x):
            calls.append(x)
            if len(calls) > 2: time.sleep(60)
            return (x ** 2).mean()
    """,
}

DIAGONAL = """
def other_diagonal(a):
    n = len(a)
    d = a.reshape(n * n)[n - 1 : n * n - 1 : n - 1].clone()
"""
STORAGES = {
    "a-storage-of-another": DIAGONAL + "    d.untyped_storage = a.untyped_storage\n    return d",
    "a-storage-of-its-own": "class Like:\n    def __init__(self, t): self.t = t\n"
    "    def data_ptr(self): return self.t.data_ptr()\n"
    + DIAGONAL
    + "    d.untyped_storage = lambda: Like(a)\n    return d",
    "an-address-of-its-own": "Same = type('Same', (int,), {\n"
    "    '__e' + 'q__': lambda *_: True, '__hash__': int.__hash__})\n"
    "class Like:\n    def data_ptr(self): return Same(1)\n"
    + DIAGONAL
    + "    d.untyped_storage = Like\n    return d",
    "a-storage-of-a-kind": "class Lying(torch.Tensor):\n"
    "    def untyped_storage(self): return self.other.untyped_storage()\n"
    + DIAGONAL
    + "    setattr(d, '__cl' + 'ass__', Lying)\n    d.other = a\n    return d",
}
GRAPHS = {
    "a-name-of-a-node": """
        def from_graph(x, y):
            made = (x * y + y) ** 0.5
            kind = type(made.grad_fn)
            kind.name = lambda self: 'SqrtBackward0'
            return made
    """,
    "a-graph-of-its-own": """
        class Node:
            def __init__(self, name, *nodes): self.said, self.nodes = name, nodes
            def name(self): return self.said
            next_functions = property(lambda self: [(node, 0) for node in self.nodes])
        def from_graph(x, y):
            two, three = Node('AccumulateGrad'), Node('AccumulateGrad')
            product = Node('MulBackward0', two, three)
            type(x).grad_fn = property(
                lambda self: Node('SqrtBackward0', Node('AddBackward0', product, three)))
            return (x * y + y) ** 0.5
    """,
}


def _lies(name: str, code: str) -> Kind:
    answer = f"{NUMBER}\n{textwrap.dedent(code).strip(chr(10))}"
    return of_answers(f"lies-by-{name}", {"3": answer}, "t1245", flagged="3", long="hangs" in name)


KINDS: list[Kind] = [
    *[_lies(name, code) for name, code in (OBJECTS | PARTS | KINDS_OF).items()],
    *[_lies(name, code) for name, code in UNTESTED.items()],
    *[
        of_set(f"lies-by-{name}", "storage_and_strides", {"4": code}, flagged="4")
        for name, code in STORAGES.items()
    ],
    *[
        of_set(f"lies-by-{name}", "graph", {"2": textwrap.dedent(code)}, flagged="2")
        for name, code in GRAPHS.items()
    ],
    of_answers(
        "lies-by-the-dtype-of-a-table",
        {
            "2": "def table(first, second):\n    made = torch.tensor([first, second])\n"
            "    made._dtype = torch.float32\n    return made"
        },
        "t1345",
        flagged="2",
    ),
]
