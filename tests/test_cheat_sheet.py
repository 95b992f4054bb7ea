"""The cheat sheet tells what the library does, and a write through each result agrees with it."""

import pytest
import write_cheat_sheet
from write_cheat_sheet import LINES, kind, lines, main, refusal, run, sheet

import course_lib as torch

EVERY = [line for text in LINES.values() for line in lines(text)]


def test_a_false_row_is_found(tmp_path, monkeypatch, capsys):
    wrong = sheet(torch).replace("| `t.reshape(12)` | (12,) | (1,) | copy", "| `t.reshape(12)` |")
    monkeypatch.setattr(write_cheat_sheet, "SHEET", tmp_path / "sheet.md")
    (tmp_path / "sheet.md").write_text(wrong, encoding="utf-8")
    assert main(["--check"]) == 1
    assert "`t.reshape(12)` | (12,) | (1,) | copy | **no**" in capsys.readouterr().out
    assert main([]) == 0 and main(["--check"]) == 0


@pytest.mark.parametrize("line", EVERY)
def test_a_write_through_the_result_is_seen_unless_it_is_a_copy(line):
    result, source = run(line, torch)
    before = source.clone()
    try:
        result.fill_(-1)
    except RuntimeError:  # cells that lie at one place refuse the write: then through the source
        before = result.clone()
        source.fill_(-1)
        assert torch.equal(before, result) == (kind(result, source) == "copy")
    else:
        assert torch.equal(before, source) == (kind(result, source) == "copy")


def test_a_line_that_raises_nothing_is_no_refusal():
    with pytest.raises(AssertionError, match="raises nothing"):
        refusal("a.view(12)", torch)


@pytest.mark.oracle
def test_pytorch_decides_the_same(ask):
    ask("tools/write_cheat_sheet.py", "--check", "--on", "torch")
