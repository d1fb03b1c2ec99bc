# SPDX-License-Identifier: Apache-2.0
"""Names that the standard library has removed since 3.8 (O6.4). Nothing is imported
for the sake of being patched: a module gets its names back when it is
imported, by a finder that stands in front of the usual ones."""
import importlib.util
import sys
import types


def _asyncio(module):
    return {"coroutine": types.coroutine, "async": getattr(module, "ensure_future", None)}


def _math_gcd(module):
    import math

    return {"gcd": math.gcd}


def _time(module):
    return {"clock": module.perf_counter}


def _base64(module):
    return {"encodestring": module.encodebytes, "decodestring": module.decodebytes}


def _configparser(module):
    return {"SafeConfigParser": module.ConfigParser}


def _unittest(module):
    def make_suite(case, prefix="test", sort=None, suite=module.TestSuite):
        loader = module.TestLoader()
        loader.testMethodPrefix = prefix
        return suite(loader.loadTestsFromTestCase(case))

    return {"makeSuite": make_suite}


def _os(module):
    import errno

    return {"errno": errno}


def _plistlib(module):
    def read(source):
        if hasattr(source, "read"):
            return module.load(source)
        with open(source, "rb") as stream:
            return module.load(stream)

    def write(value, target):
        if hasattr(target, "write"):
            return module.dump(value, target)
        with open(target, "wb") as stream:
            return module.dump(value, stream)

    return {
        "readPlist": read,
        "writePlist": write,
        "readPlistFromString": module.loads,
        "readPlistFromBytes": module.loads,
        "writePlistToString": module.dumps,
        "writePlistToBytes": module.dumps,
    }


def _locale(module):
    def format_(percent, value, grouping=False, monetary=False, *rest):
        return module.format_string(percent, value, grouping, monetary)

    return {"format": format_}


def _typing(module):
    return {"re": types.SimpleNamespace(Pattern=module.Pattern, Match=module.Match)}


MODULES = {
    "asyncio": _asyncio,
    "fractions": _math_gcd,
    "time": _time,
    "base64": _base64,
    "configparser": _configparser,
    "unittest": _unittest,
    "os": _os,
    "plistlib": _plistlib,
    "locale": _locale,
    "typing": _typing,
}

# Methods that lost an old spelling: (module, class, old, new).
METHODS = (
    ("threading", "Thread", "isAlive", "is_alive"),
    ("configparser", "RawConfigParser", "readfp", "read_file"),
    ("unittest", "TestCase", "assertEquals", "assertEqual"),
    ("unittest", "TestCase", "assertNotEquals", "assertNotEqual"),
    ("unittest", "TestCase", "assertAlmostEquals", "assertAlmostEqual"),
    ("unittest", "TestCase", "assertNotAlmostEquals", "assertNotAlmostEqual"),
    ("unittest", "TestCase", "assertRegexpMatches", "assertRegex"),
    ("unittest", "TestCase", "assertNotRegexpMatches", "assertNotRegex"),
    ("unittest", "TestCase", "assertRaisesRegexp", "assertRaisesRegex"),
    ("unittest", "TestCase", "assertItemsEqual", "assertCountEqual"),
    ("unittest", "TestCase", "assert_", "assertTrue"),
    ("unittest", "TestCase", "failUnless", "assertTrue"),
    ("unittest", "TestCase", "failUnlessEqual", "assertEqual"),
    ("unittest", "TestCase", "failIf", "assertFalse"),
)


def _patch_methods(module, used):
    for owner_module, owner, old, new in METHODS:
        kind = getattr(module, owner, None) if module.__name__ == owner_module else None
        if kind is None or hasattr(kind, old) or not hasattr(kind, new):
            continue

        def method(self, *args, _new=new, **kwargs):
            used("stdlib")
            return getattr(self, _new)(*args, **kwargs)

        setattr(kind, old, method)


def _patch(module, used):
    make = MODULES.get(module.__name__)
    if make is not None:
        lost = {
            name: value
            for name, value in make(module).items()
            if value is not None and not hasattr(module, name)
        }
        before = module.__dict__.get("__getattr__")

        def missing(name, _module=module.__name__):
            if name in lost:
                used("stdlib")
                return lost[name]
            if before is not None:
                return before(name)
            raise AttributeError("module '%s' has no attribute '%s'" % (_module, name))

        if lost:
            module.__getattr__ = missing
    _patch_methods(module, used)


def _imp():
    """As much of imp (gone since 3.12) as old code asks for."""
    module = types.ModuleType("imp")

    def load_source(name, path, file=None):
        spec = importlib.util.spec_from_file_location(name, path)
        made = importlib.util.module_from_spec(spec)
        sys.modules[name] = made
        spec.loader.exec_module(made)
        return made

    def find_module(name, path=None):
        spec = importlib.util.find_spec(name)
        if spec is None:
            raise ImportError("No module named %r" % name, name=name)
        return None, spec.origin, ("", "", 5)

    module.load_source = load_source
    module.find_module = find_module
    module.reload = importlib.reload
    module.new_module = types.ModuleType
    module.acquire_lock = module.release_lock = lambda: None
    module.is_frozen = lambda name: False
    module.PY_SOURCE, module.PY_COMPILED, module.C_EXTENSION = 1, 2, 3
    module.PKG_DIRECTORY = 5
    return module


class _Finder:
    """Wraps the loader of the modules above so that they are patched once
    they have run; also makes `imp` and `xml.etree.cElementTree`."""

    def __init__(self, used):
        self.used = used

    def find_spec(self, name, path=None, target=None):
        if name == "imp" and sys.version_info >= (3, 12):
            return self._made(name, _imp)
        tree = name == "xml.etree.cElementTree"
        if name not in MODULES and name != "threading" and not tree:
            return None
        for finder in sys.meta_path:
            if finder is self:
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                self._wrap(spec.loader)
                return spec
        if tree:
            import xml.etree.ElementTree as replacement

            return self._made(name, lambda: replacement)
        return None

    def _wrap(self, loader):
        run, used = loader.exec_module, self.used

        def exec_module(module):
            run(module)
            _patch(module, used)

        try:
            loader.exec_module = exec_module
        except AttributeError:  # a built-in module's loader is a class
            pass

    def _made(self, name, make):
        self.used("stdlib")
        return importlib.util.spec_from_loader(name, _Made(make))


class _Made:
    def __init__(self, make):
        self.make = make

    def create_module(self, spec):
        return self.make()

    def exec_module(self, module):
        pass


def install(used):
    for name in list(MODULES) + ["threading"]:
        if name in sys.modules:
            _patch(sys.modules[name], used)
    sys.meta_path.insert(0, _Finder(used))
