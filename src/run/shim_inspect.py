# SPDX-License-Identifier: Apache-2.0
"""inspect.getargspec and formatargspec, gone since 3.11 (O6.2)."""
import collections
import inspect

ArgSpec = collections.namedtuple("ArgSpec", "args varargs keywords defaults")


def getargspec(function):
    spec = inspect.getfullargspec(function)
    if spec.kwonlyargs or spec.annotations:
        raise ValueError(
            "Function has keyword-only parameters or annotations, "
            "use inspect.signature() API which can support them"
        )
    return ArgSpec(spec.args, spec.varargs, spec.varkw, spec.defaults)


def formatargspec(
    args,
    varargs=None,
    varkw=None,
    defaults=None,
    kwonlyargs=(),
    kwonlydefaults=None,
    annotations=None,
    formatarg=str,
    formatvarargs=lambda name: "*" + name,
    formatvarkw=lambda name: "**" + name,
    formatvalue=lambda value: "=" + repr(value),
    formatreturns=lambda text: " -> " + text,
    formatannotation=inspect.formatannotation,
):
    annotations = annotations or {}
    kwonlydefaults = kwonlydefaults or {}

    def typed(name):
        text = formatarg(name)
        if name in annotations:
            text += ": " + formatannotation(annotations[name])
        return text

    parts = []
    first_default = len(args) - len(defaults or ())
    for i, name in enumerate(args):
        text = typed(name)
        if defaults and i >= first_default:
            text += formatvalue(defaults[i - first_default])
        parts.append(text)
    if varargs is not None:
        parts.append(formatvarargs(typed(varargs)))
    elif kwonlyargs:
        parts.append("*")
    for name in kwonlyargs:
        text = typed(name)
        if name in kwonlydefaults:
            text += formatvalue(kwonlydefaults[name])
        parts.append(text)
    if varkw is not None:
        parts.append(formatvarkw(typed(varkw)))
    result = "(" + ", ".join(parts) + ")"
    if "return" in annotations:
        result += formatreturns(formatannotation(annotations["return"]))
    return result


def install(used):
    lost = {
        name: value
        for name, value in (
            ("ArgSpec", ArgSpec),
            ("getargspec", getargspec),
            ("formatargspec", formatargspec),
        )
        if not hasattr(inspect, name)
    }

    def missing(name):
        if name in lost:
            used("inspect")
            return lost[name]
        raise AttributeError("module 'inspect' has no attribute '%s'" % name)

    if lost:
        inspect.__getattr__ = missing
