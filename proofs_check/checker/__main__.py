"""The checker's command line.

Run as a folder, ``python -I -S proofs_check/checker``, this file has no package: it takes the
folder off the search path, so that no file beside it can pass for a standard module, and loads
it as a package under a name of its own.
"""

import sys
from types import ModuleType
from typing import Any

USAGE = """usage: checker [--json] [--quiet] PATH...

Checks headproof certificates: files, folders, or run folders.
  --json   one JSON document instead of lines
  --quiet  only what is not valid

Exit status: 0 all valid, 1 something invalid, 2 something unreadable or wrong usage."""

REPORT = "headproof-check/1"
FAILURE = "headproof-error/1"


def _checker() -> ModuleType:
    if __package__:
        from importlib import import_module

        return import_module(__package__)
    here = sys.path.pop(0)
    from importlib.util import module_from_spec, spec_from_file_location
    from os.path import join

    spec = spec_from_file_location(
        "headproof_checker", join(here, "__init__.py"), submodule_search_locations=[here]
    )
    if spec is None or spec.loader is None:
        raise SystemExit(f"cannot load the checker from {here}")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def main(arguments: list[str]) -> int:
    """Check what the arguments name and print the results; returns the exit status."""
    checker = _checker()
    options, paths, only_paths = set(), [], False
    for argument in arguments:
        if argument == "--" and not only_paths:
            only_paths = True
        elif argument.startswith("-") and not only_paths:
            options.add(argument)
        else:
            paths.append(argument)
    if "--help" in options or "-h" in options:
        print(USAGE)
        return 0
    unknown = sorted(options - {"--json", "--quiet"})
    if unknown or not paths:
        problem = f"unknown option {unknown[0]!a}" if unknown else "expected at least one PATH"
        return _misused(problem, "--json" in options)
    results = checker.check_paths(paths)
    if "--json" in options:
        _print_json(results)
    else:
        quiet = "--quiet" in options
        for result in results:
            if not (quiet and result.valid):
                print(checker.line(result))
        if not quiet:
            print(checker.tally(results))
    answers = {result.answer for result in results}
    return 1 if "invalid" in answers else 2 if "unreadable" in answers else 0


def _misused(problem: str, as_json: bool) -> int:
    import json

    if as_json:
        error = {"type": "UsageError", "message": problem}
        print(json.dumps({"format": FAILURE, "error": error}))
    print(f"{problem}\n{USAGE}", file=sys.stderr)
    return 2


def _print_json(results: list[Any]) -> None:
    import json

    fields = ("path", "kind", "claim", "answer", "valid", "reason")
    document = {
        "format": REPORT,
        "valid": all(result.valid for result in results),
        "checked": len(results),
        "results": [{name: getattr(result, name) for name in fields} for result in results],
    }
    print(json.dumps(document))


def _end() -> int:
    """Run the program; when stdout cannot be written, no answer was given: status 2."""
    try:
        status = main(sys.argv[1:])
        if sys.stdout is not None:  # it is None when the process was started without one
            sys.stdout.flush()
        return status
    except OSError as error:
        import os

        if sys.stdout is not None:  # Python would complain once more about what is left in it
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        if not isinstance(error, BrokenPipeError):
            print(f"stdout: {error.strerror}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(_end())
