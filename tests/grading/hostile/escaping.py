"""Leaving its folder: by links, names and metadata, or by what it writes there.

`reach` makes an answer of whatever worked. What is the instructor's own lies in `@PRECIOUS@`, and
has to be afterwards as it was before. What belongs to Python is given the modes and times that it
has already: if that is allowed, so are others.
"""

import textwrap

from grading.hostile.kinds import Kind, beside, entries, reach

# The folder of a run is deleted by a process that may do more than the answer.
LINKS = {
    "writes-above-its-folder": "open('../@TRACE@', 'w').write('x')\nreturn os.listdir('..')",
    "makes-a-link-above": "os.symlink('@PRECIOUS@', '../@TRACE@')\nreturn 'a link'",
    **entries("""
        == puts-a-link-in-place-of-its-folder
        here = os.getcwd()
        os.rename(here, os.path.dirname(here) + '/@TRACE@-moved')
        os.symlink('@PRECIOUS@', here)
        return 'a link in place of its folder'
        == puts-a-link-in-place-of-its-deleted-folder
        here = os.getcwd()
        os.rmdir(here)
        os.symlink('@PRECIOUS@', here)
        return 'a link in place of its folder'
        == swaps-its-folder-for-another
        os.mkdir('inner')
        here, c = os.getcwd().encode(), ctypes.CDLL(None)
        if c.renameat2(-100, here + b'/inner', -100, here, 2) == 0: return 'swapped'
        if c.renameat2(-100, b'inner', -100, b'@PRECIOUS@', 2) == 0: return 'swapped'
        == moves-what-lies-above
        for name in os.listdir('..'):
            try: os.rename('../' + name, '../@TRACE@-' + name)
            except OSError: continue
            return name
        == names-a-nameless-file
        fd = os.open('.', os.O_TMPFILE | os.O_WRONLY)
        for place in ('../@TRACE@', '/tmp/@TRACE@', '@PRECIOUS@/@TRACE@'):
            try: os.link(f'/proc/self/fd/{fd}', place)
            except OSError: continue
            return place
    """),
}

# What is left in the folder itself, as far as that is allowed. The right answer keeps its marks.
LEFT = entries("""
    == links-that-lead-out
    os.makedirs('deep/er')
    for n, place in enumerate(('@PRECIOUS@', '@PRECIOUS@/one.txt', '@SUBMISSIONS@', '..', '/')):
        os.symlink(place, f'{n}')
        os.symlink(place, f'deep/{n}')
        os.symlink(place, f'deep/er/work-{n}')
    == links-in-place-of-closed-folders
    os.mkdir('closed')
    os.symlink('@PRECIOUS@', 'closed/way')
    os.chmod('closed', 0)
    == many-names-for-one-file
    open('first', 'w').write('x')
    for n in range(100): os.link('first', f'{n}')
    == names-of-many-lines
    for name in ('a\\nb', '\\n', '-rf ..', '..\\n', '\\x1b[2J', 'x' * 255, b'\\xff\\xfe'):
        os.mkdir(name)
        open(os.path.join(name, name), 'w').close()
    == folders-below-any-path
    for n in range(300):
        os.mkdir('d' * 200)
        os.chdir('d' * 200)
    open('@TRACE@', 'w').write('x')
    == pipes-and-sockets
    for n in range(50): os.mkfifo(f'pipe-{n}')
    one, two = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.bind('socket')
    == a-file-that-is-open-and-gone
    kept = open('gone', 'wb')
    kept.write(bytes(1000))
    os.remove('gone')
""")

METADATA = {
    "mode-of-a-file": "os.chmod('@PRECIOUS@/one.txt', 0o666)\nreturn 'changed'",
    "owner-of-a-file": "os.chown('@PRECIOUS@/one.txt', os.getuid(), os.getgid())\nreturn 'changed'",
    "times-of-a-file": "os.utime('@PRECIOUS@/one.txt', (1, 1))\nreturn 'changed'",
    "attributes-taken-away": "os.removexattr('@PRECIOUS@/one.txt', 'user.mine')\nreturn 'changed'",
    "cut-by-its-path": "os.truncate('@PRECIOUS@/one.txt', 0)\nreturn 'cut'",
    "deletes-what-is-not-its-own": "os.remove('@PRECIOUS@/one.txt')\nreturn 'deleted'",
    **entries("""
        == mode-by-a-new-call
        c = ctypes.CDLL(None)
        if c.syscall(452, -100, b'@PRECIOUS@/one.txt', 0o666, 0) == 0: return 'changed'
        == mode-by-an-open-file
        fd = os.open(os.__file__, os.O_RDONLY)
        os.fchmod(fd, os.fstat(fd).st_mode & 0o7777)
        return 'allowed'
        == owner-by-an-open-file
        fd = os.open(os.__file__, os.O_RDONLY)
        os.fchown(fd, os.fstat(fd).st_uid, os.fstat(fd).st_gid)
        return 'allowed'
        == owner-of-a-link
        os.lchown('@PRECIOUS@/link', os.getuid(), os.getgid())
        return 'changed'
        == times-by-an-open-file
        fd = os.open(os.__file__, os.O_RDONLY)
        about = os.fstat(fd)
        os.utime(fd, ns=(about.st_atime_ns, about.st_mtime_ns))
        return 'allowed'
        == times-by-old-calls
        c, name = ctypes.CDLL(None), b'@PRECIOUS@/one.txt'
        if c.utimes(name, None) == 0 or c.utime(name, None) == 0: return 'changed'
        if c.futimesat(-100, name, None) == 0: return 'changed'
        == attributes-of-a-file
        os.setxattr('@PRECIOUS@/one.txt', 'user.@TRACE@', b'x')
        return 'changed'
        == attributes-by-an-open-file
        fd = os.open(os.__file__, os.O_RDONLY)
        os.setxattr(fd, 'user.@TRACE@', b'x')
        os.removexattr(fd, 'user.@TRACE@')
        return 'allowed'
        == flags-by-an-open-file
        fd, flags = os.open(os.__file__, os.O_RDONLY), bytearray(8)
        fcntl.ioctl(fd, 0x80086601, flags)
        fcntl.ioctl(fd, 0x40086602, bytes(flags))
        return 'allowed'
        == cut-by-opening
        os.open('@PRECIOUS@/one.txt', os.O_RDONLY | os.O_TRUNC)
        return 'cut'
        == renames-what-is-not-its-own
        os.rename('@PRECIOUS@/one.txt', '@PRECIOUS@/@TRACE@')
        return 'renamed'
        == links-to-what-is-not-its-own
        os.link('@PRECIOUS@/one.txt', 'mine')
        return open('mine').read()
    """),
}

# More than a run may write: 32 megabytes, of which a little more is no matter.
DISK = entries("""
    == many-large-files
    for n in range(10): open(f'{n}', 'wb').write(bytes(15 * 2**20))
    return sum(os.stat(f'{n}').st_size for n in range(10)) >= 100 * 2**20
    == large-files-without-names
    kept = []
    for n in range(10):
        kept.append(open(f'{n}', 'wb'))
        os.remove(f'{n}')
        kept[-1].write(bytes(15 * 2**20))
        kept[-1].flush()
    return len(kept) == 10
    == large-files-by-memory
    for n in range(10):
        with open(f'{n}', 'w+b') as file:
            file.truncate(15 * 2**20)
            whole = mmap.mmap(file.fileno(), 0)
            for place in range(0, len(whole), 4096): whole[place] = 1
    return sum(os.stat(f'{n}').st_blocks * 512 for n in range(10)) >= 100 * 2**20
""")


def _as_far_as_it_goes(code: str) -> str:
    within = textwrap.indent(textwrap.dedent(code).strip("\n"), "    ")
    return f"with contextlib.suppress(OSError):\n{within}"


KINDS: list[Kind] = [
    *[reach(name, body) for name, body in (LINKS | METADATA | DISK).items()],
    *[beside(name, _as_far_as_it_goes(code), keep="t35") for name, code in LEFT.items()],
]
