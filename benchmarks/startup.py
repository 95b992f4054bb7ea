"""What a library costs before it does anything: importing it, in a process that has NumPy."""

import subprocess
from dataclasses import dataclass

from benchmarks.libraries import ROOT, SECONDS

IMPORT = """
import sys
from time import process_time
if sys.argv[1] != "numpy":
    import numpy
start = process_time()
for name in sys.argv[1:]:
    __import__(name)
print(process_time() - start)
"""


@dataclass(frozen=True)
class Startup:
    """A row of the table whose every measurement is a process of its own."""

    name: str
    title: str
    goal: float | None
    goal_by_hand: float | None
    modules: dict[str, tuple[str, ...]]

    def command(self, library: str, python: str) -> list[str]:
        return [python, "-c", IMPORT, *self.modules[library]]


imports = Startup(
    "import",
    "import, after NumPy's (by hand: NumPy's own)",
    0.025,
    0.35,
    {
        "numpy": ("numpy",),
        "torch": ("torch",),
        "course_lib": ("course_lib.autograd",),  # with the tensors, which come when first used
        "mygrad": ("mygrad",),
        "autograd": ("autograd", "autograd.numpy"),
        "micrograd": ("micrograd.engine",),
    },
)
everything = Startup(
    "import-all",
    "import with nn, optim and utils.data",
    None,
    None,
    {
        "numpy": ("numpy",),
        "torch": ("torch", "torch.nn", "torch.optim", "torch.utils.data"),
        "course_lib": ("course_lib.nn", "course_lib.optim", "course_lib.utils.data"),
    },
)
STARTUPS = {startup.name: startup for startup in (imports, everything)}


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """The CPU seconds that a command prints."""
    done = subprocess.run(
        command,
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    return float(done.stdout)
