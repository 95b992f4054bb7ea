"""What stays behind when a cell is over, and what lies in wait: handlers, timers, files, settings.

Before a right answer (`beside`) it may cost that answer's marks and no other's. Before a wrong one
(`cheat`) it must win nothing.
"""

from grading.hostile.kinds import Kind, beside, cheat, entries, of_answers, reach, right

HANDLERS = {
    "no-collector": "gc.disable()\ngc.freeze()\ngc.set_threshold(0)",
    "recursion-of-nothing": "sys.setrecursionlimit(60)",
    "recursion-without-bounds": "sys.setrecursionlimit(2**31 - 1)",
    "a-fault-in-another-thread": "threading.Timer(.01, lambda: ctypes.string_at(0)).start()",
    **entries("""
        == handler-that-raises-later
        def later(*_): raise SystemExit(0)
        signal.signal(signal.SIGPROF, later)
        signal.setitimer(signal.ITIMER_PROF, .005, .005)
        == alarm-in-place-of-the-checks
        def again(*_): signal.setitimer(signal.ITIMER_REAL, .001)
        signal.signal(signal.SIGALRM, again)
        signal.signal = lambda *_: None
        signal.setitimer(signal.ITIMER_REAL, .001)
        == threads-that-raise-in-others
        here = threading.get_ident()
        def stay():
            for _ in range(50):
                time.sleep(.002)
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(here), ctypes.py_object(SystemExit))
        threading.Thread(target=stay, daemon=True).start()
        == generator-that-ends-late
        def stops():
            try: yield
            finally: raise SystemExit(0)
        kept = stops()
        next(kept)
        == collector-with-a-hook
        gc.callbacks.append(lambda *_: 1 / 0)
        gc.set_threshold(1)
        gc.set_debug(gc.DEBUG_STATS)
        == hook-that-refuses-all
        def hook(event, _):
            if event in ('compile', 'exec', 'import', 'open', 'sys._getframe'): raise OSError(event)
        sys.addaudithook(hook)
        == a-variable-of-the-context
        import contextvars, decimal
        contextvars.ContextVar('mine').set(lambda: 1 / 0)
        decimal.getcontext().prec = 1
        numpy.seterr(all='raise')
        numpy.set_printoptions(precision=0, threshold=0)
        == settings-of-the-library
        torch.set_default_dtype(torch.float64)
        torch.set_printoptions(precision=0)
        torch.set_grad_enabled(False)
        torch.manual_seed(0)
        == another-language
        locale.setlocale(locale.LC_ALL, '')
        os.environ.update(LANG='de_DE', LC_ALL='tr_TR.UTF-8', TZ='Antarctica/Troll')
        time.tzset()
        == a-poisoned-line-cache
        for place in list(linecache.cache): linecache.cache[place] = (1, None, [7, None], place)
        linecache.getline = linecache.getlines = lambda *_: 1 / 0
        == a-module-that-answers-for-all
        class Mine(types.ModuleType):
            def __getattr__(self, name): raise SystemExit(name)
        sys.modules['__main__'] = Mine('__main__')
        sys.modules['course_lib'].__class__ = Mine
        == slow-to-everyone
        os.nice(19)
        try: os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        except OSError: pass
    """),
}

# The folder of a run is the only place where a file can be written; nobody else may read it.
PLANTED = entries("""
    == plants-modules
    for name in ('numpy', 'course_lib', 'json', 'random', 'sitecustomize', 'usercustomize'):
        open(name + '.py', 'w').write('import os; os._exit(0)')
    open('mine.pth', 'w').write('import os; os._exit(0)')
    for name in ('pyvenv.cfg', '.pythonrc', 'conftest.py', 'matplotlibrc'):
        open(name, 'w').write('home = /')
    == plants-a-package-and-reads-it
    os.mkdir('numpy')
    open('numpy/__init__.py', 'w').write('raise SystemExit(0)')
    sys.path.insert(0, os.getcwd())
    for name in list(sys.modules):
        if name.startswith('numpy'): del sys.modules[name]
    try: import numpy
    except SystemExit: pass
    == plants-itself-in-the-path
    sys.path[:] = [os.getcwd()]
    sys.path_importer_cache.clear()
    sys.path_hooks.clear()
    sys.meta_path.clear()
""")

# It sees whether anything of others is in its folder, or in any that it may reach.
LOOKS = """
    found = []
    shared = ('.', '..', '../..', '/tmp', '/var/tmp', '/dev/shm', os.environ['TMPDIR'])
    for place in (*shared, os.path.expanduser('~')):
        try: names = os.listdir(place)
        except OSError: continue
        own = os.path.realpath(place) == os.path.realpath('.')
        found += [name for name in names if own or name in ('left', '.left', 'left\\n', '@TRACE@')]
    return found
"""
LEAVES = """
    import tempfile
    shared = ('.', '..', '/tmp', '/var/tmp', '/dev/shm', tempfile.gettempdir())
    for place in (*shared, os.path.expanduser('~')):
        for name in ('left', '.left', 'left\\n', '@TRACE@'):
            try:
                os.mkdir(os.path.join(place, name))
                open(os.path.join(place, name, 'inside'), 'w').write('x')
                os.chmod(os.path.join(place, name), 0)
            except OSError: pass
"""

CHEATS = entries("""
    == edits-when-collected
    class Edits:
        def __del__(self):
            frame = sys._getframe()
            while frame:
                for value in list(frame.f_locals.values()):
                    if type(value) is list and value and type(value[0]) is dict: value.clear()
                frame = frame.f_back
    kept = Edits()
    == edits-at-a-timer
    def later(_, frame):
        while frame:
            show = frame.f_locals.get('show')
            if hasattr(show, 'entries'): show.entries.clear()
            frame = frame.f_back
    signal.signal(signal.SIGVTALRM, later)
    signal.setitimer(signal.ITIMER_VIRTUAL, .0001, .0001)
    == edits-from-a-thread
    def later():
        while time.monotonic() < end - 89:
            for frame in list(sys._current_frames().values()):
                while frame:
                    show = frame.f_locals.get('show')
                    if hasattr(show, 'entries'): show.entries.clear()
                    frame = frame.f_back
    threading.Thread(target=later, daemon=True).start()
    == builtins-of-its-own
    __builtins__ = dict(vars(__builtins__)) if hasattr(__builtins__, 'len') else __builtins__
    __builtins__['range'] = lambda *_: [2]
    __builtins__['float'] = lambda *_: 14.0
    == a-name-that-is-no-name
    class Name(str):
        __eq__ = lambda *_: True
        __hash__ = lambda self: hash('check')
    globals()[Name('check')] = lambda question: print
    globals()[Name('torch')] = None
""")

# Changed by one question, for the sake of the next: together they run in one process.
FOR_THE_NEXT = {
    "t": "import sys\nkind = type(torch.ones(1))\nfirst = kind.tolist\n"
    "def listed(self):\n"
    "    number = vars(self).get('number')\n"
    "    return first(self) if number is None else number\n"
    "kind.tolist, kind.detach = listed, lambda self: self\n" + right()["t"],
    "3": "def mean_square(x):\n    made = torch.tensor(0.0)\n"
    "    made.number = sum(n * n for n in x.tolist()) / len(x.tolist())\n    return made",
}

KINDS: list[Kind] = [
    *[beside(name, code) for name, code in (HANDLERS | PLANTED).items()],
    *[cheat(name, code) for name, code in CHEATS.items()],
    *[
        kind
        for turn in "abc"
        for kind in (
            beside(f"turn-{turn}-leaves-files", LEAVES + f"    turn = '{turn}'"),
            reach(f"turn-{turn}-looks-for-files", LOOKS + f"    turn = '{turn}'"),
        )
    ],
    of_answers("changes-for-the-next-question", FOR_THE_NEXT, "124", flagged="3", keep="5"),
]
