"""The rights that a grader may have on a machine: start a command with each of them.

    python modes.py MODE FOLDER… -- COMMAND…

A mode takes rights away from one process and what it starts: another user, a capability that is
dropped, a filter in the kernel. Nothing of the machine is changed, and what a machine cannot
provide is found out by trying, see `missing`. FOLDER is what the command has to read: where a
closed folder is above it, such as root's home above a Python of pyenv's, the command gets a view of
its own in which that folder holds nothing else and is open. Linux only.
"""

import ctypes
import errno
import json
import os
import platform
import stat
import struct
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
OTHER_USER = 54_321  # a user and a group that own nothing
NEEDED = [str(Path(path).resolve()) for path in (sys.prefix, sys.base_prefix, ROOT)]


@dataclass(frozen=True)
class Mode:
    """What a process may do, as `look` sees it, and what is refused to make it so."""

    name: str
    root: bool
    admin: bool  # has CAP_SYS_ADMIN
    namespaces: bool  # may make a user namespace, and with it all others
    walls: bool = True  # may use Landlock and seccomp
    sandbox: str = "linux"  # what runs answers

    @property
    def owner(self) -> int:
        """Who the command runs as: the files it works on have to be this user's."""
        return OTHER_USER if os.geteuid() == 0 and not self.root else os.geteuid()


MODES = {
    mode.name: mode
    for mode in (
        Mode("root", root=True, admin=True, namespaces=True),
        Mode("user", root=False, admin=False, namespaces=True),
        Mode("user without namespaces", root=False, admin=False, namespaces=False),
        Mode("root without CAP_SYS_ADMIN", root=True, admin=False, namespaces=True),
        Mode("root of a plain container", root=True, admin=False, namespaces=False),
    )
}
# For what a grader has to refuse: no namespaces, no Landlock, no seccomp.
NOTHING = {
    mode.name: mode
    for mode in (
        Mode("user without walls", root=False, admin=False, namespaces=False, walls=False),
        Mode("root without walls", root=True, admin=False, namespaces=False, walls=False),
    )
}


def command(mode: Mode, words: list[str], *folders: str) -> list[str]:
    """The words that run `words` in the mode, with `folders` to read besides Python's."""
    return [sys.executable, __file__, mode.name, *NEEDED, *folders, "--", *words]


@cache
def missing(mode: Mode) -> str:
    """Why this machine cannot provide the mode; "" when it does, which is tried."""
    if not sys.platform.startswith("linux") or platform.machine() not in _CALLS:
        return f"{mode.name}: not known for {sys.platform} on {platform.machine()}"
    looking = command(mode, [sys.executable, "-c", LOOK, str(Path(__file__).parent)])
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    tried = subprocess.run(looking, env=environment, cwd="/", capture_output=True, text=True)
    if tried.returncode:
        lines = tried.stderr.strip().split("\n")
        return f"{mode.name}: {lines[-1][:200]}"
    wanted = {"root": mode.root, "admin": mode.admin, "namespaces": mode.namespaces}
    wanted |= {"walls": mode.walls}
    seen = json.loads(tried.stdout)
    wrong = [_WORDS[what][seen[what]] for what in wanted if seen[what] != wanted[what]]
    return f"{mode.name}: here it {' and '.join(wrong)}" if wrong else ""


_WORDS = {
    "root": ("is no root", "is root"),
    "admin": ("lacks CAP_SYS_ADMIN", "keeps CAP_SYS_ADMIN"),
    "namespaces": ("may not make namespaces", "may make namespaces"),
    "walls": ("has no filters of system calls", "has filters of system calls"),
}


@cache
def first() -> Mode | None:
    """The first mode that this machine provides: mostly what the suite itself runs in."""
    return next((mode for mode in MODES.values() if not missing(mode)), None)


LOOK = "import sys; sys.path.insert(0, sys.argv[1]); import course_lib, modes; modes.look()"


def look() -> None:
    """Print what this process may do, as JSON."""
    namespaces = _tried(lambda: _unshare(NEW_USER | NEW_MOUNTS | NEW_PIDS | NEW_NETWORK))
    able = int(_status("CapEff"), 16) >> ADMIN & 1
    seen = {"root": os.geteuid() == 0, "admin": bool(able), "namespaces": namespaces}
    print(json.dumps(seen | {"walls": _tried(lambda: _refuse(()))}))


def _status(name: str) -> str:
    lines = Path("/proc/self/status").read_text(encoding="ascii").split("\n")
    return next(line.partition(":")[2].strip() for line in lines if line.startswith(f"{name}:"))


def _tried(act: Any) -> bool:
    """True when a child could do it."""
    child = os.fork()
    if not child:
        try:
            act()
            os._exit(0)
        except OSError:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


# ---- taking rights away --------------------------------------------------------------------------

ADMIN = 21  # the number of CAP_SYS_ADMIN
DROP_BOUND, NO_NEW_PRIVILEGES, AMBIENT, CLEAR_ALL = 24, 38, 47, 4
NEW_MOUNTS, NEW_USER, NEW_PIDS, NEW_NETWORK = 0x20000, 0x10000000, 0x20000000, 0x40000000
_NEW_ANY = 0x7E020000
_BIND, _RECURSIVE, _PRIVATE = 4096, 16384, 1 << 18
_CAPABILITIES = 0x20080522  # the version of the structure that capget and capset take

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform.startswith("linux") else None


def enter(mode: Mode, needed: Iterable[str]) -> None:
    """Take from this process what the mode does not have."""
    if mode.root and os.geteuid() != 0:
        raise PermissionError(errno.EPERM, "the suite does not run as root")
    becomes = mode.owner != os.geteuid()
    if becomes:
        _open_up(needed)
    if mode.root and not mode.admin:
        _drop_admin()
    if becomes:
        os.setgroups([])
        os.setresgid(mode.owner, mode.owner, mode.owner)
        os.setresuid(mode.owner, mode.owner, mode.owner)
    if not mode.namespaces:
        refused = _NAMESPACES if mode.walls else (*_NAMESPACES, *_WALLS)
        _refuse(refused)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _unshare(flags: int) -> None:
    _checked(_libc.unshare(flags), "unshare")  # type: ignore[union-attr]


def _mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    words = (os.fsencode(source), os.fsencode(target), kind.encode(), ctypes.c_ulong(flags))
    result = _libc.mount(*words, options.encode() or None)  # type: ignore[union-attr]
    _checked(result, f"mount {target}")


def _control(option: int, value: int, *further: int) -> None:
    words = [ctypes.c_ulong(one) for one in (value, *further, 0, 0, 0)[:4]]
    _checked(_libc.prctl(option, *words), f"prctl {option}")  # type: ignore[union-attr]


def _open_up(needed: Iterable[str]) -> None:
    """Make what is needed readable, in mounts that only this process and its children see."""
    closed: dict[str, list[str]] = {}
    for path in needed:
        above = [*reversed(Path(path).parents), Path(path)]
        first = next((str(one) for one in above if not one.stat().st_mode & stat.S_IXOTH), "")
        if first:
            closed.setdefault(first, []).append(path)
    if not closed:
        return
    _unshare(NEW_MOUNTS)
    _mount("none", "/", "", _RECURSIVE | _PRIVATE)
    for folder, paths in closed.items():
        kept = {path: os.open(path, os.O_PATH) for path in paths}
        _mount("tmpfs", folder, "tmpfs", 0, "size=1m,mode=0755")
        for path, descriptor in kept.items():
            os.makedirs(path, exist_ok=True)
            _mount(f"/proc/self/fd/{descriptor}", path, "", _BIND | _RECURSIVE)
            os.close(descriptor)


def _drop_admin() -> None:
    """Give up CAP_SYS_ADMIN, now and for every program that is started."""
    _control(DROP_BOUND, ADMIN)
    _control(AMBIENT, CLEAR_ALL)
    head = (ctypes.c_uint32 * 2)(_CAPABILITIES, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; then the high halves
    _call("capget", ctypes.byref(head), ctypes.byref(sets))
    for place in range(3):
        sets[place] &= ~(1 << ADMIN)
    _call("capset", ctypes.byref(head), ctypes.byref(sets))


def _call(name: str, *arguments: Any) -> None:
    number = ctypes.c_long(_CALLS[platform.machine()][name])
    _checked(_libc.syscall(number, *arguments), name)  # type: ignore[union-attr]


# ---- a filter in the kernel ----------------------------------------------------------------------

_NAMESPACES = ("unshare", "setns", "mount", "umount2", "pivot_root", "open_tree", "move_mount")
_NAMESPACES += ("fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr")
_WALLS = ("landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self", "seccomp")
_CALLS: dict[str, dict[str, int]] = {
    "x86_64": {
        **{"unshare": 272, "setns": 308, "mount": 165, "umount2": 166, "pivot_root": 155},
        **{"clone": 56, "capget": 125, "capset": 126, "seccomp": 317, "prctl": 157},
    },
    "aarch64": {
        **{"unshare": 97, "setns": 268, "mount": 40, "umount2": 39, "pivot_root": 41},
        **{"clone": 220, "capget": 90, "capset": 91, "seccomp": 277, "prctl": 167},
    },
}
for _calls in _CALLS.values():  # newer calls have one number everywhere
    _calls |= {"open_tree": 428, "move_mount": 429, "fsopen": 430, "fsconfig": 431, "fsmount": 432}
    _calls |= {"fspick": 433, "clone3": 435, "mount_setattr": 442}
    _calls |= {name: 444 + place for place, name in enumerate(_WALLS[:3])}

_LOAD, _EQUAL, _BITS, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_NUMBER, _FIRST = 0, 16  # offsets in what a filter sees: the call, and its first argument
_SET_SECCOMP = 22  # prctl's own way to a filter


def _refuse(names: Iterable[str]) -> None:
    """Answer those calls, and a clone into new namespaces, as a system does that forbids them."""
    calls = _CALLS[platform.machine()]
    refuse = (_RETURN, 0, 0, _ERROR | errno.EPERM)
    steps = [(_LOAD, 0, 0, _NUMBER)]
    steps += [(_EQUAL, 0, 1, calls["clone3"]), (_RETURN, 0, 0, _ERROR | errno.ENOSYS)]
    for name in names:
        steps += [(_EQUAL, 0, 1, calls[name]), refuse]
    for name, test in (("clone", (_BITS, 0, 1, _NEW_ANY)), ("prctl", (_EQUAL, 0, 1, _SET_SECCOMP))):
        if name == "clone" or "seccomp" in names:
            steps += [(_EQUAL, 0, 4, calls[name]), (_LOAD, 0, 0, _FIRST), test, refuse]
            steps += [(_RETURN, 0, 0, _ALLOW)]
    steps += [(_RETURN, 0, 0, _ALLOW)]
    program = b"".join(struct.pack("HBBI", *step) for step in steps)
    kept = ctypes.create_string_buffer(program)
    filled = struct.pack("HP", len(steps), ctypes.addressof(kept))
    _control(NO_NEW_PRIVILEGES, 1)
    _call("seccomp", 1, 0, filled)


if __name__ == "__main__":
    wanted, *rest = sys.argv[1:]
    end = rest.index("--")
    try:
        enter((MODES | NOTHING)[wanted], rest[:end])
    except OSError as error:
        sys.exit(error.strerror or str(error))
    os.execvp(rest[end + 1], rest[end + 1 :])
