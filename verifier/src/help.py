# SPDX-License-Identifier: Apache-2.0
"""The plugin that every run gets: what S6 says of pytest's configuration, and
the shims that the record names (O6). It reports nothing. PYTEST_DONT_REWRITE

Missing names are set as plain attributes, each where it was.
"""
import importlib
import json
import os
import sys
import types
import warnings

import _pytest.config
import _pytest.warnings
import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = "/box/tree/"

with open(os.path.join(HERE, "ask.json"), encoding="utf-8") as stream:
    ASK = json.load(stream)

# Neither the tests nor the programs that they start see this folder.
sys.path[:] = [entry for entry in sys.path if entry != HERE]
os.environ["PYTHONPATH"] = ASK["path"]


def put(owner, **names):
    for name, value in names.items():
        if not hasattr(owner, name):
            setattr(owner, name, value)


# S6 ------------------------------------------------------------------------


def pytest_addoption(parser):
    for key in ASK["keys"]:
        if key not in parser._inidict:
            parser.addini(key, "a key of the project's configuration")


def exists(category):
    module, _, name = category.rpartition(".")
    try:
        found = getattr(importlib.import_module(module or "builtins"), name)
        return issubclass(found, Warning)
    except Exception:
        return False


def never_for_nothing(parse):
    """A filter for warnings that nobody can raise here matches none."""
    def lenient(text, *, escape):
        category = (text.split(":") + ["", ""])[2].strip()
        if category and not exists(category):
            return "ignore", "(?!)", Warning, "", 0
        return parse(text, escape=escape)

    return lenient


for user in (_pytest.config, _pytest.warnings):
    if hasattr(user, "parse_warning_filter"):
        user.parse_warning_filter = never_for_nothing(user.parse_warning_filter)


def package_less(path):
    return not os.path.exists(os.path.join(os.path.dirname(path),
                                           "__init__.py"))


def pytest_collectstart(collector):
    """Two test files of one name can stand side by side."""
    if type(collector).__name__ != "Module":
        return
    path = str(getattr(collector, "path", None) or collector.fspath)
    name = os.path.basename(path)
    stem = name[:-len(".py")]
    if name in ("conftest.py", "__init__.py") or not package_less(path):
        return
    there = getattr(sys.modules.get(stem), "__file__", None) or path
    if there != path and os.path.basename(there) == name:
        del sys.modules[stem]


# O6.1, O6.2 ----------------------------------------------------------------

ABSTRACT = """Awaitable Coroutine AsyncIterable AsyncIterator AsyncGenerator
Hashable Iterable Iterator Generator Reversible Sized Container Callable
Collection Set MutableSet Mapping MutableMapping MappingView KeysView ItemsView
ValuesView Sequence MutableSequence ByteString"""


def shim_collections():
    import collections
    import collections.abc as home

    if not hasattr(collections, "Mapping"):
        put(collections, **{name: getattr(home, name)
                            for name in ABSTRACT.split()
                            if hasattr(home, name)})


def shim_inspect():
    import inspect
    from typing import NamedTuple

    ArgSpec = NamedTuple("ArgSpec", [("args", list), ("varargs", str),
                                     ("keywords", str), ("defaults", tuple)])

    def getargspec(func):
        full = inspect.getfullargspec(func)
        if full.annotations or full.kwonlyargs:
            raise ValueError("keyword-only parameters or annotations; "
                             "inspect.signature() takes them")
        return ArgSpec(*full[:4])

    def formatargspec(args, varargs=None, varkw=None, defaults=None,
                      kwonlyargs=(), kwonlydefaults={}, annotations={},
                      formatarg=str,
                      formatvarargs=lambda name: "*" + name,
                      formatvarkw=lambda name: "**" + name,
                      formatvalue=lambda value: "=" + repr(value),
                      formatreturns=lambda text: " -> " + text,
                      formatannotation=inspect.formatannotation):
        notes = annotations or {}

        def one(name, default=()):
            text = formatarg(name)
            if name in notes:
                text += ": " + formatannotation(notes[name])
            return text + "".join(map(formatvalue, default))

        plain = len(args) - len(defaults or ())
        specs = [one(name) for name in args[:plain]]
        specs += [one(name, (value,))
                  for name, value in zip(args[plain:], defaults or ())]
        if varargs is not None:
            specs.append(formatvarargs(one(varargs)))
        elif kwonlyargs:
            specs.append("*")
        for name in kwonlyargs or ():
            known = kwonlydefaults or {}
            specs.append(one(name, (known[name],) if name in known else ()))
        if varkw is not None:
            specs.append(formatvarkw(one(varkw)))
        returns = ""
        if "return" in notes:
            returns = formatreturns(formatannotation(notes["return"]))
        return "(%s)%s" % (", ".join(specs), returns)

    put(inspect, ArgSpec=ArgSpec, getargspec=getargspec,
        formatargspec=formatargspec)


# O6.3 ----------------------------------------------------------------------


def yield_fixture(*args, **options):
    return pytest.fixture(*args, **options)


def cached_setup(self, setup, teardown=None, scope="module", extrakey=None):
    kept = self.session.__dict__.setdefault("_kept_setups", {})
    key = extrakey, scope, setup
    if key not in kept:
        kept[key] = setup()
        if teardown:
            self.addfinalizer(lambda: teardown(kept.pop(key)))
    return kept[key]


def shim_pytest():
    from _pytest.fixtures import FixtureRequest
    from _pytest.nodes import Node

    raises, warns = pytest.raises, pytest.warns

    def raises_less(*args, **options):
        __tracebackhide__ = True
        options.pop("message", None)
        return raises(*args, **options)

    def warns_none(*args, **options):
        __tracebackhide__ = True
        if args == (None,):
            return warnings.catch_warnings(record=True)
        return warns(*args, **options)

    put(Node, get_marker=lambda self, name: self.get_closest_marker(name))
    pytest.yield_fixture = yield_fixture
    pytest.raises, pytest.warns = raises_less, warns_none
    names = property(lambda self: self.fixturenames)
    put(FixtureRequest, funcargnames=names, cached_setup=cached_setup)
    put(pytest.Function, funcargnames=names)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    for mark in ("timeout", "xdist_group", "flaky", "order", "benchmark"):
        config.addinivalue_line("markers", mark + ": may be used")
    if "pytest" in ASK["shims"]:
        put(pytest, config=config)


# O6.4 ----------------------------------------------------------------------

SAME = """asyncio.coroutine types.coroutine
asyncio.async asyncio.ensure_future
fractions.gcd math.gcd
time.clock time.perf_counter
base64.encodestring base64.encodebytes
base64.decodestring base64.decodebytes
configparser.SafeConfigParser configparser.ConfigParser
plistlib.readPlistFromString plistlib.loads
plistlib.readPlistFromBytes plistlib.loads
plistlib.writePlistToString plistlib.dumps
plistlib.writePlistToBytes plistlib.dumps"""

CALLS = {
    "threading.Thread": "isAlive is_alive",
    "configparser.RawConfigParser": "readfp read_file",
    "unittest.TestCase": """assertEquals assertEqual
        assertNotEquals assertNotEqual assertAlmostEquals assertAlmostEqual
        assertNotAlmostEquals assertNotAlmostEqual
        assertRegexpMatches assertRegex assertNotRegexpMatches assertNotRegex
        assertRaisesRegexp assertRaisesRegex assertItemsEqual assertCountEqual
        assert_ assertTrue failUnless assertTrue failUnlessEqual assertEqual
        failIf assertFalse""",
}


def find(name):
    module, _, last = name.rpartition(".")
    return getattr(importlib.import_module(module), last)


def caller(new):
    return lambda self, *args, **options: getattr(self, new)(*args, **options)


def read_plist(source):
    import plistlib

    if not hasattr(source, "read"):
        with open(source, "rb") as opened:
            return plistlib.load(opened)
    return plistlib.load(source)


def write_plist(value, target):
    import plistlib

    if not hasattr(target, "write"):
        with open(target, "wb") as opened:
            return plistlib.dump(value, opened)
    return plistlib.dump(value, target)


def make_suite(case, prefix="test", sort=None, suite=None):
    import unittest

    loader = unittest.TestLoader()
    loader.testMethodPrefix = prefix
    tests = loader.loadTestsFromTestCase(case)
    return (suite or unittest.TestSuite)(tests)


def locale_format(percent, value, grouping=False, monetary=False, *more):
    import locale

    return locale.format_string(percent, value, grouping, monetary)


def make_imp():
    from importlib import reload, util

    def load_source(name, path, file=None):
        spec = util.spec_from_file_location(name, path)
        sys.modules[name] = module = util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def find_module(name, path=None):
        spec = util.find_spec(name)
        if not spec:
            raise ImportError("No module named " + repr(name), name=name)
        return None, spec.origin, ("", "", 5)

    imp = types.ModuleType("imp")
    put(imp, load_source=load_source, find_module=find_module, reload=reload,
        new_module=types.ModuleType, acquire_lock=lambda: None,
        release_lock=lambda: None, is_frozen=lambda name: False,
        PY_SOURCE=1, PY_COMPILED=2, C_EXTENSION=3, PKG_DIRECTORY=5)
    sys.modules["imp"] = imp


def shim_stdlib():
    import errno
    import locale
    import plistlib
    import typing
    import unittest

    for line in SAME.splitlines():
        old, new = line.split()
        module, _, last = old.rpartition(".")
        put(importlib.import_module(module), **{last: find(new)})
    for owner, pairs in CALLS.items():
        words = pairs.split()
        for old, new in zip(words[::2], words[1::2]):
            if hasattr(find(owner), new):
                put(find(owner), **{old: caller(new)})
    put(os, errno=errno)
    put(plistlib, readPlist=read_plist, writePlist=write_plist)
    put(unittest, makeSuite=make_suite)
    put(locale, format=locale_format)
    put(typing, re=types.SimpleNamespace(Pattern=typing.Pattern,
                                         Match=typing.Match))
    try:
        import xml.etree.cElementTree
    except ImportError:
        import xml.etree.ElementTree as tree

        sys.modules["xml.etree.cElementTree"] = tree
        xml.etree.cElementTree = tree
    if sys.version_info >= (3, 12):
        make_imp()


# O6.5 ----------------------------------------------------------------------


class Versions:
    """Asked last: `_version` and `version` in packages of the tree."""

    def find_spec(self, name, path=None, target=None):
        package, _, last = name.rpartition(".")
        here = [os.path.abspath(folder) + "/" for folder in path or ()]
        if (package and last in ("_version", "version") and
                any(folder.startswith(TREE) for folder in here)):
            return importlib.machinery.ModuleSpec(name, self)
        return None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        text = ASK["version"]
        parts = tuple(int(part) if part.isdigit() else part
                      for part in text.split("."))
        module.version = module.__version__ = text
        module.version_tuple = module.__version_tuple__ = parts


def shim_distribution():
    import importlib.machinery

    if ASK["version"]:
        sys.path.append(os.path.join(HERE, "dist"))
        sys.meta_path.append(Versions())


SHIMS = {"collections": shim_collections, "inspect": shim_inspect,
         "pytest": shim_pytest, "stdlib": shim_stdlib,
         "distribution": shim_distribution}

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    for shim in ASK["shims"]:
        SHIMS[shim]()
