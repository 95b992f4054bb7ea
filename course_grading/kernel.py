"""What the kernel is asked for by its own numbers, through ctypes. Linux on x86-64 and AArch64.

Landlock is half of it (Linux ≥ 6.2): a process takes from itself the right to open what is not
listed. It needs no privilege and holds for everything the process starts. What it cannot do is hide
one folder inside a readable one, so the readable ones are listed without what must stay unread.
"""

import ctypes
import os
import platform
import sys
from collections.abc import Iterable
from typing import Any

NEW_MOUNTS, NEW_NAMES, NEW_IPC = 0x00020000, 0x04000000, 0x08000000
NEW_USER, NEW_PIDS, NEW_NETWORK = 0x10000000, 0x20000000, 0x40000000

READ_ONLY, NO_SETUID, NO_DEVICES, REMOUNT = 1, 2, 4, 32
BIND, RECURSIVE, PRIVATE = 4096, 16384, 1 << 18
DETACH = 2

_NUMBERS = {  # of calls that libc has no function for
    "x86_64": {"pivot_root": 155, "capset": 126, "landlock": 444, "seccomp": 317, "pidfd": 434},
    "aarch64": {"pivot_root": 41, "capset": 91, "landlock": 444, "seccomp": 277, "pidfd": 434},
}
NO_NEW_PRIVILEGES, SUBREAPER, DROP_BOUND, DUMPABLE, END_WITH_PARENT = 38, 36, 24, 4, 1

_library: Any = None


def has_known_calls() -> bool:
    """True where these calls have the numbers that are written here.

    >>> has_known_calls() in (True, False)
    True
    """
    return sys.platform == "linux" and platform.machine() in _NUMBERS


def _libc() -> Any:
    global _library
    if _library is None:
        _library = ctypes.CDLL(None, use_errno=True)
    return _library


def _check_result(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def call(name: str, *arguments: Any, offset: int = 0) -> int:
    """A call by its number; Landlock has three in a row."""
    number = _NUMBERS[platform.machine()][name] + offset
    words = [
        ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments
    ]
    return _check_result(_libc().syscall(ctypes.c_long(number), *words), name)


def unshare(flags: int) -> None:
    """Leave the named namespaces for new ones."""
    _check_result(_libc().unshare(flags), "unshare")


def setns(descriptor: int, flags: int) -> None:
    """Enter the namespace behind an open file."""
    _check_result(_libc().setns(descriptor, flags), "setns")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount, or change a mount."""
    words = [os.fsencode(word) for word in (source, target, kind)]
    data = options.encode() if options else None
    _check_result(_libc().mount(*words, ctypes.c_ulong(flags), data), f"mount {target}")


def unmount(target: str) -> None:
    """Take a mount away at once, busy or not."""
    _check_result(_libc().umount2(os.fsencode(target), DETACH), f"umount {target}")


def process_control(option: int, value: int) -> None:
    """prctl with one number."""
    zero = ctypes.c_ulong(0)
    result = _libc().prctl(option, ctypes.c_ulong(value), zero, zero, zero)
    _check_result(result, f"prctl {option}")


def ending(process: int) -> int:
    """An open file that can be read when the process has ended.

    Python has a name for it only where it was built on a new system, which many are not.
    """
    return os.pidfd_open(process) if hasattr(os, "pidfd_open") else call("pidfd", process, 0)


def drop_bound() -> None:
    """See to it that nothing that is run later gets a capability back."""
    for number in range(64):
        try:
            process_control(DROP_BOUND, number)
        except OSError:
            break  # that was the last one, or there is none to drop


def drop_capabilities() -> None:
    """Give up every capability, for good."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    nothing = (ctypes.c_uint32 * 6)()
    call("capset", ctypes.byref(header), ctypes.byref(nothing))


OLDEST = 3  # from here on a file that may only be read cannot be cut short either; Linux 6.2
EXECUTE, READ_FILE, READ_FOLDER = 1, 1 << 2, 1 << 3
_FILE_RIGHTS = 0b111 | 1 << 14 | 1 << 15  # what makes sense for a file that is no folder
# How many kinds of access each version knows; asking for one more is refused as a whole.
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
_NETWORK = 0b11  # from version 4: bind and connect of TCP
_SCOPES = 0b11  # from version 6: abstract sockets and signals outside


class _Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class _Rule(ctypes.Structure):
    _layout_ = "ms"  # packed, as the kernel declares it; Python 3.14 wants it said
    _pack_ = 1
    _fields_ = [("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def landlock_version() -> int:
    """The version of Landlock here, 0 when there is none.

    >>> landlock_version() >= 0
    True
    """
    if not has_known_calls():
        return 0
    try:
        return call("landlock", None, 0, 1)
    except OSError:
        return 0


def ruleset(readable: Iterable[str], writable: Iterable[str]) -> int:
    """A file descriptor of rules; `restrict` makes them hold."""
    known = landlock_version()
    rights = (1 << _RIGHTS[min(known, 5)]) - 1
    attributes = _Ruleset(rights, _NETWORK if known >= 4 else 0, _SCOPES if known >= 6 else 0)
    size = 24 if known >= 6 else 16 if known >= 4 else 8
    rules = call("landlock", ctypes.byref(attributes), size, 0)
    for path in readable:
        _allow(rules, path, EXECUTE | READ_FILE | READ_FOLDER)
    for path in writable:
        _allow(rules, path, rights)
    return rules


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(path):
            rights &= _FILE_RIGHTS
        rule = _Rule(rights, parent)
        call("landlock", rules, 1, ctypes.byref(rule), 0, offset=1)
    finally:
        os.close(parent)


def restrict(rules: int) -> None:
    """From now on, for this process and its children, only what the rules allow."""
    call("landlock", rules, 0, offset=2)
