"""AgentScope for Python. The time that it puts into a conversation is switched off, except for one conversation that
shows it."""

import asyncio
import logging
import re
from importlib.metadata import version

from recorder import call, calls, record, say, turn

from agentscope.agent import Agent, InjectionConfig
from agentscope.credential import OpenAICredential
from agentscope.message import UserMsg
from agentscope.model import OpenAIChatModel
from agentscope.skill import LocalSkillLoader
from agentscope.tool import Toolkit

AGENT = "You are a helpful assistant."
logging.disable(logging.CRITICAL)


def play(stage, conversation):
    loader = LocalSkillLoader(str(stage.root), scan_subdir=True)
    agent = Agent(
        name="Friday",
        system_prompt=AGENT,
        model=OpenAIChatModel(
            credential=OpenAICredential(api_key="none", base_url=stage.model.url), model="fake", max_retries=0
        ),
        toolkit=Toolkit(skills_or_loaders=[loader]),
        injection_config=InjectionConfig(inject_runtime_state=conversation.get("runtime_state", False)),
    )
    with asyncio.Runner() as loop:
        for turn in conversation["turns"]:
            prompt, error = stage.begin(turn), None
            try:
                loop.run(agent.reply(UserMsg("user", prompt)))
            except Exception as problem:
                error = f"{type(problem).__name__}: {problem}"
            kept = {"messages": len(agent.state.context), "groups": agent.state.tool_context.activated_groups}
            yield without_time(stage.end(turn, kept, error))


def without_time(value):
    """The same without what the clock says."""
    if isinstance(value, str):
        return re.sub(r"(<current-time>)[^<]*", r"\1{TIME}", value)
    if isinstance(value, list):
        return [without_time(item) for item in value]
    return {key: without_time(item) for key, item in value.items()} if isinstance(value, dict) else value


def load(id, name):
    return call(id, "Skill", {"skill": name})


EDITED = ("unit-converter/SKILL.md", "Present the result clearly", "Present the result briefly")
RENAMED = ("unit-converter/SKILL.md", "Convert between common units", "Convert units of all kinds")

# Mistakes that models make when they write JSON, and some that cannot be mended.
BROKEN = [
    '{"skill": "pdf-tools"',
    '{"skill": "pdf-tools',
    "{'skill': 'pdf-tools'}",
    '{skill: pdf-tools}',
    '{"skill" "pdf-tools"}',
    '{"skill": "pdf-tools",}',
    '{"skill": "pdf-tools"}}',
    '"skill": "pdf-tools"}',
    '```json\n{"skill": "pdf-tools"}\n```',
    'I load {"skill": "pdf-tools"} now',
    '{"skill": "pdf-tools" // the one for PDF\n}',
    '{“skill”: “pdf-tools”}',
    '{\\"skill\\": \\"pdf-tools\\"}',
    '"{\\"skill\\": \\"pdf-tools\\"}"',
    '{"skill": "pdf-tools", "pages": [1, 2}',
    '{"skill": "a "quoted" name"}',
    '{"skill": 1e5}',
    '{"skill": "pdf-tools", "ratio": NaN}',
    '{"skill": ["pdf-tools"]',
    '{"skill": true}',
    '[{"skill": "pdf-tools"}]',
    '{"name": "pdf-tools"',
    "load pdf-tools",
]

CONVERSATIONS = {
    "broken_arguments": {
        "root": "roots/pdf-tools",
        "turns": [
            turn("Load it.", calls(call(f"call_{number}", "Skill", broken)), say("Done."))
            for number, broken in enumerate(BROKEN)
        ],
    },
    "edited_skill": {
        "root": "roots/unit-converter",
        "turns": [
            turn(
                "How many pounds is 1 kilogram?",
                calls(load("call_1", "unit-converter")),
                say("About 2.2 pounds."),
            ),
            turn("And how many kilometres is a mile?", say("1.609344 kilometres.")),
            turn(
                "Read the skill again.",
                calls(load("call_2", "unit-converter")),
                say("It has changed."),
                edit=EDITED,
            ),
            turn("What can you do now?", say("Convert units."), edit=RENAMED),
        ],
    },
    "wrong_calls": {
        "root": "roots/pdf-tools",
        "turns": [
            turn(
                "Load a skill that is not there.",
                calls(load("call_1", "no-such-skill")),
                calls(call("call_2", "Skill", {})),
                calls(call("call_3", "Skill", {"skill": ["pdf-tools"]})),
                say("There is none."),
            ),
            turn(
                "Load one twice.",
                # Calls of one answer run at once, so their results come in an order that differs from run to run.
                calls(load("call_4", "pdf-tools")),
                calls(load("call_5", "pdf-tools")),
                say("It is loaded."),
            ),
            turn(
                "Do it wrong once more.",
                calls(call("call_6", "no_such_tool", {"a": 1})),
                calls(call("call_7", "Skill", "{not json")),
                say("Nothing helps."),
            ),
            turn("Are you still there?", calls(load("call_8", "PDF-Tools")), say("Yes.")),
        ],
    },
    "runtime_state": {
        "root": "roots/unit-converter",
        "runtime_state": True,
        "turns": [
            turn("Hello.", calls(load("call_1", "unit-converter")), say("Hello.")),
            turn("And again.", say("Hello again.")),
        ],
    },
}

for conversation in CONVERSATIONS.values():
    conversation.update(instructions=AGENT, settings={"scanSubdir": True})

if __name__ == "__main__":
    record(f"agentscope-python-{version('agentscope')}", CONVERSATIONS, play)
