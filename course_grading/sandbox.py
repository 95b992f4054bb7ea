"""The walls around a child, as many of them as this system lets a process build around itself.

Note [The walls]
namespaces  an own root folder with nothing in it but Python, an own network without interfaces, own
            processes, own shared memory; every child gets a folder in memory and is the first of
            its processes, so that the system ends all the others with it
user        as root: another one, who owns nothing; the privileges are gone either way
landlock    only what is listed can be opened, and only one folder written to
seccomp     system calls that no answer needs are refused: other processes, sockets, mounts, modes …
limits      memory, processor time, files, threads
Each stands without the others. Which of them stand is tried, not supposed; `walls.py` says what
each of them holds.
"""

import contextlib
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from course_grading import kernel, seccomp, visible
from course_grading.visible import PRIVATE
from course_grading.walls import MEGABYTE, Limits
from course_grading.workfolder import WorkFolder

OLD_ROOT = "/old-root-of-the-grader"
SPARE_USER = 65533  # the first spare user; one for each warm process, downwards
_STARTS = ("/mnt", "/srv", "/media", "/opt", "/run", "/var/tmp", "/tmp")


class Sandbox:
    """What a warm process prepares once, and what each of its children then does.

    `holds` says of each wall whether it stands: an empty text, or why it does not.
    """

    def __init__(self, limits: Limits, slot: int, without: tuple[str, ...] = ()) -> None:
        self.limits = limits
        self.user = SPARE_USER - slot % 1000 if _is_root() else None
        self.holds = {wall: "switched off" for wall in without}
        self.rules = -1
        self.own_processes = -1
        self.memory = 0
        self._filter: Any = None
        self.work: WorkFolder | None = None  # where a child cannot have one in memory

    # ---- once, in the warm process ---------------------------------------------------------------

    def build(self) -> None:
        """Build the walls of the warm process, and find out which the children can have."""
        if not kernel.has_known_calls():
            why = f"not known for {sys.platform} on this processor"
            self.holds = {wall: why for wall in _OF_THE_SYSTEM} | self.holds
        os.umask(0o022)
        self.memory = _address_space() + self.limits.memory
        readable = visible.folders()
        self._try("namespaces", lambda: self._namespaces(readable))
        if not self.own_root:
            self.work = WorkFolder()
            self.limits = replace(self.limits, **_ON_DISK)
            if kernel.has_known_calls():
                kernel.process_control(kernel.SUBREAPER, 1)
        self._try("landlock", lambda: self._landlock(readable))
        if kernel.has_known_calls():
            self._filter = seccomp.prepare_filter()
            kernel.drop_bound()
        for wall in ("user", "seccomp", "limits"):
            self._try(wall, lambda wall=wall: self._trial(wall))

    @property
    def own_root(self) -> bool:
        """True when this process has made a root folder with nothing in it but Python."""
        return self.holds.get("namespaces") == ""

    @property
    def base(self) -> str:
        """A folder on the disk that has to be deleted in the end, if there is one."""
        return self.work.base if self.work else ""

    @property
    def folder(self) -> str:
        """The name of the folder that a child may write to."""
        return self.work.path if self.work else f"{PRIVATE}/work"

    def too_full(self) -> bool:
        """True when a child has written more to the disk than it may; memory has its own bound."""
        return self.work is not None and self.work.too_full(self.limits.folder, self.limits.entries)

    def sweep(self) -> None:
        """End and delete what a child has left; behind namespaces the system has done it."""
        if self.work is None:
            return
        if kernel.has_known_calls() and self.holds["seccomp"] != "":
            self._end_processes()
        self.work.clear()

    def remove(self) -> None:
        """Delete what the walls have needed."""
        if self.work is not None:
            self.work.remove()

    def _end_processes(self) -> None:
        for _ in range(1000):
            left = _list_children()
            if not left:
                return
            for process in left:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(process, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(-1, 0)

    def _trial(self, wall: str) -> None:
        """Fork a child that builds this wall, and see whether it can still read Python's files."""
        if wall == "user" and self.user is None:
            raise OSError(0, "not root: it is yours, without privileges")
        reader, writer = os.pipe()
        child = self.fork()
        if not child:
            said = ""
            try:
                others = ("user", "landlock", "seccomp", "limits")
                self.holds |= {one: "not tried yet" for one in others if one not in self.holds}
                self.holds[wall] = ""
                self.enter((writer,))
                with open(os.__file__, "rb") as file:
                    file.read(1)
            except PermissionError as error:
                said = (
                    f"the spare user cannot read {error.filename}" if error.filename else str(error)
                )
            except BaseException as error:
                said = str(error) or type(error).__name__
            os.write(writer, said.encode())
            os._exit(0)
        os.close(writer)
        with open(reader, "rb") as answer:
            said = answer.read().decode()
        os.waitpid(child, 0)
        if self.work is not None:
            self.work.clear()
        if said:
            raise OSError(0, said)

    def _try(self, wall: str, build: Any) -> None:
        if wall in self.holds:
            return
        try:
            build()
            self.holds[wall] = ""
        except OSError as error:
            self.holds[wall] = error.strerror or str(error)

    def _namespaces(self, readable: list[str]) -> None:
        flags = kernel.NEW_MOUNTS | kernel.NEW_NETWORK | kernel.NEW_IPC | kernel.NEW_NAMES
        start = _start(readable)
        try:
            if self.user is None:
                raise PermissionError
            kernel.unshare(flags | kernel.NEW_PIDS)
        except PermissionError:  # no root, or one without privileges, as in a container
            _as_a_user(flags | kernel.NEW_PIDS)
            self.user = None
        _own_root(start, readable)
        _continue_as_first_process()
        self.own_processes = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        for _ in ("its own", "the system's"):  # no answer needs to look at processes
            kernel.unmount("/proc")

    def _landlock(self, readable: list[str]) -> None:
        known = kernel.landlock_version()
        if known < kernel.OLDEST:
            raise OSError(
                0,
                f"this kernel has {f'version {known}, which is' if known else 'none'}"
                f"{' too old' if known else ''}",
            )
        if self.work is None:
            readable, writable = ["/"], [PRIVATE, *visible.DEVICES]
        else:
            readable = visible.without_records(readable)
            writable = [self.work.path, *visible.DEVICES]
        self.rules = kernel.ruleset(readable, writable)

    # ---- for each child --------------------------------------------------------------------------

    def fork(self) -> int:
        """Fork a child that is the first process of its own; 0 in the child, as os.fork has it."""
        if not self.own_root:
            return os.fork()
        kernel.unshare(kernel.NEW_PIDS)
        child = os.fork()
        if child:
            kernel.setns(self.own_processes, kernel.NEW_PIDS)
        return child

    def enter(self, keep: tuple[int, ...]) -> None:
        """In the child: go behind the walls. Of its files only `keep` stay open.

        The last of them can be written to, and nothing else can be done with it.
        """
        os.setsid()
        self._own_folder()
        _close_all_but((*keep, self.rules) if self.rules >= 0 else keep)
        if self.holds["limits"] == "":
            _set_limits(self.limits, self.memory)
        os.umask(0o077)
        if kernel.has_known_calls():
            self._drop_privileges()
        if self.holds["landlock"] == "":
            kernel.restrict(self.rules)
        if self.rules >= 0:
            os.close(self.rules)
        if self.holds["seccomp"] == "":
            seccomp.install(self._filter, keep[-1])

    def _own_folder(self) -> None:
        if self.work is not None:
            self.work.enter(self.user if self.holds["user"] == "" else None)
            return
        kernel.unshare(kernel.NEW_MOUNTS)
        flags = kernel.NO_SETUID | kernel.NO_DEVICES
        room = f"size={self.limits.folder},nr_inodes={self.limits.entries},mode=0777"
        kernel.mount("tmpfs", self.folder, "tmpfs", flags, room)
        os.chdir(self.folder)

    def _drop_privileges(self) -> None:
        if self.user is not None and self.holds["user"] == "":
            os.setgroups([])
            os.setresgid(self.user, self.user, self.user)
            os.setresuid(self.user, self.user, self.user)
        kernel.drop_capabilities()
        kernel.process_control(kernel.NO_NEW_PRIVILEGES, 1)
        kernel.process_control(kernel.DUMPABLE, 0)


_OF_THE_SYSTEM = ("namespaces", "user", "landlock", "seccomp")
# What differs on the disk: files that were deleted and are still open count for nobody, so these
# two bound them together.
_ON_DISK: dict[str, Any] = {"file": MEGABYTE, "open_files": 40, "entries": 500}


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _as_a_user(flags: int) -> None:
    """Leave the namespaces as everybody may: behind a new one of users, who stay who they are."""
    user, group = os.getuid(), os.getgid()
    kernel.unshare(flags | kernel.NEW_USER)
    with contextlib.suppress(OSError):
        Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


# ---- an own root folder --------------------------------------------------------------------------


def _start(readable: list[str]) -> str:
    """An existing folder to mount the new root on, which hides none of the readable ones.

    Nothing has to be made for it, and so nothing is left behind however the process ends.
    """
    for start in _STARTS:
        if os.path.isdir(start) and not os.path.islink(start):
            if not any(Path(path).is_relative_to(start) for path in readable):
                return start
    raise OSError(0, f"Python lies below each of {', '.join(_STARTS)}")


def _own_root(base: str, readable: list[str]) -> None:
    """Make a folder in memory the root, with the readable folders in their places."""
    kernel.mount("none", "/", "", kernel.RECURSIVE | kernel.PRIVATE)
    kernel.mount("tmpfs", base, "tmpfs", kernel.NO_SETUID | kernel.NO_DEVICES, "size=4m,mode=0755")
    for path in (*readable, *visible.DEVICES):
        _bind(path, base + path)
    hidden = visible.LIBRARY / visible.HIDDEN
    if hidden.exists():
        kernel.mount("tmpfs", f"{base}{hidden}", "tmpfs", kernel.READ_ONLY, "size=4k,mode=0000")
    for link, target in visible.names().items():
        if not os.path.lexists(base + link):
            os.makedirs(os.path.dirname(base + link), exist_ok=True)
            os.symlink(target, base + link)
    for folder in (f"{PRIVATE}/work", "/proc", "/tmp", OLD_ROOT):
        os.makedirs(base + folder, exist_ok=True)  # Python may lie below one of them
    _bind("/proc", f"{base}/proc", read_only=False)
    os.chdir(base)
    kernel.call("pivot_root", b".", OLD_ROOT.lstrip("/").encode())
    os.chdir("/")
    kernel.unmount(OLD_ROOT)
    os.rmdir(OLD_ROOT)
    flags = kernel.REMOUNT | kernel.READ_ONLY | kernel.NO_SETUID | kernel.NO_DEVICES
    kernel.mount("none", "/", "", flags, "size=4m,mode=0755")


def _bind(path: str, place: str, read_only: bool = True) -> None:
    if not os.path.exists(path):
        return
    if os.path.isdir(path):
        os.makedirs(place, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(place), exist_ok=True)
        Path(place).touch()
    kernel.mount(path, place, "", kernel.BIND | kernel.RECURSIVE)
    if read_only:  # a device can be written to all the same, only its mode cannot be changed
        locked = os.statvfs(place).f_flag & (kernel.NO_SETUID | kernel.NO_DEVICES | 8 | 1024 | 2048)
        kept = locked | kernel.READ_ONLY | kernel.BIND | kernel.REMOUNT
        kernel.mount("none", place, "", kept)


def _continue_as_first_process() -> None:
    """Go on as the first process of the new namespace; the one outside waits, and ends with it."""
    inner = os.fork()
    if inner:
        _, status = os.waitpid(inner, 0)
        os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
    kernel.process_control(kernel.END_WITH_PARENT, signal.SIGKILL)
    kernel.mount("proc", "/proc", "proc", kernel.NO_SETUID | kernel.NO_DEVICES | 8)


def _list_children() -> list[int]:
    """Processes whose parent is this one, or became it when their own had ended."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError, IndexError):
            about = Path(f"/proc/{name}/stat").read_text(encoding="utf-8", errors="replace")
            if int(about.rpartition(")")[2].split()[1]) == os.getpid():
                found.append(int(name))
    return found


# ---- limits and files ----------------------------------------------------------------------------


def _address_space() -> int:
    """Bytes of address space that this process has now."""
    with contextlib.suppress(OSError), open("/proc/self/statm", encoding="ascii") as numbers:
        return int(numbers.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _set_limits(limits: Limits, memory: int) -> None:
    import resource

    for what, most in (
        ("RLIMIT_CPU", limits.processor),
        ("RLIMIT_AS", memory),
        ("RLIMIT_FSIZE", limits.file),
        ("RLIMIT_NOFILE", limits.open_files),
        ("RLIMIT_CORE", 0),
        ("RLIMIT_NPROC", limits.threads),
        ("RLIMIT_MEMLOCK", 0),
        ("RLIMIT_MSGQUEUE", 0),
    ):
        number = getattr(resource, what, None)
        if number is not None:
            _, hard = resource.getrlimit(number)
            allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(number, (allowed, allowed))


def _close_all_but(keep: tuple[int, ...]) -> None:
    lowest = 3
    for descriptor in sorted(keep):
        os.closerange(lowest, descriptor)
        lowest = descriptor + 1
    os.closerange(lowest, 65536)
