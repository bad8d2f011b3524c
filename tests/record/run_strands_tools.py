"""The tools of strands-agents-tools that the article gives its agent, called by an agent of Strands: what they answer, as the
framework keeps it and as it goes over the wire."""

import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

import recorder
from recorder import call, calls, say

os.environ["BYPASS_TOOL_CONSENT"] = "true"
# Without it, the tools read from the terminal and print what they do.
os.environ["STRANDS_NON_INTERACTIVE"] = "true"

from strands import Agent
from strands.models.openai import OpenAIModel
from strands_tools import file_read, shell

WHO = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false", "-c", "init.defaultBranch=main"]
DAY = 24 * 60 * 60
# The prompt of an agent does not matter here.
PROMPT = "Go on."


def lay_out(case, folder):
    """Writes the files, and makes a repository of them if there are commits; each is a day older than the next."""
    for path, text in case.get("files", {}).items():
        write(folder / path, text)
    commits = case.get("commits", [])
    for index, commit in enumerate(commits):
        if index == 0:
            git(folder, "init", "-q")
        for path, text in commit["files"].items():
            write(folder / path, text)
        git(folder, "add", "--", *commit["files"])
        date = f"@{int(time.time()) - (len(commits) - index) * DAY} +0000"
        dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        git(folder, "commit", "-q", "-m", commit["subject"], more=dates)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8") if isinstance(text, str) else bytes(text))


def git(folder, *asked, more={}):
    subprocess.run(["git", *WHO, *asked], cwd=folder, check=True, env={**os.environ, **more})


def play(case, model):
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made).resolve()
        lay_out(case, folder)
        os.chdir(folder)
        model.requests = []
        given = json.loads(json.dumps(case["input"]).replace("{FOLDER}", str(folder)))
        model.answers = [calls(call("call_1", case["tool"], given)), say("Done.")]
        agent = Agent(
            model=OpenAIModel(client_args={"api_key": "none", "base_url": model.url}, model_id="fake"),
            tools=[file_read, shell],
            callback_handler=None,
        )
        agent(PROMPT)
        os.chdir("/")
        [result] = [block["toolResult"] for message in agent.messages for block in message["content"] if "toolResult" in block]
        wire = [message for message in model.requests[-1]["messages"] if message["role"] != "assistant"][1:]
        return neutral({"result": plain(result), "wire": wire}, folder), model.requests[0]["tools"]


def plain(value):
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [plain(inner) for inner in value]
    return value


# Parts that differ with each recording: ids of commits, times of files and owners, and random parts of names.
CHANCE = [
    (r"(Commit: )[0-9a-f]{7,12}", r"\1{COMMIT}"),
    (r"((?:Created|Modified|Accessed): )\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}", r"\1{TIME}"),
    (r"(Owner: )\d+", r"\1{OWNER}"),
    (r"-[0-9a-f]{8}(\")", r"-{CHANCE}\1"),
]


def neutral(value, folder):
    text = json.dumps(value, ensure_ascii=False).replace(str(folder), "{FOLDER}")
    for pattern, instead in CHANCE:
        text = re.sub(pattern, instead, text)
    return json.loads(text)


TEXT = "one\nTwo\nthree\nfour\n"
HISTORY = [
    {"subject": "Begin", "files": {"a.md": "one\n", "other.md": "x\n"}},
    {"subject": "Another file", "files": {"other.md": "y\n"}},
    {"subject": "Go on: 字", "files": {"a.md": "one\ntwo\n"}},
]


def reads(path, mode, files={}, commits=[], **more):
    case = {"tool": "file_read", "input": {"path": path, "mode": mode, **more}, "files": files}
    return {**case, "commits": commits} if commits else case


def runs(command, files={}, **more):
    return {"tool": "shell", "input": {"command": command, **more}, "files": files}


FILES = {"a.md": TEXT, "b.txt": "b\r\nTwo\r\n", "deep/c.md": "deep\n", "deep/er/d.md": "", ".hidden": "h\n", ".git-like/e.md": "e\n"}
FILE_READ = {
    "view": reads("a.md", "view", FILES),
    "view of several": reads("a.md, b.txt", "view", FILES),
    "view of a folder": reads("deep", "view", FILES),
    "view of a folder alone": reads("deep", "view", FILES, recursive=False),
    "view of a pattern": reads("*.md", "view", FILES, recursive=False),
    "view of a pattern in all folders": reads("*.md", "find", FILES),
    "view of nothing": reads("none.md", "view", FILES),
    "view of no text": reads("x.bin", "view", {"x.bin": [255, 254, 0]}),
    "find": reads("{FOLDER}", "find", FILES),
    "find of a file": reads("{FOLDER}/a.md", "find", FILES),
    "preview": reads("a.md", "preview", FILES),
    "stats": reads("a.md", "stats", FILES),
    "lines": reads("a.md", "lines", FILES, start_line=1, end_line=3),
    "lines the wrong way": reads("a.md", "lines", FILES, start_line=3, end_line=1),
    "lines to the end": reads("a.md", "lines", FILES, start_line=2),
    "lines from the end": reads("a.md", "lines", FILES, start_line=0, end_line=-1),
    "chunk": reads("a.md", "chunk", FILES, chunk_size=5, chunk_offset=4),
    "chunk behind the end": reads("a.md", "chunk", FILES, chunk_offset=400),
    "search": reads("a.md", "search", FILES, search_pattern="TWO", context_lines=1),
    "search for nothing": reads("a.md", "search", FILES),
    "search without a match": reads("a.md", "search", FILES, search_pattern="five"),
    "diff": reads("a.md", "diff", FILES, comparison_path="b.txt"),
    "diff with nothing": reads("a.md", "diff", FILES, comparison_path="none.md"),
    "diff without another": reads("a.md", "diff", FILES),
    "no mode": {"tool": "file_read", "input": {"path": "a.md"}, "files": FILES},
    "no path": {"tool": "file_read", "input": {"mode": "view"}, "files": FILES},
    "a mode that is none": reads("a.md", "gaze", FILES),
    "time machine": reads("{FOLDER}/a.md", "time_machine", commits=HISTORY),
    "time machine of one revision": reads("{FOLDER}/a.md", "time_machine", commits=HISTORY, num_revisions=1),
    "time machine of two files": reads("{FOLDER}/a.md,{FOLDER}/other.md", "time_machine", commits=HISTORY),
    "time machine below": reads("{FOLDER}/x y/é.md", "time_machine", commits=[{"subject": "It's here", "files": {"x y/é.md": "1\n"}}]),
    "time machine of a path without a folder": reads("a.md", "time_machine", commits=HISTORY),
    "time machine of a path from here": reads("./a.md", "time_machine", commits=HISTORY),
    "time machine of a new file": reads("{FOLDER}/new.md", "time_machine", {"new.md": "n\n"}, commits=HISTORY),
    "time machine with a bar": reads("{FOLDER}/a.md", "time_machine", commits=[{"subject": "a | b", "files": {"a.md": "1\n"}}]),
    "time machine without a repository": reads("{FOLDER}/a.md", "time_machine", FILES),
    "time machine without git": reads("{FOLDER}/a.md", "time_machine", FILES, git_history=False),
    "document": reads("a.csv", "document", {"a.csv": "a,b\n1,2\n"}),
    "document with a name": reads("a.csv", "document", {"a.csv": "a,b\n1,2\n"}, neutral_name="Numbers"),
    "document of a format": reads("a.md", "document", FILES, format="md"),
    "document of what is none": reads("a.md", "document", FILES),
    "documents": reads("a.pdf,b.docx", "document", {"a.pdf": "%PDF-1.4\n", "b.docx": [80, 75, 3, 4]}),
    "document that is not there": reads("none.pdf", "document", FILES),
}
SHELL = {
    "one": runs("echo a; echo b"),
    "one that fails": runs("echo a; exit 3"),
    "one after the other": runs(["echo a", "exit 3", "echo never"]),
    "one after the other, whatever comes": runs(["echo a", "exit 3", "echo still"], ignore_errors=True),
    "in another folder": runs(["cd deep", "pwd", "cd er", "pwd", "cd ..", "pwd"], FILES),
    "in a folder that is named": runs(["pwd", "cd er", "pwd"], FILES, work_dir="{FOLDER}/deep"),
    "at the same time": runs(["sleep 0.6; echo slow", "echo fast", "sleep 0.3; echo between"], parallel=True),
    "at the same time, and one fails": runs(["sleep 0.6; echo slow", "sleep 0.3; exit 3", "echo fast"], parallel=True),
    "at the same time, whatever comes": runs(["sleep 0.6; echo slow", "sleep 0.3; exit 3", "echo fast"], parallel=True, ignore_errors=True),
    "at the same time in a folder": runs(["cd er; pwd", "sleep 0.3; pwd"], FILES, work_dir="{FOLDER}/deep", parallel=True),
    "at the same time, and one is too late": runs(["sleep 5", "echo fast"], parallel=True, timeout=1, ignore_errors=True),
    "at the same time, one alone": runs("echo alone", parallel=True),
    "at the same time, and none": runs([], parallel=True),
    "too late": runs("sleep 5", timeout=1),
    "objects": runs([{"command": "echo a", "timeout": 60}, {"command": "pwd", "work_dir": "/"}]),
    "an object": runs({"command": "echo a"}),
    "an object without a command": runs(["echo a", {"cmd": "echo b"}]),
    "objects without a command, at the same time": runs([{"cmd": "echo b"}, "sleep 0.3; echo a"], parallel=True),
    "a number": runs(["echo a", 5]),
    "a list as a text": runs('["echo a", "echo b"]'),
    "a list of numbers as a text": runs('["echo a", 5]'),
    "a text in brackets": runs("[ -d . ]"),
    "none": runs([]),
    "no text in a list": runs(["echo a", None, ["b"]]),
    "flags in words": runs(["exit 3", "echo b"], ignore_errors="yes", parallel="off", timeout="5"),
    "flags that are none": runs("echo a", ignore_errors=None, parallel="perhaps", timeout=1.5, work_dir=5),
    "nulls": runs("pwd", timeout=None, work_dir=None),
    "no time": runs("echo a", timeout=0),
    "in a folder from here": runs(["pwd", "cd er", "pwd"], FILES, work_dir="deep"),
    "both streams": runs("echo a >&2"),
    "an object whose command is empty": runs(["echo a", {"command": ""}]),
    "an object whose command is a number, one after the other": runs([{"command": 5}]),
    "nothing": {"tool": "shell", "input": {}, "files": {}},
    "null": runs(None),
}


def main():
    out = Path(sys.argv[1]).resolve() / f"strands-tools-{version('strands-agents-tools')}"
    out.mkdir(parents=True, exist_ok=True)
    model = recorder.Model()
    for name, cases in (("file_read", FILE_READ), ("shell", SHELL)):
        recorded = {}
        for title, case in cases.items():
            answer, tools = play(case, model)
            recorded[title] = {**case, **answer}
        [definition] = [tool["function"] for tool in tools if tool["function"]["name"] == name]
        text = json.dumps({"definition": definition, "cases": recorded}, ensure_ascii=False, indent=1) + "\n"
        (out / f"{name}.json").write_text(text, encoding="utf-8")
        print(f"{out.name}/{name}.json: {len(recorded)} calls", flush=True)


main()
