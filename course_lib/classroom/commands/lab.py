"""`course lab`: open the course in JupyterLab, in a workspace of the student's own."""

import argparse
import contextlib
import errno
import importlib.util
import os
import secrets
import signal
import socket
import sys
import webbrowser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from course_lib.classroom.home import renew_home, write_home
from course_lib.classroom.jupyter_home import JupyterHome, write_lab_home
from course_lib.classroom.prompt import add_options
from course_lib.classroom.trouble import Trouble, cannot_write, writing
from course_lib.classroom.workspace import Changes, Workspace, default_folder

HOST = "127.0.0.1"  # this machine only, for an administrator's account as for any other
PORT = 8888
_OPEN_FILE = "open_course.html"

WORDS = {
    "FOLDER?": "your workspace: lessons and exercises are copied there, and what you change there "
    "is never overwritten (default: workspace/ in the checkout, else ./course)",
    "--no-browser": "only print the address to open",
    "--port N": f"serve on this port (default: {PORT}, or a free one if that is busy)",
    "--verbose": "show JupyterLab's own messages",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the words of `course lab`."""
    add_options(parser, WORDS, {"N": port_number, "FOLDER": Path})


def run(arguments: argparse.Namespace) -> int:
    """Serve the workspace until Ctrl-C; return the exit code."""
    for package in ("jupyterlab", "ipykernel"):  # before anything is copied that cannot be opened
        if importlib.util.find_spec(package) is None:
            raise ModuleNotFoundError(name=package)
    workspace = Workspace(Path(arguments.folder or default_folder()).absolute())
    home = JupyterHome(workspace)
    print(f"Workspace: {workspace.folder}", flush=True)
    server = home.running()
    browser = not arguments.no_browser and can_show_browser(os.environ)
    if server is not None and arguments.port in (None, server["port"]):
        return _point_to(server, workspace, browser)
    if arguments.port is not None and (problem := port_problem(arguments.port)):
        taken = f"port {arguments.port} is {problem}"
        raise Trouble(f"{taken}; give another --port, or none to have one chosen")
    report(workspace.refresh())
    try:
        home.prepare()
    except OSError as error:
        raise cannot_write(Path(error.filename or home.data), error) from None
    renew_home(lambda: write_lab_home(home.extensions, workspace.folder))
    renew_home(lambda: write_home(workspace))
    return _serve(home, arguments.port, browser, "INFO" if arguments.verbose else "ERROR")


def report(changes: Changes) -> None:
    """Print what happened to the student's files; nothing when nothing happened."""
    if changes.added:
        print(f"Copied {_files(len(changes.added))}; what you change is never overwritten.")
    if changes.updated:
        print(f"Updated {_files(len(changes.updated))} that you had not changed.")
    if changes.kept:
        print(f"Kept as you changed them, though newer versions exist: {', '.join(changes.kept)}")
    if changes.locked:
        print(
            "Not updated, because they are write-protected or open in another program: "
            + ", ".join(changes.locked)
        )


def _files(count: int) -> str:
    return f"{count} file" if count == 1 else f"{count} files"


# ---- ports ---------------------------------------------------------------------------------------


def port_number(word: str) -> int:
    """The port that `word` names.

    >>> port_number("9000")
    9000
    """
    if word.isascii() and word.isdigit() and 1 <= int(word) <= 65535:
        return int(word)
    raise argparse.ArgumentTypeError(f"{word!r} is not a port; give a number from 1 to 65535")


def port_problem(port: int) -> str | None:
    """Why a server cannot listen on `port`, in words, or None when it can."""
    with socket.socket() as probe:
        if os.name != "nt":  # as the server does it: a port just given back counts as free
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
            probe.listen()
        except OSError as error:
            if error.errno in (errno.EACCES, getattr(errno, "WSAEACCES", None)):
                return "not allowed for your account"
            return "in use by another program"
    return None


# ---- the server ----------------------------------------------------------------------------------


def can_show_browser(environment: Mapping[str, str], system: str = sys.platform) -> bool:
    """Whether there is a screen; without one, Python would open a text browser over this terminal.

    >>> can_show_browser({}, "linux"), can_show_browser({"DISPLAY": ":0"}, "linux")
    (False, True)
    """
    if system in ("win32", "darwin"):
        return True
    return any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))


def _point_to(server: dict[str, Any], workspace: Workspace, browser: bool) -> int:
    """Open the server that is running already instead of starting a second one."""
    print("JupyterLab serves this workspace already.")
    _say_address(f"{server['url']}lab?token={server['token']}", browser)
    file = workspace.folder / _OPEN_FILE
    if browser and file.is_file():
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(file.as_uri())
    return 0


def _say_address(address: str, browser: bool) -> None:
    print("JupyterLab opens in your browser:" if browser else "Open this address in a browser:")
    print(f"  {address}", flush=True)


def _serve(home: JupyterHome, port: int | None, browser: bool, level: str) -> int:
    environment = home.environment(os.environ)
    os.environ.clear()
    os.environ.update(environment)
    from jupyterlab.labapp import LabApp  # after the environment: Jupyter looks at it early

    workspace, token = home.workspace, secrets.token_hex(24)
    words = server_words(workspace, token, port, browser, level)
    server = LabApp.initialize_server(argv=words)
    _stop_on_signals(server)
    if port is None and server.port != PORT:
        print(f"Port {PORT} is {port_problem(PORT) or 'busy'}; port {server.port} is used instead.")

    def ready() -> None:
        _say_address(f"http://{HOST}:{server.port}{server.default_url}&token={token}", browser)
        print("Press Ctrl-C here to stop.", flush=True)

    server.io_loop.add_callback(ready)  # comes after Jupyter's own: then the address answers
    with private_page(workspace.folder / _OPEN_FILE) as page:
        server.browser_open_file = str(page)
        server.start()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C is one too many
    print(f"Stopped. Your files are in {workspace.folder}", flush=True)
    return 0


def server_words(
    workspace: Workspace, token: str, port: int | None, browser: bool, level: str
) -> list[str]:
    """JupyterLab's own command line; words there outrank every settings file on the machine."""
    hidden = (".*", "__pycache__", "*.pyc", "*.pyo", ".DS_Store", "*~", _OPEN_FILE)
    return [
        f"--ServerApp.root_dir={workspace.folder}",
        f"--ServerApp.ip={HOST}",
        f"--ServerApp.port={port or PORT}",
        f"--ServerApp.port_retries={0 if port else 50}",
        f"--ServerApp.open_browser={browser}",
        "--ServerApp.allow_root=True",  # only this machine is served, and the token is asked for
        f"--ServerApp.log_level={level}",
        f"--LabApp.log_level={level}",
        f"--IdentityProvider.token={token}",
        "--LabApp.default_url=/lab?reset",  # a clean desk: nothing of yesterday's is opened again
        "--ContentsManager.allow_hidden=True",  # the home page reads the progress in `.course`
        "--LabApp.extension_manager=readonly",  # the environment is pinned; nothing to fetch
        "--LanguageServerManager.autodetect=False",  # it would run whatever npm it finds
        "--KernelSpecManager.allowed_kernelspecs=python3",
        *(f"--ContentsManager.hide_globs={pattern}" for pattern in hidden),
    ]


def _stop_on_signals(server: Any) -> None:
    """Ctrl-C, or closing the terminal, stops the server and its kernels in good order.

    Jupyter itself would ask "really?" for five seconds in a terminal, and leave its files behind
    outside one.
    """
    for name in ("SIGINT", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, lambda *_: server.stop(from_signal=True))


@contextlib.contextmanager
def private_page(page: Path) -> Iterator[Path]:
    """An empty page for an address with a token, to be opened instead of the address itself.

    Nobody else may read it, while everybody sees the words that a browser is started with. It lies
    in a folder of the reader's, since browsers installed as snaps or flatpaks see no hidden one,
    where Jupyter would put it.
    """
    with writing(page):
        page.unlink(missing_ok=True)
        os.close(os.open(page, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    try:
        yield page
    finally:
        page.unlink(missing_ok=True)
