"""Grade the same notebooks with `course grade` and with `pytest --nbval`, in turn, and compare.

    python benchmarks/grading.py                       # 12 notebooks of one set, two rounds
    python benchmarks/grading.py --students 40 --rounds 3 --set storage_and_strides

Both run one process at a time on the same files: solved exercises with the outputs they should
have. Wall time, processor time and peak memory are those of everything a command starts, start-up
included; memory is the sum of the proportional shares (PSS) of its processes, looked at ten times a
second. Rounds alternate, so that a busy machine is busy for both. Linux only.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NBVAL = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "--nbval", "--nbval-current-env")


def main() -> int:
    """Print a table; 0 when both gave every notebook all its marks."""
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--students", type=int, default=12)
    words.add_argument("--rounds", type=int, default=2)
    words.add_argument("--set", default="storage_and_strides")
    asked = words.parse_args()
    (source,) = ROOT.glob(f"solutions/*_{asked.set}.ipynb")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for number in range(asked.students):
            place = home / "in" / f"student{number:03d}"
            place.mkdir(parents=True)
            # equal submissions are graded once: each says whose it is
            book = json.loads(source.read_text(encoding="utf-8"))
            book["metadata"]["student"] = number
            (place / source.name).write_text(json.dumps(book), encoding="utf-8")
        grade = [sys.executable, "-m", "course_lib.cli", "grade", str(home / "in"), "--jobs", "1"]
        commands = {
            "course grade": [*grade, "--out", str(home / "out"), "--json"],
            "pytest --nbval": [sys.executable, *NBVAL, str(home / "in")],
        }
        seen: dict[str, list[tuple[float, float, float]]] = {name: [] for name in commands}
        for _ in range(asked.rounds):
            for name, command in commands.items():
                shutil.rmtree(home / "out", ignore_errors=True)
                seen[name].append(measured(command))
        table(seen, asked.students)
    return 0


def measured(command: list[str]) -> tuple[float, float, float]:
    """Wall seconds, processor seconds and peak megabytes of a command that has to succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.monotonic()
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, memory(process.pid))
        time.sleep(0.1)
    wall = time.monotonic() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        raise SystemExit(f"{command[2]} ended with {process.returncode}")
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall, used, peak


def memory(root: int) -> float:
    """Megabytes of a process and all its descendants, shared pages shared out."""
    parents: dict[int, int] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            about = Path(f"/proc/{name}/stat").read_text(encoding="utf-8", errors="replace")
            parents[int(name)] = int(about.rpartition(")")[2].split()[1])
        except OSError:
            continue  # it ended meanwhile
    family = {root}
    for _ in range(8):
        family |= {child for child, parent in parents.items() if parent in family}
    return sum(map(share, family)) / 1024


def share(process: int) -> int:
    """Kilobytes of one process, 0 once it has ended."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def table(seen: dict[str, list[tuple[float, float, float]]], students: int) -> None:
    """Medians over the rounds, and how many times better the first is than the second."""
    print(f"{'':<16}{'wall s/notebook':>17}{'CPU s/notebook':>17}{'peak MB':>10}")
    rows = []
    for name, rounds in seen.items():
        wall, used, peak = (statistics.median(column) for column in zip(*rounds, strict=True))
        rows.append((wall / students, used / students, peak))
        print(f"{name:<16}{wall / students:>17.3f}{used / students:>17.3f}{peak:>10.0f}")
    ours, theirs = rows
    print(
        f"{'':<16}{theirs[0] / ours[0]:>15.1f} x{theirs[1] / ours[1]:>15.1f} x"
        f"{ours[2] / theirs[2]:>8.2f} x"
    )


if __name__ == "__main__":
    sys.exit(main())
