"""The sentences live in files by subject, but in one namespace."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

FILES = sorted((Path(__file__).resolve().parents[2] / "course_lib/words/errors").glob("*.py"))


def test_no_sentence_hides_another_of_the_same_name() -> None:
    names = Counter(file.stem for file in FILES)  # a file, once read, hides a name like its own
    for file in FILES:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                names[node.name] += 1
            elif isinstance(node, ast.Assign):
                names.update(t.id for t in node.targets if isinstance(t, ast.Name))
    assert [name for name, count in names.items() if count > 1] == []
