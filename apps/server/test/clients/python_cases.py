"""What the cases of every Python client share: a scripted question, and a run that prints one JSON line for each case."""

import json
import sys


def question(**script):
    return "hello #script " + json.dumps(script)


def ask(**script):
    return [{"role": "user", "content": question(**script)}]


def refused(call, error_class):
    try:
        call()
    except error_class as error:
        return error
    raise AssertionError("was not refused")


def run_cases(cases):
    """Those that are named, or all."""
    named = sys.argv[1:] or [case.__name__ for case in cases]
    for case in [case for case in cases if case.__name__ in named]:
        problem = None
        try:
            case()
        except BaseException as error:  # A case that fails must not hide the next one.
            problem = f"{type(error).__name__}: {error}"
        print(json.dumps({"name": case.__name__, "problem": problem}))
        sys.stdout.flush()
