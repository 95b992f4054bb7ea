"""The bold rules of the lessons: each is in `rules.txt`, and no random case breaks it."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from rules import TABLE, broken, rules

import course_lib as torch

ROOT = Path(__file__).resolve().parents[1]
RULES = rules(TABLE.read_text(encoding="utf-8"))
BOLD = re.compile(r"`[^`]*`|\$[^$]*\$|\*\*((?:`[^`]*`|[^`*])+)\*\*")
HEADINGS = ("After this lesson you can", "What you can do now")
WORDS = 4  # fewer are a term


def in_bold(cells: list[dict]) -> list[str]:
    """The rules of a lesson: what stands in bold and is neither a term nor a heading."""
    texts = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
    bold = [" ".join((found[1] or "").split()) for text in texts for found in BOLD.finditer(text)]
    return [one for one in bold if len(one.split()) >= WORDS and not one.startswith(HEADINGS)]


def test_the_table_has_every_rule_of_every_lesson_as_it_stands_there():
    stands = [
        (path.name[:2], rule)
        for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
        for rule in in_bold(json.loads(path.read_text(encoding="utf-8"))["cells"])
    ]
    assert stands == [(number, rule) for number, rule, _ in RULES]


def test_a_rule_has_a_case_or_a_short_reason_why_there_is_none():
    told = [code.removeprefix("- ").split() for *_, code in RULES if code.startswith("-")]
    assert all(1 <= len(reason) <= 4 for reason in told)
    assert len(RULES) - len(told) >= 2 * len(RULES) / 3


def test_twenty_random_cases_break_no_rule():
    assert broken(torch, RULES) == []


@pytest.mark.oracle
def test_they_break_none_on_real_pytorch(oracle):
    command = [oracle, "-W", "ignore", str(ROOT / "tests" / "rules.py")]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True, encoding="utf-8")
    assert json.loads(done.stdout) == []


TOO_STRONG = {
    "03 `pow` keeps the dtype.": "(fresh(3) ** r.choice([2, 0.5])).dtype == torch.int64",
    "06 `reshape` never copies.": "shares(t := view(fresh(2, 3, 4)), t.reshape(-1))",
    "09 Any two shapes fit.": "floats(*shape(2)) + floats(*shape(2)) is not None",
}


@pytest.mark.parametrize("rule", TOO_STRONG)
def test_a_rule_that_is_too_strong_is_broken(rule):
    (found,) = broken(torch, rules(f"{rule}\n    {TOO_STRONG[rule]}"))
    assert found.startswith(f"{rule} | seed ")
