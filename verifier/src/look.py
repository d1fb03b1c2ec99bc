# SPDX-License-Identifier: Apache-2.0
"""What Python's own parser sees in files: run inside the sandbox.

Reads /box/out/ask.json, a list of file names, and writes to
/box/out/seen.json one object for each: its units with their bytes, the names
that it defines, and whether it parses at all.
"""
import ast
import inspect
import io
import json
import re
import tokenize
import warnings

DEFS = (ast.FunctionDef, ast.AsyncFunctionDef)


def decode(data):
    """The text of a source file, and the codec that its bytes are in."""
    codec, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(codec), codec


class Lines:
    """Byte offsets of the lines that the parser counts."""

    def __init__(self, data):
        self.data = data
        self.starts = [0] + [m.end() for m in re.finditer(b"\r\n|\r|\n", data)]

    def start(self, number):
        at = self.starts[number - 1]
        if at == 0 and self.data.startswith(b"\xef\xbb\xbf"):
            return 3
        return at

    def end(self, number):
        if number < len(self.starts):
            return self.starts[number]
        return len(self.data)


def first_line(node):
    return min([node.lineno] + [d.lineno for d in node.decorator_list])


def docstring(node):
    if not node.body or not isinstance(node.body[0], ast.Expr):
        return None
    value = node.body[0].value
    if not isinstance(value, ast.Constant) or not isinstance(value.value, str):
        return None
    return inspect.cleandoc(value.value)


def unit(node, name, lines, nested):
    try:
        doc = docstring(node)
        doc = doc if doc is None else doc.encode("utf-8").decode("utf-8")
    except UnicodeError:
        doc = None
    return {
        "name": name,
        "class": isinstance(node, ast.ClassDef),
        "nested": nested,
        "start": lines.start(first_line(node)),
        "end": lines.end(node.end_lineno),
        "doc": doc,
    }


def statements(node):
    """Statements of a block and of the blocks in it, definitions apart."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, field, []) or []:
            yield child
            if not isinstance(child, DEFS + (ast.ClassDef,)):
                yield from statements(child)


def units(node, lines, prefix="", nested=False):
    for child in statements(node):
        if isinstance(child, DEFS + (ast.ClassDef,)):
            yield unit(child, prefix + child.name, lines, nested)
        if isinstance(child, ast.ClassDef):
            yield from units(child, lines, prefix + child.name + ".", nested)
        elif isinstance(child, DEFS):
            yield from units(child, lines, prefix + child.name + ".<locals>.",
                             True)


ASSIGNED = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.NamedExpr)


def bound(statement):
    """What one assignment binds, as (name, is it an attribute)."""
    todo = list(getattr(statement, "targets", None) or [statement.target])
    while todo:
        target = todo.pop()
        if isinstance(target, ast.Name):
            yield target.id, False
        elif isinstance(target, ast.Attribute):
            yield target.attr, True
        elif isinstance(target, ast.Starred):
            todo.append(target.value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            todo += target.elts


def parameters(args):
    every = args.posonlyargs + args.args + args.kwonlyargs
    every += [a for a in (args.vararg, args.kwarg) if a]
    return {a.arg for a in every} - {"self", "cls"}


def defined(tree):
    """Names that a file defines: O4's list. What is bound within a function
    is out of a test's reach, attributes apart."""
    names = set()
    todo = [(tree, False)]
    while todo:
        parent, local = todo.pop()
        for node in ast.iter_child_nodes(parent):
            inside = local
            if isinstance(node, DEFS + (ast.ClassDef,)) and not local:
                names.add(node.name)
            if isinstance(node, DEFS):
                if not local:
                    names |= parameters(node.args)
                inside = True
            if isinstance(node, ASSIGNED):
                names.update(name for name, attribute in bound(node)
                             if attribute or not local)
            todo.append((node, inside))
    return sorted(names)


def look(path):
    with open(path, "rb") as f:
        data = f.read()
    try:
        text, codec = decode(data)
        tree = ast.parse(data)
    except (SyntaxError, ValueError, LookupError, RecursionError, MemoryError):
        return {"parses": False, "codec": "utf-8", "units": [], "names": []}
    lines = Lines(data)
    return {
        "parses": True,
        "codec": codec,
        "text": text.lstrip("\ufeff") if codec == "utf-8-sig" else text,
        "units": sorted(units(tree, lines), key=lambda u: u["start"]),
        "names": defined(tree),
    }


def main():
    warnings.simplefilter("ignore")
    with open("/box/out/ask.json") as f:
        files = json.load(f)
    seen = []
    for path in files:
        one = look("/box/out/" + path)
        with open("/box/out/" + path, "rb") as f:
            data = f.read()
        for u in one["units"]:
            u["text"] = data[u["start"]:u["end"]].decode(one["codec"], "replace")
        seen.append(one)
    with open("/box/out/seen.json", "w") as f:
        json.dump(seen, f)


main()
