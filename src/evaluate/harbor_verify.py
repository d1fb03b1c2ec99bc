# SPDX-License-Identifier: Apache-2.0
"""Grades what an agent left in /testbed and writes Harbor's reward files.

The answer is the record's own function or file, nothing else: it is put into
a pristine tree that came with the tests, so that whatever the agent did to
tests, configuration or other sources is not there. Two planted tests, one
that must fail and one that must pass, stand among the record's. This runs in
the agent's container: `goldset score` is the stricter judge.
"""

import ast
import importlib.util
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TESTBED = os.environ.get("GOLDSET_TESTBED", "/testbed")
LOGS = os.environ.get("GOLDSET_LOGS", "/logs/verifier")

PLUGIN = """
import json
import os

OUT = os.environ.pop("GOLDSET_OUT")
SEEN = {}


def pytest_runtest_logreport(report):
    SEEN.setdefault(report.nodeid, []).append(
        (report.when, report.outcome, hasattr(report, "wasxfail")))


def pytest_sessionfinish(exitstatus):
    with open(OUT, "w") as out:
        json.dump({"exit": int(exitstatus), "seen": SEEN}, out)
"""

PASSED = [["setup", "passed", False], ["call", "passed", False],
          ["teardown", "passed", False]]


def units(body, prefix=""):
    """Functions with their qualified names, as records name them."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from units(node.body, prefix + node.name + ".")
        else:
            for part in ("body", "handlers", "orelse", "finalbody"):
                yield from units(getattr(node, part, []), prefix)


def take_function(task, answer):
    found = [node for name, node in units(ast.parse(answer).body)
             if name == task["unit"]]
    node = found[task["ordinal"]]
    first = min([node.lineno] + [d.lineno for d in node.decorator_list])
    lines = answer.split(b"\n")[first - 1:node.end_lineno]
    return b"\n".join(lines) + b"\n"


def read_answer(task):
    path = os.path.join(TESTBED, task["source_path"])
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
        answer = file.read()
    if task["granularity"] != "function":
        return answer
    with open(os.path.join(HERE, "tree", task["source_path"]), "rb") as file:
        before = file.read()
    return (before[:task["unit_start"]] + take_function(task, answer)
            + before[task["unit_end"]:])


def plant(task, tree):
    """Two tests at the end of the first flipping test's file."""
    file = task["fail_to_pass"][0].split("::")[0]
    token = secrets.token_hex(6)
    with open(os.path.join(tree, file), "a") as out:
        out.write("\n\ndef test_%s_a():\n    assert 2 + 2 == 5\n" % token)
        out.write("\n\ndef test_%s_b():\n    assert 2 + 2 == 4\n" % token)
    return ["%s::test_%s_%s" % (file, token, end) for end in "ab"]


def pytest_of_task():
    """Records that were proved with shims come with a pytest that has them."""
    own = os.path.join(HERE, "shims", "pytest_with_shims.py")
    return [own] if os.path.exists(own) else ["-m", "pytest"]


def run(task, work, tree):
    out = os.path.join(work, secrets.token_hex(8))
    with open(os.path.join(work, "goldset_results.py"), "w") as file:
        file.write(PLUGIN)
    roots = [os.path.join(tree, root) for root in task["import_roots"]]
    env = {"PATH": os.environ["PATH"], "HOME": work, "TZ": "UTC",
           "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "0",
           "PYTHONDONTWRITEBYTECODE": "1", "GOLDSET_OUT": out,
           "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
           "PYTHONPATH": os.pathsep.join(roots + [work])}
    command = [sys.executable] + pytest_of_task() + [
               "-q", "-p", "no:cacheprovider",
               "-p", "no:unraisableexception",
               "-p", "goldset_results", "-o", "addopts=",
               "-o", "required_plugins="]
    for plugin in task["plugins"]:
        if importlib.util.find_spec(plugin.split(".")[0]):
            command += ["-p", plugin]
    done = subprocess.run(command + task["test_files"], cwd=tree, env=env,
                          stdin=subprocess.DEVNULL, timeout=task["timeout"])
    with open(out) as file:
        result = json.load(file)
    if result["exit"] != done.returncode or done.returncode != 1:
        raise ValueError("the run ended with %d" % done.returncode)
    return result["seen"]


def grade(task):
    with tempfile.TemporaryDirectory() as work:
        tree = os.path.join(work, "tree")
        answer = read_answer(task)
        shutil.copytree(os.path.join(HERE, "tree"), tree, symlinks=True)
        with open(os.path.join(tree, task["source_path"]), "wb") as file:
            file.write(answer)
        must_fail, must_pass = plant(task, tree)
        seen = run(task, work, tree)
    passed = [name for name, phases in seen.items() if phases == PASSED]
    told_truth = must_pass in passed and ["call", "failed", False] in seen.get(
        must_fail, [])
    f2p = sum(name in passed for name in task["fail_to_pass"])
    p2p = sum(name in passed for name in task["pass_to_pass"])
    return told_truth, f2p, p2p


def main():
    with open(os.path.join(HERE, "task.json")) as file:
        task = json.load(file)
    told_truth, f2p, p2p = False, 0, 0
    try:
        told_truth, f2p, p2p = grade(task)
    except Exception as error:  # whatever it is, it is no reward
        print("goldset: no reward: %r" % error, file=sys.stderr)
    totals = len(task["fail_to_pass"]), len(task["pass_to_pass"])
    resolved = int(told_truth and (f2p, p2p) == totals)
    os.makedirs(LOGS, exist_ok=True)
    with open(os.path.join(LOGS, "reward.json"), "w") as file:
        json.dump({"reward": resolved, "f2p_passed": f2p,
                   "f2p_total": totals[0], "p2p_passed": p2p,
                   "p2p_total": totals[1]}, file)
    with open(os.path.join(LOGS, "reward.txt"), "w") as file:
        file.write("%d\n" % resolved)


main()
