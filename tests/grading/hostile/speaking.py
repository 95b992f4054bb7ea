"""Speaking in the grader's place: lines as the grader itself writes them, with the right data.

The answer to welcome-3 is wrong. Its cell finds where results go, takes the seed from its callers,
works out what a right answer shows, and says so. The lines lack the seal of this run, so nothing is
won, and a person is asked. `flagged`: it has found the writer, which seals what it is given.
"""

import textwrap

from grading.hostile.kinds import QUIET, WRONG, Kind, entries, of_answers

TOOLS = r"""
import json, time

def places():
    found = []
    for fd in range(3, 256):
        try:
            mode = os.fstat(fd).st_mode & 0o170000
        except OSError:
            continue
        if mode in (0o010000, 0o140000): found.append(fd)
    return found

def unblock(fd):
    try: os.set_blocking(fd, False)
    except OSError: pass

def seed():
    for names in callers(here()):
        for value in [names, *names.values()]:
            if type(value) is dict and type(value.get('seed')) is str: return value['seed']
    return 'course'

def shown(value_of=lambda numbers: sum(n * n for n in numbers) / len(numbers)):
    draw, entries = random.Random(seed() + '/welcome-3'), []
    for length in (3, 4):
        numbers = draw.sample(range(1, 10), length)
        value = value_of(numbers)
        told = {'kind': 'tensor', 'shape': [], 'dtype': 'torch.float32', 'requires_grad': False}
        told = {'kind': 'None'} if value is None else told | {'values': [float(f'{value:.6g}')]}
        entries.append({'label': f'mean_square(tensor({numbers}))', 'value': told})
    return {'entries': entries, 'error': None}

AT = {'at': 0}
DATA = {'data': shown(), 'changed': [], 'holds': []}
MADE = {'spoilt': lambda numbers: -1.0, 'nothing': lambda numbers: None}
USED = getattr(known['course_grading.decoy'], 'KINDS', MADE)
DECOYS = [{'decoy': it, 'data': shown(MADE[it]) if it in MADE else shown()} for it in USED]
END = {'changed': [], 'end': True}
ALL = (AT, DATA, *DECOYS, END)

def speak(*messages):
    text = ''.join(json.dumps(one) + chr(10) for one in messages).encode()
    for fd in places():
        try: os.write(fd, text)
        except OSError: pass
"""

# What ends at once: it is seen by its end, or by its lines.
ENDS = {
    "all-and-is-killed": "speak(*ALL)\nos.kill(os.getpid(), 9)",
    "all-and-crashes": "speak(*ALL)\nimport ctypes\nctypes.string_at(0)",
    "all-and-leaves-with-3": "speak(*ALL)\nleave(3)",
    "all-and-hangs": "speak(*ALL)\ntime.sleep(60)",
    "data-alone-and-is-killed": "speak(AT, DATA)\nos.kill(os.getpid(), 9)",
    "data-alone-and-leaves": "speak(AT, DATA)\nleave(0)",
    "all-and-goes-on": "speak(*ALL)",
    "all-and-leaves": "speak(*ALL)\nleave(0)",
    **entries("""
        == half-a-line-at-the-end
        speak(*ALL)
        for fd in places(): os.write(fd, b'{"data": {"entries": [')
        leave(0)
        == all-beside-the-writer
        import threading
        def beside():
            time.sleep(.02)
            speak(*ALL)
        threading.Thread(target=beside).start()
        == and-leaves-a-wake-up
        import signal
        for fd in places():
            unblock(fd)
            signal.set_wakeup_fd(fd, warn_on_full_buffer=False)
        signal.signal(signal.SIGVTALRM, lambda *_: None)
        signal.setitimer(signal.ITIMER_VIRTUAL, .001, .001)
        speak(*ALL)
        == and-leaves-a-dump
        import faulthandler
        for fd in places(): faulthandler.dump_traceback_later(.01, repeat=True, file=fd)
        speak(*ALL)
        time.sleep(.05)
        == all-in-the-call
        def mean_square(x):
            speak(*ALL[1:])
            leave(0)
    """),
}

# What the writer itself is made to say is sealed.
SEALED = entries("""
    == by-the-writer-itself
    say = next(names['say'] for names in callers(here()) if 'say' in names)
    for one in ALL: say(one)
    leave(0)
    == by-the-writer-that-it-changed
    say = next(names['say'] for names in callers(here()) if 'say' in names)
    inside = dict(zip(of('__code__.co_freevars')(say), of('__closure__')(say)))
    as_json, told = inside['as_json'].cell_contents, []
    def mine(message):
        if 'data' in message and 'decoy' not in message and not told:
            told.append(message)
            message = DATA
        return as_json(message | ({'changed': []} if 'changed' in message else {}))
    inside['as_json'].cell_contents = mine
""")


def _speaks(name: str, code: str, **facts: object) -> Kind:
    """It stands alone in one notebook, so that no later question shows that the process is gone."""
    parts = (QUIET, TOOLS, textwrap.dedent(code).strip("\n"))
    wrong = "" if "def mean_square" in code else WRONG["3"]
    return of_answers(f"speaks-{name}", {"3": "\n".join((*parts, wrong))}, "t1245", **facts)


KINDS: list[Kind] = [
    *[
        _speaks(name, code, lose="3", review=True, long=name == "all-and-hangs")
        for name, code in ENDS.items()
    ],
    *[_speaks(name, code, flagged="3") for name, code in SEALED.items()],
]
