"""Plays the scene of the mock server with a framework, and prints seconds of processor and wall.

python conversations.py FRAMEWORK ADDRESS TIMES AT_ONCE SCENE_YAML
"""

import asyncio
import re
import resource
import sys
import textwrap
import time
from typing import Any

FRAMEWORK, ADDRESS, TIMES, AT_ONCE, SCENE = sys.argv[1:]
PROMPT = "How many pounds is 1 kilogram?"
WARM_UP = 20


def block(name: str) -> str:
    """A text block of the scene's file."""
    found = re.search(rf"^( *)(?:- )?{re.escape(name)}: \|\n((?:\1 +.*\n|\n)+)", SCENE_TEXT, re.MULTILINE)
    assert found, name
    return textwrap.dedent(found[2])


with open(SCENE, encoding="utf-8") as file:
    SCENE_TEXT = file.read()
BODY, TABLE = block("instructions"), block("value")
PRINTED = '{"value": 1.0, "factor": 2.20462, "result": 2.20462}'
INSTRUCTIONS = f"""You have access to skills containing domain-specific knowledge and capabilities.
Each skill provides specialized instructions, reference documents, and assets for specific tasks.

<available_skills>
  <skill>
    <name>unit-converter</name>
    <description>Converts between units of length and mass by a factor. Use when asked to convert miles, kilometers, pounds or kilograms.</description>
  </skill>
</available_skills>

When a task aligns with a skill's domain, follow these steps in exact order:
- Use `load_skill` to retrieve the skill's instructions.
- Follow the provided guidance.
- Use `read_skill_resource` to read any referenced resources, using the name exactly as listed.
- Use `run_skill_script` to run referenced scripts, using the name exactly as listed.
Only load what is needed, when it is needed."""


def load_skill(skill_name: str) -> str:
    """Load the full content of a specific skill."""
    return f"<skill>\n<name>{skill_name}</name>\n<instructions>\n{BODY}\n</instructions>\n</skill>"


def read_skill_resource(skill_name: str, resource_name: str) -> str:
    """Read a resource associated with a skill, such as references, assets, or dynamic data."""
    return TABLE


def run_skill_script(skill_name: str, script_name: str, args: dict[str, Any]) -> str:
    """Run a script associated with a skill."""
    return PRINTED


def agent_framework():
    from agent_framework import Agent, tool
    from agent_framework_openai import OpenAIChatCompletionClient

    client = OpenAIChatCompletionClient(model="mock", api_key="none", base_url=f"http://{ADDRESS}/v1")
    tools = [tool(each, approval_mode="never_require") for each in (load_skill, read_skill_resource, run_skill_script)]
    agent = Agent(client=client, instructions=INSTRUCTIONS, tools=tools)

    async def converse() -> str:
        return "".join([update.text or "" async for update in agent.run(PROMPT, stream=True)])

    return converse


def strands(shared: bool):
    from openai import AsyncOpenAI
    from strands import Agent, tool
    from strands.models.openai import OpenAIModel

    reached = {"api_key": "none", "base_url": f"http://{ADDRESS}/v1"}
    if shared:
        model = OpenAIModel(client=AsyncOpenAI(**reached), model_id="mock")
    else:
        model = OpenAIModel(client_args=reached, model_id="mock")
    tools = [tool(each) for each in (load_skill, read_skill_resource, run_skill_script)]

    async def converse() -> str:
        # An agent is one conversation.
        agent = Agent(model=model, system_prompt=INSTRUCTIONS, tools=tools, callback_handler=None)
        return str(await agent.invoke_async(PROMPT))

    return converse


CONVERSE = {
    "agent-framework": agent_framework,
    "strands": lambda: strands(False),
    "strands-shared": lambda: strands(True),
}


async def play(converse, times: int, at_once: int) -> None:
    left = iter(range(times))

    async def one_after_the_other() -> None:
        for _ in left:
            said = await converse()
            assert "2.20462 pounds" in said and "asked about." in said, said

    await asyncio.gather(*(one_after_the_other() for _ in range(at_once)))


def processor() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


async def main() -> None:
    converse = CONVERSE[FRAMEWORK]()
    await play(converse, WARM_UP, int(AT_ONCE))
    cpu, wall = processor(), time.monotonic()
    await play(converse, int(TIMES), int(AT_ONCE))
    print(processor() - cpu, time.monotonic() - wall)


asyncio.run(main())
