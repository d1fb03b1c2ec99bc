# SPDX-License-Identifier: Apache-2.0
"""check(value, name): what of a JSON value is not as spec/formats/NAME says.

As much of JSON Schema as those files use; a word that is not known here is an
error, so that no rule is passed over."""

import json
import os
import re

FORMATS = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                       "..", "..", "..", "spec", "formats")
TYPES = {"string": str, "object": dict, "array": list, "boolean": bool,
         "null": type(None)}


def is_type(value, name):
    if name in ("integer", "number"):
        kinds = (int,) if name == "integer" else (int, float)
        return isinstance(value, kinds) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def check_object(value, rule, at, wrong):
    properties = rule.get("properties", {})
    wrong += ["%s: %s is missing" % (at, key)
              for key in rule.get("required", []) if key not in value]
    more = rule.get("additionalProperties", {})
    for key, item in value.items():
        here = "%s.%s" % (at, key)
        if key in properties:
            walk(item, properties[key], here, wrong)
        elif more is False:
            wrong.append("%s is not known" % here)
        else:
            walk(item, more, here, wrong)
    if not (rule.get("minProperties", 0) <= len(value)
            <= rule.get("maxProperties", len(value))):
        wrong.append("%s has %d members" % (at, len(value)))


def walk(value, rule, at, wrong):
    for word, wanted in rule.items():
        fine = True
        if word == "type":
            names = [wanted] if isinstance(wanted, str) else wanted
            fine = any(is_type(value, name) for name in names)
        elif word == "const":
            fine = value == wanted
        elif word == "enum":
            fine = value in wanted
        elif word == "pattern":
            fine = isinstance(value, str) and re.search(wanted, value)
        elif word == "minimum":
            fine = value >= wanted
        elif word == "exclusiveMinimum":
            fine = value > wanted
        elif word == "items":
            for i, item in enumerate(value):
                walk(item, wanted, "%s[%d]" % (at, i), wrong)
        elif word not in ("properties", "required", "additionalProperties",
                          "minProperties", "maxProperties", "$comment"):
            raise ValueError("schema.py does not know " + word)
        if not fine:
            wrong.append("%s: %s %r, not %.60r" % (at, word, wanted, value))
            return
    if isinstance(value, dict):
        check_object(value, rule, at, wrong)


def check(value, name):
    wrong = []
    with open(os.path.join(FORMATS, name + ".schema.json")) as file:
        walk(value, json.load(file), "$", wrong)
    assert not wrong, wrong
