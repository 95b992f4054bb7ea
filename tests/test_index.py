"""The table of lessons says what the lessons say, and nobody has to remember to change it."""

import json
import shutil

import pytest
import write_index
from measure_lessons import LESSONS, length
from write_index import ROOT, STAGES, index, lesson, main

FIRST = """\
# 07 · Try

One sentence.

**After this lesson you can**

* say `a | b` aloud;
* do it.

**Time**: 25 minutes. **You need**: views ([lesson 06](06_views.ipynb)). **More**: nothing.
"""


def store(folder, name, text):
    path = folder / "notebooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps({"cells": [{"source": text.splitlines(True)}]}), encoding="utf-8")
    return path


def test_a_lesson_takes_the_time_that_it_tells_and_the_course_stays_short():
    """Lesson 21 is two sittings; all others fit into half an hour, which numbers round up to."""
    lengths = {path: length(path) for path in LESSONS}
    assert sum(found.words for found in lengths.values()) <= 63_311  # may fall and never rise
    for path, found in lengths.items():
        assert found.deeper <= 0.205, path.stem
        assert found.path < min(lesson(path).minutes, 90 if "21_" in path.name else 30) + 0.5, path


def test_every_lesson_has_one_row_under_the_stage_of_its_number():
    *stages, terminal = index(ROOT / "notebooks").split("\n## ")[1:]
    assert "\n### `check`: " in terminal and "`grade`" not in terminal
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        place = max(k for k, first in enumerate(STAGES) if first.first <= int(path.name[:2]))
        rows = [stage.count(f"\n| [{path.name[:2]} · ") for stage in stages]
        assert rows == [int(k == place) for k in range(len(STAGES))]
        assert f"](../notebooks/{path.name})" in stages[place]


def test_a_row_has_what_the_first_cell_says_and_links_that_lead_from_docs(tmp_path):
    text = FIRST.replace(" **More**: nothing.", "")
    text = text.replace("25 minutes", "25 minutes, and 15 for the deeper parts")
    path = store(tmp_path, "07_try.ipynb", text)
    (tmp_path / "exercises").mkdir()
    questions = f"{text}\n`try-1` · puzzle · difficulty 1 of 5 · 2 minutes\n"
    questions += "`try-2` · predict · difficulty 2 of 5 · 4 minutes\n"
    shutil.copy(store(tmp_path, "set.ipynb", questions), tmp_path / "exercises" / "ex07_try.ipynb")
    (path.parent / "set.ipynb").unlink()
    told = (
        "| [07 · Try](../notebooks/07_try.ipynb), [exercises](../exercises/ex07_try.ipynb) "
        "| 25 | 15 | 6 | views ([lesson 06](../notebooks/06_views.ipynb)) "
        "| say `a \\| b` aloud<br>do it |"
    )
    assert told in index(path.parent)
    together = "Together 25 minutes, 15 for the deeper parts, and 6 for the exercises."
    assert together in index(path.parent)


@pytest.mark.parametrize("missing", ["# 07 · Try", "* say `a | b` aloud;\n* do it.", "**Time**"])
def test_a_first_cell_without_a_part_is_named(tmp_path, missing):
    path = store(tmp_path, "07_try.ipynb", FIRST.replace(missing, "…"))
    with pytest.raises(ValueError, match="the first cell of 07_try.ipynb lacks"):
        lesson(path)


def test_a_changed_lesson_is_noticed(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(write_index, "ROOT", tmp_path)
    monkeypatch.setattr(write_index, "INDEX", tmp_path / "lessons.md")
    text = FIRST.replace(" **More**: nothing.", "")
    store(tmp_path, "07_try.ipynb", text)
    assert main(["--check"]) == 1
    assert main([]) == 0 and main(["--check"]) == 0
    store(tmp_path, "07_try.ipynb", text.replace("25 minutes", "30 minutes"))
    capsys.readouterr()
    assert main(["--check"]) == 1
    assert "| 30 |" in capsys.readouterr().out
