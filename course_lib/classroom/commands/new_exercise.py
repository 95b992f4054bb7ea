"""`course new-exercise`: a source notebook to fill in, with two questions that work."""

import argparse
import json
import re
from pathlib import Path

from course_lib.classroom.commands.release import default_source, write
from course_lib.classroom.prompt import command_line
from course_lib.classroom.record import as_json
from course_lib.classroom.source import set_name
from course_lib.classroom.trouble import Trouble

TEMPLATE = Path(__file__).with_suffix(".ipynb")  # of a set that is called my_set

WORDS = {
    "NAME": "the set, with or without its number: ex05_views, or homework",
    "FOLDER?": "the folder of your sources (default: solutions)",
}


def run(arguments: argparse.Namespace) -> int:
    """Write the template; an existing file is left as it is."""
    name = str(arguments.name).removesuffix(".ipynb")
    if not re.fullmatch(r"(\d+_)?[A-Za-z]\w*", name):
        raise Trouble(f"{name} is no name for a set: use letters, digits and _", 2)
    folder = arguments.folder or default_source()
    path = folder / f"{name}.ipynb"
    if path.exists():
        raise Trouble(f"{path} is there already; choose another name", 2)
    write({path: template(path)})
    print(
        f"Made {path}. Open it in JupyterLab, fill it in, then: {command_line(f'release {folder}')}"
    )
    return 0


def template(path: Path) -> str:
    """The text of a notebook with these two questions, which can be released as it is."""
    name = set_name(path)
    words = {"my set": name.replace("_", " "), "def my_set_1": f"def {name.lower()}_1"}
    words["my_set"] = name
    notebook = json.loads(TEMPLATE.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        cell["source"] = re.sub("|".join(words), lambda found: words[found[0]], text)
    return as_json(notebook)
