"""How a new recording of a client differs from the committed one, value by value. Random parts of a client (the order
of a disk, which files ripgrep finds first) do not count. Arguments: the folder that a recorder wrote, and `--write` to
put files that differ among the golden ones."""

import json
import os
import re
import shutil
import sys
from pathlib import Path

import client

SHOWN = 300


def ordered(values):
    return sorted(values, key=lambda value: json.dumps(value, sort_keys=True))


def sorted_names(text):
    """Gemini CLI: the names in the description of the tool."""
    listed = re.search(r"\(Available: (.*?)\)\. Returns", text)
    return text.replace(listed[1], ", ".join(sorted(listed[1].split(", ")))) if listed else text


def sorted_entries(text, opening="\n  <skill>"):
    """The entries of a list of skills."""
    head, *entries = text.split(opening)
    if not entries:
        return text
    end = "\n</available_skills>"
    return opening.join([head, *sorted(entry.removesuffix(end) for entry in entries)]) + end


def of_gemini_cli(path, value):
    """Skills come in the order of the disk."""
    if isinstance(value, list) and path[-1:] in (["skills"], ["load"], ["log"], ["enum"], ["tools"]):
        return ordered(value)
    if isinstance(value, str):
        return sorted_entries(sorted_names(value))
    return value


FILES = re.compile(r"<skill_files>\n(.*)\n</skill_files>", re.DOTALL)


def of_opencode(path, value):
    """Skills come in the order in which they were read, ten files are any ten, and a run has a number."""
    if isinstance(value, list) and path[-1:] in (["skills"], ["load"], ["log"]):
        return ordered(value)
    if isinstance(value, str):
        value = re.sub(r" run=[0-9a-f]+ ", " ", value)
        return FILES.sub(lambda found: f"<skill_files>\n{found[1].count('<file>')} files\n</skill_files>", value)
    return value


CHANCE = {"gemini-cli": of_gemini_cli, "opencode": of_opencode}

# Where OpenCode looks for skills, in a project and at home.
FOLDERS = [".opencode/skill", ".opencode/skills", ".claude/skills", ".agents/skills", ".config/opencode/skill", ".config/opencode/skills"]
# How many levels are searched, since links may form a cycle.
DEPTH = 8


def named(machine):
    """The files of each name, with links followed."""
    found = {}
    for root in (base / folder for base in (machine.project, machine.home) for folder in FOLDERS):
        for folder, folders, _ in os.walk(root, followlinks=True):
            if len(Path(folder).relative_to(root).parts) >= DEPTH:
                folders.clear()
            file = Path(folder) / "SKILL.md"
            if file.is_file():
                name = re.search(rb"^name:[ \t]*[\"']?(.*?)[\"']?[ \t]*$", file.read_bytes(), re.MULTILINE)
                if name:
                    found.setdefault(name[1].decode(errors="replace"), set()).add(str(file))
    return found


def twins(fill):
    """Names of which OpenCode keeps any one file, since it reads all at once. `fill` puts the skills on a machine."""
    with client.scratch() as folder:
        machine = client.Machine(folder, ".opencode/skills")
        fill(machine)
        return {name for name, files in named(machine).items() if len(files) > 1}


def without_winner(value, names):
    """A value without the parts that show which file of a name was kept."""
    if isinstance(value, dict):
        if "location" in value and value.get("name") in names:
            return {"name": value["name"]}
        return {key: without_winner(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [without_winner(inner, names) for inner in value]
    if isinstance(value, str):
        for name in map(re.escape, names):
            value = re.sub(rf"(<name>{name}</name>)\n.*?\n(  </skill>)", r"\1\n\2", value, flags=re.DOTALL)
            value = re.sub(rf'(<skill_content name="{name}">).*', r"\1", value, flags=re.DOTALL)
            # Which came first is the other half of the same chance.
            value = re.sub(rf"(duplicate skill name. name={name}) .*", r"\1", value)
    return value


def of_one_start(file, value):
    """A recorded file of OpenCode, without what differs from one start of it to the next."""
    fixture = re.fullmatch(r"fixture_(.*)\.json", file)
    if fixture:
        return without_winner(value, twins(lambda machine: machine.take(fixture[1])))
    if not isinstance(value, dict):
        return value
    settled_cases = {}
    for name, case in value.items():
        with_files = isinstance(case, dict) and "files" in case
        settled_cases[name] = without_winner(case, twins(lambda machine: machine.put(case))) if with_files else case
    return settled_cases


START = {"opencode": of_one_start}


def settled(value, rule, path=()):
    """A value without its random parts."""
    if isinstance(value, dict):
        value = {key: settled(inner, rule, [*path, key]) for key, inner in value.items()}
    elif isinstance(value, list):
        value = [settled(inner, rule, [*path, index]) for index, inner in enumerate(value)]
    return rule(list(path), value)


def differences(before, now, path=""):
    if type(before) is type(now) is dict:
        for key in [*before, *(key for key in now if key not in before)]:
            yield from differences(before.get(key), now.get(key), f"{path}/{key}")
    elif type(before) is type(now) is list and len(before) == len(now):
        for index, (one, other) in enumerate(zip(before, now)):
            yield from differences(one, other, f"{path}/{index}")
    elif before != now and not only_paths(before, now, path):
        yield path or "/", before, now


def only_paths(before, now, path):
    """A number of letters, paths of the machine among them."""
    counted = path.endswith("_characters") and isinstance(before, int) and isinstance(now, int)
    return counted and abs(before - now) <= 100


def shown(value):
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(text)} characters)"


def apart(one, other):
    """Two long texts from where they begin to differ."""
    if isinstance(one, str) and isinstance(other, str):
        same = next((at for at, pair in enumerate(zip(one, other)) if pair[0] != pair[1]), min(len(one), len(other)))
        start = max(0, same - 40)
        return one[start:], other[start:]
    return one, other


def main(out, write):
    changed = 0
    for folder in sorted(out.iterdir()):
        name = re.sub(r"-[0-9].*", "", folder.name)
        before = client.committed(name)
        rule = CHANCE.get(name, lambda _, value: value)
        start = START.get(name, lambda _, value: value)
        for file in sorted(folder.iterdir()):
            now, old = json.loads(file.read_text(encoding="utf-8")), before / file.name
            known = json.loads(old.read_text(encoding="utf-8")) if old.is_file() else None
            known, now = (start(file.name, value) for value in (known, now))
            found = list(differences(settled(known, rule), settled(now, rule)))
            if found:
                changed += 1
                print(f"\n{folder.name}/{file.name}, compared with {before.name}: {len(found)} values differ")
            for path, one, other in found:
                one, other = apart(one, other)
                print(f"  {path}\n    - {shown(one)}\n    + {shown(other)}")
            if write and (found or before.name != folder.name):
                (client.GOLDEN / folder.name).mkdir(exist_ok=True)
                shutil.copyfile(file, client.GOLDEN / folder.name / file.name)
        gone = {file.name for file in before.glob("*.json")} - {file.name for file in folder.iterdir()}
        for name in sorted(gone):
            changed += 1
            print(f"\n{folder.name}/{name} was not recorded")
    print(f"\n{changed or 'No'} file{'' if changed == 1 else 's'} of the recording differ{'s' if changed == 1 else ''} from what is committed.")


if __name__ == "__main__":
    main(Path(sys.argv[1]), "--write" in sys.argv[2:])
