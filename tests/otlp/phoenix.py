"""Sends the bundled run to Phoenix, and compares what Phoenix gives back.

phoenix.py SKILLBENCH URL
"""

import json
import subprocess
import sys
import time
import urllib.request

RUN = "01934000-0000-7000-8000-000000000001"
PATIENCE = 60


def main(skillbench: str, url: str) -> int:
    push = [skillbench, "trace", "push", RUN, "--to", url, "--contents", "yes", "--skills", "yes", "--format", "json"]
    pushed = json.loads(subprocess.run(push, check=True, capture_output=True, text=True).stdout)
    spans = given_back(url, pushed["spans"])
    by_id = {span["context"]["span_id"]: span for span in spans}
    told = []
    for span in sorted(spans, key=lambda span: (span["start_time"], span["name"])):
        parent = by_id.get(span["parent_id"])
        attributes = span["attributes"]
        told.append(
            [
                span["name"],
                span["span_kind"],
                parent and parent["name"],
                attributes.get("gen_ai.skill.name"),
                attributes.get("gen_ai.skill.resource.name"),
            ]
        )
    for line in told:
        print(line)
    root = "invoke_agent agent-framework"
    chat = ["chat rehearsal", "LLM", root, None, None]
    expected = [
        [root, "AGENT", None, None, None],
        chat,
        ["execute_tool load_skill", "TOOL", root, "unit-converter", None],
        chat,
        ["execute_tool read_skill_resource", "TOOL", root, "unit-converter", "references/conversion-table.md"],
        chat,
        ["execute_tool run_skill_script", "TOOL", root, "unit-converter", "scripts/convert.py"],
        chat,
    ]
    if sorted(map(str, told)) != sorted(map(str, expected)):
        print(f"expected {json.dumps(expected, indent=1)}")
        return 1
    said = json.dumps([span["attributes"] for span in spans])
    for text in ("How many pounds is 1 kilogram?", "available_skills", "2.20462"):
        if text not in said:
            print(f"Phoenix did not give back what was said: {text}")
            return 1
    print(f"{len(spans)} spans sent, and given back as they were sent")
    return 0


def given_back(url: str, count: int) -> list[dict]:
    """Phoenix stores spans a moment after they are sent."""
    until = time.monotonic() + PATIENCE
    while True:
        with urllib.request.urlopen(f"{url}/v1/projects/default/spans?limit=100") as answer:
            spans = json.load(answer)["data"]
        if len(spans) >= count or time.monotonic() > until:
            return spans
        time.sleep(0.2)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
