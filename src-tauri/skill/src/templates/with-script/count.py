#!/usr/bin/env python3
"""Counts the lines, words and characters of a text and prints them as JSON."""

import argparse
import json


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--text", required=True, help="the text to count")
    text = parser.parse_args().text
    print(json.dumps({"lines": len(text.splitlines()), "words": len(text.split()), "characters": len(text)}))


if __name__ == "__main__":
    main()
