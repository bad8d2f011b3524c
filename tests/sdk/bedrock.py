"""Amazon Bedrock as botocore speaks it: its serialiser, its signer and its parsers, without a network.

bedrock.py record FOLDER: writes FOLDER/bedrock/botocore.json and FOLDER/wire/bedrock, which the tests in Rust compare with.
bedrock.py check REQUESTS FOLDER: whether botocore makes the same bodies and addresses of our requests in REQUESTS/bedrock.jsonl,
and reads the answers in FOLDER/wire/bedrock as botocore.json says.
"""

import base64
import copy
import datetime
import json
import struct
import sys
import zlib
from pathlib import Path

import botocore.auth
import botocore.session
from botocore.awsrequest import AWSResponse
from botocore.config import Config

TIME = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
KEY = ("AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
CLAUDE = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0"
ARN = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3"
POINT = {"cachePoint": {"type": "default"}}


class Raw:
    """The body of an answer, as urllib3 has it."""

    def __init__(self, body):
        self.body = body

    def stream(self, **_):
        yield self.body

    def read(self, *_):
        body, self.body = self.body, b""
        return body

    def close(self):
        pass


class Bedrock:
    """A client that is answered with `answer`. `sent` is what it would have sent."""

    def __init__(self, region="us-east-1", session_token=None, endpoint=None):
        self.answer, self.kind, self.sent, self.status = b"{}", "application/json", None, 200
        settings = Config(retries={"total_max_attempts": 1}, signature_version="v4")
        self.client = botocore.session.Session().create_client(
            "bedrock-runtime",
            region_name=region,
            aws_access_key_id=KEY[0],
            aws_secret_access_key=KEY[1],
            aws_session_token=session_token,
            endpoint_url=endpoint,
            config=settings,
        )
        self.client.meta.events.register("before-send", self.send)

    def send(self, request, **_):
        self.sent = request
        return AWSResponse(request.url, self.status, {"content-type": self.kind}, Raw(self.answer))


botocore.auth.get_current_datetime = lambda remove_tzinfo=True: TIME.replace(tzinfo=None) if remove_tzinfo else TIME


# What clients ask, as a framework on botocore would.


def tool(name, description="", schema=None):
    spec = {"name": name, **({"description": description} if description else {}), "inputSchema": {"json": schema}}
    return {"toolSpec": spec}


def result(call, text, status="success"):
    return {"toolResult": {"toolUseId": call, "content": [{"text": text}], "status": status}}


def call(identity, name, given):
    return {"toolUse": {"toolUseId": identity, "name": name, "input": given}}


SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
REQUESTS = {
    "a word": {"modelId": CLAUDE, "messages": [{"role": "user", "content": [{"text": "Hi, 漢字 🙂"}]}]},
    "a turn with a tool": {
        "modelId": CLAUDE,
        "messages": [
            {"role": "user", "content": [{"text": "How many pounds is 1 kilogram?"}]},
            {
                "role": "assistant",
                "content": [
                    {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "c2lnbmVk"}}},
                    {"reasoningContent": {"redactedContent": b"\x00sealed"}},
                    {"text": "Let me look."},
                    call("call_1", "load_skill", {"name": "units", "n": 1.5}),
                    call("call_2", "load_skill", {}),
                ],
            },
            {
                "role": "user",
                "content": [
                    result("call_1", "Launching skill: units"),
                    result("call_2", "no such skill", "error"),
                    {"text": "<command-message>units</command-message>"},
                    {"text": "Base directory: /skills/units"},
                    POINT,
                ],
            },
        ],
        "system": [{"text": "You have skills."}, POINT, {"text": "Be brief."}],
        "toolConfig": {
            "tools": [tool("load_skill", "Loads a skill", SCHEMA), tool("bare", "", {"type": "object"}), POINT],
            "toolChoice": {"auto": {}},
        },
        "inferenceConfig": {"maxTokens": 4096, "temperature": 0.5},
    },
    "further fields": {
        "modelId": ARN,
        "messages": [{"role": "user", "content": [{"text": "Hi"}]}],
        "inferenceConfig": {"maxTokens": 8192, "topP": 0.9, "stopSequences": ["END"]},
        "additionalModelRequestFields": {"thinking": {"type": "enabled", "budget_tokens": 2048}},
        "guardrailConfig": {"guardrailIdentifier": "g1", "guardrailVersion": "1"},
    },
}

# What the service answers: whole answers, and the events of streams.

USAGE = {"inputTokens": 30, "outputTokens": 12, "totalTokens": 1042, "cacheReadInputTokens": 900, "cacheWriteInputTokens": 100}
WHOLE = {
    "text": {
        "output": {"message": {"role": "assistant", "content": [{"text": "2.2 磅 🙂"}]}},
        "stopReason": "end_turn",
        "usage": {"inputTokens": 30, "outputTokens": 12, "totalTokens": 42},
        "metrics": {"latencyMs": 7},
    },
    "calls": {
        "output": {
            "message": {
                "role": "assistant",
                "content": [
                    {"reasoningContent": {"reasoningText": {"text": "Hm.", "signature": "c2lnbmVk"}}},
                    {"reasoningContent": {"redactedContent": base64.b64encode(b"\x00sealed").decode()}},
                    {"text": "Let me look."},
                    call("call_1", "load_skill", {"name": "units", "n": 1.5}),
                    call("call_2", "load_skill", {}),
                ],
            }
        },
        "stopReason": "tool_use",
        "usage": USAGE,
        "metrics": {"latencyMs": 7},
    },
}


def delta(index, said):
    return ("contentBlockDelta", {"contentBlockIndex": index, "delta": said, "p": "abcdefgh"})


def stop(index):
    return ("contentBlockStop", {"contentBlockIndex": index, "p": "abc"})


def ends(reason, usage):
    return [
        ("messageStop", {"stopReason": reason, "p": "abcd"}),
        ("metadata", {"usage": usage, "metrics": {"latencyMs": 7}, "p": "ab"}),
    ]


def pieces(text, size=3):
    return [text[at : at + size] for at in range(0, len(text), size)]


def opens(index, identity, name):
    start = {"toolUse": {"toolUseId": identity, "name": name}}
    return ("contentBlockStart", {"contentBlockIndex": index, "start": start, "p": "abcde"})


BEGIN = ("messageStart", {"role": "assistant", "p": "abcdef"})
STREAMS = {
    "text": [
        BEGIN,
        *[delta(0, {"text": piece}) for piece in pieces("2.2 磅 🙂")],
        stop(0),
        *ends("end_turn", WHOLE["text"]["usage"]),
    ],
    "calls": [
        BEGIN,
        *[delta(0, {"reasoningContent": {"text": piece}}) for piece in pieces("Hm.", 2)],
        delta(0, {"reasoningContent": {"signature": "c2lnbmVk"}}),
        stop(0),
        delta(1, {"reasoningContent": {"redactedContent": base64.b64encode(b"\x00sealed").decode()}}),
        stop(1),
        *[delta(2, {"text": piece}) for piece in pieces("Let me look.", 5)],
        stop(2),
        opens(3, "call_1", "load_skill"),
        *[delta(3, {"toolUse": {"input": piece}}) for piece in ["", *pieces('{"name": "units", "n": 1.5}', 6)]],
        stop(3),
        opens(4, "call_2", "load_skill"),
        delta(4, {"toolUse": {"input": ""}}),
        stop(4),
        *ends("tool_use", USAGE),
    ],
    "overloaded": [
        BEGIN,
        delta(0, {"text": "2.2"}),
        ("throttlingException", {"message": "Too many tokens, please wait before trying again."}),
    ],
}


def frame(kind, event):
    """One frame of application/vnd.amazon.eventstream, after AWS's description of it."""
    is_exception = kind.endswith("Exception")
    headers = {
        ":exception-type" if is_exception else ":event-type": kind,
        ":content-type": "application/json",
        ":message-type": "exception" if is_exception else "event",
    }
    written = b""
    for name, value in headers.items():
        written += struct.pack("!B", len(name)) + name.encode()
        written += struct.pack("!BH", 7, len(value)) + value.encode()
    payload = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
    prelude = struct.pack("!II", 16 + len(written) + len(payload), len(written))
    message = prelude + struct.pack("!I", zlib.crc32(prelude)) + written + payload
    return message + struct.pack("!I", zlib.crc32(message))


def stream(name):
    return b"".join(frame(kind, event) for kind, event in STREAMS[name])


# How botocore reads both.


def plain(value):
    """As JSON has it."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if key not in ("ResponseMetadata",)}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def parsed(body, client=None):
    client = client or Bedrock()
    client.answer, client.kind = body, "application/json"
    return plain(client.client.converse(**REQUESTS["a word"]))


def parsed_stream(body, client=None):
    client = client or Bedrock()
    client.answer, client.kind = body, "application/vnd.amazon.eventstream"
    events = []
    try:
        for event in client.client.converse_stream(**REQUESTS["a word"])["stream"]:
            events.append(plain(event))
    except botocore.exceptions.EventStreamError as error:
        events.append({"error": plain(error.response["Error"])})
    return events


def asked(name, streamed, **settings):
    """The request as botocore sends it."""
    client = Bedrock(**settings)
    if streamed:
        client.kind = "application/vnd.amazon.eventstream"
        client.answer = stream("text")
        client.client.converse_stream(**copy.deepcopy(REQUESTS[name]))
    else:
        client.client.converse(**copy.deepcopy(REQUESTS[name]))
    headers = {key.lower(): plain_header(value) for key, value in client.sent.headers.items()}
    signed = headers["authorization"].split("SignedHeaders=")[1].split(",")[0].split(";")
    return {
        "request": name,
        "streamed": streamed,
        "method": client.sent.method,
        "url": client.sent.url,
        "body": client.sent.body.decode(),
        "headers": {key: headers[key] for key in signed if key in headers and not key.startswith("amz-sdk")},
        "authorization": headers["authorization"],
        **settings,
    }


def plain_header(value):
    return value.decode() if isinstance(value, bytes) else str(value)


def record(folder):
    wire = folder / "wire/bedrock"
    wire.mkdir(parents=True, exist_ok=True)
    for name, answer in WHOLE.items():
        (wire / f"{name}.json").write_text(json.dumps(answer, ensure_ascii=False, indent=1) + "\n", "utf-8")
    for name in STREAMS:
        (wire / f"{name}.eventstream").write_bytes(stream(name))
    refused = {"message": "Too many requests, please wait before trying again."}
    (wire / "refused.json").write_text(json.dumps(refused) + "\n", "utf-8")
    golden = {
        "botocore": botocore.__version__,
        "time": int(TIME.timestamp()),
        "key": KEY,
        "asked": [
            *[asked(name, streamed) for name in REQUESTS for streamed in (False, True)],
            asked("a word", True, region="eu-central-1", session_token="FwoGZXIvYXdzE//////////wEaDH=="),
            asked("a word", False, region="us-west-2", endpoint="http://127.0.0.1:8080"),
        ],
        "whole": {name: parsed((wire / f"{name}.json").read_bytes()) for name in WHOLE},
        "streamed": {name: parsed_stream((wire / f"{name}.eventstream").read_bytes()) for name in STREAMS},
    }
    (folder / "bedrock").mkdir(exist_ok=True)
    text = json.dumps(golden, ensure_ascii=False, indent=1)
    (folder / "bedrock/botocore.json").write_text(text + "\n", "utf-8")
    print(f"{len(golden['asked'])} requests, {len(WHOLE)} answers and {len(STREAMS)} streams by botocore {botocore.__version__}")


def with_blobs(value):
    """Converts to bytes where the service's model has bytes."""
    if isinstance(value, dict):
        taken = {key: with_blobs(item) for key, item in value.items()}
        if isinstance(taken.get("redactedContent"), str):
            taken["redactedContent"] = base64.b64decode(taken["redactedContent"])
        if isinstance(taken.get("source"), dict) and isinstance(taken["source"].get("bytes"), str):
            taken["source"]["bytes"] = base64.b64decode(taken["source"]["bytes"])
        return taken
    if isinstance(value, list):
        return [with_blobs(item) for item in value]
    return value


def complaints(body, model=CLAUDE):
    """Why botocore would not send this body."""
    client = Bedrock()
    try:
        client.client.converse(modelId=model, **with_blobs(copy.deepcopy(body)))
    except (botocore.exceptions.ParamValidationError, TypeError, ValueError) as error:
        return [str(error)[:1000]]
    sent = json.loads(client.sent.body)
    return [] if sent == body else [f"botocore sends {json.dumps(sent)[:1000]}"]


def complaints_of_count(body, model="anthropic.claude-sonnet-4-5-20250929-v1:0"):
    """Why botocore would not ask how many tokens this has."""
    client = Bedrock()
    client.answer = b'{"inputTokens": 1}'
    try:
        client.client.count_tokens(modelId=model, input={"converse": with_blobs(copy.deepcopy(body["input"]["converse"]))})
    except (botocore.exceptions.ParamValidationError, KeyError, TypeError, ValueError) as error:
        return [str(error)[:1000]]
    sent = json.loads(client.sent.body)
    wrong = [] if sent == body else [f"botocore sends {json.dumps(sent)[:1000]}"]
    return wrong if client.sent.url.endswith("/count-tokens") else [*wrong, f"botocore asks {client.sent.url}"]


def user(*blocks):
    return {"messages": [{"role": "user", "content": list(blocks)}]}


# Requests that are wrong. Were one taken, the check would be worth nothing.
CONTROLS = [
    ("a block with a type", user({"type": "text", "text": "x"})),
    ("a result without toolUseId", user({"toolResult": {"content": [{"text": "x"}]}})),
    ("a result that is a text", user({"toolResult": {"toolUseId": "a", "content": "x"}})),
    ("a call without input", user({"toolUse": {"toolUseId": "a", "name": "f"}})),
    ("a tool without a schema", {**user({"text": "x"}), "toolConfig": {"tools": [{"toolSpec": {"name": "f"}}]}}),
    ("a system prompt that is a text", {**user({"text": "x"}), "system": "x"}),
    ("a field of another protocol", {**user({"text": "x"}), "stream": True}),
    ("a temperature that is a text", {**user({"text": "x"}), "inferenceConfig": {"temperature": "hot"}}),
]


def check(requests, folder):
    golden = json.loads((folder / "bedrock/botocore.json").read_text("utf-8"))
    wrong = [f"control: {why} is taken" for why, body in CONTROLS if not complaints(body)]
    file = requests / "bedrock.jsonl"
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.is_file() else []
    if not lines:
        wrong.append(f"there are no requests in {file}: the test `protocols` writes them")
    wrong += [f"{line['scene']}: {why}" for line in lines for why in complaints(line["body"])]
    counts = requests / "bedrock-counts.jsonl"
    questions = [json.loads(line) for line in counts.read_text("utf-8").splitlines()] if counts.is_file() else []
    wrong += [f"{line['scene']}, counted: {why}" for line in questions for why in complaints_of_count(line["body"])]
    if not complaints_of_count({"input": {"converse": {"inferenceConfig": {"maxTokens": 1}}}}):
        wrong.append("control: a count with a limit is taken")
    if len(questions) != len(lines):
        wrong.append(f"{len(questions)} of {len(lines)} requests are counted")
    for name, read in golden["whole"].items():
        if parsed((folder / f"wire/bedrock/{name}.json").read_bytes()) != read:
            wrong.append(f"{name}.json is read otherwise")
    for name, read in golden["streamed"].items():
        if parsed_stream((folder / f"wire/bedrock/{name}.eventstream").read_bytes()) != read:
            wrong.append(f"{name}.eventstream is read otherwise")
    for was in golden["asked"]:
        settings = {key: was[key] for key in ("region", "session_token", "endpoint") if key in was}
        # A newer botocore may sign other headers too.
        sent = asked(was["request"], was["streamed"], **settings)
        wrong += [f"{was['request']}: another {key}" for key in ("url", "body", "authorization") if sent[key] != was[key]]
    print("\n".join(wrong))
    print(f"bedrock: {len(lines)} requests, {len(CONTROLS)} controls, {len(wrong)} complaints")
    return 1 if wrong else 0


if __name__ == "__main__":
    how, *folders = sys.argv[1:]
    sys.exit(record(Path(folders[0])) if how == "record" else check(*map(Path, folders)))
