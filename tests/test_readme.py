"""What the README shows is what its own code gives."""

import ast
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PICTURE = ROOT / "docs" / "pictures" / "stale.svg"


@pytest.fixture(scope="module")
def shown() -> dict:
    """The names of the README's example, and its last value as `picture`."""
    (code,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    module = ast.parse(code)
    last = module.body[-1]
    module.body[-1] = ast.Assign([ast.Name("picture", ast.Store())], last.value)
    names: dict = {}
    exec(compile(ast.fix_missing_locations(module), "README.md", "exec"), names)
    return names


def test_the_picture_is_what_the_code_draws(shown):
    assert f"{shown['picture'].svg}\n" == PICTURE.read_text(encoding="utf-8"), "save it there"


def test_the_model_that_learns_is_that_of_the_first_lesson():
    cells = json.loads((ROOT / "notebooks/00_welcome.ipynb").read_text(encoding="utf-8"))["cells"]
    *program, last = next(cell["source"] for cell in cells if cell["id"] == "train")
    exec("".join(program), names := {})
    for name, step in ("untrained", 0), ("trained", -1):
        drawn = eval(last.replace("lines", f"lines[{step}]"), names).svg
        assert f"{drawn}\n" == PICTURE.with_stem(name).read_text(encoding="utf-8")


def test_the_picture_is_described_for_those_who_do_not_see_it(shown):
    (alt,) = re.findall(r'<img src="docs/pictures/stale.svg" alt="([^"]+)"', README)
    text = shown["picture"].text
    for word in ("MulBackward0", "ExpBackward0"):
        assert word in alt and word in text
    assert "stale" in alt and "STALE" in text


def test_the_error_is_the_one_that_is_raised(shown):
    (said,) = re.findall(r"```\nRuntimeError: (.*?)\n```", README)
    with pytest.raises(RuntimeError) as raised:
        shown["loss"].backward()
    assert str(raised.value) == said


@pytest.mark.parametrize("command", ["python3 start.py\n", "python3 start.py test\n"])
def test_a_command_stands_alone_to_be_copied(command):
    assert f"```\n{command}```" in README
