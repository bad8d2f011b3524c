#!/usr/bin/env python3
"""Counts the errors and warnings in a log file and lists them with their line numbers."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import NoReturn

SKILL = Path(__file__).resolve().parent.parent
SAMPLE = "assets/test.log"

ERRORS = {"ERROR", "ERR", "FATAL", "CRITICAL", "PANIC"}
WARNINGS = {"WARNING", "WARN"}
LEVELS = "|".join(sorted(ERRORS | WARNINGS | {"INFO", "NOTICE", "DEBUG", "TRACE"}, key=len, reverse=True))

# The forms that references/log-format.md lists, in its order.
LEVEL = re.compile(
    rf"\b(?P<capitals>{LEVELS})\b"
    rf"|\[\s*(?P<brackets>(?i:{LEVELS}))\s*\]"
    rf"|\b(?P<colon>(?i:{LEVELS})):"
    rf"|(?i:\b(?:level|severity)\b[\"']?\s*[=:]\s*[\"']?)(?P<value>(?i:{LEVELS}))\b"
)


def main() -> None:
    sys.stdout.reconfigure(encoding="utf-8")
    args = parse_arguments()
    path = args.file or args.path or SAMPLE
    errors, warnings = analyze(read(path))
    print(f"Analysis Result for {path}:")
    print(f"Total Errors: {len(errors)}")
    print(f"Total Warnings: {len(warnings)}")
    for kind, found in (("Error", errors), ("Warning", warnings)):
        print(f"\n{kind} Details:")
        print("\n".join(details(found, args.limit)))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog="Exit codes: 0 analyzed, whatever was found; 1 the file cannot be read; 2 wrong usage.",
    )
    parser.add_argument("path", nargs="?", help="the log, like --file")
    parser.add_argument("--file", help=f"the log to analyze (default: {SAMPLE} of this skill)")
    parser.add_argument("--limit", type=int, default=50, help="lines of each kind to print (default: 50)")
    parser.error = lambda message: stop(2, message)
    args = parser.parse_args()
    if args.limit < 1:
        parser.error("--limit must be 1 or more")
    if args.file and args.path:
        parser.error("give the log once, as --file or as a bare path")
    return args


def read(path: str) -> list[str]:
    """The lines of the log: from the current directory, else from this skill."""
    for place in (Path(path), SKILL / path):
        if place.is_file():
            try:
                return place.read_text(encoding="utf-8", errors="replace").split("\n")
            except OSError as error:
                stop(1, f"cannot read {path}: {error.strerror}")
    stop(1, f"no log at {path}, neither in the current directory nor in this skill; the sample is {SAMPLE}")


def analyze(lines: list[str]) -> tuple[list[str], list[str]]:
    errors, warnings = [], []
    for number, line in enumerate(lines, start=1):
        found = LEVEL.search(line)
        level = found.group(found.lastgroup).upper() if found else ""
        if level in ERRORS:
            errors.append(f"Line {number}: {line.rstrip()}")
        elif level in WARNINGS:
            warnings.append(f"Line {number}: {line.rstrip()}")
    return errors, warnings


def details(found: list[str], limit: int) -> list[str]:
    if not found:
        return ["(none)"]
    more = len(found) - limit
    return found[:limit] + ([f"... and {more} more; --limit shows them"] if more > 0 else [])


def stop(code: int, message: str) -> NoReturn:
    """Some frameworks hand the model standard output and nothing else, so that is where errors go too."""
    print(f"Error: {message}")
    sys.exit(code)


if __name__ == "__main__":
    main()
