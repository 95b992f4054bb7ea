"""A class of students who do not exist: most write on their own, a few hand in what another wrote.

Their answers come from the records and from `judgement/`, each rewritten in a student's own manner
(names, comments, layout, and small choices such as `torch.sum(x)` for `x.sum()`). A copy is made
from another student's answers by what copies are made with: other names, comments and layout, lines
in another order, swapped operands, a value that gets a name, an answer or two of one's own.
"""

import ast
import random
from typing import Any

from classroom.test_judgement import answers
from grading.submitting import ROOT, record

NAMES = (
    "a b c d e g h k m n p q r s t u v w z x1 x2 tmp res result out output value values total count"
    " item items data current found made new old left right first last number numbers row col step"
    " size amount answer y_hat pred diff err grad_ acc part pieces place where kept stuff thing foo"
).split()
REMARKS = (
    "first try", "I hope this is right", "see lesson", "works now", "sum it up", "now the rest",
    "as in the lecture", "this took me an hour", "the shape is kept here", "careful with dim",
    "not sure why this is needed", "checked by hand for two rows", "to ask in the tutorial",
    "same idea as in the question before", "the mean of all of them", "start with nothing",
)  # fmt: skip


class Manner(ast.NodeTransformer):
    """Rewrites code as a student with certain habits would have written it."""

    def __init__(self, rng: random.Random, habits: set[str]) -> None:
        self.rng, self.habits = rng, habits

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        square = isinstance(node.op, ast.Pow) and getattr(node.right, "value", 0) == 2
        if square and isinstance(node.left, ast.Name) and "product" in self.habits:
            return ast.BinOp(node.left, ast.Mult(), node.left)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        func = node.func
        plain = ("sum", "mean", "max", "min", "argmax", "reshape", "std", "unsqueeze", "flatten")
        if isinstance(func, ast.Attribute) and func.attr in plain and "function" in self.habits:
            if getattr(func.value, "id", "") != "torch":
                moved = ast.Attribute(ast.Name("torch", ast.Load()), func.attr, ast.Load())
                return ast.Call(moved, [func.value, *node.args], node.keywords)
        return node

    def visit_Return(self, node: ast.Return) -> Any:
        self.generic_visit(node)
        if "named" in self.habits and node.value and not isinstance(node.value, ast.Name):
            kept = ast.Name("result", ast.Store())
            return [ast.Assign([kept], node.value), ast.Return(ast.Name("result", ast.Load()))]
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        if "long" in self.habits and isinstance(node.target, ast.Name):
            before = ast.Name(node.target.id, ast.Load())
            return ast.Assign([node.target], ast.BinOp(before, node.op, node.value))
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        if "docstring" in self.habits:
            node.body.insert(0, ast.Expr(ast.Constant(self.rng.choice(REMARKS))))
        if "prints" in self.habits and node.args.args:
            shown = ast.Name(node.args.args[0].arg, ast.Load())
            node.body.insert(0, ast.Expr(ast.Call(ast.Name("print", ast.Load()), [shown], [])))
        return node


class Spread(ast.NodeTransformer):
    """Gives a name to values inside a line: the choice that most code differs by."""

    def __init__(self, rng: random.Random, often: float) -> None:
        self.rng, self.often, self.count = rng, often, 0

    def _spread(self, node: Any) -> Any:
        inside = [
            part
            for part in ast.walk(node.value or node)
            if isinstance(part, (ast.Call, ast.BinOp)) and part is not node.value
        ]
        closed = (ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp, ast.IfExp)
        if any(isinstance(part, closed) for part in ast.walk(node)):
            return node
        if not inside or self.rng.random() > self.often:
            return node
        moved, self.count = self.rng.choice(inside), self.count + 1
        name = f"step_{self.count}"

        class Moved(ast.NodeTransformer):
            def visit(self, one: ast.AST) -> ast.AST:
                return ast.Name(name, ast.Load()) if one is moved else self.generic_visit(one)

        return [ast.Assign([ast.Name(name, ast.Store())], moved), Moved().visit(node)]

    visit_Assign = visit_Return = visit_AugAssign = _spread


class Renamed(ast.NodeTransformer):
    """Other names for what the author named."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self.names.get(node.arg, node.arg)
        return node


class Disguised(ast.NodeTransformer):
    """What a copy gets: operands and independent lines change places, a value gets a name."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, (ast.Add, ast.Mult)) and self.rng.random() < 0.5:
            node.left, node.right = node.right, node.left
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        self.rng.shuffle(node.keywords)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        for place in range(len(node.body) - 1):
            one, two = node.body[place : place + 2]
            if isinstance(one, ast.Assign) and isinstance(two, ast.Assign):
                made = {name.id for name in ast.walk(one) if isinstance(name, ast.Name)}
                used = {name.id for name in ast.walk(two) if isinstance(name, ast.Name)}
                if not made & used:
                    node.body[place : place + 2] = [two, one]
        last = node.body[-1]
        if isinstance(last, ast.Return) and last.value and self.rng.random() < 0.3:
            kept = ast.Assign([ast.Name("final", ast.Store())], last.value)
            node.body[-1:] = [kept, ast.Return(ast.Name("final", ast.Load()))]
        return node


def renamed(tree: ast.Module, kept: set[str], rng: random.Random, share: float) -> ast.Module:
    """The code with other names for a share of those that its author chose."""
    own = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    stored = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    own |= {node.id for node in stored if isinstance(node.ctx, ast.Store)}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    free = [name for name in NAMES if name not in own | used]
    rng.shuffle(free)
    names = {name: free.pop() for name in sorted(own - kept) if rng.random() < share and free}
    made: ast.Module = ast.fix_missing_locations(Renamed(names).visit(tree))
    return made


def laid_out(tree: ast.Module, rng: random.Random) -> str:
    """The code as text, with comments and blank lines here and there."""
    lines = []
    for line in ast.unparse(ast.fix_missing_locations(tree)).split("\n"):
        if rng.random() < 0.08:
            lines.append(f"{' ' * (len(line) - len(line.lstrip()))}# {rng.choice(REMARKS)}")
        lines.append(line + ("  # " + rng.choice(REMARKS) if rng.random() < 0.05 else ""))
        lines += [""] * (rng.random() < 0.1)
    return "\n".join(lines)


def pool(name: str) -> dict[str, list[str]]:
    """What people have answered to each question of a set, the most usual first."""
    known = record(name)["questions"]
    made = {}
    for question, one in known.items():
        codes = [one["solution"]["code"], *one["right"], *(wrong["code"] for wrong in one["wrong"])]
        made[question] = [code.split("\n", 1)[1] for code in codes]
    for question, _, code in answers(ROOT / f"tests/classroom/judgement/{name}.txt"):
        made[question].append(code)
    return made


def students(name: str, many: int, rng: random.Random) -> dict[str, dict[str, str]]:
    """The answers of so many students who all work alone."""
    known, answered = record(name)["questions"], pool(name)
    everybody = {}
    for number in range(many):
        habits = {h for h in ("product", "function", "named", "long") if rng.random() < 0.3}
        habits |= {h for h in ("docstring", "prints") if rng.random() < 0.08}
        often = rng.random() * 0.6
        made = {}
        for question, codes in answered.items():
            usual = [1 / (1 + place) for place in range(len(codes))]
            tree = ast.parse(rng.choices(codes, usual)[0])
            tree = Spread(rng, often).visit(Manner(rng, habits).visit(tree))
            tree = renamed(tree, set(known[question]["answers"]), rng, rng.random())
            made[question] = laid_out(tree, rng)
        everybody[f"student {number:03}"] = made
    return everybody


def copied(
    theirs: dict[str, str], own: dict[str, str], name: str, rng: random.Random
) -> dict[str, str]:
    """What somebody hands in who has got another's answers; one or two stay their own."""
    known = record(name)["questions"]
    alone = set(rng.sample(sorted(theirs), rng.choice([0, 1, 1, 2])))
    made = {}
    for question, text in theirs.items():
        tree = Disguised(rng).visit(ast.parse(text))
        tree = renamed(tree, set(known[question]["answers"]), rng, 0.9)
        made[question] = own[question] if question in alone else laid_out(tree, rng)
    return made


def row(made: dict[str, str]) -> dict[str, Any]:
    """The row of these answers, as far as the comparison looks at it."""
    questions = [
        {"question": question, "word": "correct", "cells": [[1, f"# Answer to {question}\n{text}"]]}
        for question, text in made.items()
    ]
    return {"questions": questions}
