# SPDX-License-Identifier: Apache-2.0
"""What the tests of the program share: a known-good release, copies of it
with something changed, and the verifier run over them."""
import copy
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TEXTS = ("repo commit parent module unit granularity fingerprint").split()


def normalise(text):
    """I1, once more."""
    text = text.encode()
    if text.startswith(b"\xef\xbb\xbf"):
        text = text[3:]
    lines = [line.rstrip(b" \t")
             for line in text.replace(b"\r\n", b"\n").split(b"\n")]
    lines = [line for line in lines
             if line and not line.lstrip(b" \t").startswith(b"#")]
    indent = os.path.commonprefix(
        [line[:len(line) - len(line.lstrip(b" \t"))] for line in lines])
    return b"".join(line[len(indent):] + b"\n" for line in lines)


def print_of(row):
    return hashlib.sha256(normalise(row["source_before"]) + b"\0" +
                          normalise(row["source_after"])).hexdigest()


def id_of(row):
    joined = "\n".join(row[name] for name in TEXTS).encode()
    return "gs-" + hashlib.sha256(joined).hexdigest()[:16]


class Bench:
    def __init__(self, verifier, dump):
        self.verifier = verifier
        self.temp = tempfile.mkdtemp(prefix="gv-test.")
        os.chmod(self.temp, 0o755)
        self.repositories = os.path.join(self.temp, "repositories")
        subprocess.run([os.path.join(HERE, "make-repositories"),
                        self.repositories], check=True)
        self.mirror = self.repositories + "/{owner}+{name}"
        self.good = os.path.join(HERE, "good")
        self.rows = self.table(dump, "oracles")
        self.evidence = self.table(dump, "evidence")
        for row in self.evidence:
            # on another machine a defect must still be told from a lack
            for name in ("interpreter", "pytest", "distributions"):
                row[name] = ""
        self.count = self.bad = 0

    def table(self, dump, name):
        path = os.path.join(self.good, name + ".parquet")
        out = subprocess.run([dump, path], check=True, capture_output=True)
        return [json.loads(line) for line in out.stdout.splitlines()]

    def close(self):
        shutil.rmtree(self.temp, ignore_errors=True)
        print("1..%d" % self.count)
        return self.bad != 0

    def check(self, ok, what):
        self.count += 1
        self.bad += not ok
        print("%sok %d - %s" % ("" if ok else "not ", self.count, what),
              flush=True)

    def tables(self):
        return copy.deepcopy(self.rows), copy.deepcopy(self.evidence)

    def write(self, name, rows, evidence, spoil=None):
        """A release of these tables, whole and consistent, then spoilt."""
        folder = os.path.join(self.temp, name)
        shutil.copytree(self.good, folder)
        for stem, table in (("oracles", rows), ("evidence", evidence)):
            os.remove(os.path.join(folder, stem + ".parquet"))
            with open(os.path.join(folder, stem + ".jsonl"), "w") as f:
                f.writelines(json.dumps(row) + "\n" for row in table)
        card(os.path.join(folder, "README.md"), rows)
        if spoil:
            spoil(folder, "before")
        sums(folder)
        if spoil:
            spoil(folder, "after")
        return folder

    def run(self, release, *options, env=None, mirror=None):
        """Exit status, the results, the summary."""
        out = subprocess.run(
            [self.verifier, "--json", "--mirror", mirror or self.mirror,
             *options, release], capture_output=True, text=True, env=env)
        lines = [json.loads(line) for line in out.stdout.splitlines()]
        sys.stderr.write(out.stderr)
        summary = lines.pop()["summary"] if lines else None
        return out.returncode, lines, summary


def card(path, rows):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    functions = sum(row["granularity"] == "function" for row in rows)
    size = 0
    for name in rows[0]:
        cells = [row[name] for row in rows]
        if any(isinstance(cell, int) for cell in cells):
            size += 8 * len(rows)
            continue
        size += 4 * (len(rows) + 1)
        for cell in cells:
            if isinstance(cell, list):
                size += sum(4 + len(one.encode()) for one in cell)
            elif cell is not None:
                size += len(cell.encode())
        if any(isinstance(cell, list) for cell in cells):
            size += 4
    licences = {}
    for row in rows:
        licences[row["license"]] = licences.get(row["license"], 0) + 1
    table = "".join("| %s | %d |\n" % one for one in sorted(licences.items()))
    for pattern, new in (
            (r"num_bytes: \d+", "num_bytes: %d" % size),
            (r"dataset_size: \d+", "dataset_size: %d" % size),
            (r"\d+ isolate a single", "%d isolate a single" % functions),
            (r"\d+ keep the whole", "%d keep the whole" % (len(rows) - functions)),
            (r"(?<=\|---\|---\|\n)(\| [A-Z0-9][^|\n]*\| \d+ \|\n)+", table)):
        text, n = re.subn(pattern, new, text)
        assert n == 1, pattern
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def sums(folder):
    lines = []
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            if name != "SHA256SUMS":
                with open(path, "rb") as f:
                    digest = hashlib.sha256(f.read()).hexdigest()
                lines.append("%s  %s\n" % (digest, os.path.relpath(path, folder)))
    with open(os.path.join(folder, "SHA256SUMS"), "w") as f:
        f.writelines(sorted(lines, key=lambda line: line[66:]))
