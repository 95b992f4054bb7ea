"""`course preview`: what a student will see of a set, and what its wrong answers will be told.

Note [A dry run]
Every wrong answer of the notes is judged as a student's would be: by the record as it is handed
out, in which predictions are sealed. What is listed is what students read, not what was meant.
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Any

from course_grading.paper import PAGES
from course_grading.row import plural
from course_lib.classroom import credit
from course_lib.classroom.commands.release import release, source_paths, student_notebook, write
from course_lib.classroom.page import verdict_html
from course_lib.classroom.source import Mistakes, Source, read
from course_lib.classroom.verdict import judge

SCHEMA = "course-preview/1"
Data = dict[str, Any]

WORDS = {
    "source": "a source notebook, or a folder of them",
    "--out FOLDER": "the folder for the pages (default: preview)",
    "--no-solutions": "as `release --no-solutions` hands it out",
    "--json": "print JSON for a program to read",
}


def run(arguments: argparse.Namespace) -> int:
    """Write a page for each source: 0 done, 1 mistakes found."""
    failed, facts, out = False, [], arguments.out or Path("preview")
    for path in source_paths(Path(arguments.source), out):
        try:
            seen = preview_set(path, solutions=not arguments.no_solutions)
        except Mistakes as mistakes:
            failed = True
            print(mistakes, file=sys.stderr)
            continue
        page = out / f"{seen['set']}.html"
        write({page: _page(read(path), seen)})
        facts.append(_facts(seen) | {"page": str(page)})
        if not arguments.json:
            print(_words(seen, page))
    if arguments.json:
        print(json.dumps({"schema": SCHEMA, "sets": facts}, ensure_ascii=False, indent=1))
    return 1 if failed else 0


def preview_set(path: Path, solutions: bool = True) -> Data:
    """The record of a set as handed out, and the verdicts that students will meet."""
    handed = _record(release(path, path.parent, solutions))
    full = _record(release(path, path.parent, graded=True)) if not solutions else handed
    questions = {}
    for name, record in handed["questions"].items():
        known = full["questions"][name]
        wrong = []
        for number, one in enumerate(known["wrong"], 1):
            verdict = judge(name, one["data"], record, edited=True, source=one["code"])
            told = {"number": number, "code": one["code"], "verdict": verdict, "own": one}
            possible = credit.worth(known)
            points, _ = credit.best([(verdict, known)], possible)
            wrong.append(told | {"points": points, "possible": possible})
        unanswered = judge(name, known["stub"]["data"], record)
        questions[name] = {"record": record, "unanswered": unanswered, "wrong": wrong}
    made = {name: handed[name] for name in ("set", "notebook")}
    made |= {"questions": questions, "by_hand": handed.get("by_hand", {})}
    return made | {"solutions": solutions}


def _record(files: dict[Path, str]) -> Data:
    made: Data = json.loads(list(files.values())[1])
    return made


def _meets(one: Data) -> str:
    """What a wrong answer is told, in a word: its own message, another one, or none."""
    said = one["verdict"].message
    return "own" if said == one["own"]["message"] else "another" if said else "none"


def _own_lines(code: str) -> str:
    lines = [line for line in code.split("\n") if not line.startswith("# Answer to ")]
    return "\n".join(lines).strip("\n")


# ---- in words and as data ------------------------------------------------------------------------


def _facts(seen: Data) -> Data:
    return {
        "set": seen["set"],
        "questions": [
            {
                "question": name,
                "type": one["record"]["type"],
                "points": credit.worth(one["record"]),
                "minutes": one["record"]["minutes"],
                "hints": len(one["record"]["hints"]),
                "solution": "code" in one["record"]["solution"],
                "sealed": bool(one["record"].get("sealed")),
                "unanswered": one["unanswered"].word,
                "wrong": [
                    {
                        "number": wrong["number"],
                        "word": wrong["verdict"].word,
                        "message": wrong["verdict"].message,
                        "meets": _meets(wrong),
                        "points": wrong["points"],
                    }
                    for wrong in one["wrong"]
                ],
            }
            for name, one in seen["questions"].items()
        ],
    }


def _words(seen: Data, page: Path) -> str:
    every = [(name, one) for name, q in seen["questions"].items() for one in q["wrong"]]
    own = sum(_meets(one) == "own" for _, one in every)
    lines = [f"{_summary(seen)}; {own} of {plural(len(every), 'wrong answer')} meet their message."]
    for name, one in every:
        if _meets(one) != "own":
            said = {"another": "the message of another one", "none": "no message"}[_meets(one)]
            lines.append(f"  {name}: wrong answer {one['number']} meets {said}")
        if one["points"]:
            points = f"{one['points']:g} of {one['possible']} points"
            lines.append(f"  {name}: wrong answer {one['number']} brings {points}")
    for name, question in seen["questions"].items():
        if counts := question["record"].get("counts"):
            rest = "" if all(counts) else "; the others need no work"
            lines.append(f"  {name}: {sum(counts)} of {len(counts)} values bring points{rest}")
    return "\n".join([*lines, f"Open {page}"])


def _summary(seen: Data) -> str:
    records = [one["record"] for one in seen["questions"].values()]
    points = plural(sum(map(credit.worth, records)), "point")
    minutes = plural(sum(one["minutes"] for one in records), "minute")
    said = f"{seen['set']}: {plural(len(records), 'question')}, {points}, {minutes}"
    if not (by_hand := seen["by_hand"].values()):
        return said
    points = plural(sum(one["points"] for one in by_hand), "point")
    return f"{said}; {plural(len(by_hand), 'question')} that you mark yourself, {points}"


# ---- the page ------------------------------------------------------------------------------------


def _page(source: Source, seen: Data) -> str:
    shown = student_notebook(source)["cells"]
    cells = [cell for cell in source.cells if cell.role != "notes"]
    models = {name: one.model for name, one in source.by_hand.items() if seen["solutions"]}
    return PAGES.get_template("preview.html").render(
        title=f"Preview of {seen['notebook']}",
        summary=_summary(seen),
        seen=seen,
        wrong=[one for question in seen["questions"].values() for one in question["wrong"]],
        cells=[(cell, "".join(raw["source"])) for cell, raw in zip(cells, shown, strict=True)],
        models=models,
        meets=_meets,
        own_lines=_own_lines,
        markdown=_markdown,
        verdict=verdict_html,
    )


_ANCHOR = r'<a class="anchor-link"[^>]*>.*?</a>'  # a sign to link to a heading


def _markdown(text: str) -> str:
    from nbconvert.filters.markdown_mistune import markdown2html_mistune

    return f"<div>{re.sub(_ANCHOR, '', markdown2html_mistune(text))}</div>"
