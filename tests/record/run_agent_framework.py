"""Microsoft Agent Framework for Python. Both versions have the same calls; 1.23 is recorded over more conversations."""

import asyncio
import subprocess
import sys
from importlib.metadata import version

from recorder import call, calls, record, say, turn

from agent_framework import Agent, Message, SkillsProvider
from agent_framework.openai import OpenAIChatCompletionClient

AGENT = "You are a helpful assistant."
WITHOUT_APPROVALS = {
    "disableLoadSkillApproval": True,
    "disableReadSkillResourceApproval": True,
    "disableRunSkillScriptApproval": True,
}


def run_script(skill, script, args=None):
    """The runner of the article, in Python: an object becomes `--key value`, a list its words, and the output is the
    result."""
    if isinstance(args, dict):
        words = [word for key, value in args.items() if value is not None for word in (f"--{key}", str(value))]
    else:
        words = [str(word) for word in args] if isinstance(args, list) else []
    path = script.full_path
    return subprocess.run([sys.executable, path, *words], capture_output=True, text=True).stdout.strip()


def play(stage, conversation):
    settings = conversation["settings"]
    provider = SkillsProvider.from_paths(
        str(stage.root),
        script_runner=run_script,
        disable_caching=settings.get("disableCaching", False),
        disable_load_skill_approval=settings.get("disableLoadSkillApproval", False),
        disable_read_skill_resource_approval=settings.get("disableReadSkillResourceApproval", False),
        disable_run_skill_script_approval=settings.get("disableRunSkillScriptApproval", False),
    )
    client = OpenAIChatCompletionClient(model="fake", api_key="none", base_url=stage.model.url)
    agent = Agent(client=client, instructions=AGENT, context_providers=[provider])
    session = agent.create_session()
    with asyncio.Runner() as loop:
        for turn in conversation["turns"]:
            prompt = stage.begin(turn)
            yield stage.end(turn, *loop.run(say_to(agent, session, prompt)))


async def say_to(agent, session, prompt):
    """One turn, in which the user agrees to whatever is asked."""
    try:
        response = await agent.run(prompt, session=session)
        while response.user_input_requests:
            agreed = [request.to_function_approval_response(True) for request in response.user_input_requests]
            response = await agent.run(Message("user", agreed), session=session)
    except Exception as error:
        return {}, f"{type(error).__name__}: {error}"
    messages = [message for state in session.state.values() for message in (state or {}).get("messages", [])]
    return {"messages": len(messages)}, None


def load(id, name):
    return call(id, "load_skill", {"skill_name": name})


def resource(id, name, skill="unit-converter"):
    return call(id, "read_skill_resource", {"skill_name": skill, "resource_name": name})


def script(id, name, args, skill="unit-converter"):
    return call(id, "run_skill_script", {"skill_name": skill, "script_name": name, "args": args})


EDITED = ("unit-converter/SKILL.md", "Present the result clearly", "Present the result briefly")
RENAMED = ("unit-converter/SKILL.md", "Convert between common units", "Convert units of all kinds")


def edited(settings):
    return {
        "root": "roots/unit-converter",
        "instructions": AGENT,
        "settings": settings,
        "turns": [
            turn(
                "How many pounds is 1 kilogram?",
                calls(load("call_1", "unit-converter")),
                calls(resource("call_2", "references/conversion-table.md")),
                say("About 2.2 pounds."),
            ),
            turn(
                "And how many kilometres is a mile?",
                calls(script("call_3", "scripts/convert.py", {"value": 1, "factor": 1.609344})),
                say("1.609344 kilometres."),
            ),
            turn(
                "Read the skill again.",
                calls(load("call_4", "unit-converter")),
                calls(resource("call_5", "references/conversion-table.md")),
                say("It is the same."),
                edit=EDITED,
            ),
            turn("What can you do now?", say("Convert units."), edit=RENAMED),
        ],
    }


def wrong(settings):
    return {
        "root": "roots/pdf-tools",
        "instructions": AGENT,
        "settings": settings,
        "turns": [
            turn(
                "Load a skill that is not there.",
                calls(load("call_1", "no-such-skill")),
                calls(call("call_2", "load_skill", {})),
                calls(call("call_3", "load_skill", {"skill_name": 5})),
                say("There is none."),
            ),
            turn(
                "Load one twice.",
                calls(load("call_4", "pdf-tools"), load("call_5", "pdf-tools")),
                calls(load("call_6", "pdf-tools")),
                say("It is loaded."),
            ),
            turn(
                "Do it wrong once more.",
                calls(call("call_7", "no_such_tool", {"a": 1})),
                calls(call("call_8", "load_skill", "{not json")),
                say("Nothing helps."),
            ),
            turn("Are you still there?", calls(load("call_9", "PDF-Tools")), say("Yes.")),
        ],
    }


def files(settings):
    return {
        "root": "roots/pdf-tools",
        "instructions": AGENT,
        "settings": settings,
        "turns": [
            turn(
                "Read what there is.",
                calls(load("call_1", "pdf-tools")),
                calls(
                    resource("call_2", "references/guide.md", "pdf-tools"),
                    resource("call_3", "references/no-such-file.md", "pdf-tools"),
                ),
                say("I read the guide."),
            ),
            turn(
                "Run the script.",
                calls(script("call_4", "scripts/extract.py", ["a b.pdf", "--pages", "1"], "pdf-tools")),
                calls(script("call_5", "scripts/no-such-script.py", [], "pdf-tools")),
                calls(script("call_6", "scripts/fail.py", None, "pdf-tools")),
                say("One of them ran."),
            ),
            turn(
                "And the guide again?",
                calls(resource("call_7", "references/guide.md", "pdf-tools")),
                say("It has changed."),
                edit=("pdf-tools/references/guide.md", "# Guide", "# Guide, edited"),
            ),
        ],
    }


def asked(settings):
    """Rounds that ask and rounds that do not, in one turn."""
    return {
        "root": "roots/unit-converter",
        "instructions": AGENT,
        "settings": settings,
        "turns": [
            turn(
                "Do it all.",
                calls(load("call_1", "unit-converter")),
                calls(
                    resource("call_2", "references/conversion-table.md"),
                    script("call_3", "scripts/convert.py", {"value": 1, "factor": 2}),
                ),
                calls(load("call_4", "unit-converter")),
                calls(script("call_5", "scripts/convert.py", {"value": 2, "factor": 2})),
                say("Done."),
            ),
            turn("Again.", calls(load("call_6", "unit-converter")), say("Done again.")),
            turn("What have you done?", say("All of it.")),
        ],
    }


def without_skills(settings):
    """No skill is valid, so there are no tools, and calls that the model makes all the same are not carried out."""
    return {
        "root": "roots/no-frontmatter",
        "instructions": AGENT,
        "settings": settings,
        "turns": [
            turn("Load the skill.", calls(load("call_1", "no-frontmatter"))),
            turn("Try again.", calls(load("call_2", "no-frontmatter"), call("call_3", "no_such_tool", {}))),
            turn("What can you do?", say("Nothing with skills.")),
        ],
    }


def saying(text, *given):
    return {**say(text), **calls(*given)}


def said_without_skills(settings):
    """As `without_skills`, with words in front of the calls: they are two messages from the next turn on."""
    return {
        "root": "roots/no-frontmatter",
        "instructions": AGENT,
        "settings": settings,
        "turns": [
            turn("Load the skill.", saying("I will load it.", load("call_1", "no-frontmatter"))),
            turn("Try again.", calls(load("call_2", "no-frontmatter"))),
            turn("And now?", saying("Let me see.", load("call_3", "no-frontmatter"), load("call_4", "no-frontmatter"))),
            turn("What can you do?", say("Nothing with skills.")),
        ],
    }


def said_with_calls(settings):
    """Answers that say something and call something, with and without a question."""
    return {
        "root": "roots/unit-converter",
        "instructions": AGENT,
        "settings": settings,
        "turns": [
            turn(
                "How many pounds is 1 kilogram?",
                saying("Let me see.", load("call_1", "unit-converter")),
                saying(
                    "I look it up.",
                    resource("call_2", "references/conversion-table.md"),
                    script("call_3", "scripts/convert.py", {"value": 1, "factor": 2.20462}),
                ),
                say("About 2.2 pounds."),
            ),
            turn("And again?", saying("", load("call_4", "unit-converter")), say("The same.")),
        ],
    }


CONVERSATIONS = {
    "edited_skill": edited(WITHOUT_APPROVALS),
    "edited_skill_uncached": edited({**WITHOUT_APPROVALS, "disableCaching": True}),
    "wrong_calls": wrong(WITHOUT_APPROVALS),
    "resources_and_scripts": files(WITHOUT_APPROVALS),
    "approvals": edited({}),
    "approvals_of_all": asked({}),
    "approvals_of_scripts": asked({**WITHOUT_APPROVALS, "disableRunSkillScriptApproval": False}),
    "without_skills": without_skills({}),
    "said_without_skills": said_without_skills({}),
    "said_with_calls": said_with_calls(WITHOUT_APPROVALS),
    "said_with_calls_approvals": said_with_calls({}),
}

if __name__ == "__main__":
    record(f"maf-python-{version('agent-framework-core')}", CONVERSATIONS, play)
