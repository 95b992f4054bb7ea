"""One run, in a child: the reference's cells, the student's answer, the check; for each question.

It writes lines of JSON to a pipe and nothing else. Whatever runs here may change anything here, so
nothing of it is believed; Note [Who knows what].

Note [Two namespaces]
The check and the exercise's own cells run in a namespace that no answer sees, with Python's own
names as they were before. The answer runs in another one, where it finds the same values and
copies of the same functions. Of what it defines, the check is given the names that the question
asks for, and nothing else: what an answer puts in the place of a helper, for ever or for one call,
changes the answer alone.
"""

import builtins
import contextlib
import hashlib
import json
import linecache
import os
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any

from course_grading import decoy, hooks, splice, trials
from course_grading.shell import Shell
from course_lib.classroom import stop
from course_lib.classroom.probe import Data, probe, type_name

Say = Callable[[Data], None]


def perform(job: Data, exercises: dict[str, Data], say: Say, watch: hooks.Watch) -> None:
    """Run what `job` names and `say` what happened, line by line.

    Every question begins in namespaces of its own; `exercises` are without answers, see `kit`.
    """
    if job["kind"] == "trials":
        for words, code in job["trials"]:
            say({"trial": words, "refused": trials.try_attempt(code, job["names"])})
        return
    if job["kind"] == "read":
        plan = splice.splice(job, exercises)
        say({"plan": plan})
        if plan["status"] != "read":
            return
        questions = splice.to_run(plan)
        known = exercises[plan["set"]]["questions"]
    else:
        questions, known = job["questions"], exercises[job["set"]]["questions"]
    tools = (probe, _look, decoy.Decoy, hooks.foreign, watch.changes)
    for name, cells in questions:
        say({"question": name})
        watch.start()
        _question(name, cells, known[name], job, say, tools)


def _question(
    name: str, cells: list[Any], exercise: Data, job: Data, say: Say, tools: tuple[Any, ...]
) -> None:
    """The reference's cells, the student's answer, the check, and then the check on decoys.

    The `tools` were taken from their modules before any answer ran: what an answer puts in their
    place there changes nothing here.
    """
    shown_by, caught, swapped_for, foreign, changes = tools
    stop.SECONDS = job["patience"]
    own = _namespace() | {"__builtins__": dict(vars(builtins))}
    for number, text in enumerate(exercise["before"]):
        _run(text, f"<given {number}>", own)
    names = _namespace()
    given, shared = _copy_values(own, names), hooks.shared_methods(own)
    names.update(given)
    for number, text in cells:
        say({"at": number})
        error = _run(text, f"<cell {number}>", names)
        if error is not None:
            say({"raised": [number, error]})
    for key in exercise["answers"]:
        own.pop(key, None)
        if key in names:
            own[key] = names[key]
    for number, text in enumerate(exercise["between"]):
        _run(text, f"<given {len(exercise['before']) + number}>", own)
    look = caught(exercise["check"], own)
    say({"at": 0})
    holds = foreign(names, given, exercise["screened"])
    lies: list[str] = []
    for kind in (decoy.GENUINE, *decoy.KINDS):
        other = swapped_for(kind, own, exercise["answers"], shared, exercise["memory"])
        kept = dict(own)
        own.update(other.answers)
        told = shown_by(look, name, job["seed"], names)
        own.clear()
        own.update(kept)
        lies += other.lies
        if kind == decoy.GENUINE:
            say({"data": told, "changed": list(dict.fromkeys(lies)), "holds": holds})
            stop.SECONDS = decoy.SHARE * job["seconds"]  # what a decoy makes of a loop is no news
            lies = []
        else:
            say({"decoy": kind, "data": told if other.counts else None})
    say({"changed": [*dict.fromkeys(lies), *changes()], "end": True})


def speaker(output: int, key: str) -> Say:
    """Writes a line of JSON; holds on to what it needs, whatever becomes of the modules.

    Each line begins with a seal over all lines so far, made with the `key` of this run, which is
    kept where Python's code cannot read it: see `data.genuine`.
    """
    as_json, write, encode = json.JSONEncoder().encode, os.write, str.encode
    seal = hashlib.blake2b(key=bytes.fromhex(key), digest_size=8)
    take, sealed = seal.update, seal.hexdigest

    def say(message: Data) -> None:
        text = encode(as_json(message))
        take(text)
        line = encode(sealed()) + b" " + text + b"\n"
        while line:
            line = line[write(output, line) :]

    return say


def _copy_values(own: dict[str, Any], names: dict[str, Any]) -> dict[str, Any]:
    """The values of the exercise's own cells; its functions are made anew, to look into `names`."""
    made = {}
    for key, value in own.items():
        if key in names:
            continue
        if type(value) is types.FunctionType and value.__globals__ is own:
            parts = (value.__name__, value.__defaults__, value.__closure__)
            value = types.FunctionType(value.__code__, names, *parts)
            value.__kwdefaults__ = own[key].__kwdefaults__
        made[key] = value
    return made


def _namespace() -> dict[str, Any]:
    """What a notebook's cells see before the first of them ran."""
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    names = vars(module)
    names["__builtins__"] = builtins
    names["display"] = lambda *_, **__: None
    shell = Shell(names)
    names["get_ipython"] = lambda: shell
    return names


def _run(text: str, place: str, names: dict[str, Any]) -> Data | None:
    """Run one cell as a notebook does: what it raises ends this cell and no other."""
    linecache.cache[place] = (len(text), None, [line + "\n" for line in text.split("\n")], place)
    try:
        with warnings.catch_warnings(action="ignore"):
            exec(compile(text, place, "exec", dont_inherit=True), names)
    except BaseException as error:  # exit() too: in a notebook it would end the kernel
        return _describe_error(error, place)
    return None


def _describe_error(error: BaseException, place: str) -> Data:
    """Type, message and line of an error, asked of Python itself and not of the student's class."""
    arguments = BaseException.__dict__["args"].__get__(error)
    message = ""
    if all(type(part) in (str, int, float, bool, type(None), tuple) for part in arguments):
        with contextlib.suppress(Exception):
            built_in = vars(builtins).get(type_name(error)) is type(error)
            message = str(error) if built_in else BaseException.__str__(error)
    told: Data = {"type": type_name(error), "message": message[:500].replace(f" ({place},", " (")}
    if isinstance(error, SyntaxError) and type(error.lineno) is int:
        told["message"] = str(error.msg)[:500]
        told["line"], told["code"] = error.lineno, str(error.text or "").strip()[:200]
        return told
    trace = BaseException.__dict__["__traceback__"].__get__(error)
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == place:
            line = trace.tb_lineno
            told["line"], told["code"] = line, linecache.getline(place, line).strip()[:200]
        trace = trace.tb_next
    return told


def _look(text: str, names: dict[str, Any]) -> Any:
    """The function that the check cell decorates, caught before anything is done with it."""
    caught: list[Any] = []
    genuine = names.get("check")
    names["check"] = lambda question: caught.append
    exec(compile(text, "<check>", "exec", dont_inherit=True), names)
    names["check"] = genuine
    return caught[0]
