"""`course search`: where the course speaks of something."""

import argparse

from course_lib.classroom.search import find, search

WORDS = {"WORDS…": "what you would like to know"}


def run(arguments: argparse.Namespace) -> int:
    """Show where the course speaks of the words: 0 somewhere, 1 nowhere."""
    words = " ".join(arguments.words)
    search(words)
    return int(not find(words, most=1))
