#!/usr/bin/env python3
"""Make the course's own Python environment, then open the course.

    python3 start.py                JupyterLab on your home page
    python3 start.py test           the whole suite (further words go to pytest)
    python3 start.py site --out DIR the website, for any server of files (site/README.md)
    python3 start.py doctor         any other words go to the course's own commands: see --help
    python3 start.py --no-browser   a first word with a dash goes to `lab`, which opens JupyterLab

The environment is the folder `.venv` beside this file, filled from requirements/*.txt; nothing
outside it changes. The website has its own, `.venv-site`. Delete them: the next start makes them.

Only the standard library is used, and the syntax is one that every Python understands: an old one
has to read the whole file before it can say that it is too old. Hence no f-strings, no type hints.
"""

from __future__ import print_function

import contextlib
import csv
import errno
import glob
import hashlib
import json
import os
import runpy
import shutil
import subprocess
import sys
import tempfile
import threading
import time

try:
    import fcntl
except ImportError:  # Windows
    import msvcrt

OLDEST, NEWEST = (3, 11), (3, 14)
WINDOWS = os.name == "nt"

ROOT = os.path.dirname(os.path.abspath(__file__))


def use_environment(name):
    """Let everything below be about the environment in the folder `name` beside this file."""
    global VENV, SCRIPTS, PYTHON, STAMP, LOCK
    VENV = os.path.join(ROOT, name)
    SCRIPTS = os.path.join(VENV, "Scripts" if WINDOWS else "bin")
    PYTHON = os.path.join(SCRIPTS, "python.exe" if WINDOWS else "python")
    STAMP = os.path.join(VENV, "course.json")  # written last: it says what the environment holds
    LOCK = VENV + ".lock"  # stays empty; the system knows who holds it


use_environment(".venv")
COURSE = [PYTHON, "-P", "-m", "course_lib.cli"]  # -P: files of the current folder shadow nothing
SITE = os.path.join(ROOT, "site", "build.py")
CHECKS = [
    ("style", [PYTHON, "-m", "ruff", "check", "."]),
    ("layout", [PYTHON, "-m", "ruff", "format", "--check", "."]),
    ("types", [PYTHON, "-m", "mypy"]),
    ("tests", [PYTHON, "-m", "pytest"]),
]
WORKERS = min(4, os.cpu_count() or 1)
WHOLE = ["-n", str(WORKERS), "--dist", "loadfile"]  # notebooks and fixtures stay in one process


class Stop(Exception):
    """The reason why the course cannot start, in one sentence for the student."""


def main(words):
    """Return the exit status of what `words` ask for."""
    try:
        check_python(sys.version_info)
        for stream in (sys.stdout, sys.stderr):  # a console that lacks a letter of the path
            stream.reconfigure(errors="backslashreplace")
        if words[:1] == ["test"]:
            prepare("test")
            return run_checks(words[1:])
        if words[:1] == ["site"]:
            runpy.run_path(SITE)["parse"](words[1:])  # leaves if they are wrong, and for --help
            use_environment(".venv-site")
            prepare("site")
            return hand_over([PYTHON, "-P", SITE] + words[1:])
        words = complete(words)
        if reason_to_prepare("course"):
            check_words(words)  # an installation takes minutes, a wrong word shows at once
            prepare("course")
        return hand_over(COURSE + words)
    except Stop as stop:
        print("start.py: " + str(stop), file=sys.stderr)
    except OSError as problem:
        print("start.py: " + explain(str(problem), problem.errno), file=sys.stderr)
    except KeyboardInterrupt:
        print("\nstart.py: stopped; the same command carries on from here.", file=sys.stderr)
        return 130
    return 1


def check_python(version):
    """Refuse a Python outside the supported range."""
    if not OLDEST <= tuple(version[:2]) <= NEWEST:
        raise Stop(
            "the course needs Python 3.%d to 3.%d and this is Python %d.%d: "
            "install a supported one from python.org and start with that."
            % (OLDEST[1], NEWEST[1], version[0], version[1])
        )


# ---- the words --------------------------------------------------------------------------------


def complete(words):
    """Return `words` with `lab` before them where it goes without saying."""
    about_all = ("-h", "--help", "--version")
    if not words or (words[0].startswith("-") and words[0] not in about_all):
        return ["lab"] + words
    return words


def check_words(words):
    """Leave with the message of the course's command line if it does not take `words`.

    Its parser needs the standard library only.
    """
    sys.path.insert(0, ROOT)
    os.environ.update(environment_variables())  # so that its messages are as they will be later
    from course_lib import cli

    cli.parse(words)  # raises SystemExit, also for --help, which needs no environment


def python_word():
    """Return how the reader called this Python: the messages of the course say it, too."""
    name = os.path.basename(sys.executable)
    if WINDOWS:  # its installer puts the launcher `py` on the PATH, and python.exe only if asked
        return "py" if shutil.which("py") else "python"
    return name if shutil.which(name) else sys.executable


# ---- is the environment fit for use? ----------------------------------------------------------


def reason_to_prepare(pins):
    """Return why the environment cannot be used as it is, or None if it can."""
    stamp = read_stamp()
    damage = find_damage(stamp)
    if not damage and stamp["pins"].get(pins) != digest(pins):
        return "its packages are not those of requirements/%s.txt" % pins
    return damage


def prepare(pins):
    """Make the environment hold what requirements/<pins>.txt lists; touch nothing if it does."""
    if not reason_to_prepare(pins):
        return
    digest(pins)  # before anything is deleted: is the list there?
    tempfile.TemporaryFile(dir=ROOT).close()  # and may we write here? An OSError says why not
    with alone():
        if reason_to_prepare(pins):  # still: another start may have made it while we waited
            bring_up_to_date(pins)


def bring_up_to_date(pins):
    """Make the environment, anew if it is damaged; only one process at a time may do so."""
    begin, uv, damage = time.time(), has_uv(), find_damage(read_stamp())
    if damage:
        print("Making the environment in %s: %s." % (VENV, damage))
        make_environment(uv)
    else:
        print("Bringing the environment up to date.")
    install(pins, uv)
    add_course()
    write_stamp(pins)
    print("The environment is ready after %d s." % (time.time() - begin))


@contextlib.contextmanager
def alone():
    """Wait until no other start works on the environment, and keep others waiting meanwhile.

    The lock is the system's, not the existence of a file: it ends with its process, even a killed
    one. A file system without locks (some network drives) lets everybody pass.
    """
    with open(LOCK, "ab") as file:
        said = False
        while not lock(file):
            if not said:
                print("Another start is making the environment; waiting until it is done.")
                sys.stdout.flush()
                said = True
            time.sleep(0.5)
        try:
            yield
        finally:
            if WINDOWS:  # which may be slow to see that a closed file is no longer locked
                with contextlib.suppress(OSError):  # a file system without locks
                    msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)


def lock(file):
    """Return whether nobody else holds `file`, which is ours from now on."""
    try:
        if WINDOWS:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as problem:
        return problem.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
    return True


def find_damage(stamp):
    """Return why the environment has to be made anew, or None if it may stay."""
    if not os.path.isdir(VENV):
        return "there is none yet; this happens once"
    if stamp is None:
        return "the last attempt was not finished"
    if stamp["location"] != VENV:
        return "the folder was moved"
    if stamp["python"] != environment_python():
        return "its Python is gone or another one"
    if not set(stamp["packages"]) <= set(packages()) or not all(map(is_whole, packages())):
        return "files in it are missing or damaged"
    return None


def read_stamp():
    """Return what the last finished installation wrote down, or None."""
    try:
        with open(STAMP, encoding="utf-8") as file:
            stamp = json.load(file)
        return stamp if {"location", "python", "packages", "pins"} <= set(stamp) else None
    except (IOError, ValueError, TypeError):
        return None


def write_stamp(pins):
    """Write down what the environment holds; all of it or nothing, even when interrupted."""
    # test.txt lists all of course.txt at the same versions (requirements/refresh.py).
    held = ["course", "test"] if pins == "test" else [pins]
    stamp = {
        "location": VENV,
        "python": environment_python(),
        "packages": packages(),
        "pins": dict((name, digest(name)) for name in held),
    }
    with open(STAMP + ".new", "w", encoding="utf-8") as file:
        json.dump(stamp, file, indent=1)
    os.replace(STAMP + ".new", STAMP)


def digest(pins):
    """Return the fingerprint of requirements/<pins>.txt."""
    try:
        with open(os.path.join(ROOT, "requirements", pins + ".txt"), "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except IOError:
        raise Stop("requirements/%s.txt is not beside start.py: get the whole course." % pins)


def environment_python():
    """Return the version of the environment's own Python, or None if it does not run."""
    ask = [PYTHON, "-I", "-S", "-c", "import sys; print(sys.version)"]
    try:
        return subprocess.check_output(ask, stderr=subprocess.STDOUT).decode().split()[0]
    except (OSError, subprocess.CalledProcessError):
        return None


def site_packages():
    """Return the folder where the environment's packages lie, or None."""
    found = glob.glob(os.path.join(glob.escape(VENV), "[Ll]ib", "python3*", "site-packages"))
    found += glob.glob(os.path.join(glob.escape(VENV), "Lib", "site-packages"))
    return found[0] if found else None


def packages():
    """Return the names and versions of the installed packages, as their folders spell them."""
    names = os.listdir(site_packages()) if site_packages() else []
    return sorted(name for name in names if name.endswith(".dist-info"))


def is_whole(package):
    """Return whether every file that `package` brought is there, at the size it came with."""
    folder = site_packages()
    try:
        with open(os.path.join(folder, package, "RECORD"), newline="", encoding="utf-8") as file:
            for path, _, size in csv.reader(file):
                if size and os.stat(os.path.join(folder, path)).st_size != int(size):
                    return False
    except (IOError, OSError, ValueError):
        return False
    return True


# ---- making it --------------------------------------------------------------------------------


def make_environment(uv):
    """Replace the environment by an empty one."""
    if not uv:
        check_venv_module()
    # Not sys.executable: that may be the very environment that goes, or one that will go later.
    python = getattr(sys, "_base_executable", None) or sys.executable
    if os.path.exists(VENV):
        shutil.rmtree(VENV)
    if uv:
        work(["uv", "venv", "--quiet", "--python", python, VENV])
    else:
        work([python, "-m", "venv", "--without-pip", VENV])


def install(pins, uv):
    """Install exactly what requirements/<pins>.txt lists, each file checked by its hash."""
    if uv:
        installer = ["uv", "pip", "install", "--python", PYTHON]
    else:
        work([PYTHON, "-m", "ensurepip"])  # takes pip from the Python itself, not from the network
        installer = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check"]
    pinned = ["--require-hashes", "--no-deps", "--only-binary", ":all:"]
    listed = os.path.join(ROOT, "requirements", pins + ".txt")
    with open(listed, encoding="utf-8") as file:
        wanted = sum(1 for line in file if line[:1].isalnum())
    work(installer + pinned + ["-r", listed], wanted)


def add_course():
    """Let the environment see the package in this folder, and give it the `course` command."""
    # A relative path is plain ASCII whatever the folder is called, and needs no build tool.
    with open(os.path.join(site_packages(), "course_lib.pth"), "w", encoding="ascii") as file:
        file.write(os.path.relpath(ROOT, site_packages()) + "\n")
    command = os.path.join(SCRIPTS, "course.cmd" if WINDOWS else "course")
    text = '#!/bin/sh\nexec "$(dirname "$0")/python" -P -m course_lib.cli "$@"\n'
    if WINDOWS:
        text = '@"%~dp0python.exe" -P -m course_lib.cli %*\n'
    with open(command, "w", encoding="ascii") as file:
        file.write(text)
    os.chmod(command, 0o755)


def has_uv():
    """Return whether a working `uv` is on the PATH."""
    try:
        return bool(subprocess.check_output(["uv", "--version"], stderr=subprocess.STDOUT))
    except (OSError, subprocess.CalledProcessError):
        return False


def check_venv_module():
    """Refuse a Python whose distribution took `venv` apart, as Debian's does."""
    try:
        import ensurepip
        import venv

        return ensurepip, venv
    except ImportError:
        raise Stop(
            "this Python lacks its venv module: install it (on Debian and Ubuntu: "
            "sudo apt install python%d.%d-venv) and start again." % sys.version_info[:2]
        )


def work(command, wanted=0):
    """Run a step of the installation; say in one sentence why it fails.

    With `wanted`, the number of packages it installs, it shows how far it has come.
    """
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    output.update(universal_newlines=True, encoding="utf-8", errors="replace")
    # In the course's folder: not under the settings of another project.
    process = subprocess.Popen(command, cwd=ROOT, env=environment_variables(), **output)
    lines, begin, shown = [], time.time(), ""
    reader = threading.Thread(target=lambda: lines.extend(process.stdout), daemon=True)
    reader.start()
    try:
        while reader.is_alive():
            reader.join(0.5)
            if wanted:  # fetching is half of the work; uv tells of it only when all is fetched
                fetched = sum(line.startswith("Collecting ") for line in lines)
                done = (min(fetched, wanted) + min(len(packages()), wanted)) / 2.0 / wanted
                shown = show(done, time.time() - begin, shown)
    finally:
        if shown and sys.stdout.isatty():
            print()
        status = process.wait()  # also after Ctrl-C: it is tidying up
        reader.join()
        process.stdout.close()
    if status:
        raise Stop(explain("".join(lines)))


def show(done, seconds, shown):
    """Show how far it has come: in place of the text `shown` before, or in a log by tens."""
    text = "%3d %%" % (100 * done)
    if seconds > 5 and 0.05 < done < 1:  # earlier it would be a guess
        text += ", about %d s left" % (5 * round(seconds * (1 - done) / done / 5) or 5)
    if sys.stdout.isatty():
        print("\r  " + text.ljust(len(shown)), end="")
    elif text[:2] != shown[:2]:
        print("  " + text)
    sys.stdout.flush()
    return text


# ---- what went wrong --------------------------------------------------------------------------

FULL = "the disk is full: the course needs 700 MB; make room and start again."
READ_ONLY = "this folder is read-only: copy the course to a folder of your own and start there."
DENIED = (
    "no permission to write in %s: copy the course to a folder of your own and start there; "
    "on Windows, close JupyterLab first." % ROOT
)
OFFLINE = "the packages could not be fetched: connect to the network (once) and start again."
ALTERED = "a downloaded package is not the one that the course was tested with; start again."
TOO_LONG = (
    "the path of this folder is too long for the packages in it: move the course to a short one, "
    "such as C:\\course, and start there."
)
NO_WHEEL = "a package is not made for this kind of machine; a 64-bit Python may help."

# From top to bottom: the first row of which a word occurs wins.
REASONS = [
    (FULL, ["no space left", "not enough space", "quota exceeded", "winerror 112"]),
    (READ_ONLY, ["read-only file system"]),
    (DENIED, ["permission denied", "access is denied", "operation not permitted"]),
    (TOO_LONG, ["long path support", "extension is too long", "file name too long"]),
    (ALTERED, ["do not match the hashes", "hash mismatch"]),
    (OFFLINE, ["connect", "failed to fetch", "name resolution", "timed out", "dns error"]),
    (NO_WHEEL, ["no matching distribution", "no solution found", "no usable wheels"]),
]
WARNINGS = ("warning:", "[notice]", "deprecation:")  # an installer's, to its own users
NUMBERS = {errno.ENOSPC: FULL, errno.EROFS: READ_ONLY, errno.EACCES: DENIED, errno.EPERM: DENIED}


def explain(text, number=None):
    """Return the sentence for a failure, known by its errno or its words, then its last words."""
    if number in NUMBERS:
        return NUMBERS[number]
    lines = text.strip().splitlines()
    for sentence, words in REASONS:
        found = [line.strip() for line in lines if any(word in line.lower() for word in words)]
        if found:
            told = [line for line in found if not line.lower().startswith(WARNINGS)]
            return sentence + "".join("\n  (%s)" % shortened(line) for line in told[:1])
    return "the environment could not be made; the last words were:\n" + "\n".join(lines[-8:])


def shortened(line):
    """Return `line`, or its first words and dots if it is long."""
    return line if len(line) <= 200 else line[:200].rsplit(" ", 1)[0] + " ..."


# ---- using it ---------------------------------------------------------------------------------


def environment_variables():
    """Return the variables under which the environment's programs run: it comes first, alone."""
    variables = dict(os.environ, VIRTUAL_ENV=VENV, PIP_USER="0")
    if not shutil.which("course"):  # else its messages may say `course` and be right
        variables["COURSE_PYTHON"] = python_word()
    variables["PATH"] = SCRIPTS + os.pathsep + variables.get("PATH", os.defpath)
    for name in ("PYTHONHOME", "PYTHONPATH", "__PYVENV_LAUNCHER__", "UV_SYSTEM_PYTHON"):
        variables.pop(name, None)
    return variables


def hand_over(command):
    """Become `command`, so that signals and the terminal are its own."""
    if WINDOWS:  # where the prompt would come back at once
        return run(command)
    sys.stdout.flush()
    os.execve(command[0], command, environment_variables())


def run(command, folder=None):
    """Run `command` to its end and return its exit status; Ctrl-C is its own business."""
    process = subprocess.Popen(command, cwd=folder, env=environment_variables())
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            pass


def run_checks(words):
    """Run every check, the later ones too when one fails; return 0 only if all passed."""
    failed = []
    for name, command in CHECKS:
        print("\n== %s ==" % name)
        sys.stdout.flush()
        if run(command + ((words or WHOLE) if name == "tests" else []), folder=ROOT):
            failed.append(name)
    print("\nfailed: " + ", ".join(failed) if failed else "\nall checks passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
