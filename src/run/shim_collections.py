# SPDX-License-Identifier: Apache-2.0
"""collections.Mapping and friends, which moved to collections.abc (3.10): O6.1."""
import collections
import collections.abc

NAMES = (
    "Awaitable Coroutine AsyncIterable AsyncIterator AsyncGenerator Hashable "
    "Iterable Iterator Generator Reversible Sized Container Callable Collection "
    "Set MutableSet Mapping MutableMapping MappingView KeysView ItemsView "
    "ValuesView Sequence MutableSequence ByteString"
).split()


def install(used):
    if hasattr(collections, "Mapping"):
        return

    def missing(name):
        if name in NAMES and hasattr(collections.abc, name):
            used("collections")
            return getattr(collections.abc, name)
        raise AttributeError("module 'collections' has no attribute '%s'" % name)

    collections.__getattr__ = missing
