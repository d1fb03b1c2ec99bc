# SPDX-License-Identifier: Apache-2.0
"""The program alone, in another place: with the pipeline gone, on another
day's clock and with another hash seed, the same release is confirmed. Run
twice, it says the same. elsewhere.py VERIFIER DUMP"""
import glob
import json
import os
import shutil
import subprocess
import sys

from bench_of import Bench


def alone(bench):
    """A folder with this one program, and a PATH without the other."""
    place = os.path.join(bench.temp, "place")
    tools = os.path.join(place, "tools")
    os.makedirs(tools)
    program = shutil.copy(bench.verifier, place)
    for tool in ("bwrap",):
        os.symlink(shutil.which(tool), os.path.join(tools, tool))
    release = shutil.copytree(bench.good, os.path.join(place, "release"))
    bench.check(not shutil.which("goldset", path=tools),
                "the pipeline is not there")
    return place, program, tools, release


def run(bench, there, *options, **env):
    place, program, tools, release = there
    out = subprocess.run(
        [program, "--json", "--all", "-j2", "--python", "/usr/bin/python3",
         "--mirror", bench.mirror, *options, release], cwd=place,
        env=dict({"PATH": tools, "TMPDIR": bench.temp}, **env),
        capture_output=True, text=True)
    sys.stderr.write(out.stderr)
    return out.returncode, out.stdout.splitlines()


def main():
    bench = Bench(sys.argv[1], sys.argv[2])
    try:
        there = alone(bench)
        first = run(bench, there)
        bench.check(first[0] == 0, "confirmed: %s" % first[1][-1:])
        moved = ["--hash-seed", "1234"]
        if glob.glob("/usr/lib/*/faketime/libfaketime.so.1"):
            moved += ["--days-ahead", "400"]
        else:
            bench.check(True, "clock # SKIP libfaketime is not installed")
        second = run(bench, there, *moved, PYTHONHASHSEED="99")
        bench.check(second[0] == 0, "confirmed with %s: %s" %
                    (" ".join(moved), second[1][-1:]))
        bench.check(first == second, "both say the same")
        bench.check(json.loads(first[1][-1])["summary"]["confirmed"] ==
                    len(bench.rows), "of all records")
    finally:
        code = bench.close()
    sys.exit(code)


main()
