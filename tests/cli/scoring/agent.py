#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""An agent for the tests: reads TASK.md, mends what it knows how to mend, and
looks around for what it must not find."""
import os
import re
import socket
import sys

task = open("TASK.md", encoding="utf-8").read()
path = re.search(r"file `([^`]+)`", task)[1]
text = open(path, encoding="utf-8").read()
with open(path, "w", encoding="utf-8") as f:
    f.write(text.replace("n / 2", "n // 2").replace("FACTOR = 3", "FACTOR = 2"))

print("history:", os.path.exists(".git"))
print("answer:", "test_odd" in open("tests/test_halves.py").read(), "n // 2" in task)
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=2).close()
    print("network: yes")
except OSError:
    print("network: no")
if "messy" in sys.argv:
    with open("notes.txt", "w") as f:
        f.write("what I thought\n")
    with open("tests/test_halves.py", "w") as f:
        f.write("def test_odd(): pass\n")
    with open(path, "a", encoding="utf-8") as f:
        f.write("\n\nEXTRA = 1\n")
if "hang" in sys.argv:
    while True:
        pass
