#!/usr/bin/env python3
"""Makes a PowerPoint deck (.pptx) from an outline in Markdown or JSON. Needs nothing but Python."""

from __future__ import annotations

import argparse
import json
import re
import sys
import unicodedata
from pathlib import Path
from typing import NoReturn

sys.dont_write_bytecode = True  # a skill folder holds what its author put there and nothing else
from lib import pptx

SKILL = Path(__file__).resolve().parent.parent
SAMPLE = "assets/sample-outline.md"

MOST_POINTS = 6
MOST_WIDTH = 90  # of a point; a Chinese character counts as two
LEVELS = 3

POINT = re.compile(r"^(?P<indent>[ \t]*)(?:[-*+]|\d+[.)])\s+(?P<text>.+)$")


def main() -> None:
    sys.stdout.reconfigure(encoding="utf-8")
    args = parse_arguments()
    text = args.outline if args.outline is not None else read(args.file)
    slides = from_json(text) if text.lstrip().startswith("{") else from_markdown(text)
    if not slides:
        stop(2, "the outline is empty; it needs at least one line that starts with '# ' or '## '")
    try:
        Path(args.out).write_bytes(pptx.package(slides, args.accent))
    except OSError as error:
        stop(1, f"cannot write {args.out}: {error.strerror}")
    result = {"file": args.out, "slides": len(slides), "titles": [pptx.plain(slide.title) for slide in slides]}
    print(json.dumps({**result, "warnings": warnings(slides)}, ensure_ascii=False))


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__,
        epilog="Exit codes: 0 written; 1 a file cannot be read or written; 2 wrong usage or a faulty outline.",
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--outline", help="the outline itself")
    source.add_argument("--file", help=f"a file with the outline, e.g. {SAMPLE} of this skill")
    parser.add_argument("--out", default="deck.pptx", help="the deck to write (default: deck.pptx)")
    parser.add_argument("--accent", type=colour, default="4F5BD5", help="accent colour, RRGGBB (default: 4F5BD5)")
    parser.error = lambda message: stop(2, message)
    args = parser.parse_args()
    if not args.out.lower().endswith(".pptx"):
        parser.error("--out must end in .pptx")
    return args


def from_markdown(text: str) -> list[pptx.Slide]:
    slides: list[pptx.Slide] = []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        point = POINT.match(line)
        if not line.strip():
            continue
        if line.startswith("# "):
            slides.append(pptx.Slide(pptx.Layout.SECTION if slides else pptx.Layout.TITLE, line[2:].strip()))
        elif line.startswith("## "):
            slides.append(pptx.Slide(pptx.Layout.CONTENT, line[3:].strip()))
        elif line.startswith("###"):
            stop(2, f"line {number} of the outline: headings deeper than '##' are not supported")
        elif not slides:
            stop(2, f"line {number} of the outline comes before the first heading ('# ' or '## ')")
        elif point:
            depth = len(point["indent"].expandtabs(4)) // 2
            slides[-1].lines.append(pptx.Line(point["text"].strip(), min(depth, LEVELS - 1), bullet=True))
        else:
            slides[-1].lines.append(pptx.Line(line.strip(), 0, bullet=False))
    return slides


def from_json(text: str) -> list[pptx.Slide]:
    try:
        outline = json.loads(text)
    except json.JSONDecodeError as error:
        stop(2, f"the outline is not valid JSON: {error}")
    slides = [headed(pptx.Layout.TITLE, outline, "title")] if "title" in outline else []
    for place, entry in enumerate(listed(outline.get("slides", []), "slides"), start=1):
        if not isinstance(entry, dict):
            stop(2, f"slide {place} of the outline is not an object")
        if "section" in entry:
            slides.append(headed(pptx.Layout.SECTION, entry, "section"))
        elif "title" in entry:
            slide = pptx.Slide(pptx.Layout.CONTENT, worded(entry["title"], "title"))
            slide.lines.extend(nested(entry.get("points", []), 0))
            slides.append(slide)
        else:
            stop(2, f"slide {place} of the outline has neither 'title' nor 'section'")
    return slides


def headed(layout: pptx.Layout, entry: dict, key: str) -> pptx.Slide:
    slide = pptx.Slide(layout, worded(entry[key], key))
    if "subtitle" in entry:
        slide.lines.append(pptx.Line(worded(entry["subtitle"], "subtitle"), 0, bullet=False))
    return slide


def nested(points: object, level: int) -> list[pptx.Line]:
    lines = []
    for point in listed(points, "points"):
        if isinstance(point, list):
            lines += nested(point, min(level + 1, LEVELS - 1))
        else:
            lines.append(pptx.Line(worded(point, "points"), level, bullet=True))
    return lines


def listed(value: object, key: str) -> list:
    return value if isinstance(value, list) else stop(2, f"'{key}' of the outline is not a list")


def worded(value: object, key: str) -> str:
    return value if isinstance(value, str) else stop(2, f"'{key}' of the outline holds something that is not text")


def warnings(slides: list[pptx.Slide]) -> list[str]:
    found = []
    for number, slide in enumerate(slides, start=1):
        if slide.layout is not pptx.Layout.CONTENT:
            continue
        if not slide.lines:
            found.append(f"slide {number} has no content")
        if len(slide.lines) > MOST_POINTS:
            found.append(f"slide {number} has {len(slide.lines)} points; {MOST_POINTS} fit well")
        long = sum(width(line.text) > MOST_WIDTH for line in slide.lines)
        if long:
            found.append(f"slide {number} has {long} long point{'s' if long > 1 else ''}")
    return found


def width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "FW" else 1 for character in pptx.plain(text))


def read(path: str) -> str:
    """The outline: from the current directory, else from this skill."""
    for place in (Path(path), SKILL / path):
        if place.is_file():
            try:
                return place.read_text(encoding="utf-8-sig")
            except (OSError, UnicodeDecodeError) as error:
                stop(1, f"cannot read {path}: {error}")
    stop(1, f"no outline at {path}, neither in the current directory nor in this skill; the sample is {SAMPLE}")


def colour(text: str) -> str:
    if not re.fullmatch(r"#?[0-9A-Fa-f]{6}", text):
        raise ValueError
    return text.lstrip("#").upper()


def stop(code: int, message: str) -> NoReturn:
    """Some frameworks hand the model standard output and nothing else, so that is where errors go too."""
    print(f"Error: {message}")
    sys.exit(code)


if __name__ == "__main__":
    main()
