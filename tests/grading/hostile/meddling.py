"""Meddling with other processes and with the system, past the walls that only cover files.

`@BYSTANDER@` is a process of the instructor's that has nothing to do with grading. Afterwards it
has to be there, with the limits it had.
"""

from grading.hostile.kinds import Kind, entries, loaded, reach

# To a process that has nothing to do with grading, and to the grader's own.
SIGNALS = {
    "kills-a-bystander": "os.kill(@BYSTANDER@, 9)\nreturn 'killed'",
    "kills-a-bystander-by-its-group": "os.killpg(os.getpgid(@BYSTANDER@), 9)\nreturn 'killed'",
    "looks-at-every-process": "return [name for name in os.listdir('/proc') if name.isdigit()]",
    **entries("""
        == signals-by-an-owner-of-a-socket
        for other in (@BYSTANDER@, os.getppid()):
            one, two = socket.socketpair()
            fcntl.fcntl(one, fcntl.F_SETOWN, other)
            fcntl.fcntl(one, 10, 9)
            fcntl.fcntl(one, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
            two.send(b'x')
        return 'sent'
        == signals-by-an-owner-of-a-pipe
        for other in (@BYSTANDER@, os.getppid()):
            reader, writer = os.pipe()
            fcntl.fcntl(reader, 15, struct.pack('ii', 1, other))
            fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
            os.write(writer, b'x')
        return 'sent'
        == signals-by-a-control-of-a-socket
        for other in (@BYSTANDER@, os.getppid()):
            one, two = socket.socketpair()
            fcntl.ioctl(one, 0x8901, struct.pack('i', other))
            fcntl.ioctl(one, 0x5452, struct.pack('i', 1))
            two.send(b'x')
        return 'sent'
        == limits-a-bystander
        resource.prlimit(@BYSTANDER@, resource.RLIMIT_NOFILE, (3, 3))
        return 'limited'
        == holds-a-bystander-back
        done = []
        for act in (
            lambda: os.sched_setaffinity(@BYSTANDER@, {0}),
            lambda: os.setpriority(os.PRIO_PROCESS, @BYSTANDER@, 19),
            lambda: os.sched_setscheduler(@BYSTANDER@, os.SCHED_IDLE, os.sched_param(0)),
        ):
            try: done.append(act())
            except OSError: pass
        return done
        == looks-at-a-bystander
        for name in ('environ', 'cmdline', 'maps', 'mem', 'stat', 'status', 'cwd/.', 'root/.'):
            try:
                path = f'/proc/@BYSTANDER@/{name}'
                return os.listdir(path) if name.endswith('.') else open(path, 'rb').read(50)
            except OSError: pass
        == writes-to-a-bystander
        for name in ('oom_score_adj', 'comm', 'clear_refs', 'coredump_filter', 'timerslack_ns'):
            try: open(f'/proc/@BYSTANDER@/{name}', 'w').write('1')
            except OSError: continue
            return name
    """),
}

# A pair of sockets is allowed: one end of it may be pointed at somebody else.
SOCKETS = entries("""
    == sends-from-a-pair-to-a-path
    one, two = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b'hello', '@SOCKET@-datagrams')
    return 'sent'
    == sends-from-a-pair-to-a-name
    one, two = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b'hello', '\\0@ABSTRACT@-datagrams')
    return 'sent'
    == hands-over-an-open-file
    one, two = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    socket.send_fds(one, [b'x'], [os.open('.', os.O_RDONLY)], 0, '@SOCKET@-datagrams')
    return 'sent'
    == sockets-of-every-family
    found = []
    for family in range(1, 46):
        for kind in (1, 2, 3, 5):
            try: found.append((family, socket.socket(family, kind).family))
            except OSError: pass
    return found
""")

SYSTEM = {
    "a-file-of-memory": "return os.memfd_create('@TRACE@') > 0 and 'a file of memory'",
    **entries("""
        == a-secret-file-of-memory
        if ctypes.CDLL(None).syscall(447, 0) >= 0: return 'a file of memory'
        == watches-a-folder
        c = ctypes.CDLL(None)
        fd = c.inotify_init1(0)
        for path in (b'@RESULTS@', b'@SUBMISSIONS@', b'@PRECIOUS@'):
            if c.inotify_add_watch(fd, path, 0xfff) >= 0: return path
        == reads-the-log-of-the-kernel
        room = ctypes.create_string_buffer(4096)
        size = ctypes.CDLL(None).klogctl(3, room, 4096)
        if size > 0: return room.raw[:50]
        == opens-devices
        found = []
        for name in ('mem', 'kmsg', 'sda', 'vda', 'tty', 'ptmx', 'fuse', 'kvm', 'net/tun'):
            try: found.append((name, os.open('/dev/' + name, os.O_RDONLY | os.O_NONBLOCK)))
            except OSError: pass
        return found
        == makes-a-device
        os.mknod('disk', stat.S_IFBLK | 0o600, os.makedev(8, 0))
        return open('disk', 'rb').read(10)
        == changes-the-system
        import glob
        for path in ('/proc/sys/kernel/hostname', '/proc/sysrq-trigger', '/sys/power/state'):
            try: return path, os.open(path, os.O_WRONLY)
            except OSError: pass
        == names-the-machine
        c, name = ctypes.CDLL(None), os.uname().nodename.encode()
        if c.sethostname(name, len(name)) == 0: return 'named'
    """),
}

# Threads instead of processes, as many as there can be.
THREADS = """
    import threading
    def more():
        for _ in range(3): threading.Thread(target=more, daemon=True).start()
        time.sleep(30)
    more()
"""

KINDS: list[Kind] = [
    *[
        reach(name, body, review=None if "kills" in name else False)
        for name, body in SIGNALS.items()
    ],
    *[reach(name, body) for name, body in (SOCKETS | SYSTEM).items()],
    loaded("threads-that-start-threads", THREADS, long=True),
]
