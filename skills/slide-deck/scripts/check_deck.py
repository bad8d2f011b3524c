#!/usr/bin/env python3
"""Checks that a .pptx file is whole: parts well-formed, typed and reachable; slides with a layout and a title."""

from __future__ import annotations

import argparse
import json
import posixpath
import sys
import zipfile
from pathlib import Path
from typing import NoReturn
from xml.etree import ElementTree

TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"
LINKS = "{http://schemas.openxmlformats.org/package/2006/relationships}"
DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
DECK = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"


def main() -> None:
    sys.stdout.reconfigure(encoding="utf-8")
    parser = argparse.ArgumentParser(
        description=__doc__, epilog="Exit codes: 0 valid; 1 not valid, or the file cannot be read; 2 wrong usage."
    )
    parser.add_argument("path", nargs="?", help="the deck, like --file")
    parser.add_argument("--file", help="the deck to check")
    parser.error = lambda message: stop(2, message)
    args = parser.parse_args()
    path = args.file or args.path or parser.error("give the deck with --file")
    problems, titles = check(parts_of(path))
    print(
        json.dumps(
            {"file": path, "valid": not problems, "slides": len(titles), "titles": titles, "problems": problems},
            ensure_ascii=False,
        )
    )
    sys.exit(1 if problems else 0)


def parts_of(path: str) -> dict[str, bytes]:
    if not Path(path).is_file():
        stop(1, f"no file at {path}")
    try:
        with zipfile.ZipFile(path) as deck:
            return {name: deck.read(name) for name in deck.namelist()}
    except (OSError, zipfile.BadZipFile) as error:
        stop(1, f"{path} is not a pptx file: {error}")


def check(parts: dict[str, bytes]) -> tuple[list[str], list[str]]:
    """What is wrong, and the titles of the slides in the order of the deck."""
    problems: list[str] = []
    trees = {}
    for name, data in parts.items():
        if name.endswith((".xml", ".rels")):
            try:
                trees[name] = ElementTree.fromstring(data)
            except ElementTree.ParseError as error:
                problems.append(f"{name} is not well-formed: {error}")

    types = trees.get("[Content_Types].xml")
    if types is None:
        return [*problems, "[Content_Types].xml is missing"], []
    named = {override.get("PartName", "").lstrip("/") for override in types.iter(f"{TYPES}Override")}
    endings = {default.get("Extension", "").lower() for default in types.iter(f"{TYPES}Default")}
    problems += [f"[Content_Types].xml names {name}, which is missing" for name in sorted(named - parts.keys())]
    problems += [
        f"{name} has no content type"
        for name in parts
        if name != "[Content_Types].xml" and name not in named and name.rsplit(".", 1)[-1].lower() not in endings
    ]

    reachable = {"[Content_Types].xml"}
    waiting = [""]
    while waiting:
        part = waiting.pop()
        reachable.add(links_name(part))
        for target, _ in links(part, trees).values():
            if target not in parts:
                problems.append(f"{links_name(part)} leads to {target}, which is missing")
            elif target not in reachable:
                reachable.add(target)
                waiting.append(target)
    problems += [f"{name} is not reachable from the deck" for name in parts if name not in reachable]

    main_part = next((target for target, kind in links("", trees).values() if kind == "officeDocument"), None)
    deck = trees.get(main_part)
    if deck is None or deck.tag != f"{DECK}presentation":
        return [*problems, "there is no presentation part"], []
    titles = []
    deck_links = links(main_part, trees)
    for number, entry in enumerate(deck.iter(f"{DECK}sldId"), start=1):
        target, kind = deck_links.get(entry.get(ID), (None, None))
        slide = trees.get(target)
        if slide is None or kind != "slide":
            problems.append(f"slide {number} leads nowhere")
            continue
        if "slideLayout" not in [kind for _, kind in links(target, trees).values()]:
            problems.append(f"slide {number} has no layout")
        titles.append(title(slide))
        if not titles[-1]:
            problems.append(f"slide {number} has no title")
    return problems if titles else [*problems, "the deck has no slides"], titles


def links_name(part: str) -> str:
    """Where the relations of a part are kept; the package itself is the part without a name."""
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", f"{name}.rels")


def links(part: str, trees: dict[str, ElementTree.Element]) -> dict[str, tuple[str, str]]:
    """Target and kind of each relation of a part, by id; links out of the package are left out."""
    tree = trees.get(links_name(part))
    if tree is None:
        return {}
    return {
        link.get("Id", ""): (
            posixpath.normpath(posixpath.join("/", posixpath.dirname(part), link.get("Target", ""))).lstrip("/"),
            link.get("Type", "").replace(KIND, ""),
        )
        for link in tree.iter(f"{LINKS}Relationship")
        if link.get("TargetMode") != "External"
    }


def title(slide: ElementTree.Element) -> str:
    for shape in slide.iter(f"{DECK}sp"):
        place = shape.find(f"{DECK}nvSpPr/{DECK}nvPr/{DECK}ph")
        if place is not None and place.get("type") in ("title", "ctrTitle"):
            return "".join(run.text or "" for run in shape.iter(f"{DRAWING}t"))
    return ""


def stop(code: int, message: str) -> NoReturn:
    """Some frameworks hand the model standard output and nothing else, so that is where errors go too."""
    print(f"Error: {message}")
    sys.exit(code)


if __name__ == "__main__":
    main()
