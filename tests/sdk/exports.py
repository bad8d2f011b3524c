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
    return [why for line in text.splitlines() for why in complaints("openAi", json.loads(line))]


def anthropic(text: str) -> list[str]:
    return complaints("anthropic", json.loads(text))


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
    return []


def messages(log: EvalLog) -> list[list[tuple[str, str, int]]]:
    def told(message):
        return (message.role, message.text, len(getattr(message, "tool_calls", None) or []))

    return [[told(message) for message in sample.messages] for sample in log.samples or []]


CHECKS = {"openai.jsonl": openai, "anthropic.json": anthropic, "inspect.json": inspect}

# What is wrong. Were one taken, the check would be worth nothing.
CONTROLS = [
    ("a result without tool_call_id", openai, '{"model": "m", "messages": [{"role": "tool", "content": "x"}]}'),
    (
        "a result without tool_use_id",
        anthropic,
        '{"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": [{"type": "tool_result"}]}]}',
    ),
    ("a log without its evaluation", inspect, '{"version": 2, "status": "success", "samples": []}'),
]

if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
