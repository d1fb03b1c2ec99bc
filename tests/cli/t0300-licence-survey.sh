#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# L2, L3: what is installed here with a known licence. Not one text may be
# taken for an accepted licence that it is not; what is missed is printed.
#
# Expected ids come from others: the "license" field of npm packages, the
# spdx-id of licensee's templates (ruby-licensee) and the names in
# /usr/share/common-licenses; the SPDX texts are their own.
survey=${GS_BUILD:-$(dirname "$0")/../../build}/tests/licence_survey
if ! test -x "$survey"; then
	echo "1..0 # SKIP licence_survey is not built"
	exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
here=$(cd "$(dirname "$0")/../.." && pwd)

# A package whose text is not what its metadata says is no test of texts:
# npmcli/redact declares ISC and ships MIT (in mining: "licence conflict").
python3 - "$here/node_modules" /usr/lib/node_modules /usr/share/nodejs \
	>"$work/npm" <<'EOF'
import json, os, re, sys
seen = set()
for root in sys.argv[1:]:
    for folder, _, files in sorted(os.walk(root)):
        if "package.json" not in files or folder.endswith("npmcli/redact"):
            continue
        try:
            with open(folder + "/package.json", encoding="utf-8") as f:
                licence = json.load(f).get("license")
        except (ValueError, OSError, AttributeError):
            continue
        if not isinstance(licence, str):
            continue
        for name in files:
            if not re.match(r"(licen[sc]e|copying)(\.(txt|md))?$", name, re.I):
                continue
            path = os.path.realpath(os.path.join(folder, name))
            if path not in seen:
                seen.add(path)
                print(licence.strip("()").replace(" OR ", "|"), path, sep="\t")
EOF

: >"$work/templates"
for text in /usr/share/rubygems-integration/all/gems/licensee-*/vendor/choosealicense.com/_licenses/*.txt; do
	test -f "$text" || continue
	id=$(sed -n 's/^spdx-id: *//p' "$text" | head -n 1)
	body=$work/$(basename "$text")
	awk 'seen >= 2 { print } /^---$/ { seen++ }' "$text" >"$body"
	printf '%s\t%s\n' "$id" "$body" >>"$work/templates"
done

# Every SPDX text, as it is and disguised (wrapped anew, in a comment, under a
# holder's notice, all in capitals): only ours may be taken for ours. Old ids
# of one text stand together.
python3 - "$here/node_modules/spdx-license-list/spdx-full.json" "$work" \
	>"$work/spdx" <<'EOF'
import json, os, sys, textwrap
with open(sys.argv[1], encoding="utf-8") as f:
    texts = json.load(f)
same = {"BSD-2-Clause-FreeBSD": "BSD-2-Clause-Views",
        "BSD-2-Clause-NetBSD": "BSD-2-Clause"}
for licence, entry in sorted(texts.items()):
    text = entry["licenseText"]
    wrapped = "\n\n".join(textwrap.fill(p, 61) for p in text.split("\n\n"))
    variants = {
        "plain": text,
        "wrapped": wrapped,
        "comment": "\n".join("# " + line for line in wrapped.split("\n")),
        "notice": "Copyright (c) 2019 Jane Roe <j@example.org>\n\n" + text,
        "upper": text.upper(),
    }
    for name, variant in variants.items():
        path = os.path.join(sys.argv[2], licence + "." + name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(variant)
        print(same.get(licence, licence), path, sep="\t")
EOF

: >"$work/common"
for text in /usr/share/common-licenses/*; do
	test -f "$text" || continue
	id=$(basename "$text")
	test "$id" = BSD && id=BSD-3-Clause
	printf '%s\t%s\n' "$id" "$text" >>"$work/common"
done

n=0
echo 1..4
for list in npm templates spdx common; do
	n=$((n + 1))
	if ! test -s "$work/$list"; then
		echo "ok $n - $list # SKIP nothing of it is installed"
		continue
	fi
	if "$survey" <"$work/$list"; then
		echo "ok $n - $list: precision is 1"
	else
		echo "not ok $n - $list: a text was taken for what it is not"
	fi
done
