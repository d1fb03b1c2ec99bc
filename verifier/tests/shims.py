# SPDX-License-Identifier: Apache-2.0
"""The plugin's shims do what spec/ says: the vectors that the pipeline's
shims are tested with too (O6.1 to O6.5). shims.py PYTHON"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


class Bench:
    def __init__(self, python):
        self.python = python
        with open(HERE + "/vectors/shims.json", encoding="utf-8") as f:
            self.all = json.load(f)
        self.temp = tempfile.mkdtemp(prefix="gv-shims.")
        self.tree, self.help = self.temp + "/tree", self.temp + "/help"
        with open(HERE + "/../src/help.py", encoding="utf-8") as f:
            # in the sandbox it always stands at one place
            text = f.read().replace('"/box/tree/"', repr(self.tree + "/"))
        write(self.help + "/gv_help.py", text)
        write(self.help + "/dist/my_pkg-1.5.dist-info/METADATA",
              "Metadata-Version: 2.1\nName: my-pkg\nVersion: 1.5\n")
        for path, text in self.all["tree"].items():
            write(os.path.join(self.tree, path), text)
        self.version = {"python": sys.version_info[:2]}
        said = subprocess.run([python, "-c", "import pytest, sys; print("
                               "pytest.__version__, *sys.version_info[:2])"],
                              capture_output=True, text=True, check=True)
        words = said.stdout.split()
        self.version["pytest"] = tuple(map(int, words[0].split(".")[:2]))
        self.version["python"] = tuple(map(int, words[1:]))
        self.count = self.bad = 0

    def check(self, ok, what):
        self.count += 1
        self.bad += not ok
        print("%sok %d - %s" % ("" if ok else "not ", self.count, what))

    def run(self, shims):
        """The numbers of the vectors that pass."""
        write(self.help + "/ask.json", json.dumps(
            {"shims": shims, "version": "1.5", "keys": ["strange"],
             "path": self.tree}))
        env = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8",
               "PYTHONDONTWRITEBYTECODE": "1",
               "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
               "PYTHONPATH": self.tree + ":" + self.help}
        out = subprocess.run(
            [self.python, "-m", "pytest", "-p", "no:cacheprovider", "-p",
             "gv_help", "-v", "--tb=short", "--basetemp",
             self.temp + "/tmp"], cwd=self.tree, env=env,
            capture_output=True, text=True)
        self.said = out.stdout + out.stderr
        return {int(n) for n in re.findall(r"(?m)^test_(\d+)\.py::test_a "
                                           r"PASSED", out.stdout)}

    def vectors(self, shim):
        for i, vector in enumerate(self.all["vectors"]):
            path = "%s/test_%d.py" % (self.tree, i)
            if vector["shim"] == shim:
                write(path, "def test_a(request, tmp_path):\n" + "".join(
                    "    %s\n" % line for line in vector["code"]))
                yield i, vector
            elif os.path.exists(path):
                os.remove(path)

    def is_gone(self, since):
        what, _, version = since.partition(" ")
        return version and self.version[what] >= tuple(
            map(int, version.split(".")))

    def shim(self, name):
        vectors = list(self.vectors(name))
        bare, helped = self.run([]), self.run([name])
        for i, vector in vectors:
            self.check(i in helped, "O6 %s: %s" % (name, vector["name"]))
            if i not in helped:
                print(re.sub("(?m)^", "# ", self.said))
            if not vector["gone"]:
                self.check(i in bare, "%s, without it" % vector["name"])
            elif self.is_gone(vector["gone"]):
                self.check(i not in bare,
                           "%s fails without it" % vector["name"])

    def settings(self):
        """S6: unknown keys and known markers warn of nothing, filters for
        warnings that are nowhere stop nothing, and two test files of one
        name are both collected."""
        list(self.vectors("none"))
        write(self.tree + "/pytest.ini", "[pytest]\nstrange = 1\n"
              "filterwarnings = error\n  ignore:x:nowhere.at_all.Warning\n")
        for folder in "a", "b":
            write("%s/%s/test_1.py" % (self.tree, folder),
                  "import pytest\n@pytest.mark.timeout(1)\n"
                  "@pytest.mark.filterwarnings('error::NoSuchWarning')\n"
                  "def test_a(): assert %r in __file__\n" % (folder + "/"))
        self.run([])
        self.check(" 2 passed" in self.said, "S6 what is made known")
        if " 2 passed" not in self.said:
            print(re.sub("(?m)^", "# ", self.said))


def main():
    bench = Bench(sys.argv[1] if sys.argv[1:] else "/usr/bin/python3")
    try:
        for name in ("collections", "inspect", "pytest", "stdlib",
                     "distribution"):
            bench.shim(name)
        bench.settings()
    finally:
        shutil.rmtree(bench.temp, ignore_errors=True)
    print("1..%d" % bench.count)
    sys.exit(bench.bad != 0)


main()
