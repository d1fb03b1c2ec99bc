# SPDX-License-Identifier: Apache-2.0
"""What the interpreter runs in the box: `python boot.pyc REQUEST_FD EVENT_FD`.

Makes the process look like `python -m pytest` in the tree (sys.path, argv,
__main__), loads the shims and the plugins that are wanted, and runs pytest
with the observer. Written for 3.6 and later; imports only what is needed.
"""
import os
import sys


def read_request(fd):
    from json import loads

    parts = []
    while True:
        part = os.read(fd, 1 << 20)
        if not part:
            break
        parts.append(part)
    os.close(fd)
    return loads(b"".join(parts).decode("utf-8"))


def private(fd):
    """A high random number that children do not inherit: no test finds it by
    habit, none can hold it open."""
    import fcntl

    lowest = 200 + int.from_bytes(os.urandom(2), "little") % 600
    high = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, lowest)
    os.close(fd)
    return high


def limit(limits):
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for name in ("AS", "NPROC"):
        value = limits.get(name, 0)
        if value:
            kind = getattr(resource, "RLIMIT_" + name)
            hard = resource.getrlimit(kind)[1]
            if hard != resource.RLIM_INFINITY:
                value = min(value, hard)  # the user's own limit is narrower
            resource.setrlimit(kind, (value, value))


def mend_sleep():
    """libfaketime fails clock_nanosleep on the true monotonic clock, which is
    what time.sleep uses since 3.11; select is left alone by it."""
    import time

    try:
        time.sleep(1e-6)
        return
    except OSError:
        pass
    from select import select

    def sleep(seconds):
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        select((), (), (), seconds)

    time.sleep = sleep


# ---------------------------------------------------------------------------
# The project's configuration

INI_FILES = (
    ("pytest.ini", "pytest"),
    (".pytest.ini", "pytest"),
    ("pyproject.toml", "tool.pytest.ini_options"),
    ("tox.ini", "pytest"),
    ("setup.cfg", "tool:pytest"),
)


def read_text(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read()
    except (OSError, ValueError):
        return ""


def ini_section(text, section):
    """keys → values of one section, by the loosest reading that serves."""
    values, key, inside = {}, None, False
    for line in text.splitlines():
        bare = line.strip()
        if bare.startswith("[") and "]" in bare and not line[:1].isspace():
            inside, key = bare[1:bare.index("]")].strip() == section, None
        elif not inside or not bare or bare[0] in "#;":
            continue
        elif line[:1].isspace() and key is not None:
            values[key] += "\n" + bare
        else:
            for position, char in enumerate(line):
                if char in "=:":
                    key = line[:position].strip()
                    values[key] = line[position + 1:].strip()
                    break
    return values


def toml_section(text, section):
    """As above; only keys and `addopts` are looked at, pytest reads the rest."""
    values, inside, key, depth = {}, False, None, 0
    for line in text.splitlines():
        bare = line.strip()
        if depth == 0 and bare.startswith("["):
            inside = bare.strip("[]").replace(" ", "").replace('"', "") == section
            continue
        if not inside or not bare or bare.startswith("#"):
            continue
        if depth == 0 and "=" in bare:
            key, bare = [part.strip() for part in bare.split("=", 1)]
            key = key.strip("\"'")
            values[key] = ""
        if key is None:
            continue
        depth = max(0, depth + bare.count("[") - bare.count("]"))
        for char in "[],\"'":
            bare = bare.replace(char, " ")
        values[key] += " " + bare
    return values


class Config:
    """Which file pytest is to read, and what it says that concerns us (S6).
    Only the tree's own root is looked at: a parent's never leaks in (F073)."""

    def __init__(self, tree, kit):
        self.path, self.values, self.overrides, self.text = None, {}, [], ""
        for name, section in INI_FILES:
            text = read_text(os.path.join(tree, name))
            self.text += text
            if self.path is not None or not text and name != "pytest.ini":
                continue
            if name == "pytest.ini" and os.path.isfile(os.path.join(tree, name)):
                self.path = os.path.join(tree, name)
            read = toml_section if name.endswith(".toml") else ini_section
            values = read(text, section)
            if values or name.startswith((".pytest", "pytest")) and text:
                self.path, self.values = os.path.join(tree, name), values
        if self.path is None:
            # pytest refuses to start on setup.cfg's [pytest] of old.
            old = ini_section(read_text(os.path.join(tree, "setup.cfg")), "pytest")
            if old:
                self.path, self.values = os.path.join(kit, "empty.ini"), old
                for key in old:
                    if key not in ("addopts", "required_plugins", "minversion"):
                        self.overrides += ["-o", key + "=" + old[key]]

    def kept_options(self, can_import):
        """Of addopts, what decides how modules are imported and fixtures are
        found; the rest selects, reports or needs other plugins (F075, F076)."""
        words, kept = self.values.get("addopts", "").split(), []
        for i, word in enumerate(words):
            following = words[i + 1] if i + 1 < len(words) else ""
            if word.startswith("--import-mode="):
                kept.append(word)
            elif word == "--import-mode":
                kept.append(word + "=" + following)
            elif word.startswith("--asyncio-mode="):
                self.values.setdefault("asyncio_mode", word.split("=")[1])
                self.overrides += ["-o", "asyncio_mode=" + word.split("=")[1]]
            elif word == "-p" or word.startswith("-p") and word[2:3].isalpha():
                name = following if word == "-p" else word[2:]
                if not name.startswith("no:") and can_import(name):
                    kept += ["-p", name]
        return kept


# pytest plugins that a project can need, by words in its tests, conftests or
# configuration. The others that are installed stay out (F077).
PLUGIN_WORDS = {
    "pytest_asyncio": ("asyncio",),
    "pytest_asyncio.plugin": ("asyncio",),
    "pytest_mock": ("mocker",),
    "_hypothesis_pytestplugin": ("hypothesis",),
    "hypothesis.extra.pytestplugin": ("hypothesis",),
    "pytest_subtests": ("subtests",),
    "pytest_subtests.plugin": ("subtests",),
    "anyio.pytest_plugin": ("anyio",),
    "pytest_trio": ("trio",),
    "pytest_trio.plugin": ("trio",),
    "pytest_tornado": ("gen_test",),
    "pytest_tornado.plugin": ("gen_test",),
    "pytest_aiohttp": ("aiohttp_client", "aiohttp_server", "test_client"),
    "pytest_aiohttp.plugin": ("aiohttp_client", "aiohttp_server", "test_client"),
    "pytest_django": ("django",),
    "pytest_django.plugin": ("django",),
    "pytest_benchmark": ("benchmark",),
    "pytest_benchmark.plugin": ("benchmark",),
    "pytest_httpbin": ("httpbin",),
    "pytest_httpbin.plugin": ("httpbin",),
    "pytest_httpserver": ("httpserver",),
    "pytest_httpserver.pytest_plugin": ("httpserver",),
    "pytest_localserver.plugin": ("httpserver", "smtpserver"),
    "requests_mock.contrib._pytest_plugin": ("requests_mock",),
    "pytest_datadir": ("datadir",),
    "pytest_datadir.plugin": ("datadir",),
    "pytest_regressions": ("_regression",),
    "pytest_regressions.plugin": ("_regression",),
    "pytest_freezegun": ("freezer",),
    "pytest_lazyfixture": ("lazy_fixture",),
    "pytest_cases.plugin": ("pytest_cases",),
    "pytest_flask.plugin": ("live_server", "client_class"),
    "pytest_bdd.plugin": ("pytest_bdd",),
    "pytest_expect.expect": ("update_xfail",),
    "pytest_timeout": ("timeout_func_only", "timeout_method"),
    "pytest_cov": ("no_cover",),
    "pytest_cov.plugin": ("no_cover",),
    "xdist": ("worker_id", "testrun_uid"),
    "xdist.plugin": ("worker_id", "testrun_uid"),
    "syrupy": ("snapshot",),
    "pyfakefs.pytest_plugin": ("pyfakefs",),
    "pytester": ("pytester", "testdir"),
}


def wanted_plugins(available, texts):
    chosen = []
    for name in available:
        for word in PLUGIN_WORDS.get(name, ()):
            if any(word in text for text in texts):
                chosen.append(name)
                break
    return chosen


def conftests(tree, files):
    folders = {""}
    for path in files:
        folder = os.path.dirname(path)
        while folder:
            folders.add(folder)
            folder = os.path.dirname(folder)
    return [os.path.join(tree, folder, "conftest.py") for folder in sorted(folders)]


def can_import(name):
    if "." not in name and os.path.exists(
        os.path.join(os.path.dirname(sys.modules["_pytest"].__file__), name + ".py")
    ):
        return True
    try:
        from importlib.util import find_spec

        return find_spec(name) is not None
    except Exception:
        return False


# ---------------------------------------------------------------------------


def become_pytest(pytest):
    """__main__ and argv as `python -m pytest` has them: multiprocessing's
    spawn imports __main__ anew, command line parsers look at argv."""
    import importlib.machinery
    import types

    main = os.path.join(os.path.dirname(pytest.__file__), "__main__.py")
    module = types.ModuleType("__main__")
    module.__file__ = main
    module.__package__ = "pytest"
    module.__spec__ = importlib.machinery.ModuleSpec(
        "pytest.__main__", None, origin=main
    )
    sys.modules["__main__"] = module
    sys.argv[:] = [main]


def watch_conftests(observer, tree):
    """A conftest that does not import ends pytest before any hook of ours."""
    from _pytest.config import PytestPluginManager

    original = PytestPluginManager._importconftest

    def importconftest(self, path, *args, **kwargs):
        try:
            return original(self, path, *args, **kwargs)
        except Exception as failure:
            info = getattr(failure, "excinfo", None)
            cause = getattr(failure, "cause", None) or (info[1] if info else failure)
            name = os.path.relpath(str(path), tree)
            observer.collect_error(name, cause)
            raise

    PytestPluginManager._importconftest = importconftest


def forgive_filters():
    """pytest does not start where `filterwarnings` names a category that is
    not here, by a plugin's or a library's age. No warning of it can come."""
    from _pytest import config

    class Nowhere(Warning):
        pass

    original = getattr(config, "_resolve_warning_category", None)

    def resolve(category):
        try:
            return original(category)
        except config.UsageError:
            raise
        except Exception:
            return Nowhere

    if original is not None:  # 6.2
        config._resolve_warning_category = resolve


def install_shims(request, observer_module):
    used = observer_module.shims_used.add
    for name in request["shims"]:
        sys.path.insert(0, request["kit"])
        shim = __import__("goldset_shim_" + name)
        sys.path.remove(request["kit"])
        if name == "distribution":
            shim.install(used, request["dist_folder"], request["dist_name"])
        else:
            shim.install(used)
        if name == "pytest":
            yield shim.config_keeper


def options(request, config, kept):
    tree = request["tree"]
    result = ["--rootdir=" + tree, "--confcutdir=" + tree]
    if config.path:
        result += ["-c", config.path]
    result += ["-o", "addopts=", "-o", "required_plugins="]
    result += config.overrides
    result += ["-p", "no:cacheprovider", "--continue-on-collection-errors"]
    # It blames the test that runs when garbage happens to be collected.
    result += ["-p", "no:unraisableexception"]
    result += ["-q", "--tb=native", "--show-capture=no", "--color=no"]
    if request["stop"]:
        result.append("-x")
    return result + kept + request["options"]


# ---------------------------------------------------------------------------
# Code that a box without tests has compiled for us


def cache_place(path, tree):
    """Where a file's compiled code is kept: one folder a folder."""
    folder = os.path.relpath(os.path.dirname(path), tree)
    base = os.path.basename(path)[:-3]
    name = "%s.%s.pyc" % (base, sys.implementation.cache_tag)
    return folder.replace("%", "%25").replace("/", "%2f"), name


def use_cache(tree, cache):
    """Reads of a `__pycache__` in the tree (there is none) go to the cache;
    the interpreter checks what it finds by time and size as ever."""
    from importlib.machinery import SourceFileLoader

    original = SourceFileLoader.get_data
    inside, middle = tree + "/", "/__pycache__/"

    def get_data(self, path):
        if isinstance(path, str) and path.startswith(inside) and middle in path:
            folder, _, base = path.rpartition(middle)
            place = cache_place(os.path.join(folder, "x.py"), tree)[0]
            path = cache + "/" + place + "/" + base
        return original(self, path)

    SourceFileLoader.get_data = get_data
    cached["tree"], cached["folder"] = tree, cache


def use_rewritten(config):
    """The same for test modules, whose assertions pytest rewrites."""
    from _pytest.assertion import rewrite

    original = getattr(rewrite, "get_cache_dir", None)
    if not cached or original is None or "enable_assertion_pass_hook" in config.text:
        return
    inside = cached["tree"] + "/"

    def get_cache_dir(path):
        if not str(path).startswith(inside):
            return original(path)
        place = cache_place(str(path), cached["tree"])[0]
        return type(path)(cached["folder"], place)

    rewrite.get_cache_dir = get_cache_dir


cached = {}
# Shims that a warm worker put in before it loaded pytest.
installed = []


def run_tests(request, channel, observer_module):
    tree = request["tree"]
    roots = [os.path.normpath(os.path.join(tree, root)) for root in request["roots"]]
    sys.path[:0] = roots
    # Programs that a test starts see the same modules.
    os.environ["PYTHONPATH"] = ":".join(roots)

    files = []
    for name in request["files"]:
        if os.path.exists(os.path.join(tree, name)):
            files.append(name)
        else:
            channel.emit("broken", id=name, exc="FileNotFoundError", msg="no such file")
    early = [shim for shim in request["shims"] if shim not in ["pytest"] + installed]
    late = [shim for shim in request["shims"] if shim == "pytest"]
    list(install_shims(dict(request, shims=early), observer_module))
    import pytest

    channel.emit("session", pytest=pytest.__version__)
    become_pytest(pytest)
    plugins = list(install_shims(dict(request, shims=late), observer_module))
    if not files:
        channel.emit("collected", count=0)
        channel.emit("finish", status=5)
        return 5

    config = Config(tree, request["kit"])
    kept = config.kept_options(can_import)
    use_rewritten(config)
    request["ini_keys"] = [key for key in config.values if key.isidentifier()]
    texts = [config.text]
    texts += [read_text(path) for path in conftests(tree, files)]
    texts += [read_text(os.path.join(tree, name)) for name in files]
    for name in wanted_plugins(request["plugins"] + ["pytester"], texts):
        if name not in kept:
            kept += ["-p", name]
    loaded = [name for word, name in zip(kept, kept[1:]) if word == "-p"]
    if loaded:
        channel.emit("plugins", ids=loaded)
    observer = observer_module.make(channel, request, pytest)
    if request.get("guarded") and hasattr(sys, "addaudithook"):  # 3.8
        observer_module.guard(channel, request["guarded"], pytest)
    watch_conftests(observer, tree)
    forgive_filters()
    plugins.insert(0, observer)
    status = int(pytest.main(options(request, config, kept) + files, plugins=plugins))
    observer.report_shims()
    return status


def perform(request_fd, event_fd, kit, observer_module):
    """One run, from its request to the end of the process."""
    event_fd = private(event_fd)
    request = read_request(request_fd)
    channel = observer_module.Channel(event_fd, request["token"])
    channel.emit("start", python="%d.%d.%d" % sys.version_info[:3])
    limit(request["limits"])
    if "FAKETIME" in os.environ:
        mend_sleep()
    request["kit"] = kit
    if "cache" in request:
        use_cache(request["tree"], request["cache"])
    status = run_tests(request, channel, observer_module)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass
    channel.emit("main", status=status)
    os._exit(status)


def main():
    import goldset_observer as observer_module

    # The kit's folder leaves sys.path; what is needed of it stays loaded.
    kit = sys.path.pop(0)
    perform(int(sys.argv[1]), int(sys.argv[2]), kit, observer_module)


if __name__ == "__main__":
    main()
