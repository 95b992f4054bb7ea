"""`course doctor`: check the installation, one line each, and say what to do where it fails."""

import argparse
import json
import os
import platform
import re
import shutil
import struct
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from course_lib.classroom import content
from course_lib.classroom.commands.lab import PORT, port_problem
from course_lib.classroom.jupyter_home import JupyterHome
from course_lib.classroom.prompt import command_line, pip_install, quote_word
from course_lib.classroom.trouble import Trouble
from course_lib.classroom.workspace import Workspace, default_folder

OLDEST, NEWEST = (3, 11), (3, 14)
EXTRA = "lab"  # in pyproject.toml: what the commands need besides the library
_ROOM = 200  # MB that a workspace and its checkpoints need at most
_PATIENCE = 60  # seconds for a kernel to start, and for its first picture, on a slow disk


@dataclass(frozen=True)
class Finding:
    """One line of the report: `status` is "ok", "note" (nothing to do) or "fail"."""

    name: str
    status: str
    says: str
    advice: str = ""

    def __str__(self) -> str:
        line = f"{self.status.upper() if self.status == 'fail' else self.status:<5} {self.name}: "
        return line + self.says + (f"\n      What to do: {self.advice}" if self.advice else "")


Findings = Iterator[Finding]

WORDS = {
    "FOLDER?": "the workspace to look at (default: the one that lab opens)",
    "--json": "print one JSON object instead",
}


def run(arguments: argparse.Namespace) -> int:
    """Print the report; return 0 when nothing failed, else 1."""
    workspace = Workspace(Path(arguments.folder or default_folder()).absolute())
    findings = []
    for finding in examine(workspace):
        findings.append(finding)
        if not arguments.json:
            print(finding, flush=True)
    failed = sum(finding.status == "fail" for finding in findings)
    if arguments.json:
        checks = [asdict(finding) for finding in findings]
        print(json.dumps({"ok": not failed, "checks": checks}, indent=1))
    else:
        print(f"{failed} of {len(findings)} checks failed." if failed else "Everything works.")
    return 1 if failed else 0


def examine(workspace: Workspace) -> Findings:
    """Every finding, in the order in which one thing builds on another."""
    checks: list[tuple[str, Callable[[], Findings]]] = [
        ("Python", check_python),
        ("course", check_course),
        ("packages", check_packages),
        ("workspace", lambda: check_workspace(workspace)),
        ("port", lambda: check_port(workspace)),
        ("kernel", check_kernel),
        ("dot", check_dot),
    ]
    for name, check in checks:
        try:
            yield from check()
        except Trouble as trouble:
            yield Finding(name, "fail", str(trouble))
        except Exception as error:  # a broken installation breaks in ways nobody listed
            yield Finding(name, "fail", f"{type(error).__name__}: {error}", reinstall())


def reinstall() -> str:
    """What brings this installation in order, in the words to type."""
    if content.checkout():
        return f"delete the folder .venv of the course, then {command_line()} makes it anew"
    # Not by its name: an index may know another package of that name.
    pip = f"{quote_word(sys.executable)} -m pip install --force-reinstall"
    return f"{pip} FILE, where FILE is the .whl that the course came as"


# ---- what is installed ---------------------------------------------------------------------------


def check_python(version: tuple[int, ...] = sys.version_info[:3]) -> Findings:
    """The interpreter: its version and its word size."""
    supported = ".".join(map(str, OLDEST)) + " to " + ".".join(map(str, NEWEST))
    says = f"{'.'.join(map(str, version))} at {sys.executable}"
    advice = f"install a 64-bit Python {supported} from https://www.python.org"
    if not OLDEST <= version[:2] <= NEWEST:
        yield Finding("Python", "fail", f"{says}; the course needs {supported}", advice)
    elif struct.calcsize("P") < 8:
        yield Finding("Python", "fail", f"{says}; it is a 32-bit one", advice)
    else:
        yield Finding("Python", "ok", f"{says} on {platform.system()}")


def check_course() -> Findings:
    """The library and its lessons."""
    from course_lib.version import COURSE

    folder = content.root()
    count = sum(name.endswith(".ipynb") for name in content.names(folder))
    if count:
        yield Finding("course", "ok", f"{COURSE}, notebooks: {count}, in {folder}")
    else:
        yield Finding("course", "fail", f"{COURSE}, without notebooks in {folder}", reinstall())


def check_packages() -> Findings:
    """Each package the course stands on, against what the course asks for."""
    from packaging.requirements import Requirement

    tested = pins()
    for line in requirements():
        wanted = Requirement(line)
        if wanted.marker and not wanted.marker.evaluate({"extra": EXTRA}):
            continue
        wheel = pip_install(f"{wanted.name}{wanted.specifier}")
        repair = reinstall() if content.checkout() else wheel
        try:
            here = metadata.version(wanted.name)
        except metadata.PackageNotFoundError:
            yield Finding(wanted.name, "fail", "not installed", repair)
            continue
        pin = tested.get(_plain(wanted.name), here)
        if not wanted.specifier.contains(here, prereleases=True):
            says = f"{here}; the course needs {wanted.specifier}"
            yield Finding(wanted.name, "fail", says, repair)
        elif here != pin:
            yield Finding(wanted.name, "note", f"{here}; the course is tested with {pin}")
        else:
            yield Finding(wanted.name, "ok", here)


def requirements() -> list[str]:
    """What the course asks for, as `numpy>=2.1`: of the checkout, else of the installed wheel."""
    checkout = content.checkout()
    if checkout:
        with open(checkout / "pyproject.toml", "rb") as file:
            project = tomllib.load(file)["project"]
        return [*project["dependencies"], *project["optional-dependencies"][EXTRA]]
    return metadata.requires("course-lib") or []


def pins() -> dict[str, str]:
    """The exact versions a checkout is tested with; a wheel says nothing about them."""
    path = (content.checkout() or Path()) / "requirements" / "course.txt"
    if content.checkout() is None or not path.is_file():
        return {}
    lines = re.findall(r"^([\w.-]+)==([^\s;\\]+)", path.read_text("utf-8"), flags=re.MULTILINE)
    return {_plain(name): version for name, version in lines}


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def check_dot() -> Findings:
    """Graphviz's own program: many look for it, and the course does without."""
    program = shutil.which("dot")
    says = program or "not installed, and nothing in the course needs it"
    yield Finding("dot", "ok" if program else "note", says)


# ---- the student's files -------------------------------------------------------------------------


def check_workspace(workspace: Workspace) -> Findings:
    """Whether the workspace, or the folder it would be made in, can be written; what it holds."""
    name, folder = "workspace", workspace.folder
    place = next(path for path in (folder, *folder.parents) if path.exists())
    advice = f"give a folder of your own: {command_line('lab FOLDER')}"
    try:
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        yield Finding(name, "fail", f"{place} cannot be written: {error.strerror}", advice)
        return
    free = shutil.disk_usage(place).free // 1_000_000
    if free < _ROOM:
        says = f"only {free} MB are free in {place}; the course needs {_ROOM} MB"
        yield Finding(name, "fail", says, "make room on that disk, or " + advice)
    elif not workspace.exists():
        yield Finding(name, "ok", f"none in {folder} yet; {command_line('lab')} makes it")
    else:
        there = [n for n in content.names(content.root()) if workspace.file(n).is_file()]
        changed = len(set(there) - set(workspace.list_untouched()))
        yield Finding(name, "ok", f"{folder}, {len(there)} files, {changed} changed by you")


# ---- what runs -----------------------------------------------------------------------------------


def check_port(workspace: Workspace) -> Findings:
    """Whether a port is free for JupyterLab."""
    server = JupyterHome(workspace).running()
    if server is not None:
        yield Finding("port", "ok", f"{server['port']}; JupyterLab is open on this workspace")
        return
    problems = {port: port_problem(port) for port in range(PORT, PORT + 10)}
    free = [port for port, problem in problems.items() if problem is None]
    if PORT in free:
        yield Finding("port", "ok", f"{PORT} is free")
    elif free:
        yield Finding("port", "ok", f"{PORT} is {problems[PORT]}; {free[0]} is free")
    else:
        says = f"none of {PORT} to {PORT + 9} can be used: {problems[PORT]}"
        advice = f"close other Jupyter servers, or choose a port: {command_line('lab --port N')}"
        yield Finding("port", "fail", says, advice)


_PROBES = (
    (
        "import",
        "import course_lib as torch, sys; print(f'course_lib from {torch.__path__[0]}')",
        "",
    ),
    (
        "picture",
        "from course_lib.viz import draw_graph\n"
        "x = torch.tensor([1.0, 2.0], requires_grad=True)\n"
        "print(f'a graph drawn as {len(draw_graph((x * x).sum()).svg)} letters of SVG')",
        "on an unusual processor wasmtime may be missing; lessons then show the text of a picture",
    ),
)


def check_kernel() -> Findings:
    """A kernel as the lessons get one: it starts, imports the library, and draws."""
    with tempfile.TemporaryDirectory(prefix="course-", ignore_cleanup_errors=True) as folder:
        home = JupyterHome(Workspace(Path(folder)))
        home.prepare()
        kernel, client = _start_kernel(home)
        try:
            client.wait_for_ready(timeout=_PATIENCE)
            yield Finding("kernel", "ok", "a Python kernel starts and answers")
            for name, code, advice in _PROBES:
                works, says = _ask(client, code)
                if not works:
                    yield Finding(name, "fail", says, advice or reinstall())
                    break  # nothing can be drawn with a library that cannot be imported
                yield Finding(name, "ok", says)
        except (RuntimeError, TimeoutError) as error:
            last = str(error).strip().splitlines()[-1:] or [type(error).__name__]
            says = f"it does not start: {last[0]}"
            advice = "let your firewall or virus scanner allow Python to talk to itself (127.0.0.1)"
            yield Finding("kernel", "fail", says, f"{reinstall()}; if that does not help, {advice}")
        finally:
            client.stop_channels()
            kernel.shutdown_kernel(now=True)


def _start_kernel(home: JupyterHome) -> tuple[Any, Any]:
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import KernelManager

    specifications = KernelSpecManager(kernel_dirs=[str(home.data / "kernels")])
    kernel = KernelManager(
        kernel_name="python3",
        kernel_spec_manager=specifications,
        connection_file=str(home.runtime / "kernel.json"),
    )
    with open(os.devnull, "wb") as nowhere:  # what it logs is for developers of Jupyter
        kernel.start_kernel(
            env=home.environment(os.environ), cwd=str(home.data), stdout=nowhere, stderr=nowhere
        )
    client = kernel.client()
    client.start_channels()
    return kernel, client


def _ask(client: Any, code: str) -> tuple[bool, str]:
    """Whether `code` ran in the kernel, and what it printed or how it failed."""
    said: list[str] = []

    def hear(message: dict[str, Any]) -> None:
        if message["msg_type"] == "stream":
            said.append(message["content"]["text"])

    reply = client.execute_interactive(code, output_hook=hear, timeout=_PATIENCE)["content"]
    if reply["status"] == "ok":
        return True, "".join(said).strip()
    return False, f"{reply.get('ename')}: {reply.get('evalue')}"
