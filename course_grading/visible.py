"""Which files a student's code may read: Python, its packages and this library, without records."""

import os
import sys
import sysconfig
from pathlib import Path

GRADING = Path(__file__).resolve().parent
LIBRARY = GRADING.with_name("course_lib")  # both packages come in one distribution
HIDDEN = "_content"  # lessons, exercises and their records, in an installation from a wheel
PRIVATE = "/private"  # in the new root of a child; its own folder is mounted below it

_SYSTEM = (
    *("/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib"),
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime"),
    *("/usr/share/zoneinfo", "/usr/share/fonts", "/etc/fonts", "/nix/store"),
)
DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def folders() -> list[str]:
    """Every file and folder that may be read, none of them inside another.

    >>> any(Path(os.__file__).is_relative_to(folder) for folder in folders())
    True
    """
    names = ("stdlib", "platstdlib", "purelib", "platlib")
    found = [sysconfig.get_paths()[name] for name in names]
    found += [path for path in sys.path if _holds_packages(path)]
    found += [os.path.join(sys.base_prefix, "lib"), str(LIBRARY), str(GRADING), *_SYSTEM]
    found += _packages_by_name(found)
    kept: list[str] = []
    for path in sorted({os.path.realpath(path) for path in found if os.path.exists(path)}):
        if not any(Path(path).is_relative_to(other) for other in kept):
            kept.append(path)
    return kept


def names() -> dict[str, str]:
    """Symbolic links on the way to those folders: where they are, and where they lead.

    A virtual environment is found under the name it was started by, not under its real one.
    """
    links: dict[str, str] = {}
    starts = [*sys.path, *_SYSTEM, str(LIBRARY), str(GRADING), sys.prefix, sys.base_prefix]
    for start in starts:
        path = Path(os.path.abspath(start))
        for part in (*reversed(path.parents), path):
            if part.is_symlink():
                links[str(part)] = os.path.realpath(part)
    return links


def without_records(paths: list[str]) -> list[str]:
    """The same for rules that cannot take a folder out: its neighbours one by one instead."""
    hidden = LIBRARY / HIDDEN
    if not hidden.exists():
        return paths
    allowed: list[str] = []
    for path in paths:
        if not hidden.is_relative_to(path):
            allowed.append(path)
            continue
        here = Path(path)
        while here != hidden:
            towards = next(part for part in here.iterdir() if hidden.is_relative_to(part))
            allowed += [str(part) for part in here.iterdir() if part != towards]
            here = towards
    return allowed


def _holds_packages(path: str) -> bool:
    """Not every entry of the path: a script's own folder may hold anything."""
    where = Path(path)
    inside = any(where.is_relative_to(prefix) for prefix in (sys.prefix, sys.base_prefix))
    return bool(path) and (where.name in ("site-packages", "dist-packages") or inside)


def _packages_by_name(known: list[str]) -> list[str]:
    """NumPy, where it lies outside all of these."""
    import numpy

    place = os.path.dirname(os.path.realpath(numpy.__file__))
    return [] if any(Path(place).is_relative_to(path) for path in known) else [place]
