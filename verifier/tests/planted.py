# SPDX-License-Identifier: Apache-2.0
"""A verifier that agrees with everything fails here: planted defects, each
of which must be refuted with exactly the right claims, and a clean release,
of which nothing may be (V1, V2). planted.py VERIFIER DUMP [NAME...]"""
import os
import shutil
import sys

from bench_of import Bench, id_of, print_of

BALANCE, SHOW, CLIP, SIGN, RATES, FIRST, OLD = range(7)
DEFECTS = []


def defect(index, *claims, others=None, seal=True):
    """Row `index` must be refuted with these claims, and of `others` each
    with its own. The liar makes ids and numbers fit, unless told not to."""
    def add(change):
        DEFECTS.append((change.__name__, index, claims, others or {}, seal,
                        change))
        return change
    return add


@defect(BALANCE, "source_before", "source_after")
def before_and_after_swapped(rows, evidence):
    row = rows[BALANCE]
    row["source_before"], row["source_after"] = (row["source_after"],
                                                 row["source_before"])


@defect(BALANCE, "fail_to_pass.before")
def a_test_that_passes_before(rows, evidence):
    rows[BALANCE]["fail_to_pass"].append("tests/test_account.py::test_balance")


@defect(BALANCE, "fail_to_pass.before", "fail_to_pass.after")
def an_invented_test(rows, evidence):
    rows[BALANCE]["fail_to_pass"].append("tests/test_account.py::test_zero")


@defect(SHOW, "parent")
def the_grandparent(rows, evidence):
    rows[SHOW]["parent"] = rows[BALANCE]["parent"]
    rows[SHOW]["parent_at"] = rows[BALANCE]["parent_at"]


@defect(CLIP, "parent")
def another_commit(rows, evidence):
    rows[CLIP]["commit"] = rows[SIGN]["commit"]
    rows[CLIP]["committed_at"] = rows[SIGN]["committed_at"]


@defect(FIRST, "source_after")
def one_byte_of_source(rows, evidence):
    text = rows[FIRST]["source_after"]
    rows[FIRST]["source_after"] = text.replace("min(", "max(")


@defect(RATES, "source_before")
def line_ends_lost(rows, evidence):
    text = rows[RATES]["source_before"]
    rows[RATES]["source_before"] = text.replace("\r\n", "\n")
    rows[RATES]["diff_lines"] = 2 * text.count("\n")


@defect(SHOW, "id", "unique", others={BALANCE: ("unique",)}, seal=False)
def an_id_twice(rows, evidence):
    rows[SHOW]["id"] = rows[BALANCE]["id"]
    evidence[SHOW]["id"] = rows[BALANCE]["id"]


@defect(SHOW, "fingerprint", "unique", others={BALANCE: ("unique",)},
        seal=False)
def the_fingerprint_of_another(rows, evidence):
    rows[SHOW]["fingerprint"] = rows[BALANCE]["fingerprint"]
    rows[SHOW]["id"] = evidence[SHOW]["id"] = id_of(rows[SHOW])


@defect(SIGN, "id", seal=False)
def an_id_of_its_own(rows, evidence):
    rows[SIGN]["id"] = evidence[SIGN]["id"] = "gs-0123456789abcdef"


@defect(RATES, "committed_at")
def a_date_moved(rows, evidence):
    date = rows[RATES]["committed_at"]
    rows[RATES]["committed_at"] = date[:-3] + "01Z"


@defect(RATES, "parent_at")
def the_date_of_the_parent_moved(rows, evidence):
    rows[RATES]["parent_at"] = rows[RATES]["committed_at"]


@defect(SHOW, "diff_lines")
def a_larger_diff(rows, evidence):
    rows[SHOW]["diff_lines"] += 1


@defect(SHOW, "n_tests", seal=False)
def more_tests(rows, evidence):
    rows[SHOW]["n_tests"] += 1


@defect(BALANCE, "spec")
def a_docstring_altered(rows, evidence):
    rows[BALANCE]["spec"] = rows[BALANCE]["spec"].replace("is 0", "is 1")


@defect(CLIP, "spec")
def a_message_altered(rows, evidence):
    rows[CLIP]["spec"] += "\n\nTake text[:width]."


@defect(CLIP, "spec_source")
def a_message_called_docstring(rows, evidence):
    rows[CLIP]["spec_source"] = "docstring"


@defect(CLIP, "subject")
def a_subject_edited(rows, evidence):
    rows[CLIP]["subject"] = rows[CLIP]["subject"].lower()


@defect(SIGN, "test_file")
def the_wrong_test_file(rows, evidence):
    rows[SIGN]["test_file"] = "tests/test_text.py"


@defect(SIGN, "commit_url")
def an_address_for_no_project(rows, evidence):
    rows[SIGN]["commit_url"] = ("https://example.org/example/ledger/commit/" +
                                rows[SIGN]["commit"])


@defect(SIGN, "repo_url")
def an_address_with_credentials(rows, evidence):
    rows[SIGN]["repo_url"] = "https://me:secret@example.org/example/ledger"
    rows[SIGN]["commit_url"] = (rows[SIGN]["repo_url"] + "/commit/" +
                                rows[SIGN]["commit"])


@defect(BALANCE, "also_in")
def also_in_a_project_without_it(rows, evidence):
    rows[BALANCE]["also_in"] = "example/copy"


@defect(BALANCE, "granularity")
def a_unit_called_file(rows, evidence):
    rows[BALANCE]["granularity"] = "file"


@defect(CLIP, "granularity")
def a_file_called_function(rows, evidence):
    rows[CLIP]["granularity"] = "function"


@defect(BALANCE, "unit")
def a_unit_renamed(rows, evidence):
    rows[BALANCE]["unit"] = "Account.total"


@defect(CLIP, "unit")
def a_unit_that_is_too_wide(rows, evidence):
    rows[CLIP]["unit"] = "ledger.text"


@defect(FIRST, "module")
def a_module_renamed(rows, evidence):
    rows[FIRST]["module"] = "ledger.accounts"


@defect(RATES, "units_changed")
def a_changed_unit_left_out(rows, evidence):
    rows[RATES]["units_changed"] = ["ledger.rates:tax"]


@defect(SHOW, "units_changed")
def a_unit_that_did_not_change(rows, evidence):
    rows[SHOW]["units_changed"].insert(0, "ledger.text:clip")


@defect(FIRST, "license")
def half_of_a_licence(rows, evidence):
    rows[FIRST]["license"] = "MIT"


@defect(FIRST, "license_file")
def another_licence_file(rows, evidence):
    rows[FIRST]["license_file"] = "LICENSE.ISC"


@defect(SIGN, "schema_version")
def a_version_of_the_future(rows, evidence):
    rows[SIGN]["schema_version"] = 2


@defect(SIGN, "language")
def another_language(rows, evidence):
    rows[SIGN]["language"] = "Python"


@defect(SIGN, "spec")
def a_null(rows, evidence):
    rows[SIGN]["spec"] = None


@defect(RATES, "fail_to_pass", seal=False)
def tests_not_sorted(rows, evidence):
    rows[RATES]["fail_to_pass"].reverse()


@defect(BALANCE, "pass_to_pass")
def a_flip_called_steady(rows, evidence):
    evidence[BALANCE]["pass_to_pass"] += rows[BALANCE]["fail_to_pass"]


@defect(FIRST, "tree_after")
def another_tree(rows, evidence):
    evidence[FIRST]["tree_after"] = evidence[FIRST]["tree_before"]


@defect(SIGN, "validated_at")
def a_date_in_another_form(rows, evidence):
    rows[SIGN]["validated_at"] = "2023-11-14 22:13:20"


# O6: what the record needs is applied when it is named, and only then.


@defect(OLD, "fail_to_pass.after")
def a_shim_left_out(rows, evidence):
    evidence[OLD]["shims"] = "collections,distribution,inspect,stdlib"
    rows[OLD]["validator"] = rows[OLD]["validator"].replace("pytest,std", "std")


@defect(OLD, "validator")
def a_shim_that_the_validator_does_not_name(rows, evidence):
    rows[OLD]["validator"] = rows[OLD]["validator"].replace(",stdlib", "")


@defect(SIGN, "validator")
def a_shim_that_the_evidence_does_not_name(rows, evidence):
    rows[SIGN]["validator"] += " shims=inspect"


def seal_row(row, evidence):
    row["fail_to_pass"].sort()
    row["n_tests"] = len(row["fail_to_pass"])
    row["fingerprint"] = print_of(row)
    row["id"] = evidence["id"] = id_of(row)


def licence_text(folder, when):
    if when == "before":
        path = os.path.join(folder, "licenses")
        name = [n for n in os.listdir(path) if n.endswith("MIT")][0]
        with open(os.path.join(path, name), "a") as f:
            f.write("\n")


def checksums(folder, when):
    if when == "after":
        with open(os.path.join(folder, "withdrawn.csv"), "a") as f:
            f.write("gs-0000000000000000,2023-01-01,none\n")


def unlisted(folder, when):
    if when == "after":
        with open(os.path.join(folder, "more.txt"), "w") as f:
            f.write("more\n")


def card_number(folder, when):
    if when == "before":
        path = os.path.join(folder, "README.md")
        with open(path) as f:
            text = f.read()
        with open(path, "w") as f:
            f.write(text.replace("num_examples: 7", "num_examples: 8"))


def card_licences(folder, when):
    if when == "before":
        path = os.path.join(folder, "README.md")
        with open(path) as f:
            text = f.read()
        with open(path, "w") as f:
            f.write(text.replace("| ISC OR MIT | 7 |", "| MIT | 7 |"))


SPOILT = (("licence_text", licence_text), ("checksums", checksums),
          ("checksums", unlisted), ("card", card_number),
          ("card", card_licences))


def false_claims(result):
    return sorted(c["claim"] for c in result["claims"] if not c["ok"])


def plant(bench, name, index, claims, others, seal, change):
    rows, evidence = bench.tables()
    change(rows, evidence)
    if seal:
        seal_row(rows[index], evidence[index])
    folder = bench.write(name, rows, evidence)
    status, results, summary = bench.run(folder, "-j2", "--id",
                                         rows[index]["id"])
    wanted = [sorted(claims)]
    if others and rows[index]["id"] != rows[list(others)[0]]["id"]:
        for other in others:
            _, more, _ = bench.run(folder, "--id", rows[other]["id"])
            bench.check(false_claims(more[0]) == sorted(others[other]),
                        "%s, the other: %s" % (name, false_claims(more[0])))
    elif others:
        wanted = [sorted(others[other]) for other in others] + wanted
    seen = [false_claims(result) for result in results]
    bench.check(status == 1 and seen == wanted and
                all(r["verdict"] == "refuted" for r in results),
                "%s: refuted for %s" % (name, seen))
    shutil.rmtree(folder)


def clean(bench):
    rows, evidence = bench.tables()
    status, results, summary = bench.run(bench.good, "--all", "-j2")
    bench.check(status == 0 and summary["confirmed"] == 7,
                "clean release: %s" % summary)
    folder = bench.write("clean", rows, evidence)
    status, results, summary = bench.run(folder, "--id", rows[SIGN]["id"])
    bench.check(status == 0 and not false_claims(results[0]),
                "clean release as JSON Lines: %s" % false_claims(results[0]))
    table = os.path.join(folder, "oracles.jsonl")
    status, results, summary = bench.run(table, "--id", rows[CLIP]["id"])
    bench.check(status == 0, "clean table without evidence: %s" % summary)
    drawn = [[r["id"] for r in bench.run(
        folder, "--sample", "2", "--seed", "7", "-j2",
        mirror="/nowhere/{name}")[1]] for _ in range(2)]
    bench.check(drawn[0] == drawn[1] and len(drawn[0]) == 2,
                "the same seed draws the same records: %s" % drawn[0])


def main():
    bench = Bench(sys.argv[1], sys.argv[2])
    only = sys.argv[3:]
    try:
        if not only:
            clean(bench)
        for one in DEFECTS:
            if not only or one[0] in only:
                plant(bench, *one)
        for claim, spoil in SPOILT:
            if only and spoil.__name__ not in only:
                continue
            rows, evidence = bench.tables()
            folder = bench.write(spoil.__name__, rows, evidence, spoil)
            status, results, _ = bench.run(folder, "--id", rows[SHOW]["id"])
            bench.check(status == 1 and false_claims(results[0]) == [claim],
                        "%s: refuted for %s" % (spoil.__name__,
                                                false_claims(results[0])))
    finally:
        code = bench.close()
    sys.exit(code)


main()
