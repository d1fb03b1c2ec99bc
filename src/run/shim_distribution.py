# SPDX-License-Identifier: Apache-2.0
"""What an installation of the project itself would have left: a minimal
distribution record, which importlib.metadata.version("pkg") and pkg_resources
find, and the version module that build tools write into the package
(setuptools_scm, hatch-vcs), where the tree has none: O6.5."""
import os
import re
import sys
import types


def _normal(name):
    return re.sub(r"[-_.]+", "-", name or "").lower()


class _Finder:
    def __init__(self, folder, name, used):
        self.folder, self.name, self.used = folder, _normal(name), used

    def find_spec(self, name, path=None, target=None):
        if name == "pkg_resources":
            self.used("distribution")
        return None

    def find_distributions(self, context=None):
        asked = getattr(context, "name", None)
        if asked is None or _normal(asked) != self.name:
            return []
        self.used("distribution")
        from importlib.metadata import DistributionFinder, MetadataPathFinder

        context = DistributionFinder.Context(name=asked, path=[self.folder])
        return MetadataPathFinder.find_distributions(context)


class _VersionFinder:
    """Asked last, so only for a module that is nowhere: `_version` in a
    package of the tree."""

    def __init__(self, folder, used):
        self.folder, self.used = folder, used

    def find_spec(self, name, path=None, target=None):
        parent, _, last = name.rpartition(".")
        if last not in ("_version", "version") or not parent or not path:
            return None
        here = os.getcwd() + os.sep
        if not any(os.path.abspath(p).startswith(here) for p in path):
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self)

    def create_module(self, spec):
        self.used("distribution")
        module = types.ModuleType(spec.name)
        version = self._version()
        parts = tuple(
            int(part) if part.isdigit() else part for part in version.split(".")
        )
        module.version = module.__version__ = version
        module.version_tuple = module.__version_tuple__ = parts
        return module

    def exec_module(self, module):
        pass

    def _version(self):
        for entry in os.listdir(self.folder):
            with open(os.path.join(self.folder, entry, "METADATA")) as stream:
                for line in stream:
                    if line.startswith("Version: "):
                        return line[len("Version: "):].strip()
        return "0"


def install(used, folder, name):
    sys.path.append(folder)
    sys.meta_path.insert(0, _Finder(folder, name, used))
    sys.meta_path.append(_VersionFinder(folder, used))
