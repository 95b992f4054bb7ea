"""Writes random programs: leaves, arithmetic, views, writes in place, backward, hooks.

Later additions: writes through indices and into `out=`, inference tensors, hooks in odd places.

The writer only knows names and shapes, and not even those for certain: a program may contain
statements that fail.  That is wanted, since what fails, and in which words, is compared too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

Shape = tuple[int, ...]
SHAPES: list[Shape] = [(), (2,), (3,), (2, 2), (2, 3), (1, 3), (3, 1), (2, 1, 2)]
UNARY = "-{x}|{x}.tanh()|{x}.sigmoid()|{x}.sin()|{x}.cos()|{x}.abs()|{x}.relu()|{x}.clone()"
UNARY += "|{x}.square()|{x}.exp()|{x} ** 2|{x} ** 3.0|{x}.clamp(min=0.5)|2 ** {x}|{x}.sqrt()"
NUMBER = "{x} + 1.5|{x} * 0.5|3.0 - {x}|{x} / 2|2 / {x}|{x} - 1|{x} * 2|1 + {x}"
BINARY = (
    "{x} + {y}|{x} - {y}|{x} * {y}|{x} / {y}|torch.maximum({x}, {y})|torch.add({x}, {y}, alpha=2)"
)
WRITES = (
    "{x}.add_({y})|{x}.mul_({y})|{x}.sub_({y})|{x}.div_({y})|{x} += {y}|{x} *= {y}|{x}.copy_({y})"
)
WRITES += "|{x}.add_({y}, alpha=2)|{x} -= {y}"
CHANGES = "{x}.mul_(2)|{x}.add_(1.0)|{x}.neg_()|{x}.tanh_()|{x}.sigmoid_()|{x}.sin_()|{x}.relu_()"
CHANGES += "|{x}.zero_()|{x}.fill_(2.0)|{x} *= 0.5|{x} += 1|{x}.square_()|{x}.pow_(2)|{x}.abs_()"
CHANGES += "|{x}.exp_()|{x}.clamp_(max=1.0)|{x}.div_(2)"
MEMORY = "{x}.data.mul_(2)|{x}.data.add_({y})|{x}.data = {x} * 2|{x}.data.zero_()"
FLAGS = "{x}.requires_grad_()|{x}.requires_grad_(False)|{x}.requires_grad = True|{x}.detach_()"
FLAGS += "|{x}.requires_grad = False|{x}.retain_grad()|{x}.retain_grad()"
RESHAPED = "{x}.t_()|{x}.unsqueeze_(0)|{x}.squeeze_()|{x}.transpose_(0, -1)"
BACKWARD = "{x}.sum().backward()|{x}.sum().backward()|{x}.sum().backward(retain_graph=True)"
BACKWARD += (
    "|{x}.backward(torch.ones_like({x}))|{x}.backward()|{x}.sum().backward(create_graph=True)"
)
BACKWARD += "|({x} * {y}).sum().backward()|{x}.sum().backward(inputs=[{y}])"
GRADS = "{x}.grad = None|{x}.grad.zero_()|{x}.grad.add_(1)|{x}.grad = torch.ones_like({x})"
# PyTorch crashes if a hook is put on a stale view before anybody asked for its history.
HOOKS = "{x}.grad_fn; {x}.register_hook(lambda g: seen('{x}', g))"
HOOKS += "|{x}.grad_fn; {x}.register_hook(lambda g: g * 2)"
HOOKS += "|{x}.register_post_accumulate_grad_hook(lambda t: seen('after {x}', t.grad))"
HOOKS += "|{x}.grad_fn.register_hook(lambda i, o: seen('node {x}', *i, *o))"
HOOKS += "|{x}.grad_fn.register_prehook(lambda o: seen('pre {x}', *o))"

ODD_HOOKS = (
    "{x}.grad_fn; {x}.retain_grad(); {x}.register_hook(lambda g: seen('late {x}', g))",
    "{x}.grad_fn; {x}.register_hook(lambda g: seen('first {x}', g)).remove()",
    "{x}.grad_fn; {x}.register_hook(lambda g: None)",
    "{x}.grad_fn; {x}.register_hook(lambda g: g.sum())",
    "{x}.grad_fn; {x}.register_hook(lambda g: g.detach().clone() * 3); {x}.retain_grad()",
    "{x}.grad_fn; {x}.detach_().requires_grad_().register_hook(lambda g: seen('leaf {x}', g))",
)
INDEXED = (
    "{x}[..., 0] = {n}",
    "{x}.masked_fill_({x} > {n}, {n})",
    "{x}[{x} > {n}] = {n}",
    "{x}[[0]] = {n}",
    "{x}[torch.tensor([0, -1])] *= {n}",
    "{x}.index_add_(0, torch.tensor([0]), {y})",
    "{x}.index_put_((torch.tensor([0]),), {c}, accumulate=True)",
    "{x}.scatter_add_(0, torch.zeros_like({y}, dtype=torch.long), {y})",
    "{x}[0] = {n}",
    "{x}[{x} > {n}] += 1",
    "{x}.diagonal().fill_({n})",
)
OUT = "torch.add({x}, {y}, out={z})|torch.mul({x}, 2, out={z})|torch.exp({x}, out={z})"
OUT += "|torch.neg({x}, out={z}[...])|torch.maximum({x}, {y}, out={z}.view_as({z}))"


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

    def one(self, texts: str) -> str:
        """One of the alternatives in a text that separates them by `|`."""
        return self.pick(texts.split("|"))

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
            return self.put(self.one(NUMBER.removesuffix("|1 + {x}")).format(x=x), self.shapes[x])
        if self.chance() < 0.35:
            return self.put(self.one(UNARY).format(x=x), self.shapes[x])
        if self.chance() < 0.35:
            return self.put(self.one(NUMBER).format(x=x), self.shapes[x])
        y = self.partner(x)
        shape = broadcast(self.shapes[x], self.shapes[y]) or ()
        self.put(self.one(BINARY).format(x=x, y=y), shape)

    def reduction(self) -> None:
        x = self.name()
        if x in self.inference:
            return None
        shape = self.shapes[x]
        if not shape or self.chance() < 0.5:
            return self.put(f"{x}.{self.one('sum()|mean()|sum()')}", ())
        dim = int(self.chance() * len(shape))
        rest = shape[:dim] + shape[dim + 1 :]
        text, found = self.pick(
            [
                (f"{x}.sum({dim})", rest),
                (f"{x}.mean({dim})", rest),
                (f"{x}.sum({dim}, keepdim=True)", shape[:dim] + (1,) + shape[dim + 1 :]),
            ]
        )
        self.put(text, found)

    def joined(self) -> None:
        x = self.name()
        shape = self.shapes[x]
        if shape and self.chance() < 0.5:
            return self.put(f"torch.cat([{x}, {x}])", (2 * shape[0], *shape[1:]))
        others = [y for y in self.shapes if self.shapes[y] == shape]
        self.put(f"torch.stack([{x}, {self.pick(others)}])", (2, *shape))

    def view(self) -> None:
        x = self.name()
        self.put(*self.window(x))

    def window(self, x: str) -> tuple[str, Shape]:
        """A view of `x`, and its shape."""
        shape = self.shapes[x]
        size = 1
        for n in shape:
            size *= n
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
            part = shape[:dim] + (1,) + shape[dim + 1 :]
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
                (f"{x}.transpose({dim}, -1)", swapped(shape, dim)),
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
        self.put(f"{x}.{self.one('detach()|detach()|data')}", self.shapes[x])

    def write(self) -> None:
        x = self.name()
        self.lines.append(self.writing(x))

    def writing(self, x: str) -> str:
        """A write into `x`."""
        shape, roll = self.shapes[x], self.chance()
        if roll < 0.4:
            return self.one(CHANGES).format(x=x)
        if roll < 0.75 or not shape:
            return self.one(WRITES).format(x=x, y=self.apart(x, self.partner(x)))
        key = self.pick(["0", "...", ":1", "-1", ":", "..., 0"])
        y = self.pick([self.apart(x, self.name()), repr(self.number())])
        return f"{x}[{key}] {self.pick(['=', '=', '+=', '*='])} {y}"

    def write_through_view(self) -> None:
        x = self.name()
        text, shape = self.window(x)
        self.put(text, shape)
        self.lines.append(self.writing(list(self.shapes)[-1]))

    def unrecorded(self) -> None:
        x = self.name()
        if self.chance() < 0.5:
            return self.lines.append(f"with torch.no_grad(): {self.writing(x)}")
        body, shape = self.window(x) if self.chance() < 0.7 else (f"{x} * 2", self.shapes[x])
        self.put(body, shape)
        self.lines[-1] = f"with torch.no_grad(): {self.lines[-1]}"

    def indexed(self) -> None:
        x = self.name()
        text = self.pick(INDEXED)
        y = self.name()
        given = {"y": self.apart(x, y), "c": self.copied(x, y), "n": self.number()}
        self.lines.append(text.format(x=x, **given))

    def into(self) -> None:
        """A result written into another tensor of its shape."""
        x = self.name()
        z = self.pick([name for name in self.shapes if self.shapes[name] == self.shapes[x]])
        if z in self.inference:
            return None
        text = self.one(OUT).format(x=x, y=self.apart(z, x), z=z)
        self.lines.append(f"with torch.no_grad(): {text}" if self.chance() < 0.6 else text)

    def inferred(self) -> None:
        """A tensor made in inference mode, or a statement that runs in it."""
        x = self.name()
        if self.chance() < 0.6:
            made = self.window(x) if self.chance() < 0.3 else (f"{x} * 2", self.shapes[x])
            self.put(*made)
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

    def simple(self, texts: str) -> Callable:
        def statement() -> None:
            x = self.name()
            if texts is MEMORY and x in self.inference:
                return
            self.lines.append(self.one(texts).format(x=x, y=self.apart(x, self.partner(x))))

        return statement

    def odd_hook(self) -> None:
        self.lines.append(self.pick(ODD_HOOKS).format(x=self.name()))

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
        table: list[tuple[int, Callable]] = [
            (8, self.leaf),
            (26, self.arithmetic),
            (6, self.reduction),
            (2, self.joined),
            (18, self.view),
            (4, self.detached),
            (18, self.write),
            (8, self.write_through_view),
            (6, self.unrecorded),
            (3, self.simple(MEMORY)),
            (4, self.simple(FLAGS)),
            (2, self.simple(RESHAPED)),
            (12, self.simple(BACKWARD)),
            (3, self.simple(GRADS)),
            (4, self.simple(HOOKS)),
            (4, self.higher),
            (1, self.forget),
            (4, self.indexed),
            (2, self.into),
            (2, self.inferred),
            (2, self.odd_hook),
        ]
        deck = [statement for weight, statement in table for _ in range(weight)]
        self.leaf()
        if self.chance() < 0.6:
            self.leaf()
        for _ in range(4 + int(self.chance() * 12)):
            self.pick(deck)()
        self.lines.append(self.one("{x}.sum().backward()").format(x=self.name()))
        return self.lines


def broadcast(a: Shape, b: Shape) -> Shape | None:
    """The shape of `a` and `b` together; None if they do not go together."""
    wide, short = (a, b) if len(a) >= len(b) else (b, a)
    short = (1,) * (len(wide) - len(short)) + short
    if any(m != n and 1 not in (m, n) for m, n in zip(wide, short, strict=True)):
        return None
    return tuple(max(m, n) for m, n in zip(wide, short, strict=True))


def swapped(shape: Shape, dim: int) -> Shape:
    """`shape` with `dim` and the last dimension exchanged."""
    new = list(shape)
    new[dim], new[-1] = new[-1], new[dim]
    return tuple(new)


def program(seed: int) -> list[str]:
    """The program of a seed, one statement a line."""
    return Writer(seed).write_program()
