"""What programs set once at their top: deterministic algorithms, threads, repeated warnings.

Here every operation gives the same numbers each time, and NumPy decides about threads.
"""

from course_lib.calls.rules import refuse
from course_lib.words import errors
from course_lib.words.errors import writing

__all__ = ["get_num_threads", "is_warn_always_enabled", "set_num_threads", "set_warn_always"]
__all__ += ["use_deterministic_algorithms"]

threads = [1]  # the number last set


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask for algorithms whose results are the same each time; here all are.

    >>> torch.use_deterministic_algorithms(True)
    """
    if not isinstance(mode, bool):
        given = ("_set_deterministic_algorithms", "mode", 1, "bool", mode)
        raise TypeError(errors.other_argument(*given))


def set_num_threads(count: int) -> None:
    """Remember a number of threads.

    >>> torch.set_num_threads(1)
    """
    refuse(count.__class__ is not int, errors.threads_kind, "set_num_threads", count)
    if count < 1:
        raise RuntimeError("set_num_threads expects a positive integer")
    threads[0] = count


def get_num_threads() -> int:
    """The number of threads last set; 1 at first.

    >>> torch.get_num_threads()
    1
    """
    return threads[0]


def set_warn_always(b: bool, /) -> None:
    """Show the warnings that come once in a process every time.

    >>> before = torch.is_warn_always_enabled()
    >>> torch.set_warn_always(True)
    >>> torch.is_warn_always_enabled()
    True
    >>> torch.set_warn_always(before)
    """
    refuse(not isinstance(b, bool), errors.warn_always_kind, b)
    writing.always = b


def is_warn_always_enabled() -> bool:
    """Whether `set_warn_always` was told to.

    >>> torch.is_warn_always_enabled() in (True, False)
    True
    """
    return writing.always
