"""What `start.py site` asks before it builds, and how it puts a site into its place."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def kept(build, tmp_path, monkeypatch):
    """A built site of one page, where the command keeps it."""
    monkeypatch.setattr(build, "KEPT", tmp_path / "kept")
    (tmp_path / "kept/html").mkdir(parents=True)
    (tmp_path / "kept/html/index.html").write_text("new")
    return tmp_path


def placed(build, *words: str) -> None:
    options = build.parse(list(words))
    options.edition = False
    build.put_in_place(options)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "required: --out"),
        (["--out", "x", "--base-url", "example.org"], "--base-url begins with https://"),
        (["--out", "x", "--version"], "unrecognized arguments: --version"),
        (["--out", str(ROOT / "docs")], "holds files that this command did not write"),
        (["--out", str(ROOT / "start.py")], "is a file"),
    ],
)
def test_wrong_words_are_refused_before_anything_is_installed(words, says):
    """By start.py itself, in a Python that has none of the packages."""
    command = [sys.executable, "-I", "-S", str(ROOT / "start.py"), "site", *words]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 2 and says in ran.stderr
    assert "environment" not in ran.stdout


def test_a_site_takes_the_place_of_the_one_before(build, kept):
    out = kept / "public"
    placed(build, "--out", str(out))
    (kept / "kept/html/index.html").write_text("newer")
    (kept / "kept/html/more.html").write_text("more")
    placed(build, "--out", str(out))
    assert (out / "index.html").read_text() == "newer" and (out / "more.html").exists()
    assert sorted(path.name for path in kept.iterdir()) == ["kept", "public"]  # nothing beside it


def test_a_folder_of_the_reader_is_left_alone(build, kept):
    (kept / "public").mkdir()
    (kept / "public/thesis.txt").write_text("mine")
    with pytest.raises(SystemExit):
        placed(build, "--out", str(kept / "public"))
    assert [path.name for path in (kept / "public").iterdir()] == ["thesis.txt"]


def test_a_folder_that_cannot_be_written_is_named_in_one_sentence(build, kept, monkeypatch, capsys):
    monkeypatch.setattr(build, "build_pages", lambda options: 1)
    inside_a_file = kept / "kept/html/index.html/public"
    assert build.main(["--out", str(inside_a_file), "--no-browser-edition"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("start.py: ") and str(inside_a_file) in said and "\n" not in said.strip()


def test_the_folder_of_the_readme_is_not_taken_for_the_project(build):
    """Else the next `start.py test` would check the style of the site's notebooks."""
    assert "start.py site --out public" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "/public/" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()


def test_versions_stand_side_by_side_and_the_newest_is_first(build, kept, monkeypatch):
    for number in ("0.9.0", "0.10.0"):
        monkeypatch.setattr(build, "version", lambda number=number: number)
        placed(build, "--out", str(kept / "all"), "--versions")
    listed = json.loads((kept / "all/versions.json").read_text())
    assert listed == {"versions": ["0.10.0", "0.9.0"]}
    assert (kept / "all/0.9.0/index.html").read_text() == "new"
    assert "url=0.10.0/index.html" in (kept / "all/index.html").read_text()


def test_what_did_not_change_is_kept(build, kept):
    assert build.forget_if_changed("html", "one", "html")
    assert not (kept / "kept/html").exists()
    (kept / "kept/html").mkdir()
    assert not build.forget_if_changed("html", "one", "html")
    assert (kept / "kept/html").exists()


def test_pages_that_ctrl_c_left_half_written_are_written_again(build, kept, monkeypatch):
    import pages

    monkeypatch.setattr(pages, "write", lambda *_: pages.Changes(1, False))
    monkeypatch.setattr(pages, "search_script", str)
    monkeypatch.setattr(pages, "add_files", lambda *_: None)
    options = build.parse(["--out", str(kept / "public")])

    def stopped(options):
        (kept / "kept/html").mkdir()
        (kept / "kept/html/half.html").write_text("")
        raise KeyboardInterrupt

    monkeypatch.setattr(build, "run_sphinx", stopped)
    with pytest.raises(KeyboardInterrupt):
        build.build_pages(options)
    monkeypatch.setattr(build, "run_sphinx", lambda options: None)
    build.build_pages(options)
    assert not (kept / "kept/html/half.html").exists()
    (kept / "kept/html").mkdir()
    build.build_pages(options)  # and what is whole stays
    assert (kept / "kept/html").exists()
