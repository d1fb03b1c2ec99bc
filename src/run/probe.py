# SPDX-License-Identifier: Apache-2.0
"""What an interpreter is and has installed, as JSON: run by goldset outside the
box as `python -I -c …`, once an environment. Of a virtual environment, whose
packages are strangers' code, nothing may run here: then it is called with -S,
which leaves the .pth files alone, and everything is read as files."""
import json
import os
import sys


def add_site_folders():
    """What site would have put on the path, without its .pth files."""
    import site

    venv = os.path.dirname(os.path.dirname(os.path.abspath(sys.executable)))
    sys.path.append(
        os.path.join(venv, "lib", "python%d.%d" % sys.version_info[:2], "site-packages")
    )
    sys.path.extend(site.getsitepackages([sys.base_prefix]))
    return venv


def version_of(versions, name):
    for known, version in versions.items():
        if known.lower() == name:
            return version
    return None


def distributions():
    try:
        from importlib.metadata import distributions as found
    except ImportError:  # before 3.8
        return {}, []
    versions, plugins = {}, set()
    for record in found():
        try:
            name, version = record.metadata["Name"], record.version
            text = record.read_text("entry_points.txt") or ""
        except Exception:  # a broken record is none
            continue
        if not name or not version or name in versions:
            continue
        versions[name] = version
        inside = False
        for line in text.splitlines():
            if line.strip().startswith("["):
                inside = line.strip() == "[pytest11]"
            elif inside and "=" in line:
                plugins.add(line.split("=", 1)[1].split("[")[0].split(":")[0].strip())
    return versions, sorted(plugins)


def main():
    prefix = add_site_folders() if sys.flags.no_site else sys.prefix
    versions, plugins = distributions()
    pytest_version = version_of(versions, "pytest")
    if not sys.flags.no_site:
        try:
            import pytest

            pytest_version = pytest.__version__
        except Exception as error:
            pytest_version = None
            sys.stderr.write("%s: %s\n" % (type(error).__name__, error))
    print(
        json.dumps(
            {
                "version": "%d.%d.%d" % sys.version_info[:3],
                "executable": sys.executable,
                "prefix": prefix,
                "base_prefix": sys.base_prefix,
                "path": [entry for entry in sys.path if entry],
                "pytest": pytest_version,
                "distributions": versions,
                "plugins": plugins,
            },
            sort_keys=True,
        )
    )


main()
