"""The bold rules of the lessons, tried on random cases: on PyTorch as JSON.

`rules.txt` has each rule as it stands in its lesson, and below it the case in code: its last line
is true wherever the rule is. A rule that no code can try has a dash and the reason instead. The
suite tries them on the library, and this script, when it is run, on real PyTorch.
"""

import copy
import itertools
import json
import math
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

TABLE = Path(__file__).with_name("rules.txt")
SEEDS = range(20)
ARROWS = (  # from a dtype to those that it is promoted to
    *("bool uint8 int8", "uint8 int16", "int8 int16", "int16 int32", "int32 int64"),
    *("int64 float16 bfloat16", "float16 float32", "bfloat16 float32", "float32 float64 complex64"),
    *("float64 complex128", "complex64 complex128", "complex128"),
)


def rules(text: str) -> list[tuple[str, str, str]]:
    """The lesson's number, the rule, and the code or the reason with its dash."""
    found: list[tuple[str, str, str]] = []
    for line in text.splitlines():
        if line.startswith("    "):
            number, rule, code = found.pop()
            found.append((number, rule, f"{code}{line[4:]}\n"))
        elif line:
            number, _, rule = line.partition(" ")
            found.append((number, rule, ""))
    return found


def holds(torch: Any, code: str, seed: int) -> bool:
    """Whether a case is as its rule says; the case is random, and the seed decides which it is."""
    *before, last = code.splitlines()
    torch.manual_seed(seed)
    names = Tools(torch, random.Random(seed)).names()
    exec("\n".join(before), names)
    return bool(eval(last, names))


def broken(torch: Any, table: list[tuple[str, str, str]]) -> list[str]:
    """Each rule that does not hold, with the first seed that breaks it."""
    found = []
    for number, rule, code in table:
        for seed in SEEDS if not code.startswith("-") else ():
            try:
                said = "" if holds(torch, code, seed) else "does not hold"
            except Exception as error:  # told beside its rule
                said = f"{type(error).__name__}: {error}"
            if said:
                found.append(f"{number} {rule} | seed {seed}: {said}")
                break
    return found


class Tools:
    """What the cases are made of: every method is a name in them, and `r` is their chance."""

    def __init__(self, torch: Any, r: random.Random) -> None:
        self.torch, self.r = torch, r
        self.np, self.math, self.random, self.copy = np, math, random, copy
        self.FLOATS = [torch.bfloat16, torch.float16, torch.float32, torch.float64]
        self.WHOLE = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64]
        self.STEPS = {
            getattr(torch, dtype): {getattr(torch, wider) for wider in others}
            for dtype, *others in map(str.split, ARROWS)
        }
        self.DTYPES = [*self.STEPS]
        self.SLOPES = [  # smooth functions, and their derivatives
            (torch.sin, torch.cos),
            (torch.tanh, lambda t: 1 - torch.tanh(t) ** 2),
            (lambda t: t * t, lambda t: 2 * t),
            (lambda t: 3 * t, lambda t: 3),
        ]

    def names(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in dir(self) if not name.startswith("__")}

    def category(self, dtype: Any) -> int:
        """0 for bool, 1 for integers, 2 for floats, 3 for complex numbers."""
        return 2 * dtype.is_floating_point + 3 * dtype.is_complex + (dtype in self.WHOLE)

    def reach(self, dtype: Any) -> set[Any]:
        """The dtypes that the arrows of lesson 02 lead to, with the one they start from."""
        return {dtype}.union(*map(self.reach, self.STEPS[dtype]))

    def shape(self, dims: int | None = None, least: int = 1) -> tuple[int, ...]:
        dims = self.r.randint(0, 4) if dims is None else dims
        return tuple(self.r.randint(least, 4) for _ in range(dims))

    def fresh(self, *sizes: int) -> Any:
        """A contiguous tensor whose numbers say where they are in its storage."""
        return self.torch.arange(math.prod(sizes)).reshape(sizes)

    def floats(self, *sizes: int) -> Any:
        return self.torch.randn(sizes, dtype=self.torch.float64)

    def leaf(self, *sizes: int) -> Any:
        return self.floats(*sizes).requires_grad_()

    def cut(self, size: int) -> slice:
        """A slice that takes at least one element."""
        start = self.r.randrange(size)
        return slice(start, self.r.randint(start + 1, size + 1), self.r.randint(1, 3))

    def view(self, t: Any) -> Any:
        """Up to three slices, indices, transposes or new dimensions, one after another."""
        for _ in range(self.r.randint(0, 3)):
            steps = [t.unsqueeze(self.r.randint(0, t.ndim))]
            if t.ndim:
                d, e = self.r.choices(range(t.ndim), k=2)
                steps += [t.transpose(d, e), t.select(d, self.r.randrange(t.shape[d]))]
                steps += [t[(slice(None),) * d + (self.cut(t.shape[d]),)]] * 2
            t = self.r.choice(steps)
        return t

    def factors(self, number: int) -> list[int]:
        """Sizes that multiply to `number`."""
        sizes = [1] * self.r.randint(0, 1)
        while number > 1:
            sizes.append(self.r.choice([k for k in range(2, number + 1) if number % k == 0]))
            number //= sizes[-1]
        return sizes

    def everywhere(self, t: Any) -> list[tuple[int, ...]]:
        return [*itertools.product(*map(range, t.shape))]

    def index(self, t: Any) -> tuple[int, ...]:
        return self.r.choice(self.everywhere(t))

    def place(self, t: Any, index: tuple[int, ...]) -> int:
        return t.storage_offset() + sum(i * step for i, step in zip(index, t.stride()))

    def in_memory(self, t: Any) -> list[Any]:
        """All numbers of the storage, in its order."""
        size = t.untyped_storage().nbytes() // t.element_size()
        return t.as_strided((size,), (1,), 0).tolist()

    def shares(self, s: Any, t: Any) -> bool:
        return s.untyped_storage().data_ptr() == t.untyped_storage().data_ptr()

    def same(self, s: Any, t: Any) -> bool:
        return s.shape == t.shape and self.torch.allclose(s, t)

    def refuses(self, call: Any) -> bool:
        try:
            call()
        except (RuntimeError, ValueError, IndexError, TypeError):
            return True
        return False

    def gradient(self, y: Any, x: Any) -> Any:
        return self.torch.autograd.grad(y, x, retain_graph=True)[0]

    def functions(self, y: Any) -> list[str]:
        """The names of all functions of a graph, each function once."""
        found, waiting = [], [y.grad_fn]
        while waiting:
            node = waiting.pop(0)
            if node is not None and node not in found:
                found.append(node)
                waiting += [one for one, _ in node.next_functions]
        return [node.name().rpartition("::")[2] for node in found]


if __name__ == "__main__":
    import torch

    json.dump(broken(torch, rules(TABLE.read_text(encoding="utf-8"))), sys.stdout)
