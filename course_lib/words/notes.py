"""What the course adds to PyTorch's messages: a note that names a lesson.

The message itself is never changed.  `add` is called where an error leaves the library; the first
entry of `notes.txt` whose words are part of the message gives the note.
"""

import functools
import os
import re
import sys

MORE = ". More: course_lib.viz.explain(error)"


@functools.cache
def notes() -> dict[str, str]:
    """All notes, by the words of the message that they are about."""
    with open(os.path.join(os.path.dirname(__file__), "notes.txt"), encoding="utf-8") as file:
        entries = re.findall(r"^(\w+): (.*)\n    (.*)", file.read(), re.MULTILINE)
    return {words: f"{advice} Lesson: {lesson}" for lesson, words, advice in entries}


def note(message: str) -> str | None:
    """The note for a message, or None.

    >>> note("Dimension out of range (expected to be in range of [-1, 0], but got 7)")[-30:]
    'Lesson: 08_squeeze_and_permute'
    """
    return next((text for words, text in notes().items() if words in message), None)


def add(error: BaseException) -> None:
    """Give an error its note, once."""
    found = note(str(error))
    if found is not None and "IPython" not in sys.modules:  # which shows it by itself
        found += "" if "explain()" in found else MORE
    if found is not None and found not in getattr(error, "__notes__", ()):
        error.add_note(found)
