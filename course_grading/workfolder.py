"""The one folder that an answer may write to, where it cannot have one in memory.

Note [No name is followed]
The process that clears this folder is behind no wall, and every name in the folder was chosen by
a student. So nothing here goes by a path: folders are opened below an open folder, links are never
followed, and what the folder is called is looked up once, before any student's code has run. An
answer cannot put a link in the folder's place, because the parent is not writable for it.
"""

import contextlib
import os
import secrets
import stat
import tempfile

PREFIX = "course-grading-"
WORK = "work"
_PLACE = getattr(os, "O_PATH", 0) | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)


class WorkFolder:
    """A new folder below `parent`, or the temporary one, locked as long as its process lives."""

    def __init__(self, parent: str = "") -> None:
        self.base = _lock_base(parent or tempfile.gettempdir())
        self.path = os.path.join(self.base, WORK)
        os.mkdir(self.path, 0o700)
        self.descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        os.chmod(self.base, 0o511)  # for an answer of the same user, too, it is closed

    def enter(self, user: int | None) -> None:
        """Make it the current folder, and the property of that user."""
        if user is not None:
            os.fchown(self.descriptor, user, user)
        os.fchdir(self.descriptor)

    def clear(self) -> None:
        """Delete what lies in it. Raises OSError if something resists: nobody may come after."""
        os.fchmod(self.descriptor, 0o700)
        empty(self.descriptor)

    def too_full(self, most: int, entries: int) -> bool:
        """True when its files are larger than `most` bytes together, or more than `entries`."""
        waiting = [os.dup(self.descriptor)]
        try:
            while waiting:
                size, number, below = _list_open_folder(waiting.pop())
                waiting += below
                most, entries = most - size, entries - number
                if most < 0 or entries < 0:
                    return True
        except OSError:
            return True  # deeper or wider than can be looked at
        finally:
            for place in waiting:
                os.close(place)
        return False

    def remove(self) -> None:
        """Delete the folder and the one around it."""
        remove(self.base)


def _lock_base(parent: str) -> str:
    """A new folder that `sweep` of another process leaves alone."""
    sweep(parent)
    while True:
        base = tempfile.mkdtemp(prefix=PREFIX, dir=parent)
        with contextlib.suppress(FileNotFoundError):  # swept by another before it was locked
            place = _lock(base)
            if place is not None and os.path.samestat(os.stat(base), os.fstat(place)):
                return base


def _lock(base: str) -> int | None:
    """The open folder, locked for as long as it stays open; None where another has locked it."""
    import fcntl

    place = os.open(base, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(place)
        return None
    return place


def sweep(parent: str) -> None:
    """Delete the folders of processes that were killed before they could."""
    for name in os.listdir(parent):
        base = os.path.join(parent, name)
        with contextlib.suppress(OSError):  # another's, or gone meanwhile
            if not name.startswith(PREFIX) or os.lstat(base).st_uid != os.geteuid():
                continue
            place = _lock(base)
            if place is not None:
                try:
                    remove(base)
                finally:
                    os.close(place)


def remove(base: str) -> None:
    """Delete a folder that `WorkFolder` made, in whatever state it was left. Raises OSError."""
    try:
        place = os.open(base, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except FileNotFoundError:
        return
    try:
        os.fchmod(place, 0o700)
        empty(place)
    finally:
        os.close(place)
    os.rmdir(base)


def empty(top: int) -> None:
    """Delete all that lies in the open folder, however deep. Raises OSError if something resists.

    Folders are moved up into `top` before they are looked into, so no path gets long.
    """
    while names := os.listdir(top):
        for name in names:
            if not _is_folder(name, top):
                os.unlink(name, dir_fd=top)
                continue
            inner = _readable(os.open(name, _PLACE, dir_fd=top))
            try:
                for below in os.listdir(inner):
                    if not _is_folder(below, inner):
                        os.unlink(below, dir_fd=inner)
                        continue
                    os.close(_readable(os.open(below, _PLACE, dir_fd=inner)))  # or it cannot move
                    os.rename(below, secrets.token_hex(16), src_dir_fd=inner, dst_dir_fd=top)
            finally:
                os.close(inner)
            os.rmdir(name, dir_fd=top)


def _list_open_folder(place: int) -> tuple[int, int, list[int]]:
    """The bytes and the number of what lies in an open folder, and its folders, open; closes it."""
    size = number = 0
    below: list[int] = []
    try:
        with os.scandir(place) as entries:
            for entry in entries:
                about = entry.stat(follow_symlinks=False)
                size, number = size + about.st_blocks * 512, number + 1
                if stat.S_ISDIR(about.st_mode):
                    below.append(_readable(os.open(entry.name, _PLACE, dir_fd=place)))
    except FileNotFoundError:
        pass  # deleted meanwhile: the next look sees what is there then
    finally:
        os.close(place)
    return size, number, below


def _is_folder(name: str, place: int) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=place, follow_symlinks=False).st_mode)


def _readable(place: int) -> int:
    """The same folder, open for reading whatever its mode was; the first descriptor is closed."""
    try:
        same = f"/proc/self/fd/{place}"  # the folder itself: no name is looked up on the way
        os.chmod(same, 0o700)
        return os.open(same, os.O_RDONLY | os.O_DIRECTORY)
    finally:
        os.close(place)
