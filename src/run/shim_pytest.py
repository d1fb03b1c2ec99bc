# SPDX-License-Identifier: Apache-2.0
"""What old test suites ask of pytest (O6.3): node.get_marker (gone since 4.0),
pytest.config (5.0), yield_fixture, raises(message=), warns(None) (7.0),
request.cached_setup, item.funcargnames."""
import functools

import pytest
from _pytest.nodes import Node


def install(used):
    def get_marker(self, name):
        used("pytest")
        return self.get_closest_marker(name)

    if not hasattr(Node, "get_marker"):
        Node.get_marker = get_marker
    _lost_names(used)
    _raises(used)
    _warns(used)
    _funcargnames(used)


class _Config:
    """pytest.config: a module global until 5.0."""

    def __init__(self):
        self.config = None

    def pytest_configure(self, config):
        self.config = config


config_keeper = _Config()


def _lost_names(used):
    def yield_fixture(*args, **kwargs):
        used("pytest")
        return pytest.fixture(*args, **kwargs)

    def missing(name):
        if name == "yield_fixture":
            return yield_fixture
        if name == "config" and config_keeper.config is not None:
            used("pytest")
            return config_keeper.config
        if before is not None:
            return before(name)
        raise AttributeError("module 'pytest' has no attribute '%s'" % name)

    before = getattr(pytest, "__getattr__", None)
    pytest.__getattr__ = missing
    # While it is there it warns, which `filterwarnings = error` makes fatal.
    if hasattr(pytest, "yield_fixture"):
        pytest.yield_fixture = yield_fixture


def _raises(used):
    original = pytest.raises

    @functools.wraps(original)
    def raises(expected_exception, *args, **kwargs):
        __tracebackhide__ = True
        if "message" in kwargs:
            used("pytest")
            kwargs.pop("message")
        return original(expected_exception, *args, **kwargs)

    pytest.raises = raises


def _warns(used):
    original = pytest.warns

    @functools.wraps(original)
    def warns(*args, **kwargs):
        __tracebackhide__ = True
        if args[:1] == (None,) and len(args) == 1:
            used("pytest")
            import warnings

            return warnings.catch_warnings(record=True)
        return original(*args, **kwargs)

    pytest.warns = warns


def _funcargnames(used):
    from _pytest.fixtures import FixtureRequest

    def names(self):
        used("pytest")
        return self.fixturenames

    def cached_setup(self, setup, teardown=None, scope="module", extrakey=None):
        used("pytest")
        key = (extrakey, scope, setup)
        cache = self.session.__dict__.setdefault("_gs_cached_setup", {})
        if key not in cache:
            cache[key] = setup()
            if teardown is not None:
                self.addfinalizer(lambda: teardown(cache.pop(key)))
        return cache[key]

    for owner in (FixtureRequest, pytest.Function):
        if not hasattr(owner, "funcargnames"):
            owner.funcargnames = property(names)
    if not hasattr(FixtureRequest, "cached_setup"):
        FixtureRequest.cached_setup = cached_setup
