"""Codex CLI, `exec` and its server, with the skills in `.agents/skills` of a trusted project. Arguments: the folder to
write to, and the folder of the package."""

import json
import platform
import re
import subprocess
import sys
from pathlib import Path

import client

CLIENT = "codex-cli"
MODEL = "gpt-5.5"
OPENING = "<skills_instructions>"
# Of other texts of the client, so many letters of the first line are kept.
KEPT = 60


def answer(path, body, said):
    """The Responses protocol, streamed."""
    if not path.endswith("/responses"):
        return None
    if "call" in said:
        item = {"id": "call_1", "call_id": "call_1", "status": "completed", **said["call"]}
    else:
        text = {"type": "output_text", "text": said["say"], "annotations": []}
        item = {"type": "message", "role": "assistant", "id": "msg_1", "status": "completed", "content": [text]}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    done = {"id": "resp_1", "object": "response", "status": "completed", "output": [item], "usage": {**usage, **details}}
    events = [
        {"type": "response.created", "response": {"id": "resp_1"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": done},
    ]
    return client.events(*events), "text/event-stream"


CONFIG = """\
model = "{model}"
model_provider = "fake"

[model_providers.fake]
name = "fake"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0

[skills.bundled]
enabled = false

[projects."{project}"]
trust_level = "trusted"
"""


class Cli:
    def __init__(self, install):
        machine = {"x86_64": "x64", "aarch64": "arm64"}[platform.machine()]
        package = install / "node_modules/@openai"
        self.program = next((package / f"codex-linux-{machine}/vendor").glob("*/bin/codex"))
        self.version = json.loads((package / "codex/package.json").read_text())["version"]

    def configure(self, machine, url, model=MODEL):
        text = CONFIG.format(model=model, url=url, project=machine.project)
        machine.write(machine.home / ".codex/config.toml", text)

    def requests(self, machine, prompt, model=MODEL, answers=(), arguments=()):
        """The requests of a conversation, and the output."""
        server = client.Model(answer)
        server.answers = list(answers)
        self.configure(machine, server.url, model)
        printed = machine.run([str(self.program), "exec", "--json", *arguments, prompt], {"FAKE_KEY": "none"})
        server.close()
        if not server.requests:
            raise RuntimeError(f"{CLIENT} asked nothing: {printed}")
        return server.requests, printed

    def ask(self, machine, prompt, model=MODEL):
        """The first request, and the errors that it reported. What it logs on the way is not for its user."""
        requests, printed = self.requests(machine, prompt, model)
        events = [json.loads(line) for line in printed[0].splitlines() if line.startswith("{")]
        items = [event.get("item", event) for event in events]
        return requests[0], [item["message"] for item in items if item["type"] == "error"]

    def skills(self, machine):
        """What `skills/list` of its server says."""
        self.configure(machine, "http://127.0.0.1:9")
        server = subprocess.Popen(
            [str(self.program), "app-server"],
            cwd=machine.project,
            env={"HOME": str(machine.home), "PATH": "/usr/bin:/bin", "FAKE_KEY": "none"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

        def said(message, wanted=None):
            server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
            while wanted is not None:
                line = json.loads(server.stdout.readline())
                if line.get("id") == wanted:
                    return line["result"]

        about = {"name": "recorder", "title": "recorder", "version": "1"}
        said({"id": 0, "method": "initialize", "params": {"clientInfo": about}}, 0)
        said({"method": "initialized"})
        listed = said({"id": 1, "method": "skills/list", "params": {"cwds": [str(machine.project)]}}, 1)
        server.kill()
        server.wait()
        return listed["data"][0]


def texts(item):
    return [part["text"] for part in item.get("content", [])]


def catalogue(request):
    found = [text for item in request["input"] for text in texts(item) if text.startswith(OPENING)]
    return found[0] if found else None


def where(request):
    developers = [item for item in request["input"] if item.get("role") == "developer"]
    for number, item in enumerate(developers):
        if any(text.startswith(OPENING) for text in texts(item)):
            alone = "its own input_text item" if len(texts(item)) > 1 else "alone"
            return f"developer message {number}, {alone}"


def injected(request, prompt):
    """The messages behind the prompt."""
    places = [at for at, item in enumerate(request["input"]) if texts(item) == [prompt]]
    return ["".join(texts(item)) for item in request["input"][places[-1] + 1 :]]


def short(text, listed):
    return "{SKILLS}" if text == listed else f"{text.splitlines()[0][:KEPT]} …"


def tools(request):
    return [tool.get("name", tool["type"]) for tool in request.get("tools", [])]


def fixture(cli, folder, name):
    machine = client.Machine(folder / name, ".agents/skills")
    machine.take(name)
    known = cli.skills(machine)
    request, notices = cli.ask(machine, "hi")
    listed = catalogue(request)
    recorded = {
        "root": str(machine.skills),
        "skills": known["skills"],
        "errors": known["errors"],
        "catalogue": listed and {"where": where(request), "text": listed},
        "notices": notices,
    }
    if known["skills"]:
        prompt = " ".join(f"${skill['name']}" for skill in known["skills"])
        recorded["mention_prompt"] = prompt
        recorded["mention_items"] = injected(cli.ask(machine, prompt)[0], prompt)
    items = [
        {"type": item["type"], "role": item.get("role"), "content": [short(text, listed) for text in texts(item)]}
        for item in request["input"]
    ]
    wire = {"items": items, "tools": tools(request)}
    return [client.neutral(value, machine.places) for value in (recorded, wire)]


def extra(cli, folder, name, case):
    machine = client.Machine(folder / f"extra-{name}", ".agents/skills")
    machine.put(case)
    prompt = case.get("options", {}).get("prompt", "hi").replace("{ROOT}", str(machine.skills))
    known = cli.skills(machine) if "errors" in case else {}
    request, notices = cli.ask(machine, prompt)
    seen = {"catalogue": catalogue(request), "calls": [], "injected": injected(request, prompt), "notices": notices}
    seen.update((part, known[part]) for part in ("skills", "errors") if known)
    return {**case, **client.neutral(seen, machine.places)}


def by_model(cli, folder, model):
    machine = client.Machine(folder / f"model-{model}", ".agents/skills")
    machine.take("unit-converter")
    request, _ = cli.ask(machine, "hi", model)
    listed = catalogue(request)
    root = "- `r0` = `"
    own = [text for item in request["input"] for text in texts(item) if text != listed]
    return {
        "catalogue_has_how_to": "### How to use skills" in (listed or ""),
        "catalogue": listed is not None,
        "how_to_in_own_instructions": any("SKILL.md" in text for text in [request.get("instructions") or "", *own]),
        "tools": tools(request),
        "input_types": [[item["type"], item.get("role")] for item in request["input"]],
        "catalogue_text_head": listed and listed[: listed.index(root) + len(root)] + "{HOST}",
    }


# What differs with each run.
CHANCE = [
    (r'(Chunk ID: |chunk_id\\?":\\?")[0-9a-f]{6}', r"\g<1>{CHUNK}"),
    (r"(Wall time:? )[0-9.]+ ", r"\g<1>{TIME} "),
    (r'(wall_time_seconds\\?":)[0-9.e-]+', r"\g<1>{TIME}"),
]


def called(cli, folder, name, case):
    """The result of one call, in a project with the files of the case."""
    machine = client.Machine(folder / name, ".agents/skills")
    for path, text in case.get("files", {}).items():
        machine.write(machine.project / path, text)
    for path, digits in case.get("hex", {}).items():
        machine.write(machine.project / path, bytes.fromhex(digits))
    free = ["--dangerously-bypass-approvals-and-sandbox"]
    requests, _ = cli.requests(machine, "hi", case["model"], [{"call": case["call"]}], free)
    outputs = [item["output"] for item in requests[-1]["input"] if item["type"].endswith("_output")]
    text = json.dumps(client.neutral(outputs, machine.places), ensure_ascii=False)
    for pattern, shown in CHANCE:
        text = re.sub(pattern, shown, text)
    return {**case, "outputs": json.loads(text)}


def exec_tool(request):
    """As it is sent for models that write programs."""
    given = [tool for item in request["input"] for space in item.get("tools", []) for tool in space.get("tools", [space])]
    return next(tool for tool in given if tool.get("name") == "exec")


def main(out, install):
    cli = Cli(install)
    with client.scratch() as folder:
        fixtures = client.fixtures(CLIENT)
        made = client.each(lambda name: fixture(cli, folder, name), fixtures)
        for name, (recorded, _) in zip(fixtures, made):
            client.write(out, CLIENT, cli.version, f"fixture_{name}", recorded)
        wire = {name: first for name, (_, first) in zip(fixtures, made)}
        client.write(out, CLIENT, cli.version, "wire_first_request_per_fixture", wire)
        extras = client.asked(CLIENT, "extras.json")
        models = extras.pop("by_model")
        seen = dict(zip(extras, client.each(lambda case: extra(cli, folder / "extras", *case), extras.items())))
        seen["by_model"] = dict(zip(models, client.each(lambda model: by_model(cli, folder, model), models)))
        client.write(out, CLIENT, cli.version, "extras", seen)
        calls = client.asked(CLIENT, "calls.json")
        seen = dict(zip(calls, client.each(lambda case: called(cli, folder / "calls", *case), calls.items())))
        client.write(out, CLIENT, cli.version, "calls", seen)
        tools = {
            model: exec_tool(cli.ask(client.Machine(folder / f"tool-{model}", ".agents/skills"), "hi", model)[0])
            for model in client.asked(CLIENT, "exec.json")
        }
        client.write(out, CLIENT, cli.version, "exec", tools)
        for file in ("odd", "rare"):
            cases = client.asked(CLIENT, f"{file}.json")
            seen = client.each(lambda case: extra(cli, folder / file, *case), cases.items())
            client.write(out, CLIENT, cli.version, file, dict(zip(cases, seen)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]).resolve())
