"""`Trouble`: what a sub-command raises when the person at the terminal has to do something."""

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path

_REASONS = {
    errno.ENOSPC: "the disk is full; make some room and try again",
    errno.EDQUOT: "your disk quota is used up; make some room and try again",
    errno.EROFS: "the folder is read-only; choose another folder",
    errno.EACCES: "you have no permission to write there; choose another folder",
    errno.EPERM: "you have no permission to write there; choose another folder",
    errno.EEXIST: "a file of that name is in the way; choose another folder",
    errno.ENOTDIR: "a part of that path is a file, not a folder; choose another folder",
    errno.ENAMETOOLONG: "the path is too long for this system; choose a shorter folder",
}


class Trouble(Exception):
    """One sentence that says what is wrong and what to do.

    `course` prints it without a traceback and exits with `exit_code`: 1 when the attempt failed,
    2 when the command line makes no sense.

    >>> Trouble("no such folder: lessons; give another one").exit_code
    1
    """

    def __init__(self, sentence: str, exit_code: int = 1) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


def cannot_write(path: Path, error: OSError) -> Trouble:
    """The `Trouble` that explains why `path` could not be written.

    >>> import errno
    >>> print(cannot_write(Path("notes.txt"), OSError(errno.ENOSPC, "")))
    cannot write notes.txt: the disk is full; make some room and try again
    """
    reason = _REASONS.get(error.errno or 0, error.strerror or str(error))
    return Trouble(f"cannot write {path}: {reason}")


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Within the block, `Trouble` explains why `path` could not be written."""
    try:
        yield
    except OSError as error:
        raise cannot_write(path, error) from None
