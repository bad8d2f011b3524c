"""What every recorder needs: a model on the loopback interface that says what a conversation scripts, a guard that lets
nothing leave this machine, copies of the fixtures, and one way to write what happened."""

import json
import os
import shutil
import socket
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

GOLDEN = Path(__file__).resolve().parent.parent / "fixtures" / "golden"

# Settings of the machine must not appear in a recording.
for variable in list(os.environ):
    if variable.startswith(("OPENAI_", "OTEL_", "AGENT_FRAMEWORK_", "AGENTSCOPE_", "STRANDS_")) or variable.lower().endswith("_proxy"):
        del os.environ[variable]
os.environ["OTEL_SDK_DISABLED"] = "true"


def _refuse_other_machines(event, arguments):
    if event == "socket.connect":
        address = arguments[1]
        if isinstance(address, tuple) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise PermissionError(f"a recorder talks to this machine alone, not to {address}")


sys.addaudithook(_refuse_other_machines)


def _list_in_order():
    """A disk lists a folder in any order. Here it is that of the names, as in Skill Workbench."""
    listdir, scandir = os.listdir, os.scandir

    class Listed:
        def __init__(self, path):
            with scandir(path) as entries:
                self._entries = iter(sorted(entries, key=lambda entry: entry.name))

        def __iter__(self):
            return self

        def __next__(self):
            return next(self._entries)

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self.close()

        def close(self):
            pass

    os.listdir = lambda *path: sorted(listdir(*path))
    os.scandir = lambda path=".": Listed(path)


_list_in_order()


def call(id, name, arguments):
    """A call of a tool. Arguments that are a text are sent as they are, however wrong."""
    return {"id": id, "name": name, "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments)}


def calls(*given):
    return {"calls": list(given)}


def say(text):
    return {"say": text}


def turn(prompt, *answers, edit=None):
    """`edit`: a file below the root, the text to replace in it before the prompt, and the new text."""
    made = {"prompt": prompt, "answers": list(answers)}
    return {"edit": dict(zip(("path", "replace", "with"), edit)), **made} if edit else made


class Model:
    """Speaks chat completions, streamed or whole as asked, and keeps what it was sent."""

    def __init__(self):
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                model.requests.append(body)
                answer = model.answers.pop(0) if model.answers else say("Nothing is left to say.")
                model.missing += answer == say("Nothing is left to say.")
                # Frameworks distinguish answers by their ids.
                model.number += 1
                head = {**_HEAD, "id": f"chatcmpl-{model.number}"}
                written, kind = _streamed(answer, head) if body.get("stream") else _whole(answer, head, model.says_nothing)
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(written)))
                self.end_headers()
                self.wfile.write(written)

            def log_message(self, *_):
                pass

        self.answers, self.requests, self.missing, self.number = [], [], 0, 0
        # Replaces a text or calls that an answer does not have.
        self.says_nothing = {}
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"


_HEAD = {"created": 1_700_000_000, "model": "fake"}
_USAGE = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}


def _message(answer):
    message = {"role": "assistant", "content": answer.get("say")}
    if "calls" in answer:
        message["tool_calls"] = [
            {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": call["arguments"]}}
            for call in answer["calls"]
        ]
    return message, "tool_calls" if "calls" in answer else "stop"


def _whole(answer, head, says_nothing):
    message, finish = _message(answer)
    for field, value in says_nothing.items():
        message[field] = message.get(field) or value
    choice = {"index": 0, "message": message, "finish_reason": finish, "logprobs": None}
    body = {**head, "object": "chat.completion", "choices": [choice], "usage": _USAGE}
    return json.dumps(body).encode(), "application/json"


def _streamed(answer, head):
    message, finish = _message(answer)
    called = message.pop("tool_calls", None)
    if called:
        message["tool_calls"] = [{"index": index, **call} for index, call in enumerate(called)]
    head = {**head, "object": "chat.completion.chunk"}
    chunks = [
        {**head, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
        {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]},
        {**head, "choices": [], "usage": _USAGE},
    ]
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks] + ["data: [DONE]\n\n"]
    return "".join(lines).encode(), "text/event-stream"


class Stage:
    """A conversation being recorded: its own copy of a root of skills, an empty working folder, and its model."""

    def __init__(self, conversation):
        self.conversation = conversation
        self._folder = Path(tempfile.mkdtemp()).resolve()
        self.root = self._folder / conversation["root"]
        shutil.copytree(GOLDEN / conversation["root"], self.root)
        self.working_folder = self._folder / "working"
        self.working_folder.mkdir()
        os.chdir(self.working_folder)
        self.model = Model()

    def begin(self, turn):
        """Makes the edit of the turn before the prompt, and sets the model's answers for this turn."""
        if edit := turn.get("edit"):
            path = self.root / edit["path"]
            text = path.read_text(encoding="utf-8")
            assert edit["replace"] in text, f"{path} does not hold {edit['replace']!r}"
            path.write_text(text.replace(edit["replace"], edit["with"]), encoding="utf-8")
        self.model.answers = json.loads(json.dumps(turn["answers"]).replace("{FIXTURES}", str(self._folder)))
        self.model.requests = []
        return turn["prompt"]

    def end(self, turn, kept, error=None):
        """The requests of the turn, and the conversation that the framework keeps after it."""
        assert error or not self.model.answers, f"never asked for {self.model.answers}"
        assert not self.model.missing, "more was asked than the conversation says"
        return {**turn, "requests": self.model.requests, "error": error, "kept": kept}

    def close(self):
        os.chdir("/")
        shutil.rmtree(self._folder)

    def neutral(self, value):
        text = json.dumps(value, ensure_ascii=False)
        for path, name in ((self.working_folder, "{WORKING}"), (self._folder, "{FIXTURES}")):
            text = text.replace(str(path), name)
        return json.loads(text)


def compact(turns):
    """Each request without what it repeats of the one before: its tools, and its first messages."""
    before = {}
    for turn in turns:
        for index, request in enumerate(turn["requests"]):
            known, messages = before.get("messages", []), request["messages"]
            same = 0
            while same < min(len(known), len(messages)) and known[same] == messages[same]:
                same += 1
            short = {key: value for key, value in request.items() if key != "messages" and before.get(key) != value}
            gone = sorted(key for key in before if key not in request)
            short = {"same_messages": same, "messages": messages[same:], **short}
            if gone:
                short["without"] = gone
            turn["requests"][index] = short
            before = request


def record(folder, conversations, play):
    """Plays conversations by name and writes each as `turns_NAME.json` into the folder that is named on the command line.
    `play` gives one turn after the other, each made by `Stage.end`."""
    out = Path(sys.argv[1]).resolve() / folder
    out.mkdir(parents=True, exist_ok=True)
    for name, conversation in conversations.items():
        stage = Stage(conversation)
        turns = stage.neutral(list(play(stage, conversation)))
        stage.close()
        compact(turns)
        recorded = {**{key: value for key, value in conversation.items() if key != "turns"}, "turns": turns}
        text = json.dumps(recorded, ensure_ascii=False, indent=1) + "\n"
        (out / f"turns_{name}.json").write_text(text, encoding="utf-8")
        print(f"{folder}/turns_{name}.json: {sum(len(turn['requests']) for turn in turns)} requests", flush=True)
