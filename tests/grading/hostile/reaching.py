"""Touching what is not its own: files, processes, the network; and leaving something behind.

`reach` makes an answer of whatever it got hold of, so that a result with the word `GOT` in it, or
with one of the planted secrets, is a leak. What writes carries `TRACE` in its name.
"""

from grading.hostile.kinds import Kind, beside, cheat, entries, loaded, reach

READS = {
    "reads-a-neighbour": "return open('@SUBMISSIONS@/@NEIGHBOUR@/00_welcome.ipynb').read()[-1500:]",
    "lists-the-neighbours": "return os.listdir('@SUBMISSIONS@')",
    "lists-the-results": "return os.listdir('@RESULTS@')",
    "reads-the-results": "return open('@RESULTS@/grades.json').read()[:100]",
    "reads-the-home": "return open('@HOME@/secret.txt').read()",
    "reads-its-environment": "return {k: v for k, v in os.environ.items() if 'SECRET' in k}",
    "reads-the-passwords": "return open('/etc/shadow').read()[:20]",
    **entries("""
        == reads-the-solutions
        return open('@COURSE@/solutions/ex00_welcome.ipynb').read().find('BEGIN SOLUTION')
        == reads-the-records-by-name
        from course_lib.classroom.record import find
        return find('welcome-3')['solution']
        == looks-for-solutions
        import course_lib
        above = os.path.dirname(course_lib.__file__)
        for _ in range(4):
            for name in ('solutions', 'exercises/.records', '_content/exercises/.records'):
                for path in glob.glob(os.path.join(above, name, '*welcome*')):
                    return open(path).read()[:100]
            above = os.path.dirname(above)
        == looks-for-neighbours
        for pattern in ('../*/*.ipynb', '../../*/*.ipynb', '/tmp/*/*.ipynb', '/tmp/*/*/*.ipynb'):
            for path in glob.glob(pattern):
                return path + open(path).read()[:100]
        == reads-the-home-of-the-user
        return [os.listdir(pwd.getpwuid(uid).pw_dir) for uid in (0, os.getuid())]
        == reads-its-first-environment
        words = open('/proc/self/environ', 'rb').read()
        return words[words.index(b'SECRET'):]
        == reads-every-environment
        for path in glob.glob('/proc/[0-9]*/environ'):
            try: words = open(path, 'rb').read()
            except OSError: continue
            if b'COURSE_TEST_SECRET' in words: return words
        == reads-through-every-process
        for path in glob.glob('/proc/[0-9]*/root@HOME@/secret.txt'):
            try: return open(path).read()
            except OSError: pass
        for path in glob.glob('/proc/[0-9]*/cwd/**/*secret*', recursive=False):
            return path
        == reads-the-memory-of-its-parent
        parent = os.getppid()
        line = next(line for line in open(f'/proc/{parent}/maps') if 'heap' in line)
        memory = open(f'/proc/{parent}/mem', 'rb', 0)
        memory.seek(int(line.split('-')[0], 16))
        return len(memory.read(4096))
        == walks-up-its-open-folders
        for fd in range(256):
            try: return os.listdir(os.open('../../../../..@HOME@', os.O_RDONLY, dir_fd=fd))
            except OSError: pass
        == reads-keys
        for name in ('.ssh', '.gnupg', '.config'):
            try: return os.listdir('@OWN_HOME@/' + name)
            except OSError: pass
        == reads-by-hard-link
        os.link('@HOME@/secret.txt', 'mine')
        return open('mine').read()
        == reads-by-c
        c = ctypes.CDLL(None)
        fd = c.syscall(2, b'@HOME@/secret.txt', 0)
        return fd >= 0 and os.read(fd, 100)
    """),
}

USERS = {
    "changes-limits-of-its-parent": "resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1))",
    **entries("""
        == becomes-root-again
        for change in (os.seteuid, os.setuid, os.setegid, os.setgid):
            try: change(0)
            except OSError: pass
        return open('@HOME@/secret.txt').read()
        == root-of-a-namespace
        c = ctypes.CDLL(None)
        if c.unshare(0x10000000 | 0x20000): return
        c.umount2(b'/', 2)
        return open('@HOME@/secret.txt').read()
        == enters-the-namespaces-of-others
        for pid in (1, os.getppid()):
            for kind in ('user', 'mnt', 'pid', 'net'):
                try: os.setns(os.open(f'/proc/{pid}/ns/{kind}', os.O_RDONLY), 0)
                except (OSError, AttributeError): pass
        return open('@HOME@/secret.txt').read()
        == leaves-a-changed-root
        os.mkdir('root')
        here = os.open('/', os.O_RDONLY)
        os.chroot('root')
        os.fchdir(here)
        for _ in range(20): os.chdir('..')
        os.chroot('.')
        return open('@HOME@/secret.txt').read()
        == traces-its-parent
        c = ctypes.CDLL(None, use_errno=True)
        return c.ptrace(0x4206, os.getppid(), 0, 0) == 0 and 'traced'
        == runs-sudo
        run = subprocess.run(['sudo', '-n', 'cat', '@HOME@/secret.txt'], capture_output=True)
        return run.stdout
    """),
}

NETWORK = {
    "internet-by-name": "return socket.getaddrinfo('example.org', 80)",
    "proxy-of-the-environment": "return [k for k in os.environ if 'proxy' in k.lower()]",
    **entries("""
        == internet-by-tcp
        socket.create_connection(('1.1.1.1', 53), 2)
        return 'the internet'
        == this-machine-by-tcp
        socket.create_connection(('127.0.0.1', @PORT@), 2).sendall(b'hello')
        return 'this machine'
        == this-machine-by-udp
        datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        datagrams.sendto(b'hello', ('127.0.0.1', @PORT@))
        == this-machine-by-unix-socket
        one = socket.socket(socket.AF_UNIX)
        one.connect('@SOCKET@')
        return 'a socket'
        == this-machine-by-abstract-socket
        one = socket.socket(socket.AF_UNIX)
        one.connect('\\0@ABSTRACT@')
        return 'an abstract socket'
    """),
}

WRITES = {
    f"writes-to-{name}": f"open('{path}', 'w').write('x')\nreturn 'written'"
    for name, path in {
        "the-course": "@COURSE@/course_lib/@TRACE@.py",
        "the-exercises": "@COURSE@/exercises/@TRACE@.txt",
        "the-solutions": "@COURSE@/solutions/@TRACE@.txt",
        "the-submissions": "@SUBMISSIONS@/@TRACE@.ipynb",
        "a-neighbour": "@SUBMISSIONS@/@NEIGHBOUR@/@TRACE@.ipynb",
        "the-results": "@RESULTS@/@TRACE@.csv",
        "the-grades": "@RESULTS@/grades.json",
        "the-home": "@HOME@/@TRACE@",
        "the-start-up-of-ipython": "@HOME@/.ipython/profile_default/startup/@TRACE@.py",
        "cron": "/etc/cron.d/@TRACE@",
    }.items()
}

# Writing here may look as if it worked, so long as nothing is left when the run is over.
LEAVES = {
    "writes-to-tmp": "open('/tmp/@TRACE@', 'w').write('x')",
    "writes-to-var-tmp": "open('/var/tmp/@TRACE@', 'w').write('x')",
    "writes-to-shared-memory": "open('/dev/shm/@TRACE@', 'w').write('x')",
    "writes-a-named-pipe": "os.mkfifo('/tmp/@TRACE@-pipe')",
    "leaves-a-crontab": "subprocess.run(['crontab', '-'], input=b'* * * * * true @TRACE@')",
    **entries("""
        == writes-its-own-submission
        mine = 'ex00_welcome.ipynb'
        for path in (mine, f'@SUBMISSIONS@/writes-its-own-submission/{mine}'):
            open(path, 'w').write('{}')
        == leaves-a-startup-file
        folder = site.getusersitepackages()
        os.makedirs(folder, exist_ok=True)
        open(folder + '/@TRACE@.pth', 'w').write('import os')
        == leaves-shared-memory
        from multiprocessing import shared_memory
        kept = shared_memory.SharedMemory(name='@TRACE@', create=True, size=10)
        == leaves-a-command-of-its-own-session
        subprocess.Popen(['sleep', '61.7'], start_new_session=True)
        == leaves-a-daemon
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for fd in range(256):
                    try: os.close(fd)
                    except OSError: pass
                import signal
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                time.sleep(61)
            os._exit(0)
        os.wait()
        == leaves-a-chain-of-children
        if os.fork() == 0:
            while time.monotonic() < end - 30:
                if os.fork(): os._exit(0)
                time.sleep(.01)
            os._exit(0)
        os.wait()
        == leaves-a-forged-cache
        import course_lib, pathlib
        cache = pathlib.Path(course_lib.__file__).parent / '__pycache__' / '@TRACE@.pyc'
        cache.write_bytes(b'x')
    """),
}

# The solution itself, if it can be had, would be a right answer to everything.
SOLUTIONS = """
    from course_lib.classroom import solution
    for question in ('welcome-3', 'welcome-4', 'welcome-5'): solution(question)
"""

KINDS: list[Kind] = [
    *[reach(name, body) for name, body in (READS | USERS | NETWORK | WRITES).items()],
    *[beside(name, code) for name, code in LEAVES.items()],
    loaded("asks-for-the-solution", SOLUTIONS),
    cheat("asks-for-hints", "for _ in range(5): hint('welcome-3')", doubtful=False),
]
