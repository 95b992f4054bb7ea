"""An answer of an exported notebook speaks to IPython, and is graded like any other."""

import json

import pytest
from grading.submitting import code, notebook, record

from course_grading import unit

RIGHT = record("welcome")["questions"]["welcome-3"]["right"][0]


def graded(made, course, runner):
    row = unit.grade(json.dumps(made).encode(), course, runner)
    return next(one for one in row["questions"] if one["question"] == "welcome-3")


@pytest.mark.parametrize(
    "line",
    [
        'get_ipython().run_line_magic("matplotlib", "inline")',
        'get_ipython().run_cell_magic("html", "", "<b>hello</b>")',
        "get_ipython().magic(\"config InlineBackend.figure_format = 'retina'\")",
        'get_ipython().system("pip install torch")',
        'found = get_ipython().getoutput("ls")\nassert len(found) == 0',
        'get_ipython().events.register("post_run_cell", print)',
        'get_ipython().enable_matplotlib("inline")',
        'assert get_ipython().user_ns["get_ipython"] is get_ipython',
        "ip = get_ipython()\nif ip is not None:\n    ip.run_line_magic('load_ext', 'autoreload')",
    ],
)
def test_a_right_answer_may_speak_to_ipython(line, course, runner):
    one = graded(notebook("welcome", {"welcome-3": f"{line}\n{RIGHT}"}), course, runner)
    assert (one["word"], one["reason"], one["review"]) == ("correct", "", [])


def test_a_function_taken_along_may_speak_to_ipython_and_wrong_answers_stay_wrong(course, runner):
    made = notebook("welcome", {"welcome-3": f"quietly()\n{RIGHT}"})
    line = "    get_ipython().run_line_magic('matplotlib', 'inline')"
    made["cells"].insert(0, code(f"def quietly():\n{line}"))
    assert graded(made, course, runner)["word"] == "correct"
    wrong = record("welcome")["questions"]["welcome-3"]["wrong"][0]["code"]
    line = 'get_ipython().run_line_magic("matplotlib", "inline")'
    one = graded(notebook("welcome", {"welcome-3": f"{line}\n{wrong}"}), course, runner)
    assert (one["word"], one["points"]) == ("not yet", 0)
