# SPDX-License-Identifier: Apache-2.0
"""What a file defines (O4): look.py against sources and their names."""
import ast
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

CASES = [
    ("import os\nfrom a import b\n", ""),  # imports define nothing
    ("A = b.c = 1\nD, (E, *F) = x\n", "A D E F c"),
    ("class K(Base):\n    field: int\n    def m(self, p, *a, q=1, **kw):\n"
     "        local = self.attr = 2\n        self.n += 1\n",
     "K a attr field kw m n p q"),
    ("def f():\n    def inner(z): pass\n    inner.hung, here = 1, 2\n"
     "    class L:\n        x = 1\n", "f hung"),
    ("async def g(t: int = 0): pass\n", "g t"),
    ("for i in x:\n    y[i] = 1\nwith a as b: pass\n", ""),
    ("if (n := 10) > 5: m = 1\n", "m n"),
]


def main():
    with open(HERE + "/../src/look.py", encoding="utf-8") as f:
        text = f.read()
    space = {"__name__": "look"}
    exec(compile(text[:text.rindex("\nmain()")], "look.py", "exec"), space)
    bad = 0
    for number, (source, wanted) in enumerate(CASES, 1):
        names = " ".join(space["defined"](ast.parse(source)))
        bad += names != wanted
        print("%sok %d - names: %s" % ("not " if names != wanted else "",
                                       number, names or "none"))
    print("1..%d" % len(CASES))
    return bad > 0


sys.exit(main())
