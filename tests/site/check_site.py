# SPDX-License-Identifier: Apache-2.0
"""check_site.py DIR: what must hold of every page of a site.

Links lead somewhere within it, fragments to an id; ids are unique; nothing is
loaded from elsewhere; no script or style is inline and no attribute is an
event handler; tags nest; every page has its policy, one main part and one h1.
"""
import os
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

VOID = {"meta", "link", "br", "wbr", "hr", "img", "input", "path", "rect", "circle"}
LOADS = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"),
         ("object", "data"), ("embed", "src"), ("source", "src")}
SAFE_RELS = {"canonical"}


class Page(HTMLParser):
    def __init__(self, name):
        super().__init__(convert_charrefs=True)
        self.name, self.open, self.ids = name, [], set()
        self.links, self.problems = [], []
        self.counts = {}
        self.policy = False
        self.inline = None

    def wrong(self, text):
        self.problems.append("%s:%d: %s" % (self.name, self.getpos()[0], text))

    def handle_starttag(self, tag, attrs):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        values = dict(attrs)
        if len(values) != len(attrs):
            self.wrong("<%s> has an attribute twice" % tag)
        for name, value in attrs:
            if name.startswith("on") or name == "style":
                self.wrong("<%s %s>" % (tag, name))
            if (value or "").strip().lower().startswith(("javascript:", "data:")):
                self.wrong("<%s %s=%s>" % (tag, name, value))
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = "default-src 'none'" in values["content"]
        if tag in ("style", "iframe", "object", "embed", "base"):
            self.wrong("<%s>" % tag)
        if tag == "script" and "src" not in values:
            if values.get("type") != "application/ld+json":
                self.wrong("an inline script")
        if "id" in values:
            if values["id"] in self.ids:
                self.wrong("the id %s twice" % values["id"])
            self.ids.add(values["id"])
        for name in ("href", "src"):
            url = values.get(name)
            if url is None:
                continue
            outside = bool(urlsplit(url).scheme or urlsplit(url).netloc)
            if outside and (tag, name) in LOADS and values.get("rel") not in SAFE_RELS:
                self.wrong("loads %s" % url)
            if not outside:
                self.links.append(url)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong("</%s> closes what is not open" % tag)

    def handle_data(self, data):
        for c in data:
            if (ord(c) < 32 and c not in "\n\t") or ord(c) == 127 or c in "\u202e\u202d\u2066\u2067\u2068\u200f":
                self.wrong("a raw control character %r" % c)


def main(root):
    pages = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            if not name.endswith(".html"):
                continue
            page = Page(os.path.relpath(path, root))
            with open(path, encoding="utf-8") as f:
                page.feed(f.read())
            page.close()
            if page.open:
                page.wrong("left open: %s" % page.open)
            if not page.policy:
                page.wrong("no policy")
            for tag in ("main", "h1", "title", "header", "footer"):
                if page.counts.get(tag) != 1:
                    page.wrong("%s <%s>" % (page.counts.get(tag, 0), tag))
            pages[page.name] = page
    for page in pages.values():
        for link in page.links:
            parts = urlsplit(link)
            target = page.name
            if parts.path:
                target = os.path.normpath(os.path.join(
                    os.path.dirname(page.name), unquote(parts.path)))
            if target.startswith("..") or not os.path.isfile(os.path.join(root, target)):
                page.problems.append("%s: %s leads nowhere" % (page.name, link))
            elif parts.fragment and target in pages and parts.fragment not in pages[target].ids:
                page.problems.append("%s: %s has no such place" % (page.name, link))
    problems = [line for page in pages.values() for line in page.problems]
    print("\n".join(problems[:40]))
    print("%d pages, %d problems" % (len(pages), len(problems)))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
