"""Whether the types of the official SDKs take the bodies of our requests.

accept.py FOLDER: each line of FOLDER/<protocol>.jsonl is {"scene": …, "body": …}; protocols are named as in models.yaml.
Those of Amazon Bedrock are for bedrock.py.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from anthropic.types.message_count_tokens_params import MessageCountTokensParams
from anthropic.types.message_create_params import (
    MessageCreateParamsNonStreaming,
    MessageCreateParamsStreaming,
)
from openai.types.chat.completion_create_params import (
    CompletionCreateParamsNonStreaming,
    CompletionCreateParamsStreaming,
)
from openai.types.responses.input_token_count_params import InputTokenCountParams
from openai.types.responses.response_create_params import (
    ResponseCreateParamsNonStreaming,
    ResponseCreateParamsStreaming,
)
from pydantic import BaseModel, TypeAdapter, ValidationError

# Of requests that are not streamed, and of those that are.
TYPES = {
    "openAi": (CompletionCreateParamsNonStreaming, CompletionCreateParamsStreaming),
    "openAiResponses": (ResponseCreateParamsNonStreaming, ResponseCreateParamsStreaming),
    "anthropic": (MessageCreateParamsNonStreaming, MessageCreateParamsStreaming),
    # How many tokens the same requests have.
    "openAiResponses-counts": (InputTokenCountParams,) * 2,
    "anthropic-counts": (MessageCountTokensParams,) * 2,
}
# Keys that are sent though the types have none, as patterns of their places.
EXPLAINED = {
    # Eino's own client writes the name of the tool into its results.
    "openAi": r"\.messages\[\d+\]\.name",
    # Anthropic's newest models take none, so the types have none; older models and other servers do. It is sent only if
    # somebody set it.
    "anthropic": r"\.temperature",
}
ADAPTERS = {name: [TypeAdapter(kind) for kind in kinds] for name, kinds in TYPES.items()}


def main(folder: Path) -> int:
    wrong = [f"control: {why} is taken" for why, protocol, body in CONTROLS if not complaints(protocol, body)]
    files = [file for file in sorted(folder.glob("*.jsonl")) if file.stem in TYPES]
    if not files:
        wrong.append(f"there are no requests in {folder}: the test `protocols` writes them")
    for file in files:
        lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        wrong += [f"{file.stem}, {it['scene']}: {why}" for it in lines for why in complaints(file.stem, it["body"])]
        print(f"{file.stem}: {len(lines)} requests")
    print("\n".join(wrong))
    print(f"{len(CONTROLS)} controls, {len(wrong)} complaints")
    return 1 if wrong else 0


def complaints(protocol: str, body: dict) -> list[str]:
    try:
        taken = plain(ADAPTERS[protocol][body.get("stream", False)].validate_python(body))
    except ValidationError as error:
        return [str(error)[:1000]]
    return list(differences("", body, taken, EXPLAINED.get(protocol, "$^")))


def plain(value):
    """The validated value, as JSON. Lists that the types call iterable are validated only by iterating over them."""
    if isinstance(value, BaseModel):
        return value.model_dump(exclude_unset=True)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list) or (isinstance(value, Iterator) and not isinstance(value, str)):
        return [plain(item) for item in value]
    return value


def differences(place: str, sent, taken, explained: str):
    """The types drop keys they do not know: missing keys are those that a server would not know either."""
    if isinstance(sent, dict) and isinstance(taken, dict):
        for key in sent:
            if key in taken:
                yield from differences(f"{place}.{key}", sent[key], taken[key], explained)
            elif not re.fullmatch(explained, f"{place}.{key}"):
                yield f"{place}.{key} is not in the types"
    elif isinstance(sent, list) and isinstance(taken, list) and len(sent) == len(taken):
        for index, items in enumerate(zip(sent, taken)):
            yield from differences(f"{place}[{index}]", *items, explained)
    elif sent != taken:
        yield f"{place} is read as {taken!r}"


def chat(*messages, **more):
    return "openAi", {"model": "m", "stream": False, "messages": list(messages), **more}


def responses(*items, **more):
    return "openAiResponses", {"model": "m", "stream": False, "input": list(items), **more}


def anthropic(*messages, **more):
    return "anthropic", {"model": "m", "stream": False, "max_tokens": 1, "messages": list(messages), **more}


def user(*blocks):
    return {"role": "user", "content": list(blocks)}


# Requests that are wrong. Were one taken, the check would be worth nothing.
CONTROLS = [
    ("a result without tool_call_id", *chat({"role": "tool", "content": "x"})),
    ("a role that there is not", *chat({"role": "robot", "content": "x"})),
    ("a tool without a name", *chat(tools=[{"type": "function", "function": {}}])),
    ("a key of another protocol", *chat(system="x")),
    ("a call without call_id", *responses({"type": "function_call", "name": "f", "arguments": "{}"})),
    ("an output of a number", *responses({"type": "function_call_output", "call_id": "a", "output": 7})),
    ("a call without a name", *responses({"type": "function_call", "call_id": "a", "arguments": "{}"})),
    ("a tool of chat completions", *responses(tools=[{"type": "function", "function": {"name": "f"}}])),
    ("a result without tool_use_id", *anthropic(user({"type": "tool_result", "content": "x"}))),
    ("a call without input", *anthropic({"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f"}]})),
    ("a thought without its signature", *anthropic({"role": "assistant", "content": [{"type": "thinking", "thinking": "x"}]})),
    ("a block with a key too many", *anthropic(user({"type": "text", "text": "x", "name": "y"}))),
    ("a result that is a message", *anthropic({"role": "tool", "content": "x"})),
    ("a tool without a schema", *anthropic(tools=[{"name": "f"}])),
    ("a text as a tool choice", *anthropic(tool_choice="auto")),
    ("a picture without its kind", *anthropic(user({"type": "image", "source": {"type": "base64", "data": "eA=="}}))),
    ("a picture of another protocol", *chat(user({"type": "input_image", "image_url": "data:image/png;base64,eA=="}))),
    ("a count with a limit", "anthropic-counts", {"model": "m", "messages": [], "max_tokens": 1}),
    ("a count that is streamed", "openAiResponses-counts", {"model": "m", "input": "x", "stream": True}),
]

if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
