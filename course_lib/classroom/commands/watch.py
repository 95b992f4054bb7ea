"""`course watch`: judge a set of exercises each time its notebook is saved, in any editor."""

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from course_lib.classroom.commands.check import A_SET, as_lines, run_through, select_sets
from course_lib.classroom.sets import FOLDER_OPTION, ExerciseSet, desk
from course_lib.classroom.trouble import Trouble

PAUSE = 0.5  # seconds between two looks; a file that still changed between them is left to finish

WORDS = {"SET?": f"{A_SET} (the default)", **FOLDER_OPTION}


def run(arguments: argparse.Namespace) -> int:
    """Wait for notebooks to be saved and judge each of them; 0 when Ctrl-C ends it."""
    place = desk(arguments.folder)
    asked = place.find_name(arguments.set or "all")
    sets = select_sets(place, asked)
    many = f"{len(sets)} notebooks" if len(sets) > 1 else str(sets[0].notebook)
    print(f"Watching {many}. Save one, and it is checked. Ctrl-C ends this.", flush=True)
    try:
        for one in wait_for_saves(sets):
            _judge(one, asked)
    except KeyboardInterrupt:
        print("Stopped watching.")
    return 0


def wait_for_saves(sets: Sequence[ExerciseSet], pause: float = PAUSE) -> Iterator[ExerciseSet]:
    """Each set whose notebook was saved since the last look; never ends by itself."""
    judged = {one.name: _stamp(one.notebook) for one in sets}
    before = dict(judged)
    while True:
        time.sleep(pause)
        for one in sets:
            now = _stamp(one.notebook)
            if now and now == before[one.name] != judged[one.name]:
                judged[one.name] = now
                yield one
            before[one.name] = now


def _stamp(path: Path) -> tuple[int, int] | None:
    """When a file was written and how long it is; None while an editor is replacing it."""
    try:
        status = path.stat()
        return status.st_mtime_ns, status.st_size
    except OSError:
        return None


def _judge(one: ExerciseSet, word: str) -> None:
    wanted = [question for question in one.questions if question == word] or one.questions
    print(f"\n{time.strftime('%H:%M:%S')}  {one.label}", flush=True)
    try:
        lines = as_lines(wanted, run_through(one.notebook))
    except Trouble as trouble:  # a save that went wrong; the next one may be whole
        lines = [f"{trouble}. Save it again, and it is checked."]
    print("\n".join(lines).rstrip(), flush=True)
