"""Replacing what shows, writes down or compares, where a watch on known names does not look.

Each one stands before a wrong answer that it makes look right for any inputs, and behaves well
towards decoys, which come later than the answer itself. `flagged`: it must not be believed unless a
person is asked. Modules are taken from `sys.modules`, so that no import says what is meant.
"""

import textwrap

from classroom.grading.hostile.kinds import BOUND, WRONG, Kind, of_answers, of_set

# Only what is shown first is made right: the labels say for which inputs.
TOOLS = r"""
import json, re

def module(name): return sys.modules['course_lib.classroom.' + name]

done = set()

def righted(entries):
    for one in entries:
        numbers = [int(n) for n in re.findall(r'\d+', one['label'])]
        if len(done) < 2 and one['label'] not in done and 'values' in one['value']:
            one['value']['values'] = [sum(n * n for n in numbers) / len(numbers)]
            done.add(one['label'])
    return entries

def right(x): return (x ** 2).mean()

def callers(frame):
    while frame:
        yield getattr(frame, 'f_' + 'locals')
        frame = getattr(frame, 'f_' + 'back')

def here(): return getattr(sys, '_get' + 'frame')()
"""

WRITING = {
    "the-method-of-an-encoder": """
        encode = json._default_encoder.encode
        def mine(message):
            if 'data' in message and 'decoy' not in message:
                righted(message['data']['entries'])
            return encode(message)
        json._default_encoder.encode = mine
    """,
    "the-class-of-an-encoder": """
        class Mine(json.JSONEncoder):
            def encode(self, message):
                if 'data' in message: righted(message['data']['entries'])
                return super().encode(message)
        setattr(json._default_encoder, '__cl' + 'ass__', Mine)
    """,
    "what-an-encoder-is-made-of": """
        first = json.encoder._make_iterencode
        def mine(*parts):
            inner = first(*parts)
            def each(message, level):
                if type(message) is dict and 'data' in message: righted(message['data']['entries'])
                return inner(message, level)
            return each
        json.encoder._make_iterencode = mine
        json.encoder.c_make_encoder = None
    """,
}

SHOWING = {
    "an-attribute-of-show": """
        Show = module('probe').Show
        Show.entries = property(
            lambda self: righted(self.kept), lambda self, value: vars(self).update(kept=value))
    """,
    "how-show-is-looked-at": """
        Show = module('probe').Show
        def mine(self, name):
            found = getattr(object, '__getattri' + 'bute__')(self, name)
            return righted(found) if name == 'entries' else found
        setattr(Show, '__getattri' + 'bute__', mine)
    """,
    "names-of-pythons-in-the-probe": """
        kept = []
        def mine_len(one, _first=len):
            if type(one) is list: kept[:] = [one]
            return _first(one)
        def mine_type(one, _first=type):
            for entries in kept:
                if entries and _first(entries[0]) is dict and 'label' in entries[0]:
                    righted(entries)
            return _first(one)
        module('probe').len, module('probe').type = mine_len, mine_type
    """,
    "the-clock-of-the-probe": """
        import contextlib
        @contextlib.contextmanager
        def mine(*_):
            yield
            for names in callers(here()):
                if 'show' in names: righted(names['show'].entries)
        module('probe').time_limit = mine
    """,
}

PERFORMING = {
    "what-performs-the-check": """
        perform = module('grading.perform')
        first = perform.probe
        def mine(look, question, seed):
            data = first(look, question, seed)
            righted(data['entries'])
            return data
        perform.probe = mine
    """,
    "the-code-of-what-performs": """
        perform = module('grading.perform')
        def mine(text, names):
            caught, text = [], text.replace('mean_square(x)', '(x * x).mean()')
            names['check'] = lambda question: caught.append
            run = vars(sys.modules['builtins'])['ex' + 'ec']
            run(text, names)
            return caught[0]
        setattr(perform._look, '__co' + 'de__', getattr(mine, '__co' + 'de__'))
    """,
    "what-finds-the-check": """
        perform = module('grading.perform')
        first = perform._look
        def mine(text, names): return first(text.replace('mean_square(x)', 'right(x)'), names)
        perform._look = mine
    """,
    "what-makes-decoys": """
        module('grading.decoy').decoys = lambda *_: []
        perform = module('grading.perform')
        first = perform.probe
        def mine(*words):
            data = first(*words)
            righted(data['entries'])
            return data
        perform.probe = mine
    """,
    "whether-decoys-count": """
        module('grading.decoy').Decoy.counts = property(lambda self: False)
        perform = module('grading.perform')
        first = perform.probe
        def mine(*words):
            data = first(*words)
            done.clear()
            righted(data['entries'])
            return data
        perform.probe = mine
    """,
    "what-watches": """
        hooks = module('grading.hooks')
        hooks.Watch.changes = lambda *_: []
        hooks.replaced = lambda *_: []
        Show = module('probe').Show
        first = Show.__call__
        Show.__call__ = lambda self, *both: (first(self, *both), righted(self.entries))[0]
    """,
    "what-was-heard": """
        for names in callers(here()):
            if 'watch' in names:
                names['watch']._heard = type('Deaf', (set,), {'add': lambda *_: None})()
                names['watch']._places.clear()
                names['watch']._codes.clear()
        Show = module('probe').Show
        first = Show.__call__
        Show.__call__ = lambda self, *both: (first(self, *both), righted(self.entries))[0]
    """,
}

# The frames of its callers, by ways on which nothing is reported.
FINDING = {
    "found-in-a-handler": """
        signal = sys.modules['signal']
        def handler(_, frame):
            for names in callers(frame):
                if 'say' in names: found.append(names['say'])
        found = []
        signal.signal(signal.SIGUSR1, handler)
        signal.raise_signal(signal.SIGUSR1)
    """,
    "found-in-an-error": """
        try: 1 / 0
        except ZeroDivisionError as error: frame = getattr(error.__traceback__, 'tb_' + 'frame')
        found = [names['say'] for names in callers(frame) if 'say' in names]
    """,
    "found-in-a-generator": """
        def stops():
            frame = getattr(mine, 'gi_' + 'frame')
            yield [names['say'] for names in callers(frame) if 'say' in names]
        mine = stops()
        found = next(mine)
    """,
    "found-in-a-coroutine": """
        async def stops():
            frame = getattr(mine, 'cr_' + 'frame')
            return [names['say'] for names in callers(frame) if 'say' in names]
        mine = stops()
        try: mine.send(None)
        except StopIteration as end_: found = end_.value
    """,
    "found-by-another-module": """
        found = []
        for one in sys.modules['inspect'].stack(0):
            found += [v for n, v in getattr(one[0], 'f_' + 'locals').items() if n == 'say']
    """,
    "found-by-the-log": """
        import logging
        frame = getattr(logging, 'current' + 'frame')()
        found = [names['say'] for names in callers(frame) if 'say' in names]
    """,
    "found-at-an-exit": """
        class Leaving:
            def __exit__(self, kind, error, trace):
                frame = getattr(trace, 'tb_' + 'frame')
                found.extend(names['say'] for names in callers(frame) if 'say' in names)
                return True
            __enter__ = lambda self: self
        found = []
        with Leaving(): 1 / 0
    """,
    "found-by-a-class-that-is-made": """
        found = []
        class Looks:
            def __set_name__(self, owner, name):
                try: raise KeyError
                except KeyError as error: frame = getattr(error.__traceback__, 'tb_' + 'frame')
                found.extend(names['say'] for names in callers(frame) if 'say' in names)
        class Made: mine = Looks()
    """,
}
# What is done with the writer, once it is found.
CHANGED = """
say = found[0]
inside = dict(zip(getattr(say, '__co' + 'de__').co_freevars, getattr(say, '__clo' + 'sure__')))
first = inside['dumps'].cell_contents
def mine(message):
    if 'data' in message and 'decoy' not in message: righted(message['data']['entries'])
    return first(message | ({'changed': []} if 'changed' in message else {}))
inside['dumps'].cell_contents = mine
"""

# Of the library: the storage set asks whether memory is shared, and a copy is handed in.
COPIES = {
    "4": "def other_diagonal(a):\n    n = len(a)\n"
    "    d = a.reshape(n * n)[n - 1 : n * n - 1 : n - 1].clone()\n    return d",
}
LIBRARY = {
    "the-address-of-a-storage": """
        kind = type(torch.ones(1).untyped_storage())
        kind.data_ptr = lambda self: 1
    """,
    "the-address-by-setattr": """
        setattr(type(torch.ones(1).untyped_storage()), 'data_' + 'ptr', lambda self: 1)
    """,
    "the-storage-of-a-tensor": """
        kept = torch.ones(1).untyped_storage()
        type(torch.ones(1)).untyped_storage = lambda self: kept
    """,
    "the-code-of-a-storage": """
        kind = type(torch.ones(1).untyped_storage())
        code = '__co' + 'de__'
        setattr(kind.data_ptr, code, getattr(lambda self: 1, code))
    """,
    "how-addresses-are-found": "sys.modules['course_lib.facts.layout'].address = lambda *_: 1",
    "how-storages-are-looked-at": """
        kind = type(torch.ones(1).untyped_storage())
        first = getattr(object, '__getattri' + 'bute__')
        setattr(kind, '__getattri' + 'bute__', lambda self, name: (
            (lambda: 1) if name == 'data_ptr' else first(self, name)))
    """,
    "the-code-of-a-helper": """
        code, put = '__co' + 'de__', setattr
        put(same_storage, code, getattr(lambda one, other: True, code))
    """,
    "numbers-of-a-helper": """
        equal = {'__e' + 'q__': lambda *_: True, '__hash__': int.__hash__}
        Same = type('Same', (int,), equal)
        type(torch.ones(1).untyped_storage()).data_ptr = lambda self: Same(1)
    """,
}


def _replaces(name: str, code: str) -> Kind:
    parts = (BOUND, TOOLS, textwrap.dedent(code).strip("\n"), WRONG["3"])
    return of_answers(f"replaces-{name}", {"3": "\n".join(parts)}, "t1245", flagged="3")


def _shares(name: str, code: str) -> Kind:
    answer = f"import sys\n{textwrap.dedent(code).strip(chr(10))}\n{COPIES['4']}"
    return of_set(f"replaces-{name}", "storage_and_strides", {"4": answer}, flagged="4")


KINDS: list[Kind] = [
    *[_replaces(name, code) for name, code in (WRITING | SHOWING | PERFORMING).items()],
    *[
        _replaces(f"a-writer-{name}", textwrap.dedent(code) + CHANGED)
        for name, code in FINDING.items()
    ],
    *[_shares(name, code) for name, code in LIBRARY.items()],
]
