"""deepagents: `create_deep_agent` over a `FilesystemBackend`, each root as its only source. The model asks to read what the
skills' files are, and makes the wrong calls of the committed recording."""

import logging
import sys
from importlib.metadata import version
from pathlib import Path

import client
from recorder import Model, call, calls, say

from deepagents import create_deep_agent
from deepagents.backends import FilesystemBackend
from deepagents.middleware.skills import SkillsMiddleware
from langchain_openai import ChatOpenAI

CLIENT = "deepagents"
OWN = "You are a helpful assistant."
SECTION = "## Skills System"


class Log(logging.Handler):
    """What the package logs while an agent runs."""

    def __init__(self):
        super().__init__()
        self.lines = []
        logging.getLogger(CLIENT).addHandler(self)

    def emit(self, record):
        self.lines.append(f"{record.levelname}: {record.getMessage()}")


def text(content):
    """The content of a message, which may be a text or a list of parts."""
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


class Stage:
    def __init__(self, source):
        self.model = Model()
        self.log = Log()
        self.agent = create_deep_agent(
            model=ChatOpenAI(model="fake", base_url=self.model.url, api_key="none", max_retries=0),
            system_prompt=OWN,
            skills=[str(source)],
            backend=disk(),
        )

    def ask(self, *answers):
        """The requests while the model gave these answers."""
        self.model.answers, self.model.requests = list(answers), []
        self.agent.invoke({"messages": [{"role": "user", "content": "hi"}]})
        return self.model.requests

    def result(self, name, arguments):
        """What a call brings, as the next request has it."""
        requests = self.ask(calls(call("call_1", name, arguments)), say("Done."))
        replies = [message for message in requests[-1]["messages"] if message["role"] == "tool"]
        return replies[0]["content"]


def disk():
    return FilesystemBackend(root_dir="/", virtual_mode=True)


def loaded(source):
    """The skills and errors of a source, as the package keeps them."""
    found = SkillsMiddleware(backend=disk(), sources=[str(source)]).before_agent({}, None, {})
    return found["skills_metadata"], found["skills_load_errors"]


def fixture(root, source):
    skills, errors = loaded(source)
    stage = Stage(source)
    requests = stage.ask(say("Hello."))
    log = list(stage.log.lines)
    system = text(requests[0]["messages"][0]["content"])
    own, section = system.split(SECTION, 1)
    loads = []
    for skill in skills:
        arguments = {"file_path": skill["path"]}
        content = stage.result("read_file", arguments)
        loads.append({"name": skill["name"], "call": {"name": "read_file", "arguments": arguments}, "content": content})
    recorded = {
        "root": str(source),
        "skills": skills,
        "load_errors": errors,
        "log": log,
        "error": None,
        "skills_section": SECTION + section,
        "load": loads,
    }
    first = {
        "messages": [{"role": "system", "content": "{BASE}{SKILLS}"}, {"role": "user", "content": "hi"}],
        "base_characters": len(own),
        "tools": [tool["function"]["name"] for tool in requests[0]["tools"]],
    }
    return recorded, first, requests[0]


def main(out):
    client.clean_environment()
    with client.scratch() as folder:
        # A source called `skills` has the name of its parent, which is part of the recording.
        fixtures = client.copy_fixtures(folder / "fx", links=False)
        wire, places = {}, {fixtures: "{FIXTURES}"}

        def write(name, value):
            client.write(out, CLIENT, version(CLIENT), name, client.neutral(value, places))

        for name in client.fixtures(CLIENT):
            recorded, wire[name], request = fixture(fixtures, fixtures / client.root(name))
            write(f"fixture_{name}", recorded)
            if name == "unit-converter":
                write("first_request_full", request)
        write("wire_first_request_per_fixture", wire)
        rare = client.asked(CLIENT, "rare.json")
        client.write(out, CLIENT, version(CLIENT), "rare", {name: odd(folder / name, name, case) for name, case in rare.items()})
        write("calls", [made(Stage(fixtures / "roots/pdf-tools"), case, fixtures) for case in client.asked(CLIENT, "calls.json")])


def odd(folder, name, case):
    """The files of a case as the only source, or the error that it ends with."""
    machine = client.Machine(folder, f"roots/{name}")
    machine.put(case)
    try:
        loaded(machine.skills)
    except Exception as problem:
        return {**case, "error": str(problem)}
    return {**case, **client.neutral(fixture(None, machine.skills)[0], machine.places)}


def made(stage, case, fixtures):
    wanted = case["call"]
    located = client.locate(wanted["arguments"], {"{FIXTURES}": fixtures})
    return {"id": case["id"], "call": wanted, "result": stage.result(wanted["name"], located), "error": None}


main(Path(sys.argv[1]))
