"""OpenCode, `run`, with the skills in `.opencode/skills` of a project. Arguments: the folder to write to, and the
folder of the package and ripgrep."""

import json
import platform
import re
import sys
from pathlib import Path

import client

CLIENT = "opencode"
TOOL = "skill"
# The skill that comes with the client is denied, unless a case says otherwise.
PERMISSION = {"permission": {"skill": {"*": "allow", "customize-opencode": "deny"}}}
OPENING, CLOSING = "Skills provide specialized instructions", "</available_skills>"
NONE = "No skills are currently available."


def answer(path, body, said):
    """Chat completions, streamed."""
    if not path.endswith("/chat/completions"):
        return None
    head = {"id": "chatcmpl-1", "created": 1_700_000_000, "model": "fake", "object": "chat.completion.chunk"}
    message = {"role": "assistant", "content": said.get("say")}
    called = [
        {"index": index, "id": f"call_{index}", "type": "function", "function": call}
        for index, call in enumerate(said.get("calls", []))
    ]
    if called:
        message["tool_calls"] = called
    end = {"index": 0, "delta": {}, "finish_reason": "tool_calls" if called else "stop"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    chunks = [
        {**head, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
        {**head, "choices": [end], "usage": usage},
    ]
    return client.events(*chunks, "[DONE]"), "text/event-stream"


class Conversation(client.Model):
    """A request without tools asks for a title; it is not part of the conversation."""

    def __init__(self, answers, served):
        super().__init__(answer)
        self.answers = [with_texts(said) for said in answers]
        # What `skills.urls` brings is on the same server.
        self.served = {f"/{path}": text.encode() for path, text in served.items()}

    def reply(self, path, body):
        if path in self.served:
            return self.served[path], "text/plain"
        if isinstance(body, dict) and "tools" not in body:
            return answer(path, body, {"say": "A title"})
        return super().reply(path, body)


def with_texts(said):
    """Arguments that are a text are sent as they are, however wrong."""
    text = lambda arguments: arguments if isinstance(arguments, str) else json.dumps(arguments)
    return {key: [{**call, "arguments": text(call["arguments"])} for call in value] for key, value in said.items()}


class Cli:
    def __init__(self, install):
        machine = {"x86_64": "x64", "aarch64": "arm64"}[platform.machine()]
        self.packages = install / "node_modules"
        # The package for a machine is pinned by itself: npm refuses the lock of `opencode-ai` if its registry lacks one
        # of the others.
        package = self.packages / f"opencode-linux-{machine}"
        self.program = package / "bin/opencode"
        self.search = self.packages / f"@vscode/ripgrep-linux-{machine}/bin"
        self.version = json.loads((package / "package.json").read_text())["version"]

    def start(self, machine, arguments, url, options):
        options = client.locate(options, {"{URL}": url})
        model = {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": f"{url}/v1", "apiKey": "none"}, "models": {"fake": {}}}
        own = {"provider": {"fake": model}, "model": "fake/fake", "autoupdate": False, "share": "disabled"}
        environment = {
            "PATH": options.get("path") or f"{self.search}:/usr/bin:/bin",
            "OPENCODE_CONFIG_CONTENT": json.dumps({**own, **options.get("config", PERMISSION)}),
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            "OPENCODE_DISABLE_AUTOUPDATE": "1",
            "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
        }
        return machine.run([str(self.program), *arguments, "--print-logs", "--log-level", "WARN"], environment, 600)

    def run(self, machine, answers, options=None, served=()):
        """The requests of a conversation."""
        model = Conversation(answers, dict(served))
        printed = self.start(machine, ["run", "hi"], model.url, options or {})
        model.close()
        if not model.requests:
            raise RuntimeError(f"{CLIENT} asked nothing: {printed}")
        return model.requests

    def skills(self, machine):
        """The skills that it found, and its log about them."""
        found, log = self.start(machine, ["debug", "skill"], "http://127.0.0.1:9", {})
        own = [skill for skill in json.loads(found[found.index("[") :]) if skill["location"] != "<built-in>"]
        lines = [re.sub(r"^timestamp=\S+ ", "", line) for line in log.splitlines() if " skill " in line]
        return own, lines


def system(request):
    return request["messages"][0]["content"]


def catalogue(request):
    text = system(request)
    if OPENING not in text:
        return None
    text = text[text.index(OPENING) :]
    return text[: text.rindex(CLOSING) + len(CLOSING)] if CLOSING in text else text[: text.index(NONE) + len(NONE)]


def results(requests):
    return [{"content": message["content"]} for message in requests[-1]["messages"] if message["role"] == "tool"]


def one_by_one(given):
    return [{"calls": [call]} for call in given]


def loading(names):
    return one_by_one([{"name": TOOL, "arguments": {"name": name}} for name in names])


def fixture(cli, folder, name):
    machine = client.Machine(folder / name, ".opencode/skills")
    machine.take(name)
    skills, log = cli.skills(machine)
    names = [skill["name"] for skill in skills]
    asked = names + machine.unknown(names)
    requests = cli.run(machine, loading(asked))
    loads = [{"name": name, **result} for name, result in zip(asked, results(requests))]
    first = requests[0]
    listed = catalogue(first)
    base = system(first)[: system(first).index(listed)] if listed else system(first)
    recorded = {
        "root": str(machine.skills),
        "skills": skills,
        "log": log,
        "catalogue": listed and {"where": "end of the system message, after one newline", "text": listed},
        "tool": next((tool for tool in first["tools"] if tool["function"]["name"] == TOOL), None),
        "load": loads[: len(names)],
        "load_by_folder": loads[len(names) :],
    }
    said = [{"role": "system", "content": system(first).replace(base.rstrip("\n"), "{BASE}").replace(listed or "", "{SKILLS}")}]
    wire = {
        "messages": said + first["messages"][1:],
        "tools": [tool["function"]["name"] for tool in first["tools"]],
        "system_base_characters": len(base.rstrip("\n")),
    }
    return [client.neutral(value, machine.places) for value in (recorded, wire)]


def called(cli, folder, case):
    machine = client.Machine(folder / f"call-{case['id']}", ".opencode/skills")
    machine.take(case["root"].removeprefix("roots/"))
    answers = [{"calls": case["calls"]}] if case["mode"] == "parallel" else one_by_one(case["calls"])
    requests = cli.run(machine, answers)
    return client.neutral({**case, "results": results(requests), "requests": len(requests)}, machine.places)


def extra(cli, folder, name, case):
    machine = client.Machine(folder / f"extra-{name}", ".opencode/skills")
    machine.put(case)
    answers = one_by_one([{"name": TOOL, "arguments": call["arguments"]} for call in case["calls"]])
    requests = cli.run(machine, answers, case.get("options"), case.get("served", {}))
    brought = results(requests)
    brought += [{"no_result": True}] * (len(case["calls"]) - len(brought))
    calls = [{"arguments": call["arguments"], **result} for call, result in zip(case["calls"], brought)]
    seen = {"catalogue": catalogue(requests[0]), "calls": calls}
    if "served" in case:
        cache = machine.home / ".cache/opencode/skills"
        files = sorted(file for file in cache.rglob("*") if file.is_file())
        seen["cached"] = {str(file.relative_to(machine.home)): file.read_text() for file in files}
    return {**case, **client.neutral(seen, machine.places)}


def main(out, install):
    cli = Cli(install)
    with client.scratch() as folder:
        fixtures = client.fixtures(CLIENT)
        made = client.each(lambda name: fixture(cli, folder, name), fixtures)
        for name, (recorded, _) in zip(fixtures, made):
            client.write(out, CLIENT, cli.version, f"fixture_{name}", recorded)
        wire = {name: first for name, (_, first) in zip(fixtures, made)}
        client.write(out, CLIENT, cli.version, "wire_first_request_per_fixture", wire)
        calls = client.each(lambda case: called(cli, folder, case), client.asked(CLIENT, "calls.json"))
        client.write(out, CLIENT, cli.version, "calls", calls)
        for file in ("extras", "odd", "rare"):
            extras = client.asked(CLIENT, f"{file}.json")
            seen = client.each(lambda case: extra(cli, folder / file, *case), extras.items())
            client.write(out, CLIENT, cli.version, file, dict(zip(extras, seen)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]).resolve())
