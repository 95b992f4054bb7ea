"""Writes random programs: leaves, arithmetic, views, writes in place, backward, hooks.

Later additions: writes through indices and into `out=`, inference tensors, hooks in odd places.

The writer only knows names and shapes, and not even those for certain: a program may contain
statements that fail.  That is wanted, since what fails, and in which words, is compared too.
"""

import math
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Shape = tuple[int, ...]
SHAPES: list[Shape] = [(), (2,), (3,), (2, 2), (2, 3), (1, 3), (3, 1), (2, 1, 2)]
PARTS = Path(__file__).with_name("statements.txt").read_text(encoding="utf-8")[3:].split("\n== ")
# Statements and parts of them, by what they do; what stands twice comes more often. PyTorch crashes
# if a hook is put on a stale view before anybody asked for its history.
TEXTS = {name: rows for name, *rows in map(str.splitlines, PARTS)}

# The statements, and how often each is in the pack that they are drawn from.
TIMES = "leaf 8 arithmetic 26 reduction 6 joined 2 view 18 detached 4 write 18 write_through_view 8"
TIMES += " unrecorded 6 memory 3 flags 4 reshaped 2 backward 12 grads 3 hooks 4 higher 4 forget 1"
TIMES += " indexed 4 into 2 inferred 2 odd_hook 2"
DECK = [name for name, times in re.findall(r"(\w+) (\d+)", TIMES) for _ in range(int(times))]


class Writer:
    """Writes one program; the same seed gives the same program on every machine and Python."""

    def __init__(self, seed: int):
        self.chance = random.Random(seed).random  # the one method whose sequence is promised
        self.shapes: dict[str, Shape] = {}
        self.memory: dict[str, str] = {}  # by variable, the one whose memory it may share
        self.inference: set[str] = set()  # PyTorch counts writes that it makes inside on these
        self.lines: list[str] = []

    def pick(self, choices: Sequence[Any]) -> Any:
        """One of `choices`."""
        return choices[int(self.chance() * len(choices))]

    def name(self) -> str:
        """A variable; the younger ones more often."""
        names = list(self.shapes)
        return names[-1 - int(self.chance() ** 1.6 * len(names))]

    def partner(self, x: str) -> str:
        """A variable that probably broadcasts with `x`."""
        for _ in range(6):
            y = self.name()
            if broadcast(self.shapes[x], self.shapes[y]) is not None:
                return y
        return x

    def put(self, text: str, shape: Shape) -> None:
        """Add an assignment to a new variable (now and then to an old one)."""
        names = list(self.shapes)
        if len(names) > 3 and self.chance() < 0.06:
            target = self.pick(names)
        else:
            target = "abcdefghijklmnopqrsuvwxyz"[len(names) % 25]
        source = text.split(".")[0].split("[")[0]
        self.memory[target] = self.memory.get(source, source) if source in names else target
        self.shapes[target] = shape
        self.inference.discard(target)
        if self.memory[target] in self.inference:
            self.inference.add(target)
        self.lines.append(f"{target} = {text}")

    def number(self) -> float:
        return int(self.chance() * 14 - 5) / 4 or 0.75

    # ---- statements --------------------------------------------------------------------------

    def leaf(self) -> None:
        shape = self.pick(SHAPES)
        tracked = ", requires_grad=True" if self.chance() < 0.7 else ""
        self.put(f"torch.tensor({self.nested(shape)}, dtype=torch.float64{tracked})", shape)

    def nested(self, shape: Shape) -> Any:
        return [self.nested(shape[1:]) for _ in range(shape[0])] if shape else self.number()

    def arithmetic(self) -> None:
        x = self.name()
        if x in self.inference:
            return self.put(self.pick(TEXTS["number"][:-1]).format(x=x), self.shapes[x])
        if self.chance() < 0.35:
            return self.put(self.pick(TEXTS["unary"]).format(x=x), self.shapes[x])
        if self.chance() < 0.35:
            return self.put(self.pick(TEXTS["number"]).format(x=x), self.shapes[x])
        y = self.partner(x)
        shape = broadcast(self.shapes[x], self.shapes[y]) or ()
        self.put(self.pick(TEXTS["binary"]).format(x=x, y=y), shape)

    def reduction(self) -> None:
        x = self.name()
        if x in self.inference:
            return None
        shape = self.shapes[x]
        if not shape or self.chance() < 0.5:
            return self.put(f"{x}.{self.pick(['sum()', 'mean()', 'sum()'])}", ())
        dim = int(self.chance() * len(shape))
        before, after = shape[:dim], shape[dim + 1 :]
        text, kept = self.pick([("sum({})", ()), ("mean({})", ()), ("sum({}, keepdim=True)", (1,))])
        self.put(f"{x}.{text.format(dim)}", before + kept + after)

    def joined(self) -> None:
        x = self.name()
        shape = self.shapes[x]
        if shape and self.chance() < 0.5:
            return self.put(f"torch.cat([{x}, {x}])", (2 * shape[0], *shape[1:]))
        others = [y for y in self.shapes if self.shapes[y] == shape]
        self.put(f"torch.stack([{x}, {self.pick(others)}])", (2, *shape))

    def view(self) -> None:
        self.put(*self.window(self.name()))

    def window(self, x: str) -> tuple[str, Shape]:
        """A view of `x`, and its shape."""
        shape = self.shapes[x]
        size = math.prod(shape)
        choices = [
            (f"{x}.unsqueeze(0)", (1, *shape)),
            (f"{x}.view(-1)", (size,)),
            (f"{x}.reshape(-1)", (size,)),
            (f"{x}.view_as({x})", shape),
            (f"{x}.expand(2, {', '.join('-1' for _ in shape)})", (2, *shape)),
            (f"{x}.squeeze()", tuple(n for n in shape if n != 1)),
            (f"{x}[...]", shape),
            (f"{x}[None]", (1, *shape)),
        ]
        if shape:
            dim = int(self.chance() * len(shape))
            rest = shape[:dim] + shape[dim + 1 :]
            part, turned = shape[:dim] + (1,) + shape[dim + 1 :], [*shape]
            turned[dim], turned[-1] = turned[-1], turned[dim]
            choices += [
                (f"{x}[0]", shape[1:]),
                (f"{x}[-1]", shape[1:]),
                (f"{x}[..., 0]", shape[:-1]),
                (f"{x}[:1]", (1, *shape[1:])),
                (f"{x}[:]", shape),
                (f"{x}.select({dim}, 0)", rest),
                (f"{x}.narrow({dim}, 0, 1)", part),
                (f"{x}.unbind()[0]", shape[1:]),
                (f"{x}.split(1)[0]", (1, *shape[1:])),
                (f"{x}.chunk(2)[0]", ((shape[0] + 1) // 2, *shape[1:])),
                (f"{x}.transpose({dim}, -1)", tuple(turned)),
                (f"{x}.flatten()", (size,)),
            ]
        if len(shape) == 2:
            choices += [
                (f"{x}.t()", shape[::-1]),
                (f"{x}.T", shape[::-1]),
                (f"{x}.permute(1, 0)", shape[::-1]),
                (f"{x}.diagonal()", (min(shape),)),
                (f"{x}[:, 0]", shape[:1]),
                (f"{x}[:, 1:]", (shape[0], shape[1] - 1)),
            ]
        if len(shape) == 1:
            choices.append((f"{x}.expand(2, {shape[0]})", (2, *shape)))
        return self.pick(choices)

    def detached(self) -> None:
        x = self.name()
        self.put(f"{x}.{self.pick(['detach()', 'detach()', 'data'])}", self.shapes[x])

    def write(self) -> None:
        self.lines.append(self.writing(self.name()))

    def writing(self, x: str) -> str:
        """A write into `x`."""
        shape, roll = self.shapes[x], self.chance()
        if roll < 0.4:
            return self.pick(TEXTS["changes"]).format(x=x)
        if roll < 0.75 or not shape:
            return self.pick(TEXTS["writes"]).format(x=x, y=self.apart(x, self.partner(x)))
        key = self.pick(["0", "...", ":1", "-1", ":", "..., 0"])
        y = self.pick([self.apart(x, self.name()), repr(self.number())])
        return f"{x}[{key}] {self.pick(['=', '=', '+=', '*='])} {y}"

    def write_through_view(self) -> None:
        self.view()
        self.lines.append(self.writing(list(self.shapes)[-1]))

    def unrecorded(self) -> None:
        x = self.name()
        if self.chance() < 0.5:
            return self.lines.append(f"with torch.no_grad(): {self.writing(x)}")
        self.put(*(self.window(x) if self.chance() < 0.7 else (f"{x} * 2", self.shapes[x])))
        self.lines[-1] = f"with torch.no_grad(): {self.lines[-1]}"

    def indexed(self) -> None:
        x = self.name()
        text = self.pick(TEXTS["indexed"])
        y = self.name()
        given = {"y": self.apart(x, y), "c": self.copied(x, y), "n": self.number()}
        self.lines.append(text.format(x=x, **given))

    def into(self) -> None:
        """A result written into another tensor of its shape."""
        x = self.name()
        z = self.pick([name for name in self.shapes if self.shapes[name] == self.shapes[x]])
        if z in self.inference:
            return None
        text = self.pick(TEXTS["out"]).format(x=x, y=self.apart(z, x), z=z)
        self.lines.append(f"with torch.no_grad(): {text}" if self.chance() < 0.6 else text)

    def inferred(self) -> None:
        """A tensor made in inference mode, or a statement that runs in it."""
        x = self.name()
        if self.chance() < 0.6:
            self.put(*(self.window(x) if self.chance() < 0.3 else (f"{x} * 2", self.shapes[x])))
            self.inference.add(list(self.shapes)[-1])
        else:
            self.lines.append(self.writing(x))
        self.lines[-1] = f"with torch.inference_mode(): {self.lines[-1]}"

    def apart(self, x: str, y: str) -> str:
        """`y`, or a copy if a write into `x` might change it halfway: PyTorch defines no order."""
        return f"{y}.clone()" if y != x and self.memory[x] == self.memory[y] else y

    def copied(self, x: str, y: str) -> str:
        """`y`, or a copy if it may have memory of `x`."""
        return f"{y}.clone()" if self.memory[x] == self.memory[y] else y

    def named(self, name: str) -> Callable[[], None]:
        """What writes a statement of that kind: its method, or one of its texts."""
        return getattr(self, name) if hasattr(Writer, name) else lambda: self.simple(name)

    def simple(self, name: str) -> None:
        x = self.name()
        if name != "memory" or x not in self.inference:
            self.lines.append(self.pick(TEXTS[name]).format(x=x, y=self.apart(x, self.partner(x))))

    def odd_hook(self) -> None:
        self.lines.append(self.pick(TEXTS["odd_hooks"]).format(x=self.name()))

    def higher(self) -> None:
        y, x = self.name(), self.name()
        flags = self.pick(["", ", create_graph=True", ", create_graph=True", ", retain_graph=True"])
        self.put(
            f"torch.autograd.grad({y}.sum(), {x}, allow_unused=True{flags})[0].clone()",
            self.shapes[x],
        )

    def forget(self) -> None:
        self.lines.append(f"del {self.pick(list(self.shapes))}")

    def write_program(self) -> list[str]:
        """The statements of one program."""
        self.leaf()
        if self.chance() < 0.6:
            self.leaf()
        for _ in range(4 + int(self.chance() * 12)):
            self.named(self.pick(DECK))()
        self.lines.append(self.pick(["{}.sum().backward()"]).format(self.name()))
        return self.lines


def broadcast(a: Shape, b: Shape) -> Shape | None:
    """The shape of `a` and `b` together; None if they do not go together."""
    wide, short = (a, b) if len(a) >= len(b) else (b, a)
    short = (1,) * (len(wide) - len(short)) + short
    if any(m != n and 1 not in (m, n) for m, n in zip(wide, short, strict=True)):
        return None
    return tuple(max(m, n) for m, n in zip(wide, short, strict=True))


def program(seed: int) -> list[str]:
    """The program of a seed, one statement a line."""
    return Writer(seed).write_program()
