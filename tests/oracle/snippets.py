"""Reads the case files: what is asked of PyTorch and of `course_lib` alike.

A case is a short program written against the names `torch` and `np`.
One file in `cases/` is one *family*:

    # a comment
    [view]                          a section; its name is part of each case's id
    $shape = 6 | 2, 3 | 3, -1       a variable: lines that use it are repeated, once per value
    | x = torch.arange(6)           a line run before each case of the section
    x.view($shape)                  a case on one line; the line itself is its name
    ~ torch.exp(x)                  "~": floats may differ in their last digits (see verdict.py)
    @CRE11                          a case with a name of its own, up to the next blank line
    y = torch.tensor(x)
    y.data_ptr() == x.data_ptr()
"""

import hashlib
import itertools
import re
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
CASES = HERE / "cases"
VARIABLE = re.compile(r"\$([a-z]\w*)")


@dataclass(frozen=True)
class Case:
    """One program; `id` is `family/section/name`, unique over all families."""

    id: str
    code: str
    approximate: bool = False


@dataclass
class Section:
    """What the lines of one section share while they are read."""

    name: str
    values: dict[str, list[str]] = field(default_factory=dict)
    setup: list[str] = field(default_factory=list)

    def expand(self, name: str, body: str, approximate: bool) -> Iterator[Case]:
        """The case itself, or one case for each combination of the variables that it uses."""
        program = "\n".join([*self.setup, body])
        used = [v for v in self.values if v in VARIABLE.findall(program)]
        for choice in itertools.product(*(self.values[v] for v in used)):
            chosen = dict(zip(used, choice, strict=True))

            def fill(text: str, chosen: dict[str, str] = chosen) -> str:
                return VARIABLE.sub(lambda match: chosen[match[1]], text)

            # A variable that only the setup or the block's body uses must still tell cases apart.
            unseen = [f"{v}={chosen[v]}" for v in used if v not in VARIABLE.findall(name)]
            label = fill(name) + (f" [{', '.join(unseen)}]" if unseen else "")
            yield Case(f"{self.name}/{label}", fill(program), approximate)


def families() -> list[str]:
    """Names of all families, sorted.

    >>> "views" in families()
    True
    """
    return sorted(path.stem for path in CASES.glob("*.txt"))


def asked(parser: ArgumentParser, names: list[str]) -> list[str]:
    """The families of these names, all for none; ends the program where there is no such family."""
    if unknown := set(names) - set(families()):
        known = " ".join(families())
        parser.exit(2, f"no family called {', '.join(unknown)}; there are: {known}\n")
    return names or families()


def cases(family: str) -> list[Case]:
    """All cases of a family in the order of its file; two cases with one id are refused.

    >>> [case.code for case in parse("demo", "[s]\\n$n = 1 | 2\\ntorch.zeros($n)")]
    ['torch.zeros(1)', 'torch.zeros(2)']
    """
    return parse(family, (CASES / f"{family}.txt").read_text(encoding="utf-8"))


def parse(family: str, text: str) -> list[Case]:
    """The cases written in `text`, which is a case file's content."""
    found: dict[str, Case] = {}
    section = Section(family)
    lines = iter(text.splitlines())
    for line in lines:
        approximate = line.startswith("~")
        line = line.lstrip("~").strip()
        if not line or line.startswith("#"):
            continue
        if re.fullmatch(r"\[[\w -]+\]", line):
            section = Section(f"{family}/{line[1:-1]}")
        elif match := re.fullmatch(r"\$([a-z]\w*) = (.*)", line):
            section.values[match[1]] = [value.strip() for value in match[2].split(" | ")]
        elif line.startswith("| "):
            section.setup.append(line[2:])
        else:
            name, body = line, line
            if line.startswith("@"):
                name, body = line[1:].strip(), "\n".join(itertools.takewhile(str.strip, lines))
            for case in section.expand(name, body, approximate):
                if case.id in found:
                    raise ValueError(f"two cases are called {case.id}")
                found[case.id] = case
    return list(found.values())


def fingerprint(items: list[Case]) -> str:
    """A short digest of programs and names: tells whether a record still belongs to its cases.

    >>> len(fingerprint([Case("a/b/c", "1")]))
    12
    """
    text = "\n".join(f"{case.id}\n{case.code}" for case in items)
    return hashlib.sha256(text.encode()).hexdigest()[:12]
