"""A wheel is a whole course: what the checkout teaches with travels inside the package."""

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from course_lib.classroom import content
from course_lib.classroom.home import _picture
from course_lib.version import COURSE

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "PACKAGE.md"


def built(folder: Path, target: str, source: Path = ROOT) -> Path:
    """Build a wheel or an sdist, and return it."""
    build = [sys.executable, "-m", "hatchling", "build", f"--target={target}"]
    done = subprocess.run(
        [*build, f"--directory={folder}"], cwd=source, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    (path,) = folder.glob("course_lib-*")
    return path


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Return a freshly built wheel."""
    return built(tmp_path_factory.mktemp("dist"), "wheel")


@pytest.fixture(scope="module")
def inside(wheel) -> list[str]:
    """Return the names of all files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


@pytest.mark.parametrize(
    ("folder", "names"),
    [
        ("docs/gallery", "*.svg"),
        ("notebooks", "*.ipynb"),
        ("notebooks/data", "*"),
        ("notebooks/.guesses", "*.json"),
        ("exercises", "*.ipynb"),
        ("exercises/.records", "*.json"),
        ("docs/errors", "*.md"),
    ],
)
def test_what_a_course_needs_is_inside(inside, folder, names):
    ours = {path.name for path in (ROOT / folder).glob(names)}
    theirs = {Path(n).name for n in inside if n.startswith(f"course_lib/_content/{folder}/")}
    assert ours and (theirs == ours if "/." in folder else theirs >= ours)


def test_a_wheel_has_the_first_picture_of_each_lesson_and_no_other_output(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        for path in (ROOT / "notebooks").glob("*.ipynb"):
            copy = Path(archive.extract(f"course_lib/_content/notebooks/{path.name}", tmp_path))
            assert _picture(copy) == _picture(path)
            assert copy.read_text(encoding="utf-8").count('"output_type"') <= 1


def test_pages_command_and_licences_are_inside_and_solutions_and_tests_are_not(inside):
    assert {f"course_lib/_content/docs/{name}" for name in content.PAGES} <= set(inside)
    assert {f"course_lib/labextension/{end}" for end in ("package.json", "static/style.js")} <= set(
        inside
    )
    for end in ("entry_points.txt", "licenses/LICENSE", "licenses/LICENSE-lessons"):
        assert [name for name in inside if name.endswith(f".dist-info/{end}")]
    assert not [name for name in inside if "solutions" in name or name.startswith("tests/")]


def test_the_packages_page_leads_only_to_other_sites(wheel, inside):
    (metadata,) = (name for name in inside if name.endswith(".dist-info/METADATA"))
    with zipfile.ZipFile(wheel) as archive:
        page = archive.read(metadata).decode().partition("\n\n")[2]
    targets = re.findall(r"\]\(([^)]+)\)|(?:src|href)=\"([^\"]+)\"", page)
    assert targets and all("".join(target).startswith("https://") for target in targets)


def test_the_packages_page_shows_lines_that_run_from_the_wheel(wheel, tmp_path):
    (lines,) = re.findall(r"```python\n(.*?)```", PACKAGE.read_text(encoding="utf-8"), re.S)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{lines}"
    code += "print(torch.__file__, draw_graph(loss, show='versions').save('a.html'))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout.startswith(str(tmp_path)), done.stderr
    assert "STALE" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_every_line_that_installs_names_extras_that_there_are():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / ".github/workflows/tests.yml"]
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages)
    asked = re.findall(r'(?:install|--from)[^`\n]*?\[([a-z,]+)\]"', text)
    named = {extra for words in asked for extra in words.split(",")}
    assert {"viz", "plot", "lab", "test"} <= named <= set(extras["optional-dependencies"])


def test_an_sdist_builds_the_same_wheel(wheel, tmp_path):
    with tarfile.open(built(tmp_path / "sdist", "sdist")) as archive:
        archive.extractall(tmp_path, filter="data")
    again = built(tmp_path / "wheel", "wheel", tmp_path / f"course_lib-{COURSE}")
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        assert sorted(one.namelist()) == sorted(other.namelist())


def test_the_citation_names_this_version():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == COURSE
    assert {"cff-version", "message", "title", "authors"} <= set(cited)  # what the format requires
