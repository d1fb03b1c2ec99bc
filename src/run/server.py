# SPDX-License-Identifier: Apache-2.0
"""What lives in the box of a warm worker: `python server.pyc CONTROL_FD`.

Loads pytest once and forks for each run; it never runs a line of a project
itself. It is the box's first process, so that no signal from inside ends or
stops it, and the kernel hides its memory and its descriptors (it is not
dumpable). What a test can still do to it from outside, to its limits and
priorities, is looked at after each run.

Packets in: {} with three descriptors (request, events, output): a run. Out: one
JSON object each, first the names of the modules that are loaded.

Another kind forks for nobody and compiles for all: {"files": [...]} with the
descriptor of the folder for compiled code are files that runs have loaded.
"""
import os
import signal
import sys

DUMPABLE = 4  # PR_SET_DUMPABLE


def dumpable(libc, value):
    if libc.prctl(DUMPABLE, value, 0, 0, 0) != 0:
        raise OSError("prctl")


def load_pytest(boot, observer_module, request):
    """As a cold run does it, in the same order."""
    early = [name for name in request["shims"] if name not in ("pytest", "distribution")]
    list(boot.install_shims(dict(request, shims=early), observer_module))
    boot.installed[:] = early
    import pytest
    from importlib import import_module
    from _pytest.config import default_plugins

    for name in default_plugins:
        import_module("_pytest." + name)
    return pytest


def own_state():
    """What another process of this user could change about this one."""
    import resource

    limits = [
        resource.getrlimit(getattr(resource, name))
        for name in sorted(vars(resource))
        if name.startswith("RLIMIT_")
    ]
    return (
        limits,
        os.getpriority(os.PRIO_PROCESS, 0),
        os.sched_getscheduler(0),
        os.sched_getaffinity(0),
    )


def may_have_connections():
    """By the counters of this network namespace. The tables of connections are
    the whole machine's: to read one takes milliseconds, more where more memory is."""
    for path in ("net/sockstat", "net/sockstat6"):
        try:
            with open("/proc/" + path) as stream:
                lines = stream.readlines()
        except OSError:
            if path == "net/sockstat":
                return True
            continue
        for line in lines:
            words = line.split()
            if words[0] in ("TCP:", "TCP6:"):
                counts = dict(zip(words[1::2], words[2::2]))
                if counts.get("inuse") != "0" or counts.get("tw", "0") != "0":
                    return True
    return False


def leftovers():
    """What outlives processes and would greet the next run: connections that
    wait for their end and hold their port, System V objects."""
    paths = ["sysvipc/shm", "sysvipc/msg", "sysvipc/sem"]
    if may_have_connections():
        paths[:0] = ["net/tcp", "net/tcp6"]
    for path in paths:
        try:
            with open("/proc/" + path) as stream:
                if len(stream.readlines()) > 1:
                    return path
        except OSError:
            pass
    return None


def end_all():
    """Until the kernel says that there is nobody left to kill."""
    while True:
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            return
        try:
            while True:
                os.wait()
        except ChildProcessError:
            pass


class Cache:
    """Compiled code of the tree, kept from run to run. The folder is seen
    read-only in all boxes; this process alone is lent a way to write there. A
    file is compiled anew whenever its lstat differs, and compiling runs nothing
    of it."""

    # Its memory is the runs' too: what is kept has few bytes.
    FILES_MAX, BYTES_MAX = 4000, 32 << 20

    def __init__(self, boot, tree):
        self.boot, self.tree = boot, tree
        self.seen = {}  # "p:path" or "r:path" → lstat of what is compiled
        self.kept = {}  # the same with a hash of the source → code
        self.n_bytes = 0
        self.works = sys.version_info >= (3, 7)

    def add(self, names):
        for name in names:
            path = name[2:]
            if (
                self.works
                and len(self.seen) < self.FILES_MAX
                and name[:2] in ("p:", "r:")
                and path == os.path.normpath(path)
                and not path.startswith(("/", "../"))
            ):
                self.seen.setdefault(name, None)

    def compile(self, name, path, source):
        """The code, or None when the interpreter has something to say about
        it: then every run is to hear it itself."""
        import marshal
        import warnings

        try:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                if name[0] == "r":
                    from pathlib import Path
                    from _pytest.assertion import rewrite

                    code = rewrite._rewrite_test(Path(path), None)[1]
                else:
                    code = compile(source, path, "exec", dont_inherit=True)
            return None if said else marshal.dumps(code)
        except Exception:
            return None

    def code_of(self, name, path, source):
        from hashlib import sha256

        key = (name, sha256(source).digest())
        if key not in self.kept:
            code = self.compile(name, path, source)
            if self.n_bytes > self.BYTES_MAX:
                self.kept.clear()
                self.n_bytes = 0
            self.kept[key] = code
            self.n_bytes += 500 + len(code or b"")
        return self.kept[key]

    def place(self, name, path):
        folder, base = self.boot.cache_place(path, self.tree)
        if name[0] == "r":
            from _pytest.assertion.rewrite import PYC_TAIL

            return folder, os.path.basename(path)[:-3] + PYC_TAIL
        return folder, base

    def write(self, name, path, state, folder_fd):
        import importlib.util
        from struct import pack

        with open(path, "rb") as stream:
            source = stream.read()
        code = self.code_of(name, path, source)
        folder, base = self.place(name, path)
        place = folder + "/" + base
        try:
            os.unlink(place, dir_fd=folder_fd)
        except OSError:
            pass
        if code is None:
            return
        try:
            os.mkdir(folder, dir_fd=folder_fd)
        except FileExistsError:
            pass
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        fd = os.open(place, flags, 0o644, dir_fd=folder_fd)
        with open(fd, "wb") as stream:
            stream.write(importlib.util.MAGIC_NUMBER)
            times = (int(state.st_mtime) & 0xFFFFFFFF, state.st_size & 0xFFFFFFFF)
            stream.write(pack("<LLL", 0, *times))
            stream.write(code)

    def update(self, folder_fd):
        from stat import S_ISREG

        for name in list(self.seen):
            path = os.path.join(self.tree, name[2:])
            try:
                state = os.lstat(path)
            except OSError:
                continue
            key = (state.st_ino, state.st_mtime_ns, state.st_ctime_ns, state.st_size)
            if self.seen[name] == key or not S_ISREG(state.st_mode):
                continue
            self.seen[name] = key
            try:
                self.write(name, path, state, folder_fd)
            except OSError:
                pass


class Server:
    def __init__(self, control, libc, boot, observer_module, kit):
        self.control, self.libc = control, libc
        self.boot, self.observer_module, self.kit = boot, observer_module, kit
        self.state = own_state()

    def child(self, request_fd, event_fd, output_fd):
        self.control.close()
        dumpable(self.libc, 1)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.dup2(output_fd, 1)
        os.dup2(output_fd, 2)
        os.close(output_fd)
        self.boot.perform(request_fd, event_fd, self.kit, self.observer_module)

    def run(self, fds):
        pid = os.fork()
        if pid == 0:
            try:
                self.child(*fds)
            except BaseException:
                import traceback

                traceback.print_exc()
            finally:
                os._exit(1)
        for fd in fds:
            os.close(fd)
        ended, status = os.wait()
        while ended != pid:
            ended, status = os.wait()
        end_all()
        if os.WIFSIGNALED(status):
            code = 128 + os.WTERMSIG(status)
        else:
            code = os.WEXITSTATUS(status)
        return {
            "status": code,
            "tampered": own_state() != self.state,
            "worn": leftovers(),
        }

    def serve(self):
        from json import dumps

        names = sorted({name.partition(".")[0] for name in sys.modules})
        answer = {"modules": names}
        while True:
            self.control.send(dumps(answer).encode("ascii"))
            fds = receive(self.control, 3)[1]
            if len(fds) != 3:
                os._exit(0)
            answer = self.run(fds)


def receive(control, n_fds):
    import socket

    data, parts, flags, _ = control.recvmsg(1 << 18, socket.CMSG_SPACE(4 * n_fds))
    fds = []
    for level, kind, packed in parts:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            for i in range(0, len(packed) - len(packed) % 4, 4):
                fds.append(int.from_bytes(packed[i:i + 4], sys.byteorder))
    return data, fds


def compile_for_all(control, cache):
    from json import loads

    control.send(b'{"modules": ["pytest"]}')
    while True:
        data, fds = receive(control, 1)
        if len(fds) != 1:
            os._exit(0)
        cache.add(loads(data.decode("utf-8"))["files"])
        cache.update(fds[0])
        os.close(fds[0])
        control.send(b"{}")


def main():
    import ctypes
    import gc
    import socket
    from json import loads

    import boot
    import goldset_observer as observer_module

    libc = ctypes.CDLL(None)
    dumpable(libc, 0)
    # What has no handler does not reach a box's first process.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    kit = sys.path.pop(0)
    del sys.modules["boot"]
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    request = loads(receive(control, 0)[0].decode("utf-8"))
    request["kit"] = kit
    load_pytest(boot, observer_module, request)
    if request["role"] == "compiles":
        compile_for_all(control, Cache(boot, request["tree"]))
    server = Server(control, libc, boot, observer_module, kit)
    if hasattr(gc, "freeze"):
        gc.collect()
        gc.freeze()
    server.serve()


if __name__ == "__main__":
    main()
