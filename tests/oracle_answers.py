"""What each answer that a record keeps shows on real PyTorch: oracle_answers.py SOURCE…, as JSON.

Of each question the solution, the stub, the other right answers and the wrong ones are run as they
are when a set is released, with PyTorch in place of the library.
"""

import json
import sys
from pathlib import Path

from oracle_kernel import Alias

sys.meta_path.insert(0, Alias())

from course_lib.classroom.proof import rehearse  # noqa: E402
from course_lib.classroom.source import read  # noqa: E402

if __name__ == "__main__":
    shown = {}
    for path in sys.argv[1:]:
        source = read(Path(path))
        for question in source.questions.values():
            answers = {"solution": [question.answer], "stub": [question.stub]}
            for kind in ("right", "wrong"):
                notes = question.notes[f"{kind} answer"]
                answers[kind] = [question.variant(note.code) for note in notes]
            shown[question.name] = {
                kind: [rehearse(source, question, code) for code in codes]
                for kind, codes in answers.items()
            }
    json.dump(shown, sys.stdout)
