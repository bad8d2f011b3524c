"""Whether the packages of the formats take our exports.

exports.py FOLDER: FOLDER/NAME.openai.jsonl, NAME.anthropic.json and NAME.inspect.json, as the test `exports` writes them.
"""

import json
import sys
import tempfile
from pathlib import Path

from accept import complaints
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from pydantic import ValidationError


def main(folder: Path) -> int:
    wrong = [f"control: {why} is taken" for why, check, text in CONTROLS if not check(text)]
    seen = 0
    for suffix, check in CHECKS.items():
        files = sorted(folder.glob(f"*.{suffix}"))
        wrong += [f"{file.name}: {why}" for file in files for why in check(file.read_text("utf-8"))]
        print(f"{suffix}: {len(files)} runs")
        seen += len(files)
        if not files:
            wrong.append(f"there are no exports *.{suffix} in {folder}: the test `exports` writes them")
    print("\n".join(wrong))
    print(f"{seen} exports, {len(CONTROLS)} controls, {len(wrong)} complaints")
    return 1 if wrong else 0


def openai(text: str) -> list[str]:
    bodies = [json.loads(line) for line in text.splitlines()]
    said = [message for body in bodies for message in body["messages"]]
    called = [call["function"]["name"] for message in said for call in message.get("tool_calls") or []]
    return [why for body in bodies for why in complaints("openAi", body)] + nameless(called)


def anthropic(text: str) -> list[str]:
    body = json.loads(text)
    said = [message["content"] for message in body["messages"] if isinstance(message["content"], list)]
    called = [block["name"] for content in said for block in content if block["type"] == "tool_use"]
    return complaints("anthropic", body) + nameless(called)


def nameless(called: list[str]) -> list[str]:
    """The types take a name without a character."""
    return [f"call {place} has no name" for place, name in enumerate(called, 1) if not name]


def inspect(text: str) -> list[str]:
    """Read, written in both of its forms, and read again, it is the same log."""
    try:
        log = EvalLog.model_validate_json(text)
    except ValidationError as error:
        return [str(error)[:1000]]
    said = messages(log)
    written = json.loads(text)["samples"]
    if [len(sample["messages"]) for sample in written] != [len(sample) for sample in said]:
        return ["messages are lost"]
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("json", "eval"):
            place = str(Path(folder) / f"log.{kind}")
            write_eval_log(log, place)
            if messages(read_eval_log(place)) != said:
                return [f"it is not the same as .{kind}"]
    return nameless([name for sample in said for _, _, calls in sample for name, _ in calls])


def messages(log: EvalLog) -> list[list[tuple[str, str, list[tuple[str, dict]]]]]:
    def told(message):
        calls = getattr(message, "tool_calls", None) or []
        return (message.role, message.text, [(call.function, call.arguments) for call in calls])

    return [[told(message) for message in sample.messages] for sample in log.samples or []]


CHECKS = {"openai.jsonl": openai, "anthropic.json": anthropic, "inspect.json": inspect}

# Wrong values. If one were accepted, the check would be worth nothing.
CONTROLS = [
    ("a result without tool_call_id", openai, '{"model": "m", "messages": [{"role": "tool", "content": "x"}]}'),
    (
        "a result without tool_use_id",
        anthropic,
        '{"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": [{"type": "tool_result"}]}]}',
    ),
    (
        "a call without a name",
        openai,
        '{"model": "m", "messages": [{"role": "assistant", "tool_calls": '
        '[{"id": "c", "type": "function", "function": {"name": "", "arguments": "{}"}}]}]}',
    ),
    ("a log without its evaluation", inspect, '{"version": 2, "status": "success", "samples": []}'),
]

if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
