"""A filter in the kernel that refuses system calls no answer needs. Linux, without privilege.

It refuses with an error, as a system does that lacks the right: the answer's code raises
PermissionError, and what it did before counts. Allowed is what is not listed; the other walls
stand for themselves.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
from typing import Any

from course_lib.classroom.grading import system

# Number on x86-64 and on AArch64; None where the call does not exist.
REFUSED: dict[str, tuple[int | None, int | None]] = {
    # processes: one is enough, and it stays the program it is
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    # other processes' memory and signals
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "kcmp": (312, 272),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "tkill": (200, 130),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    # the network; a pair of sockets inside the process stays allowed
    "socket": (41, 198),
    # what outlives the process
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    # namespaces and mounts
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "mount_setattr": (442, 442),
    "open_by_handle_at": (304, 265),
    # large and seldom used doors of the kernel
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "kexec_load": (246, 104),
    "personality": (135, 92),
}
# Refused as if it did not exist: libc then makes threads with `clone`, whose flags can be read.
_CLONE3 = (435, 435)
_CLONE = (56, 220)
_THREAD = 0x00010000
_KILL = ((62, 129), (234, 131))  # kill and tgkill: allowed for the process itself
# Allowed for the process itself, which may call itself 0: prlimit and sched_set….
_LIMITS = ((302, 261), (203, 122), (144, 119), (142, 118), (314, 274))
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_OWN = 0x3FFFFFFF  # stands for the process itself, which is not known yet
_LOAD, _EQUAL, _AT_LEAST, _BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERROR, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _ARCH, _FIRST = 0, 4, 16  # offsets in the data that a filter sees


class _Step(ctypes.Structure):
    _fields_ = [
        ("code", ctypes.c_uint16),
        ("yes", ctypes.c_uint8),
        ("no", ctypes.c_uint8),
        ("k", ctypes.c_uint32),
    ]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("steps", ctypes.POINTER(_Step))]


def steps(own: int, machine: str = "") -> list[tuple[int, int, int, int]]:
    """The filter as instructions: code, jump if so, jump if not, operand.

    >>> steps(1, "x86_64")[0]  # first the architecture: its numbers are meant
    (32, 0, 0, 4)
    """
    machine = machine or platform.machine()
    column = list(_ARCHITECTURE).index(machine)
    refuse = (_RETURN, 0, 0, _ERROR | errno.EPERM)
    program = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, _ARCHITECTURE[machine]),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, 0x40000000),  # x32: the same calls under other numbers
        refuse,
        (_EQUAL, 0, 1, _CLONE3[column]),
        (_RETURN, 0, 0, _ERROR | errno.ENOSYS),
        (_EQUAL, 0, 4, _CLONE[column]),
        (_LOAD, 0, 0, _FIRST),
        (_BITS, 1, 0, _THREAD),
        refuse,
        (_RETURN, 0, 0, _ALLOW),
    ]
    for numbers in _KILL:
        program += [
            (_EQUAL, 0, 4, numbers[column]),
            (_LOAD, 0, 0, _FIRST),
            (_EQUAL, 1, 0, own),
            refuse,
            (_RETURN, 0, 0, _ALLOW),
        ]
    for numbers in _LIMITS:
        program += [
            (_EQUAL, 0, 5, numbers[column]),
            (_LOAD, 0, 0, _FIRST),
            (_EQUAL, 2, 0, own),
            (_EQUAL, 1, 0, 0),
            refuse,
            (_RETURN, 0, 0, _ALLOW),
        ]
    for refused in REFUSED.values():
        number = refused[column]
        if number is not None:
            program += [(_EQUAL, 0, 1, number), refuse]
    return [*program, (_RETURN, 0, 0, _ALLOW)]


def prepared() -> Any:
    """The filter, written down once; `install` puts in whose it is."""
    program = steps(_OWN)
    return (_Step * len(program))(*(_Step(*step) for step in program))


def install(program: Any) -> None:
    """Refuse those calls to this process, for good. `no_new_privs` has to be set before."""
    own = os.getpid()
    for step in program:
        if step.k == _OWN:
            step.k = own
    filled = _Program(len(program), program)
    system.call("seccomp", 1, 0, ctypes.byref(filled))
