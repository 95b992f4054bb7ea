"""The index of errors: every page keeps its form, and its code shows what it says, twice."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
TOOL = ROOT / "tools" / "write_errors.py"
sys.path.append(str(TOOL.parent))
import write_errors  # noqa: E402
from write_errors import SILENT, Page  # noqa: E402

PAGES = write_errors.pages()
ERROR = re.compile(r"^(\w+(?:Error|Warning)): (.+)\Z", re.M | re.S)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.path.stem)
def test_a_page_has_its_sentence_its_story_and_cures_that_raise_nothing(page):
    kind, _, number, link = page.line
    (code, said), *cures = page.blocks
    raised = ERROR.search(said)
    if kind == SILENT:
        assert raised is None and said
    else:
        sentence = re.escape(page.title).replace("…", ".*")
        assert raised[1] == kind and re.fullmatch(sentence, " ".join(raised[2].split()), re.S)
    assert cures and not [seen for _, seen in cures if ERROR.search(seen)]
    assert (page.path.parent / link).is_file() and Path(link).name.startswith(f"{number}_")
    heads = re.findall(r"^(#+ .+)$", write_errors.BLOCK.sub("", page.text), re.M)
    cause = "How to get it right" if kind == SILENT else "Usual causes, most common first"
    assert heads[1:3] == ["## What happened", f"## {cause}"] and len(heads) > 3
    prose = re.sub(r"```.*?^```|<.*?>", "", page.text, flags=re.M | re.S)
    assert 90 <= len(prose.split()) <= 330
    assert all("\nimport torch\n" in f"\n{c}" for c, _ in page.blocks)


def test_the_blocks_show_here_what_they_say():
    """That the index and the pictures are up to date is asked by test_stubs.py."""
    done = subprocess.run([sys.executable, TOOL, "--run"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.oracle
def test_the_blocks_show_the_same_with_pytorch(ask):
    ask(TOOL, "--run")


def test_there_are_enough_of_both_kinds_and_each_title_stands_once():
    silent = [page for page in PAGES if page.line[0] == SILENT]
    assert len(silent) >= 41 and len(PAGES) - len(silent) >= 147
    assert len({page.title for page in PAGES}) == len(PAGES)


def test_a_block_that_shows_something_else_is_found():
    page = Page(Path("wrong.md"), "```python\nprint(1 + 1)\n1 / 0\n```\n\n```text\n3\n```\n")
    (told,) = write_errors.run(page)
    assert told.endswith("the page:\n3\nit is:\n2\nZeroDivisionError: division by zero\n")
