"""The chapters s03 to s06 of the course "Learn Claude Code" (shareAI-lab/learn-claude-code, folder `agents`), in a checkout
that is the second argument: what they find in each fixture, their tools, what calls answer, and what they send in a few
rounds. Nothing in them is changed; they talk to a scripted model by the official SDK of Anthropic."""

import importlib.util
import io
import json
import os
import shutil
import sys
import tempfile
import threading
from contextlib import redirect_stdout
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from recorder import GOLDEN

OUT = Path(sys.argv[1]).resolve() / "learn-claude-code-b7de911"
COURSE = Path(sys.argv[2]).resolve() / "agents"


class Model:
    """Speaks Anthropic's messages, whole, and keeps what it was sent."""

    def __init__(self):
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                model.requests.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                content = model.answers.pop(0)
                used = any(block["type"] == "tool_use" for block in content)
                body = {"id": "msg_1", "type": "message", "role": "assistant", "model": "fake", "content": content,
                        "stop_reason": "tool_use" if used else "end_turn", "stop_sequence": None,
                        "usage": {"input_tokens": 1, "output_tokens": 1}}
                written = json.dumps(body).encode()
                self.send_response(200)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(written)))
                self.end_headers()
                self.wfile.write(written)

            def log_message(self, *_):
                pass

        self.answers, self.requests = [], []
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        os.environ["ANTHROPIC_BASE_URL"] = f"http://127.0.0.1:{server.server_address[1]}"


def use(id, name, /, **arguments):
    return {"type": "tool_use", "id": id, "name": name, "input": arguments}


def say(text):
    return {"type": "text", "text": text}


class Stage:
    """An empty folder in which a chapter is started, with the skills of a fixture or with given files."""

    def __init__(self, skills=None, files=None):
        self.folder = Path(tempfile.mkdtemp()).resolve()
        if skills:
            shutil.copytree(skills, self.folder / "skills", symlinks=True)
        for path, text in (files or {}).items():
            file = self.folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode())
        os.chdir(self.folder)

    def start(self, chapter):
        spec = importlib.util.spec_from_file_location("chapter", next(COURSE.glob(f"{chapter}_*.py")))
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def close(self, value):
        os.chdir("/")
        shutil.rmtree(self.folder)
        return json.loads(json.dumps(value, ensure_ascii=False).replace(str(self.folder), "{WORKING}"))


def catalogue(stage):
    """The system prompt of s05 and each skill as it is loaded, or what ends the program."""
    try:
        chapter = stage.start("s05")
    except Exception as problem:
        return {"error": f"{type(problem).__name__}: {problem}"}
    # A model can ask for texts alone.
    names = [*(name for name in chapter.SKILL_LOADER.skills if isinstance(name, str)), "nobody"]
    return {"system": chapter.SYSTEM, "loaded": {name: answer(chapter, "load_skill", {"name": name}) for name in names}}


def answer(chapter, name, arguments):
    """What the loop puts into the result of one call."""
    model.answers, model.requests = [[use("toolu_1", name, **arguments)], [say("Done.")]], []
    with redirect_stdout(io.StringIO()):
        chapter.agent_loop([{"role": "user", "content": "Go on."}])
    results = model.requests[-1]["messages"][-1]["content"]
    assert [result["type"] for result in results] == ["tool_result"], results
    return results[0]["content"]


def skill(frontmatter, body="Do it.\n"):
    return {"skills/one/SKILL.md": f"---\n{frontmatter}\n---\n{body}"}


ODD = {
    "quoted": skill('name: "one"\ndescription: \'It\'\'s: one\''),
    "folded": skill("name: one\ndescription: >-\n  first\n  second"),
    "literal": skill("name: one\ndescription: |\n  first\n  second"),
    "colon in a value": skill("name: one\ndescription: Use it when: always"),
    "tags": skill("name: one\ndescription: d\ntags: [a, 'b c', 3]"),
    "tags as a text": skill("name: one\ndescription: d\ntags: a, b"),
    "empty tags": skill("name: one\ndescription: d\ntags: []"),
    "no description": skill("name: one"),
    "null description": skill("name: one\ndescription:"),
    "description as a list": skill("name: one\ndescription: [a, 'b', true, null, 1.50]"),
    "description as a map": skill("name: one\ndescription: {a: 1, b: yes, c: 2024-01-02}"),
    "name as a number": skill("name: 123\ndescription: d"),
    "name as a truth": skill("name: yes\ndescription: d"),
    "null name": skill("name:\ndescription: d"),
    "name as a list": skill("name: [a]\ndescription: d"),
    "name as a date": skill("name: 2024-01-02\ndescription: d"),
    "a list": skill("- a\n- b"),
    "a text": skill("just words"),
    "a number": skill("5"),
    "nothing": skill("# a comment"),
    "not YAML": skill("name: one\ndescription: [a"),
    "a tab": skill("name: one\n\tdescription: d"),
    "an unknown tag": skill("name: one\ndescription: !foo d"),
    "two documents": skill("name: one\n--- \nname: two"),
    "an anchor": skill("name: &n one\ndescription: *n"),
    "an unhashable key": skill("name: one\n? [a, b]\n: c"),
    "a wrong date": skill("name: one\ndescription: 2024-13-01"),
    "no truth": skill("name: one\ndescription: !!bool maybe"),
    "no number": skill("name: one\ndescription: !!int ''"),
    "no moment": skill("name: one\ndescription: !!timestamp x"),
    "a character that is none": skill('name: one\ndescription: "\\U00110000"'),
    "a key twice": skill("name: one\nname: two\ndescription: d"),
    "a control character": skill("name: one\ndescription: a\u0007b"),
    "lines end in CRLF": {"skills/one/SKILL.md": "---\r\nname: one\r\ndescription: d\r\n---\r\nDo it.\r\n"},
    "a byte order mark": {"skills/one/SKILL.md": "\ufeff---\nname: one\ndescription: d\n---\nDo it.\n"},
    "two of one name": {**skill("name: same\ndescription: first"),
                        "skills/two/SKILL.md": "---\nname: same\ndescription: second\n---\nSecond.\n"},
    "a number and a text": {**skill("name: 1\ndescription: first"),
                            "skills/two/SKILL.md": "---\nname: '1'\ndescription: second\n---\nSecond.\n"},
    "one and true": {**skill("name: 1\ndescription: first"),
                     "skills/two/SKILL.md": "---\nname: true\ndescription: second\n---\nSecond.\n"},
    "no folder": {"readme.md": "Nothing here.\n"},
}

FILES = {"notes.txt": "one\ntwo\nthree\n", "skills/one/SKILL.md": "---\nname: one\ndescription: d\n---\nDo it.\n"}
CALLS = [
    ("s03", "todo", {"items": [{"id": "1", "text": " a ", "status": "IN_PROGRESS"}, {"text": "b"}]}),
    ("s03", "todo", {"items": [{"id": "x", "text": " "}]}),
    ("s03", "todo", {"items": [{"text": "a", "status": "done"}]}),
    ("s03", "todo", {"items": [{"text": "a", "status": "in_progress"}, {"text": "b", "status": "in_progress"}]}),
    ("s03", "todo", {"items": [{"text": "a"}] * 21}),
    ("s03", "todo", {"items": []}),
    ("s03", "todo", {"items": 5}),
    ("s03", "todo", {"items": "ab"}),
    ("s03", "todo", {"items": {"a": 1}}),
    ("s03", "todo", {"items": [{"id": None, "text": None, "status": None}]}),
    ("s03", "todo", {"items": [{"id": 1.0, "text": ["a", None], "status": "Completed"}]}),
    ("s03", "todo", {}),
    ("s03", "bash", {"command": "printf 'a\\n'; printf 'b\\n' >&2"}),
    ("s03", "bash", {"command": "true"}),
    ("s03", "bash", {"command": "sudo ls"}),
    ("s03", "bash", {"command": "echo x > /dev/null"}),
    ("s03", "bash", {"command": "exit 3"}),
    ("s03", "bash", {}),
    ("s03", "bash", {"command": 5}),
    ("s03", "read_file", {"path": "notes.txt"}),
    ("s03", "read_file", {"path": "notes.txt", "limit": 2}),
    ("s03", "read_file", {"path": "notes.txt", "limit": 0}),
    ("s03", "read_file", {"path": "notes.txt", "limit": -1}),
    ("s03", "read_file", {"path": "notes.txt", "limit": "2"}),
    ("s03", "read_file", {"path": "missing.txt"}),
    ("s03", "read_file", {"path": "../outside.txt"}),
    ("s03", "read_file", {"path": "skills"}),
    ("s03", "read_file", {}),
    ("s03", "write_file", {"path": "made/new.txt", "content": "日本\n"}),
    ("s03", "write_file", {"path": "made/new.txt"}),
    ("s03", "edit_file", {"path": "notes.txt", "old_text": "two", "new_text": "2"}),
    ("s03", "edit_file", {"path": "notes.txt", "old_text": "four", "new_text": "4"}),
    ("s03", "edit_file", {"path": "missing.txt", "old_text": "a", "new_text": "b"}),
    ("s03", "nothing", {}),
    ("s05", "load_skill", {"name": "one"}),
    ("s05", "load_skill", {"name": "One"}),
    ("s05", "load_skill", {}),
    ("s05", "load_skill", {"name": 5}),
    ("s05", "load_skill", {"name": None}),
    ("s05", "load_skill", {"name": ["one"]}),
]

LONG = "printf 'x%.0s' $(seq 1 101)"
SHORT = "printf 'x%.0s' $(seq 1 100)"
ROUNDS = {
    "s03": [
        [use("toolu_1", "bash", command="echo 1")],
        [say("Two at once."), use("toolu_2", "bash", command="echo 2"), use("toolu_3", "bash", command="echo 3")],
        [use("toolu_4", "bash", command="echo 4")],
        [use("toolu_5", "bash", command="echo 5")],
        [use("toolu_6", "todo", items=[{"id": "1", "text": "a", "status": "pending"}])],
        [use("toolu_7", "bash", command="echo 7")],
        [say("Done.")],
    ],
    "s06": [
        [use("toolu_1", "bash", command=LONG)],
        [use("toolu_2", "bash", command=SHORT)],
        [use("toolu_3", "read_file", path="long.txt")],
        [use("toolu_4", "bash", command=LONG), use("toolu_5", "nothing")],
        [use("toolu_6", "bash", command=LONG)],
        [use("toolu_7", "bash", command=LONG)],
        [use("toolu_8", "compact", focus="the numbers")],
        [say("A summary.")],
    ],
    "s04": [
        [use("toolu_1", "task", prompt="Count the lines.", description="count")],
        [use("toolu_2", "bash", command="wc -l < notes.txt")],
        [say("Three"), say(" lines.")],
        [use("toolu_3", "task", prompt="Say nothing.")],
        [],
        [say("Done.")],
    ],
}


def rounds(chapter, answers):
    stage = Stage(files={**FILES, "long.txt": "y" * 150})
    module = stage.start(chapter)
    model.answers, model.requests = json.loads(json.dumps(answers)), []
    messages = [{"role": "user", "content": "Begin."}]
    with redirect_stdout(io.StringIO()):
        module.agent_loop(messages)
    assert not model.answers, model.answers
    left = messages if len(messages) == 1 else None
    recorded = stage.close({"answers": answers, "requests": model.requests, "left": left})
    before = []
    for request in recorded["requests"]:
        # What a request repeats of the one before it.
        same = 0
        while same < min(len(before), len(request["messages"])) and before[same] == request["messages"][same]:
            same += 1
        before = request["messages"]
        request["messages"], request["same_messages"] = request["messages"][same:], same
        request.pop("tools", None)
    text = json.dumps(recorded)
    for name in {part.split(".")[0] for part in text.split("transcript_")[1:]}:
        text = text.replace(f"transcript_{name}", "transcript_{TIME}")
    return json.loads(text)


def write(name, value):
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / name).write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{OUT.name}/{name}: {len(value)}", flush=True)


os.environ.update(MODEL_ID="fake", ANTHROPIC_API_KEY="none")
model = Model()

fixtures = {}
for root in sorted((GOLDEN / "roots").iterdir()):
    # Its links are kept as texts.
    if root.name == "symlinked":
        continue
    stage = Stage(skills=root)
    fixtures[root.name] = stage.close(catalogue(stage))
write("fixtures.json", fixtures)

odd = {}
for case, files in ODD.items():
    stage = Stage(files=files)
    odd[case] = {"files": files, **stage.close(catalogue(stage))}
write("odd.json", odd)

tools = {}
for chapter in ("s03", "s04", "s05", "s06"):
    stage = Stage()
    module = stage.start(chapter)
    tools[chapter] = stage.close(getattr(module, "PARENT_TOOLS", None) or module.TOOLS)
write("tools.json", tools)

answered = []
for chapter, name, arguments in CALLS:
    stage = Stage(files=FILES)
    result = answer(stage.start(chapter), name, arguments)
    answered.append(stage.close({"chapter": chapter, "tool": name, "input": arguments, "result": result}))
write("calls.json", {"files": FILES, "calls": answered})

write("rounds.json", {chapter: rounds(chapter, answers) for chapter, answers in ROUNDS.items()})
