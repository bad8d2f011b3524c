"""Gemini CLI, headless, with the skills in `.gemini/skills` of a trusted project. Arguments: the folder to write to,
and the folder of the package."""

import json
import sys
from pathlib import Path

import client

CLIENT = "gemini-cli"
TOOL = "activate_skill"
OWN = ["skill-creator", "antigravity-support"]
OPENING, CLOSING = "# Available Agent Skills", "</available_skills>"


def answer(path, body, said):
    """As the Gemini API streams it."""
    if ":streamGenerateContent" not in path:
        return None
    parts = [{"functionCall": {"name": call["name"], "args": call["arguments"]}} for call in said.get("calls", [])]
    parts = parts or [{"text": said["say"]}]
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
    return client.events({"candidates": [candidate], "usageMetadata": usage}), "text/event-stream"


class Cli:
    def __init__(self, install):
        self.install = install / "node_modules/@google/gemini-cli"
        self.version = json.loads((self.install / "package.json").read_text())["version"]

    def run(self, machine, answers, approval="yolo", settings=None):
        """The requests, and the lines about skills that it printed."""
        own = {
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "privacy": {"usageStatisticsEnabled": False},
            "general": {"enableAutoUpdate": False},
            **({"skills": {"disabled": OWN}} if settings is None else settings),
        }
        machine.write(machine.home / ".gemini/settings.json", own)
        machine.places[self.install] = "{INSTALL}"
        model = client.Model(answer)
        model.answers = answers
        environment = {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": model.url,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }
        command = ["node", str(self.install / "bundle/gemini.js"), "-m", "gemini-2.5-pro", "-p", "hi"]
        printed = machine.run([*command, "--approval-mode", approval], environment)
        model.close()
        if not model.requests:
            raise RuntimeError(f"{CLIENT} asked nothing: {printed}")
        starts = ("Skill conflict detected", f"Error executing tool {TOOL}")
        return model.requests, [line for line in printed[1].splitlines() if line.startswith(starts)]


def system(request):
    return "".join(part["text"] for part in request["systemInstruction"]["parts"])


def catalogue(request):
    text = system(request)
    return text[text.index(OPENING) : text.rindex(CLOSING) + len(CLOSING)] if OPENING in text else None


def tools(request):
    return [tool for group in request["tools"] for tool in group["functionDeclarations"]]


def tool(request):
    return next((tool for tool in tools(request) if tool["name"] == TOOL), None)


def results(requests):
    """Of all calls of a conversation."""
    parts = [part for content in requests[-1]["contents"] for part in content["parts"]]
    return [{"response": part["functionResponse"]["response"]} for part in parts if "functionResponse" in part]


def one_by_one(given):
    return [{"calls": [call]} for call in given]


def names(request):
    shown = tool(request)["parametersJsonSchema"]["properties"]["name"] if tool(request) else {}
    return shown.get("enum", [])


def fixture(cli, folder, name):
    machine = client.Machine(folder / name, ".gemini/skills")
    machine.take(name)
    [first, *_], log = cli.run(machine, [])
    skills = names(first)
    asked = skills + machine.unknown(skills)
    requests, _ = cli.run(machine, one_by_one([{"name": TOOL, "arguments": {"name": name}} for name in asked]))
    loads = [{"name": name, **result} for name, result in zip(asked, results(requests))]
    listed = catalogue(first)
    recorded = {
        "root": str(machine.skills),
        "skills": skills,
        "log": log,
        "catalogue": listed and {"where": where(first, listed), "text": listed},
        "tool": tool(first),
        "load": loads[: len(skills)],
        "load_by_folder": loads[len(skills) :],
    }
    around = [part for part in system(first).split(listed) if part.strip()] if listed else [system(first)]
    context = [{"text": part["text"] if part["text"] == "hi" else "{SESSION_CONTEXT}"} for part in first["contents"][0]["parts"]]
    wire = {
        "contents": [{"parts": context, "role": first["contents"][0]["role"]}],
        "system": "\n\n{SKILLS}\n\n".join("{BASE}" for _ in around),
        "tools": [tool["name"] for tool in tools(first)],
    }
    return [client.neutral(value, machine.places) for value in (recorded, wire)]


def where(request, listed):
    behind = system(request).split(listed, 1)[1].strip()
    return f"system instruction, before '{behind.splitlines()[0]}'"


def called(cli, folder, case):
    machine = client.Machine(folder / f"call-{case['id']}", ".gemini/skills")
    machine.take(case["root"].removeprefix("roots/"))
    answers = [{"calls": case["calls"]}] if case["mode"] == "parallel" else one_by_one(case["calls"])
    requests, _ = cli.run(machine, answers)
    made = {**case, "results": results(requests), "requests": len(requests)}
    return client.neutral(made, machine.places)


def extra(cli, folder, name, case):
    machine = client.Machine(folder / f"extra-{name}", ".gemini/skills")
    machine.put(case)
    options = case.get("options", {})
    answers = one_by_one([{"name": TOOL, "arguments": call["arguments"]} for call in case["calls"]])
    requests, log = cli.run(machine, answers, options.get("approval", "yolo"), options.get("settings"))
    shown = tool(requests[0])
    said = zip(case["calls"], results(requests))
    seen = {
        "catalogue": catalogue(requests[0]),
        "calls": [{"arguments": call["arguments"], **result} for call, result in said],
        "enum": shown and shown["parametersJsonSchema"]["properties"]["name"],
        "log": log,
    }
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
