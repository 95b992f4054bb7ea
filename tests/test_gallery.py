"""The gallery shows every picture as it is drawn today, and its lines run."""

import re

import pytest
import write_gallery
from write_gallery import ENTRIES, ROOT, Entry, functions, gallery, main

import course_lib.viz

PAGE = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")


def test_every_picture_has_its_place():
    assert set(course_lib.viz.__all__) - {"Picture", "explore"} <= functions()
    assert "explore(draw" in PAGE  # it makes no picture of its own


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry.name for entry in ENTRIES])
def test_an_entry_is_short_and_its_picture_has_words_and_both_themes(entry):
    assert 2 <= len(entry.code.splitlines()) <= 6
    svg = (ROOT / "docs" / "gallery" / f"{entry.name}.svg").read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in svg and 'role="img" aria-label="' in svg
    (alt,) = re.findall(rf'<img src="gallery/{entry.name}.svg" alt="([^"]+)">', PAGE)
    assert len(alt) > 10 and f"```python\n{entry.code}\n```" in PAGE


def test_a_changed_picture_and_one_too_many_are_noticed(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(write_gallery, "ROOT", tmp_path)
    monkeypatch.setattr(write_gallery, "PAGE", tmp_path / "gallery.md")
    monkeypatch.setattr(write_gallery, "FOLDER", tmp_path / "gallery")
    entry = Entry("one", "One", "A sentence.", 'Picture("a", "alt", lambda: "<svg/>")')
    monkeypatch.setattr(write_gallery, "ENTRIES", [entry])
    assert main(["--check"]) == 1 and main([]) == 0 and main(["--check"]) == 0
    assert set(gallery()) == {tmp_path / "gallery.md", tmp_path / "gallery" / "one.svg"}
    (tmp_path / "gallery" / "two.svg").write_text("", encoding="utf-8")
    assert main(["--check"]) == 1
    assert "gallery/two.svg; run: python tools/write_gallery.py" in capsys.readouterr().out
    assert main([]) == 0 and not (tmp_path / "gallery" / "two.svg").exists()
