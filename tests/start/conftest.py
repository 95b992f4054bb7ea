"""A copy of start.py on a made-up environment; no test here installs anything."""

import importlib.util
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Course:
    """A copy of start.py in a folder of its own, whose installer writes one small package."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch):
        folder.mkdir()
        (folder / "requirements").mkdir()
        shutil.copy(ROOT / "start.py", folder)
        self.folder = folder
        self.start = self.fresh()
        self.steps, self.checked, self.uv = [], [], False
        self.site = folder / ".venv/lib/python3.11/site-packages"
        self.pin("course", "1.0")
        self.pin("test", "1.0")
        patch.setattr(self.start, "work", self.work)
        patch.setattr(self.start, "has_uv", lambda: self.uv)
        patch.setattr(self.start, "environment_python", lambda: "3.11.7")
        patch.setattr(self.start, "check_words", self.checked.append)

    def fresh(self):
        """Return start.py with nothing in it replaced."""
        spec = importlib.util.spec_from_file_location("start", self.folder / "start.py")
        start = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(start)
        return start

    def pin(self, name: str, version: str) -> None:
        (self.folder / f"requirements/{name}.txt").write_text(f"demo=={version}\n")

    def work(self, command: list[str], wanted: int = 0) -> None:
        self.steps.append(command)
        if "venv" in command:
            self.site.mkdir(parents=True)
            Path(self.start.SCRIPTS).mkdir()
        if "install" in command:
            self.add_package()

    def add_package(self) -> None:
        info = self.site / "demo-1.0.dist-info"
        info.mkdir(exist_ok=True)
        (self.site / "demo.py").write_text("x = 1\n")
        (info / "RECORD").write_text("demo.py,sha256=abc,6\n__pycache__/demo.pyc,,\n")

    def steps_of(self, pins: str) -> list[str]:
        """Return the words that tell the steps of `prepare(pins)` apart."""
        self.steps.clear()
        self.start.prepare(pins)
        return [next(w for w in ("venv", "ensurepip", "install") if w in s) for s in self.steps]


@pytest.fixture
def course(tmp_path, monkeypatch):
    return Course(tmp_path / "my cöurse", monkeypatch)
