# SPDX-License-Identifier: Apache-2.0
"""Trouble with the machine or with a repository is `infra` or `unavailable`:
never refuted, never confirmed (V1). infra.py VERIFIER DUMP"""
import os
import shutil
import signal
import subprocess
import sys
import time

from bench_of import Bench


def only(verdict):
    return {name: int(name == verdict)
            for name in ("confirmed", "refuted", "unavailable", "infra")}


def trouble(bench, what, verdict, *options, env=None, mirror=None):
    status, results, summary = bench.run(
        bench.good, "--id", bench.rows[0]["id"], *options, env=env,
        mirror=mirror)
    bench.check(status == 3 and summary == only(verdict) and
                results[0].get("why"),
                "%s: %s" % (what, results and results[0].get("why")))


def no_sandbox(bench):
    empty = os.path.join(bench.temp, "empty")
    os.mkdir(empty)
    trouble(bench, "no bwrap", "infra", "--python", "/usr/bin/python3",
            env={"PATH": empty})
    broken = os.path.join(bench.temp, "broken")
    os.mkdir(broken)
    with open(os.path.join(broken, "bwrap"), "w") as f:
        f.write("#!/bin/sh\necho 'bwrap: No permissions to create new "
                "namespace' >&2\nexit 1\n")
    os.chmod(os.path.join(broken, "bwrap"), 0o755)
    trouble(bench, "no namespaces", "infra", "--python", "/usr/bin/python3",
            env={"PATH": broken})


def no_interpreter(bench):
    trouble(bench, "no interpreter", "infra", "--python", "/bin/false")


def no_time(bench):
    """Tests that do not end in time say nothing."""
    slow = os.path.join(bench.temp, "slow")
    os.mkdir(slow)
    with open(os.path.join(slow, "bwrap"), "w") as f:
        f.write("#!/bin/sh\ncase \"$*\" in *pytest*) sleep 2;; esac\n"
                "exec %s \"$@\"\n" % shutil.which("bwrap"))
    os.chmod(os.path.join(slow, "bwrap"), 0o755)
    trouble(bench, "no time", "infra", "--timeout", "1",
            env=dict(os.environ, PATH=slow + ":" + os.environ["PATH"]))


def commit_gone(bench):
    lost = os.path.join(bench.temp, "lost", "example+ledger")
    os.makedirs(lost)
    subprocess.run(["git", "init", "-q", "--bare", lost], check=True)
    trouble(bench, "commit gone", "unavailable",
            mirror=os.path.dirname(lost) + "/{owner}+{name}")
    trouble(bench, "repository gone", "unavailable", mirror="/nowhere/{name}")
    trouble(bench, "no mirror over the network", "unavailable",
            mirror="file:///nowhere/{name}")


def bare_mirror(bench):
    """A mirror with neither configuration nor owner, with objects only."""
    kept = os.path.join(bench.temp, "kept", "example+ledger")
    os.makedirs(os.path.dirname(kept))
    subprocess.run(["git", "clone", "-q", "--bare",
                    bench.repositories + "/example+ledger", kept], check=True)
    os.remove(os.path.join(kept, "config"))
    status, _, summary = bench.run(
        bench.good, "--id", bench.rows[0]["id"],
        mirror=os.path.dirname(kept) + "/{owner}+{name}")
    bench.check(status == 0, "a bare mirror without configuration: %s" % summary)
    status, _, summary = bench.run(
        bench.good, "--id", bench.rows[0]["id"],
        mirror="file://" + bench.repositories + "/{owner}+{name}")
    bench.check(status == 0, "a clone by URL: %s" % summary)


def no_space(bench):
    small = os.path.join(bench.temp, "small")
    os.mkdir(small)
    if os.geteuid() != 0 or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small],
            capture_output=True).returncode:
        bench.check(True, "disk full # SKIP needs to mount a file system")
        return
    try:
        trouble(bench, "disk full", "infra",
                env=dict(os.environ, TMPDIR=small))
    finally:
        subprocess.run(["umount", small], check=True)


def no_release(bench):
    cut = os.path.join(bench.temp, "cut")
    shutil.copytree(bench.good, cut)
    path = os.path.join(cut, "oracles.parquet")
    with open(path, "rb") as f:
        data = f.read()
    with open(path, "wb") as f:
        f.write(data[:5000])
    for what, args, code in (("cut Parquet", [cut], 3),
                             ("no such release", ["/nowhere"], 3),
                             ("nowhere to put the page",
                              [bench.good, "--html", "/nowhere/page"], 3),
                             ("no release named", [], 2),
                             ("a wrong option", ["--wrong", cut], 2),
                             ("a wrong number", ["--sample", "x", cut], 2)):
        out = subprocess.run([bench.verifier, *args], capture_output=True,
                             text=True)
        bench.check(out.returncode == code and out.stderr and not out.stdout,
                    "%s: %s" % (what, out.stderr.splitlines()[0]))


def heed_signals():
    """Who runs this in the background may have had them ignored."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP,
                   signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


def nothing_left(bench):
    here = os.path.join(bench.temp, "tmp")
    os.mkdir(here)
    os.chmod(here, 0o755)
    bench.run(bench.good, "--id", bench.rows[0]["id"],
              env=dict(os.environ, TMPDIR=here))
    bench.check(not os.listdir(here), "nothing is left behind")
    for what, code in ((signal.SIGINT, 130), (signal.SIGTERM, 130),
                       (signal.SIGHUP, 130), (signal.SIGQUIT, 130),
                       ("nobody reads on", 3)):
        run = subprocess.Popen(
            [bench.verifier, "--json", "--all", "-j2", "--mirror",
             bench.mirror, bench.good], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=dict(os.environ, TMPDIR=here),
            preexec_fn=heed_signals)
        if code == 130:
            while not os.listdir(here):
                time.sleep(0.05)
            # its workers have begun once they hold a lock
            while not any(name.endswith(".lock") for folder in os.listdir(here)
                          for name in os.listdir(os.path.join(here, folder))):
                time.sleep(0.05)
            run.send_signal(what)
        run.stdout.close()
        said = run.stderr.read()
        bench.check(run.wait() == code and not os.listdir(here),
                    "%s: %r, and nothing is left behind" % (what, said[-60:]))


def main():
    bench = Bench(sys.argv[1], sys.argv[2])
    try:
        for part in (no_release, no_sandbox, no_interpreter, commit_gone,
                     no_space, no_time, bare_mirror, nothing_left):
            part(bench)
    finally:
        code = bench.close()
    sys.exit(code)


main()
