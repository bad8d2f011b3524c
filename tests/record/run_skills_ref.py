"""skills-ref, the reference library of the specification: each folder alone, all that it can read, and all."""

import sys
from importlib.metadata import version
from pathlib import Path

import client

from skills_ref import read_properties, to_prompt, validate
from skills_ref.parser import find_skill_md, parse_frontmatter

CLIENT = "skills-ref"


def tried(what):
    try:
        return what()
    except Exception as problem:
        return {"error": f"{type(problem).__name__}: {problem}"}


def folders(root):
    """Those directly in the root, and deeper ones that hold a skill."""
    inner = [path for path in root.rglob("*") if path.is_dir()]
    return sorted((path for path in inner if path.parent == root or find_skill_md(path)), key=str)


def record(root):
    there = folders(root)
    readable = [path for path in there if "error" not in tried(lambda: read_properties(path).to_dict())]
    return {
        "root": str(root),
        "version": version(CLIENT),
        "folders": [alone(root, path) for path in there],
        "prompt_of_all_readable": tried(lambda: to_prompt(readable)),
        "prompt_of_all_folders": tried(lambda: to_prompt(there)),
    }


def alone(root, folder):
    manifest = find_skill_md(folder)
    return {
        "folder": str(folder.relative_to(root)),
        "skill_md": manifest and manifest.name,
        "properties": tried(lambda: read_properties(folder).to_dict()),
        "problems": tried(lambda: validate(folder)),
        "prompt": tried(lambda: to_prompt([folder])),
        "body": manifest and tried(lambda: parse_frontmatter(manifest.read_text(encoding="utf-8"))[1]),
    }


def odd(folder, case):
    machine = client.Machine(folder, "skills")
    machine.put(case)
    return {**case, **client.neutral(record(machine.skills), machine.places)}


def main(out):
    with client.scratch() as folder:
        client.copy_fixtures(folder)
        for fixture in client.fixtures(CLIENT):
            recorded = client.neutral(record(folder / client.root(fixture)), {folder: "{FIXTURES}"})
            client.write(out, CLIENT, version(CLIENT), f"fixture_{fixture}", recorded)
        rare = client.asked(CLIENT, "rare.json")
        client.write(out, CLIENT, version(CLIENT), "rare", {name: odd(folder / name, case) for name, case in rare.items()})


main(Path(sys.argv[1]))
