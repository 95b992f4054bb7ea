"""Says whether two observations agree, and keeps the record that they are compared with."""

import json
import re
from pathlib import Path

from snippets import HERE, Case

FACTS = HERE / "facts"
PENDING = HERE / "pending.txt"
FLOAT = re.compile(r"-?\d+\.\d+(?:e[+-]?\d+)?|-?\d+e[+-]?\d+")
# Vector maths of PyTorch and of NumPy may round the last bits differently: a few units in the last
# place of each dtype. Cases without "~" are compared exactly.
TOLERANCE = {"float16": 2e-3, "bfloat16": 2e-2, "float64": 1e-12, "complex128": 1e-12}


def agree(expected: list[str], got: list[str], approximate: bool = False) -> bool:
    """True if both observations say the same, floats up to rounding when `approximate`.

    >>> agree(["tensor float32 [] = 1.0000001"], ["tensor float32 [] = 1.0"], approximate=True)
    True
    """
    if expected == got or not approximate or len(expected) != len(got):
        return expected == got
    return all(close(a, b) for a, b in zip(expected, got, strict=True))


def close(a: str, b: str) -> bool:
    """True if the texts differ in nothing but the last digits of floats."""
    if FLOAT.split(a) != FLOAT.split(b):
        return False
    words = set(re.findall(r"\w+", a))
    wide = max((limit for dtype, limit in TOLERANCE.items() if dtype in words), default=1e-6)
    if words & {"float32", "complex64"}:
        wide = max(wide, 1e-6)
    pairs = zip(FLOAT.findall(a), FLOAT.findall(b), strict=True)
    return all(abs(float(x) - float(y)) <= wide * max(1, abs(float(x))) for x, y in pairs)


def load(family: str, folder: Path = FACTS) -> tuple[str, dict[str, list[str]]]:
    """The record of a family: fingerprint of the cases it was made from, lines by case id."""
    path = folder / f"{family}.json"
    if not path.exists():
        return "", {}
    record = json.loads(path.read_text(encoding="utf-8"))
    facts = {k: v if isinstance(v, list) else [v] for k, v in record["facts"].items()}
    return record["snippets"], {f"{family}/{key}": lines for key, lines in facts.items()}


def save(family: str, digest: str, version: str, facts: dict[str, list[str]], folder: Path) -> None:
    """Writes a record; an observation of one line is a string in it, a longer one a list."""
    short = {
        key.removeprefix(f"{family}/"): lines[0] if len(lines) == 1 else lines
        for key, lines in facts.items()
    }
    record = {"pytorch": version, "snippets": digest, "facts": short}
    text = json.dumps(record, indent=1, ensure_ascii=False) + "\n"
    (folder / f"{family}.json").write_text(text, encoding="utf-8", newline="\n")


def pending() -> dict[str, str]:
    """Ids of the cases known to differ, each with the reason written beside it (often empty)."""
    if not PENDING.exists():
        return {}
    rows = (row for row in PENDING.read_text(encoding="utf-8").splitlines() if row.strip())
    split = (row.partition("  # ") for row in rows if not row.startswith("# "))
    return {name.rstrip(): reason for name, _, reason in split}


def write_pending(rows: dict[str, str]) -> None:
    """Replaces the list of cases known to differ."""
    head = (
        "# Cases in which course_lib does not yet give what PyTorch gives, one id per line;\n"
        "# two blanks and '# reason' may follow. A case that agrees must not be listed.\n"
        "# Shrink it with: python tests/oracle/compare.py --update-pending\n"
    )
    body = (f"{name}  # {reason}\n" if reason else f"{name}\n" for name, reason in rows.items())
    PENDING.write_text(head + "".join(body), encoding="utf-8", newline="\n")


def report(case: Case, expected: list[str], got: list[str]) -> str:
    """A mismatch for human eyes: the program, what PyTorch gave, what came."""
    parts = [case.id]
    parts += [f"      code  {line}" for line in case.code.splitlines()]
    parts += [f"  expected  {line}" for line in expected]
    parts += [f"       got  {line}" for line in got]
    return "\n".join(parts)
