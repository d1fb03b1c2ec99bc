# SPDX-License-Identifier: Apache-2.0
"""pytest with the names put back that this record's tests were seen with:

    python pytest_with_shims.py [WHAT PYTEST TAKES]

They have gone with later versions of Python and pytest, and the record was
proved with them there. shims.json, beside this file, says which.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def install(name, project):
    sys.path.insert(0, HERE)
    shim = __import__("goldset_shim_" + name)
    sys.path.remove(HERE)
    arguments = [lambda name: None]
    if name == "distribution":
        arguments += [os.path.join(HERE, "dist"), project]
    shim.install(*arguments)
    return shim


def main():
    with open(os.path.join(HERE, "shims.json")) as file:
        wanted = json.load(file)
    sys.path[0] = os.getcwd()  # as `python -m pytest` has it
    for name in wanted["shims"]:
        if name != "pytest":
            install(name, wanted["project"])
    import pytest

    sys.argv[0] = os.path.join(os.path.dirname(pytest.__file__), "__main__.py")
    plugins = []
    if "pytest" in wanted["shims"]:
        plugins.append(install("pytest", None).config_keeper)
    sys.exit(int(pytest.main(sys.argv[1:], plugins=plugins)))


if __name__ == "__main__":
    main()
