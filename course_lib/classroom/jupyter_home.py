"""JupyterLab's own folders for one workspace, so that the student's other Jupyter stays untouched.

Settings, kernels and running servers all live in `.course/jupyter/`. Deleting
that folder loses nothing but window layouts.

Note [Home without a kernel]
`course_lib/labextension` is what `lab/` was built to, and takes no Node to load. It reads an index,
which is written here at each start, and the reader's progress, for which it asks JupyterLab. An
extension's files are served without the token, so the index holds the course's text and nothing
of the reader's.
"""

import atexit
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import quote
from urllib.request import ProxyHandler, build_opener

from course_lib.classroom.content import PACKAGE
from course_lib.classroom.home import Course, reference_pages
from course_lib.classroom.lessons import STAGES
from course_lib.classroom.progress import RENAMED, standings
from course_lib.classroom.search import index as passages
from course_lib.classroom.sets import desk
from course_lib.classroom.workspace import Workspace, write_whole

EXTENSION = "course-home"
BUILT = PACKAGE / "labextension"

# No pop-up that asks about news, and no look at the network for a newer JupyterLab.
OVERRIDES = {
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
    },
    # The glossary is there to be read; the names of lessons need the room of the dates.
    "@jupyterlab/docmanager-extension:plugin": {"defaultViewers": {"markdown": "Markdown Preview"}},
    "@jupyterlab/filebrowser-extension:browser": {"showLastModifiedColumn": False},
    # Its buttons would cover the text of the cell.
    "@jupyterlab/cell-toolbar-extension:plugin": {"showToolbar": False},
    # A link leads to a cell, also in a notebook that was open already: the usual mode guesses how
    # tall the cells above it are, and lands elsewhere. A lesson that is closed leaves no kernel.
    "@jupyterlab/notebook-extension:tracker": {"windowingMode": "defer", "kernelShutdown": True},
}

# The next day a check may be the first cell that runs. It is the cell at the top in other words.
STARTUP = """\
import copy
import warnings
import weakref

import numpy as np

import course_lib as torch
from course_lib.classroom import check, guess, hint, home, search, solution
"""


class JupyterHome:
    """The private folders of one workspace's JupyterLab."""

    def __init__(self, workspace: Workspace) -> None:
        folder = workspace.state.resolve() / "jupyter"
        self.workspace = workspace
        self.config = folder / "config"
        self.data = folder / "data"
        self.extensions = self.data / "labextensions"
        self.runtime = folder / "runtime"
        self.ipython = folder / "ipython"

    def prepare(self) -> None:
        """Write the settings and the kernel; both are ours, so they are made anew each time."""
        for folder in (self.config, self.data, self.runtime, self.ipython):
            folder.mkdir(parents=True, exist_ok=True)
        self.runtime.chmod(0o700)  # the tokens of running servers
        _write_json(self.config / "labconfig" / "default_setting_overrides.json", OVERRIDES)
        write_whole(self.ipython / "profile_default/startup/10-course.py", STARTUP.encode())
        _write_json(self.data / "kernels" / "python3" / "kernel.json", kernel_specification())

    def environment(self, outer: Mapping[str, str]) -> dict[str, str]:
        """The environment for the server and its kernels, made from the student's own.

        Every JUPYTER… variable goes: one of them could name the student's own settings, switch
        the token off, or choose a port.
        """
        kept = {k: v for k, v in outer.items() if not k.startswith(("JUPYTER_", "JUPYTERLAB_"))}
        return kept | {
            "JUPYTER_CONFIG_DIR": str(self.config),
            "JUPYTER_DATA_DIR": str(self.data),
            "JUPYTER_RUNTIME_DIR": str(self._private_runtime()),
            "JUPYTERLAB_SETTINGS_DIR": str(self.config / "lab" / "user-settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(self.config / "lab" / "workspaces"),
            "JUPYTER_PREFER_ENV_PATH": "0",  # our kernel comes before any other of that name
            "IPYTHONDIR": str(self.ipython),
        }

    def _private_runtime(self) -> Path:
        """The runtime folder, or a temporary one where files cannot be hidden from other users.

        Jupyter refuses to write a token or a kernel's key on such a disk (a USB stick, a mounted
        Windows drive), and then no kernel starts.
        """
        from jupyter_core.paths import secure_write

        probe = self.runtime / "probe"
        try:
            with secure_write(str(probe)):
                pass
        except (OSError, RuntimeError):
            folder = tempfile.mkdtemp(prefix="course-")
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            return Path(folder)
        finally:
            probe.unlink(missing_ok=True)
        return self.runtime

    # ---- a server that runs already ----

    def running(self) -> dict[str, Any] | None:
        """The server that already serves this workspace, as Jupyter describes it, or None."""
        for path in sorted(self.runtime.glob("jpserver-*.json")):
            try:
                server = json.loads(path.read_text("utf-8"))
                if _answers(f"{server['url']}api/status?token={quote(server['token'])}"):
                    return dict(server)
            except (OSError, ValueError, KeyError, TypeError):
                continue
        return None


def kernel_specification() -> dict[str, Any]:
    """A kernel that is this very interpreter, with `course_lib` importable from any folder."""
    from ipykernel.kernelspec import get_kernel_dict

    # What goes wrong in a lesson is shown there; the log of the kernel would land in the terminal.
    quiet = ["--IPKernelApp.log_level=CRITICAL"]
    specification: dict[str, Any] = get_kernel_dict(extra_arguments=quiet)
    if PACKAGE.parent.name not in ("site-packages", "dist-packages"):  # a checkout
        path = [str(PACKAGE.parent), os.environ.get("PYTHONPATH", "")]
        specification["env"] = {"PYTHONPATH": os.pathsep.join(filter(None, path))}
    return specification


def _answers(url: str) -> bool:
    """Whether a server answers here; a record left by a crash, or a reused port, does not."""
    try:
        with build_opener(ProxyHandler({})).open(url, timeout=2) as reply:
            return bool(reply.status == 200)
    except (URLError, OSError):
        return False


def _write_json(path: Path, value: object) -> None:
    write_whole(path, json.dumps(value, indent=1).encode())


# ---- the home page -------------------------------------------------------------------------------


def write_lab_home(extensions: Path, workspace: Path, in_browser: bool = False) -> None:
    """Put the extension into JupyterLab's folder of extensions, beside the index of this course."""
    folder, known = extensions / EXTENSION, index(workspace, in_browser)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(BUILT, folder)
    text = json.dumps(known, ensure_ascii=False, separators=(",", ":"))
    write_whole(folder / "index.json", f"{text}\n".encode())


def index(workspace: Path, in_browser: bool = False) -> dict[str, Any]:
    """What the home page shows before anything was done, and what its search looks through."""
    courses = [Course(one, standings([]), {}) for one in desk(workspace).sets]
    titles = [title for title, _ in groupby(courses, key=lambda course: course.one.stage)]
    afterwards = {stage.title: stage.afterwards for stage in STAGES}
    return {
        "stages": [[title, afterwards.get(title, "")] for title in titles],
        "lessons": [_of_lesson(course, titles.index(course.one.stage)) for course in courses],
        "pages": reference_pages(workspace),
        "renamed": RENAMED,
        "browser": in_browser,
        **passages(),
    }


def _of_lesson(course: Course, stage: int) -> dict[str, Any]:
    one = course.one
    cells = [one.place(question).partition("#cell-id=")[2] for question in course.questions]
    return {
        "name": one.name,
        "title": course.title,
        "file": course.file,
        "stage": stage,
        "minutes": [course.lesson.minutes, course.lesson.exercises] if course.lesson else [],
        "sheet": course.sheet,
        "guesses": list(course.asked.items()),
        "questions": [[q, one.title(q), cell] for q, cell in zip(course.questions, cells)],
    }
