"""Forging what the process tells: verdicts, data, stored outputs; and values that lie.

Each one comes with wrong answers to the last three questions, or is one, and must win nothing.
"""

import json

from grading.hostile.kinds import (
    ALL,
    WRONG,
    Kind,
    Notebook,
    called,
    cell_of,
    cheat,
    entries,
    loaded,
    notebook,
    of_answers,
    of_notebook,
    question,
)
from grading.submitting import record

STUBS = {letter: "..." for letter in ALL}

VERDICT = r"""{"question": "welcome-3", "word": "correct", "points": 2, "status": "graded"}"""
DATA = r"""{"welcome-3": {"entries": [], "error": null}, "welcome-4": {"entries": []}}"""

PRINTED = {
    "prints-a-verdict": f"print('''{VERDICT}''')\nprint('''{DATA}''')",
    "prints-a-verdict-and-leaves": f"print('''{VERDICT}''', flush=True)\nos._exit(0)",
    "writes-a-verdict-and-closes": f"""
        for fd in range(3, 64):
            try:
                os.write(fd, ('''{DATA}''' + chr(10)).encode())
                os.close(fd)
            except OSError: pass
        os._exit(0)
    """,
    "writes-result-files": f"""
        for name in ('grades.json', 'result.json', 'results.json', 'row.json', 'output.json'):
            open(name, 'w').write('''{DATA}''')
        os._exit(0)
    """,
    "forks-and-both-answer": "if os.fork() == 0: mean_square = lambda x: (x ** 2).mean() * 0",
    **entries("""
        == writes-broken-data
        for fd in range(1, 64):
            try: os.write(fd, b'{"entries": [' * 1000 + bytes(range(256)))
            except OSError: pass
        os._exit(0)
        == writes-pickled-code
        class Code:
            def __reduce__(self): return os.system, ('touch /tmp/@TRACE@-pickle',)
        for fd in range(1, 64):
            try: os.write(fd, pickle.dumps(Code()))
            except OSError: pass
        os._exit(0)
        == displays-a-verdict
        from IPython.display import HTML, display
        display(HTML('<b>✓ welcome-3: correct</b>'), {'text/plain': '✓ correct'}, raw=False)
    """),
}

WITH_THE_CHECK = {
    "has-its-own-check": "check = lambda question: lambda look: print('✓', question, 'correct')",
    **entries("""
        == checks-itself
        @check("welcome-3")
        def welcome_3(show):
            show("mean_square(tensor([1, 2, 3]))", torch.tensor(14 / 3))
        == checks-others
        for name in ("welcome-4", "welcome-5"):
            check(name)(lambda show: show("y.grad_fn", "MeanBackward0"))
        == has-its-own-show
        class Show:
            def __call__(self, label, value): pass
        real, check = check, lambda question: lambda look: real(question)(lambda _: look(Show()))
        == sets-the-word
        from course_lib.classroom import verdict
        verdict.NOT_YET = verdict.RAISED = verdict.NOT_ATTEMPTED = verdict.CORRECT
        == sets-the-report
        os.environ['COURSE_VERDICTS'] = '@TRACE@'
        os.environ['NBGRADER_EXECUTION'] = ''
    """),
}

# The answer reaches for the check that calls it.
IN_THE_CALL = {
    "changes-the-input": "x *= 0\nreturn x.mean()",
    "text-that-is-data": """return '{"kind": "tensor", "shape": [], "dtype": "torch.float32"}'""",
    "error-that-is-none": "raise type('None', (Exception,), {})()",
    "says-it-is-not-written": "raise NotImplementedError",
    "not-a-number": "return torch.tensor(float('nan'))",
    "gives-the-check-back": "return sys._getframe(1).f_code",
    **entries("""
        == clears-what-was-shown
        show = sys._getframe(1).f_locals['show']
        show.entries.clear()
        raise SystemExit
        == chooses-the-inputs
        show = sys._getframe(1).f_locals['show']
        show.random = random.Random('course/welcome-3')
        return torch.tensor(14 / 3)
        == finds-the-expected-value
        for one in gc.get_objects():
            if type(one) is dict and one.get('label', '').startswith('mean_square'):
                value = one['value']
                if value.get('values'): return torch.tensor(value['values'][0])
        return x
        == answers-for-the-known-inputs
        known = {KNOWN}
        return torch.tensor(known.get(tuple(x.tolist()), 0.0))
        == always-equal-numbers
        class Equal(float):
            __eq__ = lambda *_: True
            __format__ = lambda *_: 'nan'
            __hash__ = lambda self: 0
        return torch.tensor([Equal(3)])[0] * 0
        == dict-that-is-data
        return {'kind': 'tensor', 'shape': [], 'dtype': 'torch.float32', 'values': [1.0]}
    """),
}


def _known() -> str:
    """Inputs and values of welcome-3 under the seed that students know."""
    known = {}
    for entry in record("welcome")["questions"]["welcome-3"]["solution"]["data"]["entries"]:
        inputs = json.loads(entry["label"].removeprefix("mean_square(tensor(").removesuffix("))"))
        known[tuple(map(float, inputs))] = entry["value"]["values"][0]
    return repr(known)


def _stored(book: Notebook) -> None:
    """Outputs that say that all is correct, below wrong answers."""
    for letter in ALL:
        says = {"name": "stdout", "output_type": "stream", "text": f"✓ {question(letter)}: correct"}
        cell = cell_of(book, letter, "check")
        cell["outputs"], cell["execution_count"] = [says], 3
        cell_of(book, letter)["source"] = f"# Answer to {question(letter)}\n..."


def _points(book: Notebook) -> None:
    book["metadata"]["course"] |= {"points": 100, "word": "correct", "status": "graded"}
    for cell in book["cells"]:
        about = cell["metadata"].get("nbgrader", {})
        about |= {"points": 100, "score": 100} if about.get("grade") else {}
        cell["metadata"]["course_verdict"] = "correct"
    _wrong(book)


def _wrong(book: Notebook) -> None:
    for letter in "345":
        cell_of(book, letter)["source"] = f"# Answer to {question(letter)}\n{WRONG[letter]}"


def _skipped(book: Notebook) -> None:
    _wrong(book)
    tags = ["nbval-skip", "nbval-ignore-output", "raises-exception", "skip-execution"]
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            cell["metadata"]["tags"] = tags
            cell["source"] += (
                "\n# NBVAL_SKIP\n# NBVAL_IGNORE_OUTPUT\n# PYTEST_VALIDATE_IGNORE_OUTPUT"
            )


def _shown_by_the_check(book: Notebook) -> None:
    """Checks that show what the solution shows, whatever the answer."""
    _wrong(book)
    released = notebook()
    for letter in "345":
        code = cell_of(released, letter, "check")["source"]
        head = "".join(code).split("):\n")[0]
        cell_of(book, letter, "check")["source"] = f"{head}):\n    show.entries = []"


KINDS: list[Kind] = [
    *[cheat(name, code, doubtful=False) for name, code in PRINTED.items()],
    *[cheat(name, code) for name, code in WITH_THE_CHECK.items()],
    *[called(name, code.replace("{KNOWN}", _known())) for name, code in IN_THE_CALL.items()],
    of_answers("stubs-of-everything", STUBS, lose=ALL, review=False),
    loaded("says-correct-in-its-text", "'✓ welcome-3: correct'"),
    of_notebook("outputs-of-another", _stored, lose=ALL),
    of_notebook("points-in-its-metadata", _points, keep="t12", lose="345"),
    of_notebook("tags-that-skip", _skipped, keep="t12", lose="345"),
    of_notebook("checks-that-show-nothing", _shown_by_the_check, keep="t12", lose="345"),
]
