"""The home page and the small map in JupyterLab: a prebuilt extension, and what it has to know.

Note [Home without a kernel]
`course_lib/labextension` is what `lab/` was built to, and takes no Node to load. It reads an index,
which is written here at each start, and the reader's progress, for which it asks JupyterLab. An
extension's files are served without the token, so the index holds the course's text and nothing
of the reader's.
"""

from __future__ import annotations

import json
import shutil
from itertools import groupby
from pathlib import Path
from typing import Any

from course_lib.classroom import content
from course_lib.classroom.home import Course, looked_up
from course_lib.classroom.lessons import STAGES
from course_lib.classroom.progress import RENAMED
from course_lib.classroom.search import index as passages
from course_lib.classroom.sets import desk
from course_lib.classroom.workspace import write_whole

NAME = "course-home"
BUILT = content.PACKAGE / "labextension"


def write_lab_home(extensions: Path, workspace: Path, in_browser: bool = False) -> None:
    """Put the extension into JupyterLab's folder of extensions, beside the index of this course."""
    folder, known = extensions / NAME, index(workspace, in_browser)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(BUILT, folder)
    text = json.dumps(known, ensure_ascii=False, separators=(",", ":"))
    write_whole(folder / "index.json", f"{text}\n".encode())


def index(workspace: Path, in_browser: bool = False) -> dict[str, Any]:
    """What the home page shows before anything was done, and what its search looks through."""
    courses = [Course(one, {}, {}) for one in desk(workspace).sets]
    titles = [title for title, _ in groupby(courses, key=lambda course: course.one.stage)]
    afterwards = {stage.title: stage.afterwards for stage in STAGES}
    return {
        "stages": [[title, afterwards.get(title, "")] for title in titles],
        "lessons": [_of_lesson(course, titles.index(course.one.stage)) for course in courses],
        "pages": looked_up(workspace),
        "renamed": RENAMED,
        "browser": in_browser,
        **passages(),
    }


def _of_lesson(course: Course, stage: int) -> dict[str, Any]:
    one = course.one
    cells = [one.place(question).partition("#cell-id=")[2] for question in course.questions]
    return {
        "name": one.name,
        "title": course.title,
        "file": course.file,
        "stage": stage,
        "minutes": [course.lesson.minutes, course.lesson.exercises] if course.lesson else [],
        "sheet": course.sheet,
        "guesses": list(course.asked.items()),
        "questions": [[q, one.title(q), cell] for q, cell in zip(course.questions, cells)],
    }
