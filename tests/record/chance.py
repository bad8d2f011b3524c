"""Conversations of chance over folders of chance, with a real framework: `chance.py OUT FRAMEWORK COUNT SEED
SECONDS`, in which no conversation begins after that time. Most folders and calls are odd in some way. `cargo xtask record chance` plays the same conversations with Skill Workbench."""

import faulthandler
import json
import logging
import random
import shutil
import sys
import time
from pathlib import Path

import recorder
from recorder import call, calls, say, turn

OUT, FRAMEWORK, COUNT, SEED, SECONDS = Path(sys.argv[1]).resolve(), sys.argv[2], *map(int, sys.argv[3:6])
RECORDED = recorder.GOLDEN
OUT.mkdir(parents=True, exist_ok=True)
recorder.GOLDEN = OUT

if FRAMEWORK.startswith("agent-framework"):
    import run_agent_framework as real
elif FRAMEWORK == "agentscope":
    import run_agentscope as real
else:
    import run_strands as real


class Loose(recorder.Stage):
    """Whatever the framework makes of a conversation is recorded."""

    def end(self, turn, kept, error=None):
        self.model.answers = []
        return {**turn, "requests": self.model.requests, "error": error, "kept": kept}


WORDS = ["alpha", "beta", "gamma", "data report", "Ünïcode", "技能", "a: b", "x # y", "'q'", '"d"', "<tag>&", "emoji 🙂", "tab\there", "yes", "null", "1.5", "2024-01-01", "[a, b]", "{k: v}", "*star", "&anchor", "%per", "@at", "`tick`", "| pipe", "> fold", "- dash", "? ask", "end:"]
VALID = ["alpha", "beta-two", "gamma3", "a", "x" * 64, "pdf", "1st"]
NAMES = ["Delta", "under_score", "double--dash", "-lead", "trail-", "y" * 65, "naïve", "with space"]


def text(r, n=3):
    return " ".join(r.choice(WORDS) for _ in range(r.randint(1, n)))


def scalar(r, value):
    kind = r.randrange(7)
    if kind == 0:
        return json.dumps(value, ensure_ascii=False)
    if kind == 1:
        return "'" + value.replace("'", "''") + "'"
    if kind == 2:
        return "|\n  " + value.replace("\n", "\n  ")
    if kind == 3:
        return ">-\n  " + value + "\n  and more"
    return value


def manifest(r, name):
    lines = []
    if r.random() < 0.93:
        lines.append(f"name: {name}" if r.random() < 0.8 else f"name: {scalar(r, name)}")
    if r.random() < 0.93:
        lines.append(f"description: {scalar(r, text(r)) if r.random() < 0.6 else 'Does ' + r.choice(['this', 'that', 'it']) + '. Use it often.'}")
    for key in ("license", "compatibility", "allowed-tools", "metadata", "extra"):
        if r.random() < 0.2:
            lines.append(f"{key}: " + (r.choice(["MIT", "a, b", "{author: me, version: 1}", "", "\n  author: me", "[1, 2]", "true"])))
    if r.random() < 0.2:
        r.shuffle(lines)
    head = "\n".join(lines)
    body = r.choice(["# Title\n\nDo it. See `references/a.md`.\n", "Text without end", "", "\n\n", "---\nmore\n", "a\tb\n\tc\n", "技能 ✓ 🙂\n", "<b>&amp;</b> \"q\" 'p'\n"])
    form = r.random()
    if form < 0.04:
        out = body
    elif form < 0.08:
        out = f"---\n{head}\n{body}"
    elif form < 0.12:
        out = f"---\n{head}\n--- \n{body}"
    elif form < 0.16:
        out = f"\n---\n{head}\n---\n{body}"
    else:
        out = f"---\n{head}\n---\n{body}"
    if r.random() < 0.08:
        out = out.replace("\n", "\r\n")
    if r.random() < 0.05:
        out = "\ufeff" + out
    return out


FILES = {
    "references/a.md": "# A\n\nfirst line\nsecond\n",
    "references/b.txt": "b\r\nwindows\r\n",
    "assets/c.json": '{"k": [1, 2]}',
    "notes.md": "",
    "scripts/run.py": "import sys\nprint('ran', sys.argv[1:])\n",
    "scripts/fail.py": "import sys\nprint('out')\nprint('err', file=sys.stderr)\nsys.exit(3)\n",
    "scripts/quiet.py": "",
    "extra/deep/d.md": "deep\n",
    "data.csv": "a,b\n1,2\n",
}


def folder(r, root):
    names = []
    for _ in range(r.choice([0, 1, 1, 1, 2, 2, 3, 4])):
        name = r.choice(VALID if r.random() < 0.8 else NAMES)
        where = name if r.random() < 0.85 else r.choice(["other", "nested/" + name, name.upper()])
        path = root / where
        if path.exists():
            continue
        path.mkdir(parents=True)
        (path / ("SKILL.md" if r.random() < 0.96 else "skill.md")).write_bytes(manifest(r, name).encode())
        for file, content in FILES.items():
            if r.random() < 0.4:
                (path / file).parent.mkdir(parents=True, exist_ok=True)
                (path / file).write_bytes(content.encode())
        names.append((name, where))
    root.mkdir(parents=True, exist_ok=True)
    return names


class Calls:
    """What a model might call."""

    def __init__(self, r, names, below):
        self.r, self.names, self.below, self.number = r, names, below, 0

    def id(self):
        self.number += 1
        return f"call_{self.number}"

    def skill(self):
        r = self.r
        known = [name for name, _ in self.names]
        return r.choice(known) if known and r.random() < 0.8 else r.choice(["none", "ALPHA", "", " alpha ", "alpha\n", "a/b", "../x", "技能"])

    def odd(self, arguments):
        r = self.r
        kind = r.random()
        if kind < 0.82:
            return arguments
        key = next(iter(arguments), "skill")
        whole = json.dumps(arguments)
        return r.choice([
            {}, {**arguments, key: 5}, {**arguments, key: None}, {**arguments, key: ["a"]}, {**arguments, "more": 1},
            {"wrong": "key"}, "", "{", "[]", "null", "5", '"text"', whole[:-1], whole[:-2], whole + "}", "{not json",
            whole.replace('"', "'"), whole.replace(": ", ":"), f"```json\n{whole}\n```", whole.replace("}", ",}"),
            f"{{{key}: alpha}}", f'{{"{key}": alpha}}', f'{{"{key}": "alpha}}', f'{{"{key}" "alpha"}}', f'{{"{key}": tru}}',
            f'{{"{key}": "al"pha"}}', f'text {whole} text', f'{{"{key}": "a\\u00e9"}}', f'{{"{key}": "a\nb"}}',
            f'{{"{key}": "x", "{key}": "alpha"}}', f'{{"{key}": 1e5}}', f'{{"{key}": .5}}', f'{{"{key}": -}}', f'{{"{key}": "\\ud83d"}}',
            f'{{"{key}": "alpha" // c\n}}', f'{{"{key}": "alpha"; "b": 2}}', f'{{“{key}”: “alpha”}}', f'{{"{key}": "alpha"', f'{{"{key}":',
            f'{{"{key}"', f'("{key}", "alpha")', f'{{"{key}": True, "b": None}}', f'{{"{key}": "C:\\dir"}}', f'[{whole}]', f'{whole}{whole}',
        ])

    def one(self):
        r = self.r
        kind = r.random()
        if kind < 0.06:
            return call(self.id(), r.choice(["no_such_tool", "", "Load_Skill", "bash"]), self.odd({"a": 1}))
        return call(self.id(), *self.of_framework(kind))

    def of_framework(self, kind):
        r = self.r
        if FRAMEWORK.startswith("agent-framework"):
            if kind < 0.45:
                return "load_skill", self.odd({"skill_name": self.skill()})
            if kind < 0.75:
                return "read_skill_resource", self.odd({"skill_name": self.skill(), "resource_name": r.choice(list(FILES) + ["none.md", "../x", "", "REFERENCES/A.MD", "./references/a.md"])})
            args = r.choice([None, [], ["a", "b c"], {"value": 1}, {"value": 1.5, "flag": True, "none": None}, {}, "x", [1, 2], {"s": "a b"}])
            return "run_skill_script", self.odd({"skill_name": self.skill(), "script_name": r.choice(["scripts/run.py", "scripts/fail.py", "scripts/quiet.py", "none.py"]), "args": args})
        if FRAMEWORK == "agentscope":
            return "Skill", self.odd({"skill": self.skill()})
        if kind < 0.6:
            return "skills", self.odd({"skill_name": self.skill()})
        where = r.choice([place for _, place in self.names]) if self.names else "x"
        if kind < 0.85:
            return "file_read", self.odd({"path": f"{{FIXTURES}}/{self.below}/{where}/{r.choice(list(FILES) + ['none.md'])}"})
        return "shell", self.odd({"command": r.choice(["echo hi", "true", "false", "printf 'a\\n\\nb'", "echo e >&2; exit 3", f"cat {{FIXTURES}}/{self.below}/{where}/SKILL.md"])})

    def answer(self):
        r = self.r
        n = 1 if FRAMEWORK == "agentscope" else r.choice([1, 1, 1, 2, 3])
        made = calls(*(self.one() for _ in range(n)))
        if r.random() < 0.25:
            made["say"] = r.choice(["Let me see.", "我看看。", "I will load it"])
        return made


def sample(folder):
    """A recording, for what all conversations of a framework have."""
    return json.loads((RECORDED / folder / "turns_edited_skill.json").read_text(encoding="utf-8"))


def conversation(r, number):
    below = f"roots/{FRAMEWORK}-{SEED}-{number}"
    root = OUT / below
    shutil.rmtree(root, ignore_errors=True)
    names = folder(r, root)
    making = Calls(r, names, below)
    turns = []
    for index in range(r.randint(1, 4)):
        answers = [making.answer() for _ in range(r.randint(0, 3))]
        answers.append(say(r.choice(["Done.", "好了。", "It is what it is."])))
        edit = None
        if index and names and r.random() < 0.3:
            path = root / names[0][1] / "SKILL.md"
            if path.exists():
                whole = path.read_bytes().decode()
                if "Do it." in whole and not any("edit" in turn for turn in turns):
                    edit = (f"{names[0][1]}/SKILL.md", "Do it.", "Do it well.")
        turns.append(turn(r.choice(["Use the skill.", "再来一次。", "What can you do?"]), *answers, edit=edit))
    made = {"root": below, "turns": turns}
    if FRAMEWORK.startswith("agent-framework"):
        of_scripts = {**real.WITHOUT_APPROVALS, "disableRunSkillScriptApproval": False}
        settings = r.choice([real.WITHOUT_APPROVALS, {}, of_scripts, {**real.WITHOUT_APPROVALS, "disableCaching": True}])
        made = {"root": below, "instructions": real.AGENT, "settings": settings, "turns": turns}
    elif FRAMEWORK == "agentscope":
        known = sample("agentscope-python-2.0.11")
        made = {"root": below, **{key: known[key] for key in ("instructions", "settings") if key in known}, "turns": turns}
    else:
        known = sample("strands-vended-1.62.0")
        made = {"root": below, **{key: known[key] for key in ("instructions", "settings", "variant") if key in known}, "turns": turns}
    return made


logging.disable(logging.CRITICAL)
out = OUT / FRAMEWORK
out.mkdir(exist_ok=True)
# Seconds that no conversation takes, whatever is in it.
STUCK = 120
begun = time.monotonic()
done = 0


def tell():
    print(f"{FRAMEWORK}: {done} of {COUNT} conversations, seed {SEED}, {time.monotonic() - begun:.0f} s", flush=True)


for number in range(COUNT):
    if time.monotonic() - begun > SECONDS:
        break
    faulthandler.dump_traceback_later(STUCK, exit=True)
    made = conversation(random.Random(f"{FRAMEWORK}-{SEED}-{number}"), number)
    stage = Loose(made)
    turns = stage.neutral(list(real.play(stage, made)))
    stage.close()
    recorder.compact(turns)
    recorded = {**{key: value for key, value in made.items() if key != "turns"}, "turns": turns}
    (out / f"turns_{SEED}_{number}.json").write_text(json.dumps(recorded, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    done += 1
    if done % 10 == 0 and done < COUNT:
        tell()
faulthandler.cancel_dump_traceback_later()
tell()
