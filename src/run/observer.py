# SPDX-License-Identifier: Apache-2.0
"""The pytest plugin that tells goldset what happened (O1, O2, O4).

One JSON line an event, over a descriptor that only this process knows. Each
line bears the run's token and a running number, so that a line that a test
printed into some descriptor can neither pass for one of ours nor replace one.

Strings that JSON or C cannot hold (lone surrogates, NUL) are escaped with a
backslash, \\udc80 and \\x00; a node id goes out and comes back in that form.

What a test may replace while it runs (os.write, os.getpid, json, re) is held
by reference from before the first test.
"""
import os
import sys

try:
    from _json import encode_basestring_ascii as _quote
except ImportError:  # not CPython
    from json.encoder import encode_basestring_ascii as _quote

# Characters of a failure's text; less once many have failed, so that the
# stream stays within what the reader takes.
MESSAGE_MAX, MESSAGE_SHORT, LONG_MESSAGES = 2000, 400, 2000
# One event with ids stays well below the reader's longest line.
IDS_PER_EVENT = 500
# Bytes of an id that a command line can still name (O1).
ID_MAX = 64 << 10


def clean(text):
    """The form of a string that survives JSON, UTF-8 and C."""
    if text.isascii():
        return text.replace("\0", "\\x00") if "\0" in text else text
    text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text.replace("\0", "\\x00")


def encode(value):
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, str):
        return _quote(clean(value))
    return "[" + ",".join([encode(part) for part in value]) + "]"


class Channel:
    """The way out. Children of a test have the object but not the number of
    the process, and so cannot speak for it."""

    def __init__(self, fd, token, _write=os.write, _getpid=os.getpid):
        self._fd, self._token = fd, token
        self._write, self._getpid = _write, _getpid
        self._pid = _getpid()
        self._count = 0

    def emit(self, event, **members):
        if self._getpid() != self._pid:
            return
        parts = ['{"t":"%s","n":%d,"e":"%s"' % (self._token, self._count, event)]
        for key in members:
            if members[key] is not None:
                parts.append(',"%s":%s' % (key, encode(members[key])))
        parts.append("}\n")
        self._count += 1
        data = "".join(parts).encode("ascii")
        while data:
            data = data[self._write(self._fd, data):]


# ---------------------------------------------------------------------------
# Typing a failure (O4)


def _between(text, before, after="'"):
    start = text.find(before)
    if start < 0:
        return None
    start += len(before)
    end = text.find(after, start)
    return text[start:end] if end > start else None


def _text(value):
    try:
        return str(value)
    except BaseException as error:  # __str__ is the project's code
        return "<%s in __str__>" % type(error).__name__


def _named(error, attribute):
    name = getattr(error, attribute, None)
    return name if isinstance(name, str) and name else None


def missing_name(error, text):
    """The name that an error says does not exist."""
    if isinstance(error, NameError):
        return _named(error, "name") or _between(text, "name '")
    if isinstance(error, AttributeError):
        return _between(text, "has no attribute '") or _named(error, "name")
    if isinstance(error, ImportError):
        return _between(text, "cannot import name '") or _named(error, "name")
    if isinstance(error, TypeError):
        name = _between(text, "got an unexpected keyword argument '")
        if name is None and "is an invalid keyword argument" in text:
            name = _between(text, "'")
        return name
    return None


class Describer:
    def __init__(self, failed):
        # pytest.fail's exception: also "DID NOT RAISE" of pytest.raises.
        self._assertions = (AssertionError, failed)
        self._count = 0

    def cut(self, text):
        self._count += 1
        return text[:MESSAGE_MAX if self._count <= LONG_MESSAGES else MESSAGE_SHORT]

    def __call__(self, error):
        kind = type(error)
        text = _text(error)
        try:
            missing = missing_name(error, text)
        except Exception:  # a project's own __getattr__ on its exception
            missing = None
        errno = getattr(error, "errno", None) if isinstance(error, OSError) else None
        return {
            "exc": kind.__name__,
            "msg": self.cut(text),
            "assertion": isinstance(error, self._assertions)
            or kind.__name__ in ("DocTestFailure", "MultipleDoctestFailures"),
            "missing": missing,
            "module": error.name
            if isinstance(error, ModuleNotFoundError) and isinstance(error.name, str)
            else None,
            "syntax": True if isinstance(error, SyntaxError) else None,
            "errno": errno if isinstance(errno, int) else None,
            "memory": True if isinstance(error, MemoryError) else None,
        }


# ---------------------------------------------------------------------------
# Who reads the tests (E2)

# Events whose arguments may name a file for somebody else to read.
HANDED_ON = frozenset((
    "os.link", "os.rename", "os.symlink", "os.system", "os.exec",
    "os.posix_spawn", "subprocess.Popen",
))


def guard(channel, files, pytest):
    """An audit hook that tells which of these files code opens that is none
    of the library's, of pytest's and of the tests' own. It cannot be taken
    away again, and what it calls it holds."""
    import sysconfig

    known = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    known.append(os.path.dirname(os.path.dirname(pytest.__file__)))
    libraries = tuple({os.path.join(path, "") for path in known if path}) + ("<frozen ",)
    names = frozenset(os.path.basename(name) for name in files)
    own, told, get_frame, emit = set(), set(), sys._getframe, channel.emit
    base, ends = os.path.basename, tuple(names)
    frame = get_frame()
    while frame is not None:
        own.add(frame.f_code.co_filename)
        frame = frame.f_back
    own = frozenset(own)

    def is_ours(path):
        return path.startswith(libraries) or path in own or base(path) in names or base(path) == "conftest.py"

    def opened(path):
        if type(path) is bytes:
            path = path.decode("utf-8", "replace")
        if type(path) is str and path.endswith(ends) and base(path) in names:
            return base(path)
        return None

    def handed_on(args):
        text = repr(args[:2])  # not the environment: pytest puts the test there
        return next((name for name in names if name in text), None)

    def hook(event, args):
        if event == "open":
            name = opened(args[0])
        elif event in HANDED_ON:
            name = handed_on(args)
        else:
            return
        if name is None or name in told:
            return
        frame = get_frame(1)
        while frame is not None:
            if not is_ours(frame.f_code.co_filename):
                told.add(name)
                emit("peek", file=name)
                return
            frame = frame.f_back

    sys.addaudithook(hook)


# ---------------------------------------------------------------------------
# The plugin


def make_room(collector):
    """Two test files of one name in folders that are no packages are two
    modules, which pytest refuses to import side by side (F084): the first is
    forgotten by the import system; its tests keep it."""
    path = str(getattr(collector, "path", None) or getattr(collector, "fspath", ""))
    folder, name = os.path.split(path)
    if not name.endswith(".py") or name in ("__init__.py", "conftest.py"):
        return
    if os.path.exists(os.path.join(folder, "__init__.py")):
        return
    module = sys.modules.get(name[:-3])
    other = getattr(module, "__file__", None)
    if other and os.path.basename(other) == name and other != path:
        del sys.modules[name[:-3]]


class Observer:
    def __init__(self, channel, request, pytest):
        self._channel = channel
        self._ids = {name: place for place, name in enumerate(request["ids"])}
        self._tests = frozenset(request["tests"])
        self._skip = frozenset(request["skip"])
        self._probe = list(request["probe"])
        self._tree = request["tree"]
        self._ini_keys = request.get("ini_keys", ())
        self._tells_loaded = request["tell_loaded"]
        self._describe = Describer(pytest.fail.Exception)
        self._failures = {}
        self._modules = sys.modules
        self._exit = os._exit

    # Keys that a plugin which is not here would have registered: without
    # this `filterwarnings = error` turns each into a refusal to start.
    def pytest_addoption(self, parser):
        known = getattr(parser, "_inidict", {})
        for key in self._ini_keys:
            if key not in known:
                parser.addini(key, "of a plugin that is not loaded", default=None)

    def pytest_configure(self, config):
        for mark in ("timeout", "xdist_group", "flaky", "order", "benchmark"):
            config.addinivalue_line("markers", mark + ": known to goldset")

    # -- collection

    def pytest_make_collect_report(self, collector):
        make_room(collector)
        report = yield
        result = report.get_result()
        if result.outcome != "failed":
            return
        error = None
        call = result.__dict__.get("call")
        if call is not None and call.excinfo is not None:
            error = call.excinfo.value
            # CollectError wraps what the import of the module raised.
            if type(error).__name__ == "CollectError" and error.__cause__ is not None:
                error = error.__cause__
        self.collect_error(result.nodeid, error, result.longrepr)

    pytest_make_collect_report._gs_wrapper = True

    def collect_error(self, node_id, error, fallback=None):
        if error is None:
            members = {"exc": None, "msg": self._describe.cut(_text(fallback))}
        else:
            members = self._describe(error)
        self._channel.emit("broken", id=node_id, **members)

    def pytest_collection_modifyitems(self, session, config, items):
        # As published, like the arguments of a plain run: fixtures and plugins
        # may still group them.
        if self._ids:
            last = len(self._ids)
            items.sort(key=lambda item: self._ids.get(clean(item.nodeid), last))
        yield
        # Exactly the wanted ids, whatever files they came with (F125, F126).
        wanted, dropped = [], []
        for item in items:
            name = clean(item.nodeid)
            keep = self._is_wanted(name) and name not in self._skip
            (wanted if keep else dropped).append(item)
        if dropped:
            config.hook.pytest_deselected(items=dropped)
            items[:] = wanted

    pytest_collection_modifyitems._gs_wrapper = True

    def _is_wanted(self, name):
        if len(name) > ID_MAX // 4 and len(name.encode("utf-8")) > ID_MAX:
            return False
        if self._ids and name not in self._ids:
            return False
        path, _, rest = name.partition("::")
        if not self._tests or path in self._tests:
            return True
        parts = rest.partition("[")[0].split("::")
        return any(path + "::" + part in self._tests for part in parts)

    def pytest_deselected(self, items):
        self._channel.emit("deselected", count=len(items))

    def pytest_collection_finish(self, session):
        ids = [item.nodeid for item in session.items]
        for start in range(0, len(ids), IDS_PER_EVENT):
            self._channel.emit("items", ids=ids[start:start + IDS_PER_EVENT])
        self._probe = [name for name in self._probe if not self._origin(name)]
        for path in sorted(self._lenders(session.items)):
            self._channel.emit("lends", file=path)
        self._channel.emit("collected", count=len(ids))

    def _lenders(self, items):
        """Files of the tree, other than the test's own, that define a test: a
        class or function that the test file imports or derives from (W5).
        What a decorator made has another name, or the name of both."""
        inside, files = self._tree + "/", set()
        for item in items:
            function = getattr(item, "function", None)
            module = getattr(function, "__module__", None)
            own = getattr(getattr(item, "module", None), "__name__", None)
            if not isinstance(module, str) or module == own:
                continue
            if getattr(function, "__name__", None) != getattr(item, "originalname", None):
                continue
            path = getattr(self._modules.get(module), "__file__", None)
            if isinstance(path, str) and path.startswith(inside):
                files.add(path[len(inside):])
        return files

    # -- tests

    def pytest_runtest_logstart(self, nodeid, location):
        self._failures.clear()
        self._channel.emit("begin", id=nodeid)

    def pytest_runtest_makereport(self, item, call):
        outcome = yield
        report = outcome.get_result()
        if report.outcome == "failed" and call.excinfo is not None:
            self._failures[id(report)] = self._describe(call.excinfo.value)

    pytest_runtest_makereport._gs_wrapper = True

    def pytest_runtest_logreport(self, report):
        failure = self._failures.pop(id(report), None)
        members = {}
        xfail = hasattr(report, "wasxfail")
        if report.outcome == "failed":
            members = failure or {"exc": None, "msg": self._describe.cut(_text(report.longrepr))}
            # A strict xfail that passed, or unittest's expectedFailure.
            if failure is None:
                xfail = members["msg"].startswith("[XPASS(strict)]")
            elif failure["exc"] == "Failed":
                xfail = failure["msg"].startswith("Unexpected success")
        self._channel.emit(
            "phase",
            id=report.nodeid,
            when=report.when,
            outcome=report.outcome,
            xfail=True if xfail else None,
            sub=True if type(report).__name__.lower().startswith("subtest") else None,
            **members
        )

    # -- the end

    def pytest_internalerror(self, excrepr, excinfo):
        self._channel.emit("internal", **self._describe(excinfo.value))

    def pytest_sessionfinish(self, session, exitstatus):
        # Outermost: the summary is printed, every other plugin has had its
        # say and its chance to change the status.
        outcome = yield
        if getattr(outcome, "excinfo", None) is not None:
            return
        for name in self._probe:
            self._origin(name) or self._origin_by_search(name)
        flush(session.config)
        status = int(session.exitstatus)
        self.report_shims()
        if self._tells_loaded:
            self._report_loaded()
        self._channel.emit("finish", status=status)
        # Nothing that is left to do can change the outcome, and threads,
        # atexit functions and destructors can only hang.
        if self._channel._getpid() == self._channel._pid:
            self._exit(status)

    pytest_sessionfinish._gs_wrapper = True

    # -- shims and origins

    def report_shims(self):
        for name in sorted(shims_used):
            self._channel.emit("shim", name=name)
        shims_used.clear()

    def _report_loaded(self):
        """Which files of the tree were loaded: a hint what to compile."""
        inside, names = self._tree + "/", []
        for module in list(self._modules.values()):
            path = getattr(module, "__file__", None)
            if not isinstance(path, str) or not path.startswith(inside) or not path.endswith(".py"):
                continue
            loader = type(getattr(module, "__loader__", None)).__name__
            kind = "r:" if loader == "AssertionRewritingHook" else "p:"
            names.append(kind + path[len(inside):])
        for start in range(0, len(names), IDS_PER_EVENT):
            self._channel.emit("loaded", ids=names[start:start + IDS_PER_EVENT])

    def _origin(self, name):
        module = self._modules.get(name)
        path = getattr(module, "__file__", None)
        if path is None:
            # A namespace package has folders and no file.
            folders = getattr(module, "__path__", None)
            path = next(iter(folders), None) if folders is not None else None
        if not isinstance(path, str):
            return False
        self._emit_origin(name, path)
        return True

    def _origin_by_search(self, name):
        try:
            from importlib.util import find_spec

            spec = find_spec(name)
            path = spec.origin if spec is not None else None
        except BaseException:
            path = None
        self._emit_origin(name, path if isinstance(path, str) else None)

    def _emit_origin(self, name, path):
        inside = False
        if path is not None:
            real = os.path.realpath(path)
            inside = real == self._tree or real.startswith(self._tree + "/")
            if inside:
                path = real[len(self._tree) + 1:]
        self._channel.emit("origin", module=name, file=path, inside=inside)


def flush(config):
    for stream in (config.get_terminal_writer, lambda: sys.stdout, lambda: sys.stderr):
        try:
            stream().flush()
        except Exception:  # closed or replaced by a test
            pass


# Names of the shims that something really asked for (O6).
shims_used = set()


def make(channel, request, pytest):
    """The plugin object, its hooks marked for the pytest that is here."""
    for name in list(vars(Observer)):
        if not name.startswith("pytest_"):
            continue
        hook = vars(Observer)[name]
        wrapper = getattr(hook, "_gs_wrapper", False)
        options = {"tryfirst": True}
        if wrapper:
            options["hookwrapper"] = True
        setattr(Observer, name, pytest.hookimpl(**options)(hook))
    return Observer(channel, request, pytest)
