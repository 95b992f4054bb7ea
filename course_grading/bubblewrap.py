"""The command line of bubblewrap, where a system lets only that make namespaces."""

from __future__ import annotations

import os
import shutil
import sys

from course_grading import visible
from course_grading.limits import Limits
from course_grading.sandbox import PRIVATE


def command(limits: Limits) -> list[str]:
    """What to put before the command of a warm process; empty where bubblewrap is not installed."""
    program = shutil.which("bwrap")
    if program is None:
        return []
    words = [program, "--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc"]
    for folder in (sys.prefix, sys.base_prefix, *visible.folders()):  # the program too is run here
        words += ["--ro-bind", folder, folder]
    for device in filter(os.path.exists, visible.DEVICES):
        words += ["--dev-bind", device, device]
    for link, target in visible.names().items():
        inside = (sys.prefix, sys.base_prefix, *visible.folders())
        if not any(link.startswith(f"{folder}/") for folder in inside):
            words += ["--symlink", target, link]
    if (hidden := visible.LIBRARY / visible.HIDDEN).exists():
        words += ["--tmpfs", str(hidden)]
    return [*words, "--size", str(limits.folder), "--tmpfs", PRIVATE, "--chdir", "/", "--"]
