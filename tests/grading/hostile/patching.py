"""Patching the checker, the library, Python or IPython, so that wrong answers look right.

Every one of these stands before wrong answers to the last three questions and must win nothing.
"""

from grading.hostile.kinds import Kind, beside, cheat, entries

THE_CHECKER = entries("""
    == patches-show
    from course_lib.classroom import probe
    probe.Show.__call__ = lambda self, label, value: self.entries.append(
        {'label': label, 'value': {'kind': 'int', 'value': 1}})
    == patches-probe
    from course_lib.classroom import check as _, probe
    data = {'entries': [], 'error': None}
    probe.probe = lambda *_: data
    sys.modules['course_lib.classroom.check'].probe = probe.probe
    == patches-judge
    from course_lib.classroom import verdict
    verdict.judge = lambda question, data, record: verdict.Verdict(question, 'correct', data)
    verdict.same = lambda *_: True
    verdict.differences = lambda *_: []
    sys.modules['course_lib.classroom.check'].judge = verdict.judge
    == replaces-the-code-of-functions
    from course_lib.classroom import probe, verdict
    def same(expected, data): return True
    verdict.same.__code__ = same.__code__
    def describe(value): return {'kind': 'int', 'value': 1}
    probe.describe.__code__ = describe.__code__
    == replaces-modules
    false = types.ModuleType('course_lib.classroom')
    false.check = lambda question: lambda look: 'correct'
    sys.modules['course_lib.classroom'] = false
    == import-hook
    import importlib.abc, types
    class Finder(importlib.abc.MetaPathFinder):
        def find_spec(self, name, path, target=None):
            if 'classroom' in name or 'json' in name: raise SystemExit(0)
    sys.meta_path.insert(0, Finder())
    == patches-random
    random.Random.sample = lambda self, population, k: list(population)[:k]
    random.Random.random = lambda self: .5
""")

PYTHON = {
    "patches-isinstance": "builtins.isinstance = lambda *_: True",
    "patches-open": "builtins.open = lambda *_, **__: 1 / 0",
    "patches-import": "builtins.__import__ = lambda *_, **__: sys",
    "patches-os-write": "os.write = lambda fd, data: len(data)\nos.read = lambda *_: b''",
    "patches-time": "time.monotonic = time.time = time.perf_counter = lambda: 0.0",
    "patches-float-by-c": "gc.get_referents(float.__dict__)[0]['__format__'] = lambda *_: '14.0'",
    "profiles-every-call": "sys.setprofile(lambda frame, event, value: None)",
    **entries("""
        == patches-json
        json.dumps = lambda *_, **__: '{"word": "correct"}'
        json.dump = lambda value, file, **__: file.write(json.dumps(value))
        json.loads = lambda *_, **__: {}
        json.JSONEncoder.encode = lambda *_: json.dumps(0)
        == patches-builtins-by-c
        mine = gc.get_referents(int.__dict__)[0]
        mine['__eq__'] = lambda *_: True
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(int))
        == changes-small-numbers
        kind = ctypes.c_uint32 * 1
        place = id(7) + object.__basicsize__ + 8
        kind.from_address(place)[0] = 6
        == traces-every-line
        def lines(frame, event, value):
            if frame.f_code.co_name.startswith('welcome_'):
                frame.f_trace_lines = False
            return lines
        sys.settrace(lines)
        == monitors-every-call
        if hasattr(sys, 'monitoring'):
            sys.monitoring.use_tool_id(3, 'mine')
            sys.monitoring.set_events(3, sys.monitoring.events.CALL)
        == audit-hook
        def hook(event, arguments):
            if event in ('open', 'compile') and time.monotonic() > end: raise SystemExit(0)
        sys.addaudithook(hook)
        == patches-at-exit
        atexit.register(print, '{"word": "correct"}')
        atexit._run_exitfuncs()
        == changes-every-object
        for one in gc.get_objects():
            if type(one) is dict and 'entries' in one and 'error' in one: one.clear()
            if type(one) is list and one and type(one[0]) is dict and 'label' in one[0]: one.clear()
    """),
}

LIBRARIES = entries("""
    == patches-tensor-equality
    torch.Tensor.__eq__ = lambda self, other: torch.tensor(True)
    torch.Tensor.equal = torch.equal = torch.allclose = lambda *_, **__: True
    == patches-numpy
    numpy.array_equal = numpy.allclose = lambda *_, **__: True
    numpy.mean = numpy.sum = lambda *_, **__: 14.0
    numpy.asarray = numpy.array = lambda *_, **__: numpy.ones(3)
    == replaces-the-library
    torch = types.SimpleNamespace(tensor=lambda *_, **__: 14.0, float32=1)
    sys.modules['course_lib'] = torch
""")

IPYTHON = {
    "custom-error-handler": "get_ipython().set_custom_exc((Exception,), lambda *_: None)",
    "auto-reload": "%load_ext autoreload\n%autoreload 2",
    **entries("""
        == patches-run-cell
        get_ipython().run_cell = get_ipython().run_cell_async = lambda *_, **__: None
        type(get_ipython()).run_cell = lambda *_, **__: None
        == changes-the-syntax-tree
        class Mine(ast.NodeTransformer):
            def visit_Call(self, node): return ast.Constant(14.0)
        get_ipython().ast_transformers.append(Mine())
        == event-after-each-cell
        get_ipython().events.register('post_run_cell', lambda *_: print('correct'))
        get_ipython().events.register('pre_run_cell', lambda *_: globals().update(y_holds=14))
    """),
}

# A name of the notebook's own is no patch, even if Python has one like it: an honest beginner's.
HONEST = """
list = [1, 2, 3]
sum = 6
max = min = 3
type = 'a number'
open = 'closed'
print = print
str = 'text'
"""

KINDS: list[Kind] = [
    *[cheat(name, code, review=True) for name, code in THE_CHECKER.items()],
    *[cheat(name, code) for name, code in (PYTHON | LIBRARIES | IPYTHON).items()],
    beside("shadows-builtins", HONEST, keep="t35", review=None),
]
