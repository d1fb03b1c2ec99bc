# SPDX-License-Identifier: Apache-2.0
"""Releases and repositories made to harm: nothing of them is confirmed, read
or written outside, waited for without end, or shown to a terminal as it is;
and an odd caller costs no verdict. hostile.py VERIFIER DUMP"""
import json
import os
import shutil
import struct
import subprocess
import sys

from bench_of import Bench, id_of

SHOW = 1
NOWHERE = "/nowhere/{name}"
TEXTS = ("repo unit subject granularity spec_source test_file committed_at "
         "parent_at license license_file also_in commit parent commit_url "
         "repo_url module fingerprint id language validated_at validator "
         "source_before source_after").split()


def call(bench, *args, **how):
    how.setdefault("timeout", 120)
    return subprocess.run([bench.verifier, *args], capture_output=True,
                          stdin=subprocess.DEVNULL, **how)


def verify(bench, folder, row, *options, mirror=None, **how):
    """Exit status, verdict, false claims, and all that was said."""
    try:
        out = call(bench, "--json", "--mirror", mirror or bench.mirror, "--id",
                   row["id"].split("\0")[0], *options, folder, **how)
    except subprocess.TimeoutExpired:
        return None, "it does not end", [], {}
    lines = [json.loads(line) for line in out.stdout.splitlines()]
    if len(lines) != 2:
        return out.returncode, out.stderr.decode(), [], {}
    return (out.returncode, lines[0]["verdict"],
            [c["claim"] for c in lines[0]["claims"] if not c["ok"]], lines[0])


def names_that_go_on(bench):
    """A text behind a NUL is a part of the column."""
    for column in TEXTS + ["fail_to_pass", "units_changed"]:
        rows, evidence = bench.tables()
        row = rows[SHOW]
        if isinstance(row[column], list):
            row[column] = [text + "\0more" for text in row[column]]
        else:
            row[column] += "\0more"
        folder = bench.write("nul", rows, evidence)
        status, verdict, claims, _ = verify(bench, folder, row, mirror=NOWHERE)
        bench.check(status == 1 and verdict == "refuted" and column in claims,
                    "NUL in %s: %s" % (column, claims or verdict))
        shutil.rmtree(folder)
    rows, evidence = bench.tables()
    rows[SHOW]["spec"] += "\0more"
    folder = bench.write("nul", rows, evidence)
    status, verdict, claims, _ = verify(bench, folder, rows[SHOW])
    bench.check(status == 1 and claims == ["spec"],
                "NUL in spec: %s" % (claims or verdict))


def evidence_that_does_not_fit(bench):
    rows, evidence = bench.tables()
    less = evidence[:SHOW] + evidence[SHOW + 1:]
    for what, table in (("missing", less), ("twice", evidence + [evidence[SHOW]])):
        folder = bench.write("evidence-" + what, rows, table)
        _, _, claims, _ = verify(bench, folder, rows[SHOW], mirror=NOWHERE)
        bench.check(claims == ["unique"], "evidence %s: %s" % (what, claims))


def pipes(bench):
    row = bench.rows[SHOW]
    for name, wanted in (("README.md", 1), ("SHA256SUMS", 1),
                         ("evidence.parquet", 1), ("oracles.parquet", 3)):
        folder = os.path.join(bench.temp, "pipe-" + name)
        shutil.copytree(bench.good, folder)
        os.remove(os.path.join(folder, name))
        os.mkfifo(os.path.join(folder, name))
        status, verdict, claims, _ = verify(bench, folder, row, mirror=NOWHERE)
        bench.check(status == wanted, "%s is a pipe: %s %s" %
                    (name, verdict.strip(), claims))


def large_file(bench):
    def spoil(folder, when):
        if when == "before":
            with open(os.path.join(folder, "more.bin"), "wb") as f:
                f.truncate(257 << 20)
    rows, evidence = bench.tables()
    folder = bench.write("large", rows, evidence, spoil)
    status, verdict, _, _ = verify(bench, folder, rows[SHOW], mirror=NOWHERE)
    bench.check(status == 3 and verdict == "unavailable",
                "a large file has its sum: %s" % verdict)
    shutil.rmtree(folder)


def addresses(bench):
    """Neither the address nor the name of a project leads to a local folder."""
    rows, evidence = bench.tables()
    row = rows[SHOW]
    row["repo_url"] = bench.repositories + "/example+ledger"
    row["commit_url"] = row["repo_url"] + "/commit/" + row["commit"]
    folder = bench.write("local", rows, evidence)
    out = call(bench, "--json", "--id", row["id"], folder)
    line = json.loads(out.stdout.splitlines()[0])
    bench.check(line["verdict"] == "refuted" and
                [c["claim"] for c in line["claims"] if not c["ok"]] ==
                ["repo_url"] and
                "parent_at" not in [c["claim"] for c in line["claims"]],
                "an address on this machine is not opened")
    for name in ("x/..", "../example+ledger", "a/b/c", "x", "x/\x1b[2J", "/x"):
        rows, evidence = bench.tables()
        row = rows[SHOW]
        row["repo"] = name
        row["id"] = evidence[SHOW]["id"] = id_of(row)
        folder = bench.write("name", rows, evidence)
        _, _, claims, _ = verify(
            bench, folder, row, mirror=bench.repositories + "/{owner}{name}")
        bench.check("repo" in claims and "parent_at" not in claims,
                    "project %r: %s" % (name, claims))
        shutil.rmtree(folder)
    out = call(bench, "--mirror", "", bench.good)
    bench.check(out.returncode == 2 and b"--mirror" in out.stderr,
                "an empty template is wrong usage")


def terminal(bench):
    rows, evidence = bench.tables()
    rows[SHOW]["unit"] = "\x1b]0;x\x07\x1b[2J\u202e\x9b"
    folder = bench.write("terminal", rows, evidence)
    out = call(bench, "--mirror", NOWHERE, "--id", rows[SHOW]["id"], folder)
    text = out.stdout.decode()
    bench.check(not set(text) & set("\x1b\x07\u202e\x9b") and
                "\\x1B]0;x\\x07\\x1B[2J\\u{202E}" in text,
                "nothing of a release steers the terminal")
    table = os.path.join(bench.temp, "\x1b[2J.jsonl")
    with open(table, "w") as f:
        f.write('{"id": "a", "id": "b"}\n')
    out = call(bench, table)
    bench.check(out.returncode == 3 and b"\x1b" not in out.stderr and
                b"duplicate" in out.stderr, "a name twice: %r" % out.stderr)


def odd_callers(bench):
    row = bench.rows[SHOW]
    asan = {k: v for k, v in os.environ.items() if k == "ASAN_OPTIONS"}
    bare = "umask 077; exec \"$@\" <&- 2>&-"
    out = subprocess.run(
        ["/bin/sh", "-c", bare, "sh", bench.verifier, "--json", "--mirror",
         bench.mirror, "--id", row["id"], bench.good], env=asan,
        stdout=subprocess.PIPE)
    bench.check(out.returncode == 0, "a closed umask, no environment, nothing "
                "but a standard output: %s" % out.stdout[:300])
    out = subprocess.run(
        ["/bin/sh", "-c", "exec \"$@\" >&-", "sh", bench.verifier, "--mirror",
         bench.mirror, "--id", row["id"], bench.good], stderr=subprocess.PIPE)
    bench.check(out.returncode == 3 and b"standard output is closed" in
                out.stderr, "nobody listens: %r" % out.stderr)


class Planter:
    """Commits as no git makes them: the record's, with more in tests/."""

    def __init__(self, bench):
        self.bench = bench
        self.repo = os.path.join(bench.repositories, "example+ledger")

    def git(self, *args, given=None):
        return subprocess.run(["git", "-C", self.repo, *args], input=given,
                              capture_output=True, check=True).stdout

    def put(self, kind, data):
        return self.git("hash-object", "-t", kind, "-w", "--literally",
                        "--stdin", given=data).decode().strip()

    def tree(self, entries):
        return self.put("tree", b"".join(
            mode + b" " + name + b"\0" + bytes.fromhex(oid)
            for mode, name, oid in entries))

    def entries(self, oid):
        raw, out = self.git("cat-file", "tree", oid), []
        while raw:
            head, raw = raw.split(b"\0", 1)
            mode, name = head.split(b" ", 1)
            out.append((mode, name, raw[:20].hex()))
            raw = raw[20:]
        return out

    def release(self, name, more):
        rows, evidence = self.bench.tables()
        row, beside = rows[SHOW], evidence[SHOW]
        commit = self.git("cat-file", "commit", row["commit"])
        root = commit.split(b"\n")[0].split()[1].decode()
        new = self.tree([
            (mode, path, self.tree(self.entries(oid) + more)
             if path == b"tests" else oid)
            for mode, path, oid in self.entries(root)])
        row["commit"] = self.put(
            "commit", commit.replace(root.encode(), new.encode(), 1))
        self.git("update-ref", "refs/heads/" + name, row["commit"])
        if row["commit_url"]:
            row["commit_url"] = row["repo_url"] + "/commit/" + row["commit"]
        beside["tree_before"] = beside["tree_after"] = ""
        row["id"] = beside["id"] = id_of(row)
        return self.bench.write(name, rows, evidence), row


def trees(bench):
    planter = Planter(bench)
    blob = planter.put("blob", b"x\n")
    up, here = planter.put("blob", b".."), planter.put("blob", b".")
    inner = planter.tree([(b"100644", b"planted.py", blob)])
    for _ in range(4):
        inner = planter.tree([(b"120000", b"l", up), (b"40000", b"l", inner)])
    climb = [(b"120000", b"z", here), (b"40000", b"z", inner)]
    bomb = planter.tree([(b"100644", b"f%d" % i, blob) for i in range(10)])
    for _ in range(7):
        bomb = planter.tree([(b"40000", b"d%d" % i, bomb) for i in range(10)])
    outside = os.path.join(bench.temp, "outside")
    os.mkdir(outside, 0o755)
    env = dict(os.environ, TMPDIR=outside)
    for name, more in (("climb", climb), ("bomb", [(b"40000", b"z", bomb)])):
        folder, row = planter.release(name, more)
        status, verdict, claims, line = verify(bench, folder, row, env=env)
        bench.check(status == 1 and claims == ["commit"] and
                    not os.listdir(outside), "%s: %s %s" %
                    (name, verdict, [c["saw"] for c in line.get("claims", ())
                                     if not c["ok"]]))


def varint(n):
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def thrift(*fields):
    """A compact struct of (id, value): int, bytes, or a list of structs."""
    out, last = b"", 0
    for number, value in fields:
        kind = 6 if isinstance(value, int) else 8
        body = varint(value << 1) if kind == 6 else None
        if isinstance(value, bytes):
            body = varint(len(value)) + value
        elif isinstance(value, list):
            kind, body = 9, b"\xfc" + varint(len(value)) + b"".join(value)
        elif isinstance(value, tuple):
            kind, body = 12, thrift(*value)
        out += bytes([number - last << 4 | kind]) + body
        last = number
    return out + b"\0"


def parquet(columns, rows):
    """Columns of (name, type, one value); each row holds the same values, as
    a dictionary of one and a run."""
    out, chunks = b"PAR1", []
    for _, kind, value in columns:
        start = len(out)
        run = b"\x01" + varint(rows << 1) + b"\0"
        for page, body, values in ((2, value, 1), (0, run, rows)):
            inner = (7 if page == 2 else 5, ((1, values), (2, 0)) if page == 2
                     else ((1, values), (2, 8), (3, 3), (4, 3)))
            out += thrift((1, page), (2, len(body)), (3, len(body)), inner)
            if page == 2:
                middle = len(out) + len(body)
            out += body
        chunks.append(thrift((2, start), (3, (
            (1, kind), (4, 0), (5, rows), (7, len(out) - start),
            (9, middle), (11, start)))))
    schema = [thrift((4, b"schema"), (5, len(columns)))] + [
        thrift((1, kind), (3, 0), (4, name)) for name, kind, _ in columns]
    foot = thrift((1, 1), (2, schema), (3, rows),
                  (4, [thrift((1, chunks), (2, 1), (3, rows))]))
    return out + foot + struct.pack("<I", len(foot)) + b"PAR1"


def tables(bench, dump):
    text = struct.pack("<I", 2) + b"gs"
    long = struct.pack("<I", 1 << 20) + b"x" * (1 << 20)
    path = os.path.join(bench.temp, "made.parquet")

    def read(*what):
        with open(path, "wb") as f:
            f.write(parquet(*what))
        out = subprocess.run([dump, path], capture_output=True, text=True,
                             timeout=120)
        return out.returncode, out.stdout, out.stderr

    status, said, _ = read([(b"id", 6, text)], 3)
    bench.check(status == 0 and said == '{"id":"gs"}\n' * 3,
                "a table made here is read: %r" % said)
    status, said, why = read(
        [(b"id", 6, text), (b"x", 5, struct.pack("<d", float("nan")))], 1)
    bench.check(status == 0 and '"x":null' in said, "no number: %r" % said)
    for what, columns, rows in (
            ("a column twice", [(b"id", 6, text), (b"id", 6, text)], 1),
            ("rows without end", [(b"c%d" % i, 6, text) for i in range(29)],
             4 << 20),
            ("a text again and again", [(b"id", 6, long)], 1 << 16)):
        status, said, why = read(columns, rows)
        bench.check(status == 3 and not said, "%s: %s" % (what, why.strip()))


def main():
    bench = Bench(sys.argv[1], sys.argv[2])
    try:
        tables(bench, sys.argv[2])
        for part in (names_that_go_on, evidence_that_does_not_fit, pipes,
                     large_file, addresses, terminal, odd_callers, trees):
            part(bench)
    finally:
        code = bench.close()
    sys.exit(code)


main()
