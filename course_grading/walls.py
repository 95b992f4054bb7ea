"""What the walls around an answer hold, in one table; and what grading does where they do not.

Note [Fail closed]
A wall is a means of the system (`sandbox.py` builds them), a promise is what a person relies on.
Grading starts only if every promise is held by at least one wall that stands, and if none of the
attempts in `trials.py` breaks one on this very machine. Otherwise it refuses. With `--unsafe` it
goes on, and the report begins with what answers could reach.
"""

import math
from dataclasses import dataclass
from typing import Any

from course_lib.classroom.prompt import command_line, pip_install
from course_lib.classroom.stop import CLOCK
from course_lib.classroom.trouble import Trouble

# What is promised, and what it means for a person; the words follow "answers could (not) reach".
PROMISES: dict[str, str] = {
    "files": "other files",
    "metadata": "modes, owners and times of other files",
    "memory": "the memory of other processes",
    "processes": "other processes",
    "network": "the network",
    "bounds": "more time, memory and disk than their share",
}
# Each wall that holds a promise by itself. `namespaces` are those of each child.
HELD_BY: dict[str, tuple[str, ...]] = {
    "files": ("namespaces", "landlock", "wasm"),
    "metadata": ("namespaces", "seccomp", "wasm"),
    "memory": ("namespaces", "seccomp", "wasm"),
    "processes": ("namespaces", "seccomp", "wasm"),
    "network": ("namespaces", "seccomp", "wasm"),
    "bounds": ("limits", "wasm"),
}
WALLS = ("namespaces", "landlock", "user", "seccomp", "limits", "wasm")

# What runs answers: what holds most here, the walls of Linux, or WebAssembly.
SANDBOXES = ("auto", "linux", "wasm")
FOR_WASM = ("deno>=2.9,<3", "platformdirs>=4", "psutil>=6")  # the packages that it takes

Holds = dict[str, str]  # of each wall: an empty text where it stands, else why it does not


def holding(holds: Holds) -> dict[str, list[str]]:
    """Of each promise, the walls that hold it here.

    >>> holding({"landlock": "", "seccomp": "not here"})["files"]
    ['landlock']
    """
    stands = {wall for wall, why in holds.items() if not why}
    return {name: [wall for wall in by if wall in stands] for name, by in HELD_BY.items()}


def open_promises(holds: Holds) -> list[str]:
    """The promises that nothing holds here.

    >>> open_promises({"landlock": "", "limits": ""})
    ['metadata', 'memory', 'processes', 'network']
    """
    return [name for name, by in holding(holds).items() if not by]


def report(holds: Holds) -> dict[str, dict[str, Any]]:
    """The same for programs: whether each wall stands, and whether each promise is held."""
    return {
        "sandbox": {wall: why or "holds" for wall, why in holds.items()},
        "promises": {name: bool(by) for name, by in holding(holds).items()},
    }


def weakest(one: Holds, other: Holds) -> Holds:
    """What stands on both of two machines, or why a wall does not stand on one of them.

    >>> weakest({"landlock": ""}, {"landlock": "this kernel has none"})
    {'landlock': 'this kernel has none'}
    """
    return {wall: one.get(wall) or other.get(wall) or "" for wall in {**one, **other}}


def words(holds: Holds) -> tuple[str, bool]:
    """The first line of a run: what answers could and could not reach; and whether it is a warning.

    >>> words({"namespaces": "", "limits": ""})[0][:40]
    'Answers could reach no file but their ow'
    >>> words({})[1]
    True
    """
    missing = open_promises(holds)
    stand = ", ".join(wall for wall in WALLS if holds.get(wall) == "")
    if not missing:
        return f"{_ALL_HELD} (Held by {stand}.)", False
    held = [name for name in PROMISES if name not in missing]
    rest = f" They could not reach {_list_promises(held)}." if held else ""
    return (
        f"UNSAFE: answers ran with --unsafe and could reach {_list_promises(missing)}.{rest} "
        "Look for damage before you trust these grades.",
        True,
    )


_ALL_HELD = (
    "Answers could reach no file but their own, no mode, owner or time of a file, no other "
    "process, no memory but their own and no network; time, memory and disk were bounded."
)


def _list_promises(promises: list[str]) -> str:
    parts = [PROMISES[name] for name in promises]
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def refuse(holds: Holds, missing: list[str]) -> Trouble:
    """The `Trouble` that says what is not held here, why, and what to do."""
    whys = "; ".join(f"{wall}: {holds[wall]}" for wall in WALLS if holds.get(wall))
    return Trouble(
        f"nothing was graded: on this machine answers could reach {_list_promises(missing)} "
        f"({whys or 'an attempt succeeded although the walls stand'}).\n"
        f"Run answers in WebAssembly instead ({pip_install(*FOR_WASM)}), or on Linux with "
        "user namespaces (in Docker: --security-opt seccomp=unconfined). "
        f"`{command_line('grade --self-test')}` shows what is missing.\n"
        "Only if you would run every notebook here yourself: --unsafe goes on, and the report says "
        "so.",
        2,
    )


GRADER = "4"  # rows of another grader are not taken over when grading is resumed
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Bounds for one run of one question; a well-behaved answer takes thousandths of them.

    >>> Limits(seconds=2).budget
    12
    """

    seconds: float = 10.0  # of computing, for an answer and its check; see `clock`
    memory: int = 1024 * MEGABYTE  # beyond what the warm process has
    folder: int = 32 * MEGABYTE  # all files of a run together
    file: int = 16 * MEGABYTE  # one file
    entries: int = 2000  # files and folders
    open_files: int = 64
    threads: int = 32
    output: int = 1 * MEGABYTE  # of JSON, to the grader
    notebook: int = 8 * MEGABYTE  # a submission
    notebooks: int = 60  # of one student, over all sets and folders

    @property
    def clock(self) -> float:
        """Seconds by the clock after which a run is ended that does not compute, but waits."""
        return CLOCK * self.seconds

    @property
    def processor(self) -> int:
        """Seconds of computing after which the system ends a run: its check stops it before.

        Three decoys have a twentieth each, and the system counts roughly, a tenth too many.
        """
        return math.ceil(1.2 * self.seconds) + 1

    @property
    def budget(self) -> float:
        """Seconds for all questions of a submission together: six endless loops, not sixty."""
        return 6 * self.seconds

    @property
    def share(self) -> float:
        """Seconds for all submissions of one student: some thirty endless loops, then no more."""
        return 30 * self.seconds

    @property
    def haste(self) -> float:
        """Seconds for a check where questions run one after the other, and may run again apart."""
        return max(0.3, 0.1 * self.seconds)

    @staticmethod
    def spent(computed: float, waited: float) -> float:
        """What counts of both: who only waits has kept others waiting all the same."""
        return max(computed, waited / CLOCK)

    @staticmethod
    def words(seconds: float) -> str:
        """Such a share of time, for a reader.

        >>> Limits.words(60)
        '60 seconds of computing, or 300 by the clock'
        """
        return f"{seconds:g} seconds of computing, or {CLOCK * seconds:g} by the clock"
