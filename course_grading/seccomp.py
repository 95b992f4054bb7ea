"""A filter in the kernel that lets through only the system calls that an answer needs. Linux.

It needs no privilege. Everything that is not listed here is refused with an error, as by a system
that lacks the right: the answer's code raises PermissionError, and what it did before counts. A
list of what is allowed cannot be out of date: a call that a newer kernel brings is refused.

What is missing on purpose: all that changes the mode, the owner, the times or the attributes of a
file, links and device files, memory beyond the limits (`memfd_create`, System V), other processes
(`ptrace`, `pidfd_…`, `process_vm_…`), sockets, namespaces, mounts, `io_uring`, `bpf`.
"""

import ctypes
import errno
import os
import platform
from typing import Any

from course_grading import kernel

# Number on x86-64 and on AArch64; None where the call does not exist.
ALLOWED: dict[str, tuple[int | None, int | None]] = {
    # files that are open; what is asked most comes first
    "read": (0, 63),
    "write": (1, 64),
    "fstat": (5, 80),
    "lseek": (8, 62),
    "readv": (19, 65),
    "writev": (20, 66),
    "pread64": (17, 67),
    "pwrite64": (18, 68),
    "preadv": (295, 69),
    "pwritev": (296, 70),
    "fsync": (74, 82),
    "fdatasync": (75, 83),
    "ftruncate": (77, 46),
    "fallocate": (285, 47),
    "fadvise64": (221, 223),
    "pipe": (22, None),
    "pipe2": (293, 59),
    "getdents64": (217, 61),
    "copy_file_range": (326, 285),
    "sendfile": (40, 71),
    "statfs": (137, 43),
    "fstatfs": (138, 44),
    # memory
    "brk": (12, 214),
    "mmap": (9, 222),
    "munmap": (11, 215),
    "mprotect": (10, 226),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "mincore": (27, 232),
    "msync": (26, 227),
    "mlock": (149, 228),
    "munlock": (150, 229),
    "membarrier": (324, 283),
    "get_mempolicy": (239, 236),
    "mbind": (237, 235),
    "set_mempolicy": (238, 237),
    # threads, and the end
    "futex": (202, 98),
    "set_robust_list": (273, 99),
    "get_robust_list": (274, 100),
    "rseq": (334, 293),
    "set_tid_address": (218, 96),
    "gettid": (186, 178),
    "sched_yield": (24, 124),
    "arch_prctl": (158, None),
    "exit": (60, 93),
    "exit_group": (231, 94),
    "restart_syscall": (219, 128),
    # files by name
    "creat": (85, None),
    "stat": (4, None),
    "lstat": (6, None),
    "newfstatat": (262, 79),
    "statx": (332, 291),
    "access": (21, None),
    "faccessat": (269, 48),
    "faccessat2": (439, 439),
    "readlink": (89, None),
    "readlinkat": (267, 78),
    "getcwd": (79, 17),
    "chdir": (80, 49),
    "fchdir": (81, 50),
    "mkdir": (83, None),
    "mkdirat": (258, 34),
    "rmdir": (84, None),
    "unlink": (87, None),
    "unlinkat": (263, 35),
    "rename": (82, None),
    "renameat": (264, 38),
    "renameat2": (316, 276),
    "umask": (95, 166),
    # waiting; the pairs of sockets and the pipes are the process's own
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    "epoll_create": (213, None),
    "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21),
    "epoll_wait": (232, None),
    "epoll_pwait": (281, 22),
    "eventfd2": (290, 19),
    "socketpair": (53, 199),
    "recvfrom": (45, 207),
    "shutdown": (48, 210),
    # time
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "nanosleep": (35, 101),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "times": (100, 153),
    "getrusage": (98, 165),
    "alarm": (37, None),
    "setitimer": (38, 103),
    "getitimer": (36, 102),
    "pause": (34, None),
    # signals to itself
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137),
    "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132),
    # who and where it is
    "getpid": (39, 172),
    "getppid": (110, 173),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "getresuid": (118, 148),
    "getresgid": (120, 150),
    "getgroups": (115, 158),
    "getpgrp": (111, None),
    "getpgid": (121, 155),
    "getsid": (124, 156),
    "uname": (63, 160),
    "sysinfo": (99, 179),
    "getrlimit": (97, 163),
    "setrlimit": (160, 164),
    "getcpu": (309, 168),
    "getrandom": (318, 278),
    "getpriority": (140, 141),
    "sched_getaffinity": (204, 123),
    "sched_getscheduler": (145, 120),
    "sched_getparam": (143, 121),
    "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126),
    "wait4": (61, 260),
    "waitid": (247, 95),
}
# Allowed for the process itself, which may call itself 0.
_ITSELF: dict[str, tuple[int, int]] = {
    "prlimit64": (302, 261),
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
}
# Allowed for the process itself by its number: 0 would be all of its group.
_SIGNALS: dict[str, tuple[int, int]] = {"kill": (62, 129), "tgkill": (234, 131)}
# Allowed with one of these as that argument. An `fcntl` can have signals sent to other processes,
# an `ioctl` types into a terminal, a `prctl` changes what the walls rest on, and a `sendto` with an
# address sends to any socket of this machine, even from one of a pair.
_WITH: dict[str, tuple[tuple[int, int], int, tuple[int, ...]]] = {
    "fcntl": ((72, 25), 1, (0, 1, 2, 3, 4, 1030, 1032)),  # DUPFD … SETFL, DUPFD_CLOEXEC, pipe size
    "ioctl": ((16, 29), 1, (0x5401, 0x5421, 0x541B, 0x5450, 0x5451)),  # is it a terminal; flags
    "sendto": ((44, 206), 5, (0,)),  # the length of an address
    "prctl": ((157, 167), 0, (15, 16, 0x53564D41)),  # names of threads and of memory
}
# Allowed for every open file but the one that results are written to, which is these arguments. It
# stays what it is until the end: an answer cannot turn aside what is said after it.
_NOT_RESULTS: dict[str, tuple[tuple[int | None, int | None], tuple[int, ...]]] = {
    "close": ((3, 57), (0,)),
    "dup": ((32, 23), (0,)),
    "dup2": ((33, None), (0, 1)),
    "dup3": ((292, 24), (0, 1)),
}
_CLOSE_RANGE = 436
_NAMELESS_FILE = 0x400000  # the flag of a file that no folder shows: nobody could measure it
_OPEN: dict[str, tuple[tuple[int | None, int | None], int]] = {
    "openat": ((257, 56), 2),
    "open": ((2, None), 1),
}
_CLONE, _THREAD = (56, 220), 0x00010000
# Refused as if it did not exist: libc then makes threads with `clone`, whose flags can be read.
_CLONE3 = 435
_NEWEST = 450  # calls from here on are unknown here: libc is told that the kernel has none
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_OWN, _RESULTS = 0x3FFFFFFF, 0x3FFFFFFE  # stand for the process itself and a file, not known yet
_LOAD, _EQUAL, _ABOVE, _AT_LEAST, _BITS, _RETURN = 0x20, 0x15, 0x25, 0x35, 0x45, 0x06
_ALLOW, _ERROR, _KILL_PROCESS = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _ARCH, _FIRST = 0, 4, 16  # offsets in the data that a filter sees; 8 for each argument

Step = tuple[int, int, int, int]
_REFUSE: Step = (_RETURN, 0, 0, _ERROR | errno.EPERM)
_MISSING: Step = (_RETURN, 0, 0, _ERROR | errno.ENOSYS)
_PASS: Step = (_RETURN, 0, 0, _ALLOW)


class _Step(ctypes.Structure):
    _fields_ = [
        ("code", ctypes.c_uint16),
        ("yes", ctypes.c_uint8),
        ("no", ctypes.c_uint8),
        ("k", ctypes.c_uint32),
    ]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("steps", ctypes.POINTER(_Step))]


def steps(own: int, machine: str = "") -> list[Step]:
    """The filter as instructions: code, jump if so, jump if not, operand.

    >>> steps(1, "x86_64")[0]  # first the architecture: its numbers are meant
    (32, 0, 0, 4)
    """
    machine = machine or platform.machine()
    column = list(_ARCHITECTURE).index(machine)
    program: list[Step] = [
        (_LOAD, 0, 0, _ARCH),
        (_EQUAL, 1, 0, _ARCHITECTURE[machine]),
        (_RETURN, 0, 0, _KILL_PROCESS),
        (_LOAD, 0, 0, _NUMBER),
        (_AT_LEAST, 0, 1, 0x40000000),  # x32: the same calls under other numbers
        _REFUSE,
    ]
    for allowed in ALLOWED.values():
        program += _for(allowed[column], [_PASS])
    for files, arguments in _NOT_RESULTS.values():
        program += _for(files[column], [*_no_results(*arguments), _PASS])
    below = [_argument(1), (_AT_LEAST, 0, 1, _RESULTS), _REFUSE, _PASS]
    program += _for(_CLOSE_RANGE, [_argument(0), (_ABOVE, 0, 1, _RESULTS), _PASS, *below])
    for numbers, argument in _OPEN.values():
        nameless = [_argument(argument), (_BITS, 0, 1, _NAMELESS_FILE), _REFUSE, _PASS]
        program += _for(numbers[column], nameless)
    thread = [_argument(0), (_BITS, 1, 0, _THREAD), _REFUSE, _PASS]
    program += _for(_CLONE[column], thread)
    for numbers in _SIGNALS.values():
        program += _for(numbers[column], _one_of(0, (own,)))
    for numbers in _ITSELF.values():
        program += _for(numbers[column], _one_of(0, (own, 0)))
    for name, (numbers, argument, values) in _WITH.items():
        first = _no_results(0) if name in ("fcntl", "ioctl") else []
        program += _for(numbers[column], first + _one_of(argument, values))
    program += _for(_CLONE3, [_MISSING])
    return [*program, (_AT_LEAST, 0, 1, _NEWEST), _MISSING, _REFUSE]


def _for(number: int | None, then: list[Step]) -> list[Step]:
    """Do `then`, which comes to an end, if it is the call of this number."""
    return [] if number is None else [(_EQUAL, 0, len(then), number), *then]


def _argument(which: int) -> Step:
    return (_LOAD, 0, 0, _FIRST + 8 * which)


def _no_results(*arguments: int) -> list[Step]:
    """Refuse the call if one of those arguments is the file that results are written to."""
    return [
        step for one in arguments for step in (_argument(one), (_EQUAL, 0, 1, _RESULTS), _REFUSE)
    ]


def _one_of(which: int, values: tuple[int, ...]) -> list[Step]:
    """Allow the call if that argument is one of the values."""
    last = len(values)
    looks = [(_EQUAL, last - place, 0, value) for place, value in enumerate(values)]
    return [_argument(which), *looks, _REFUSE, _PASS]


def prepare_filter() -> Any:
    """The filter, written down once; `install` puts in whose it is."""
    program = steps(_OWN)
    return (_Step * len(program))(*(_Step(*step) for step in program))


def install(program: Any, results: int = _RESULTS) -> None:
    """Allow only those calls to this process, for good. `no_new_privs` has to be set before.

    `results` is an open file that it may only write to, if there is one.
    """
    known = {_OWN: os.getpid(), _RESULTS: results}
    for step in program:
        step.k = known.get(step.k, step.k)
    filled = _Program(len(program), program)
    kernel.call("seccomp", 1, 0, ctypes.byref(filled))
