"""The workspace: a folder of the student's own, with copies of the lessons and exercises.

Lessons come without their stored outputs, and a copy that nobody changed is replaced by a newer
text, see Note [What counts as changed] in `copies.py`. The record of what was copied is
`.course/copied.json`; without it, only files equal to the original count as untouched.
"""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from course_lib.classroom import content
from course_lib.classroom.copies import fingerprint, readers_copy
from course_lib.classroom.trouble import Trouble, cannot_write, writing

STATE = ".course"  # in the workspace: the record of copies, the settings of JupyterLab


@dataclass
class Changes:
    """What one `Workspace.refresh` did, as names relative to the workspace."""

    added: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)  # the student's; the course has a newer one
    locked: list[str] = field(default_factory=list)  # to be updated, but held by another program


@dataclass(frozen=True)
class Workspace:
    """A student's folder.

    >>> Workspace(Path("course")).file("notebooks/00_welcome.ipynb").as_posix()
    'course/notebooks/00_welcome.ipynb'
    """

    folder: Path

    @property
    def state(self) -> Path:
        """Where the course keeps its own notes about this workspace."""
        return self.folder / STATE

    def file(self, name: str) -> Path:
        """The student's copy of the course file `name`."""
        return self.folder / name

    def exists(self) -> bool:
        """True once the course has been copied here; a folder handed out keeps only progress.

        Without the hidden folder too: whoever copies a workspace by hand leaves that behind.
        """
        if any((self.state / name).exists() for name in ("copied.json", "jupyter")):
            return True
        copied = self.file(content.WELCOME).is_file() and self.file(content.FOLDERS[1]).is_dir()
        return copied and not content.is_own(self.folder)

    def refresh(self, source: Path | None = None) -> Changes:
        """Copy what is missing, update what is untouched, keep what the student changed."""
        source = source or content.root()
        if content.is_own(self.folder, source):
            raise Trouble(
                f"{self.folder} holds the course's own files, which must stay as they are; "
                "give another folder for your copies",
                exit_code=2,
            )
        changes = Changes()
        copied = self._read_copied()
        try:
            self.state.mkdir(parents=True, exist_ok=True)
            names = list(content.names(source))
            self._follow(names, copied)
            for name in names:
                copied[name] = self._bring(name, (source / name).read_bytes(), copied, changes)
        except OSError as error:
            path = Path(error.filename2 or error.filename or self.folder)
            raise cannot_write(path, error) from None
        finally:
            if self.state.is_dir():
                self._remember({name: mark for name, mark in copied.items() if mark})
        return changes

    def _follow(self, names: list[str], copied: dict[str, str]) -> None:
        """Rename files whose lesson got another number, and remove untouched ones that are gone."""
        for old in [name for name in copied if name not in names]:
            path, mark = self.file(old), copied.pop(old)
            now = next((name for name in names if _split_number(name) == _split_number(old)), "")
            if not path.is_file():
                continue
            try:
                if now and not self.file(now).exists():
                    os.replace(path, self.file(now))
                    copied[now] = mark
                elif fingerprint(old, path.read_bytes()) == mark:
                    path.unlink()
            except PermissionError:  # Windows: open in a program; the next time it is tried again
                copied[old] = mark

    def list_untouched(self) -> Iterator[str]:
        """The names of the files that are still as the course wrote them."""
        for name, mark in self._read_copied().items():
            path = self.file(name)
            if path.is_file() and fingerprint(name, path.read_bytes()) == mark:
                yield name

    def bring_afresh(self, name: str, original: Path) -> None:
        """Put the course's own file in place of the student's, changed or not."""
        data = original.read_bytes()
        write_whole(self.file(name), readers_copy(name, data))
        self._remember(self._read_copied() | {name: fingerprint(name, data)})

    def _bring(self, name: str, original: bytes, copied: dict[str, str], did: Changes) -> str:
        """Make the student's copy of one file right; return the mark to remember it by."""
        path, fresh, known = self.file(name), fingerprint(name, original), copied.get(name, "")
        if not path.exists():
            write_whole(path, readers_copy(name, original))
            did.added.append(name)
            return fresh
        before = path.read_bytes()
        here = fingerprint(name, before)
        if here == fresh:
            return fresh
        if here != known:
            if fresh != known:
                did.kept.append(name)
            return known
        try:
            write_whole(path, readers_copy(name, original, before))
        except PermissionError:  # Windows: open in a program that lets nobody else write
            did.locked.append(name)
            return known
        did.updated.append(name)
        return fresh

    def _read_copied(self) -> dict[str, str]:
        """What was copied: name → fingerprint. An unreadable record is an empty one."""
        try:
            record = json.loads((self.state / "copied.json").read_text("utf-8"))
            if record["format"] != 2:  # its marks counted outputs too
                return {}
            return {str(name): str(mark) for name, mark in record["files"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {}

    def _remember(self, copied: dict[str, str]) -> None:
        if copied == self._read_copied():
            return
        record = {"format": 2, "files": dict(sorted(copied.items()))}
        path = self.state / "copied.json"
        with writing(path):
            write_whole(path, json.dumps(record, indent=1).encode())


def _split_number(name: str) -> tuple[str, str]:
    """The folder of a file, and its name without the number of its lesson.

    >>> _split_number("notebooks/27_reading_graphs.ipynb")
    ('notebooks', 'reading_graphs.ipynb')
    """
    folder, _, file = name.rpartition("/")
    return folder, content.strip_number(file)


def default_folder(here: Path | None = None, package: Path = content.PACKAGE) -> Path:
    """The workspace to use when none is named.

    The current folder if it is one already; else `workspace/` in the checkout that runs this, or
    `course/` in the current folder when the course was installed from a wheel.
    """
    here = Path.cwd() if here is None else here
    if Workspace(here).exists():
        return here
    home = content.checkout(package)
    return here / "course" if home is None else home / "workspace"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that at every moment it holds the old bytes or the new ones, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with open(part, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
