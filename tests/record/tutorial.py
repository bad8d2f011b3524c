"""The code of "Learn Claude Code" (article 002): `TodoManager`, `SkillLoader`, `run_subagent` and the tools are the
article's. What it only names is marked CHOICE: the main loop, the body of `bash`, the words of the reminder,
`SUBAGENT_SYSTEM`, and the three layers of compaction, which follow the numbers of the course that it retells."""

import json
import os
import re
import subprocess
from itertools import count
from pathlib import Path


class TodoManager(object):

    def __init__(self):
        self.items = []

    def update(self, items: list[str]):
        validated, in_progress_count = [], 0
        for item in items:
            status = item.get("status", "pending")
            if status == "in_progress":
                in_progress_count += 1
            validated.append({"id": item["id"], "text": item["text"],
                            "status": status})
        if len(items) > 20:
            raise ValueError("Only less than 20 todos are allowed")
        if in_progress_count > 1:
            raise ValueError("Only one task can be in_progress")
        self.items = validated
        return self.render()

    def render(self):
        if not self.items:
            return "No todos."
        lines = []
        for item in self.items:
            marker = {"pending": "[ ]", "in_progress": "[>]", "completed": "[x]"}[item["status"]]
            lines.append(f"{marker} #{item['id']}: {item['text']}")
        done = sum(1 for t in self.items if t["status"] == "completed")
        lines.append(f"\n({done}/{len(self.items)} completed)")
        return "\n".join(lines)


class SkillLoader(object):
    def __init__(self, skills_dir: Path):
        self.skills_dir = skills_dir
        self.skills = {}
        self._load_skills()

    def _load_skills(self) -> None:
        for skill_file in sorted(self.skills_dir.rglob("SKILL.md")):
            with open(skill_file, 'r', encoding='utf-8') as f:
                text = f.read()
            meta, body = self._parse_frontmatter(text)
            name = meta.get("name", skill_file.parent.name)
            self.skills[name] = dict(name=name, meta=meta, body=body)

    def _parse_frontmatter(self, text: str) -> tuple:
        match = re.match(r"^---\n(.*?)\n---\n(.*)", text, re.DOTALL)
        if not match:
            return {}, text

        meta = {}
        for line in match.group(1).strip().splitlines():
            if ":" in line:
                key, val = line.split(":", 1)
                meta[key.strip()] = val.strip()
        return meta, match.group(2).strip()

    def get_skill_description(self) -> str:
        if not len(self.skills):
            return "(No avaiable skills)"

        skill_description_lines = []
        for name, skill in self.skills.items():
            skill_name = name
            skill_desc = skill['meta'].get('description', '')
            skill_description_lines.append(f" - {skill_name}: {skill_desc}")
        return "\n".join(skill_description_lines)

    def get_skill_full_content(self, name: str) -> str:
        skill = self.skills.get(name)
        if skill is None:
            return f"(Error: Skill '{name}' not found)"
        return f"<skill name=\"{name}\">\n{skill['body']}\n</skill>"


def system_message(skill_loader):
    return f"""You are a coding assistant at {os.getcwd()}.
Use the todo tool to plan multi-step tasks. Mark in_progress before starting, completed when done.
Prefer tools over prose.
Your thinking and response must be the same language as the user's question.

Skills available:
{skill_loader.get_skill_description()}
"""


def _function(name, description, parameters):
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


CHILD_TOOLS = [
    _function("bash", "Run a bash command", {
        "type": "object",
        "required": ["command"],
        "properties": {"command": {"type": "string", "description": "The bash command to run"}},
    }),
    _function("todo", "Update task list. Track progress on multi-step tasks.", {
        "type": "object",
        "required": ["items"],
        "properties": {
            "items": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "id": {"type": "string"},
                        "text": {"type": "string"},
                        "status": {"type": "string", "enum": ["pending", "in_progress", "completed"]},
                    },
                    "required": ["id", "text", "status"],
                },
            },
        },
    }),
    _function("load_skill", "Load a skill file by name", {
        "type": "object",
        "required": ["name"],
        "properties": {"name": {"type": "string", "description": "The name of the skill to load"}},
    }),
]

PARENT_TOOLS = CHILD_TOOLS + [
    _function("task", "Spawn a subagent with fresh context.", {
        "type": "object",
        "properties": {"prompt": {"type": "string"}},
        "required": ["prompt"],
    }),
]

# CHOICE
COMPACT = _function("compact", "Trigger manual conversation compression.", {
    "type": "object",
    "properties": {"focus": {"type": "string", "description": "What to preserve in the summary"}},
})
SUBAGENT_SYSTEM = "You are a subagent."
REMINDER = "<reminder>Update your todos.</reminder>"
REQUEST = (
    "Summarize this conversation for continuity. Include: 1) What was accomplished, 2) Current state, "
    "3) Key decisions made. Be concise but preserve critical details."
)


def run_bash(command):
    """CHOICE."""
    if any(danger in command for danger in ("rm -rf /", "sudo", "shutdown", "reboot", "> /dev/")):
        return "Error: Dangerous command blocked"
    try:
        done = subprocess.run(command, shell=True, cwd=os.getcwd(), capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return "Error: Timeout (120s)"
    return (done.stdout + done.stderr).strip()[:50000] or "(no output)"


class Tutorial:
    """One program that is started once and gets one prompt after the other."""

    def __init__(self, client, model, skills_dir, compaction=None):
        self.client, self.model, self.compaction = client, model, compaction
        self.skill_loader, self.todo = SkillLoader(skills_dir), TodoManager()
        self.system = {"role": "system", "content": system_message(self.skill_loader)}
        self.messages = []
        # The article's files have the time in their names.
        self.transcripts = count(1)
        self.handlers = {
            "bash": lambda **kw: run_bash(kw["command"]),
            "todo": lambda **kw: self.todo.update(kw["items"]),
            "load_skill": lambda **kw: self.skill_loader.get_skill_full_content(kw["name"]),
        }

    def dump(self, message):
        """The article's logs show all fields from the chapter about compaction on; before it, CHOICE."""
        return message.model_dump() if self.compaction else message.model_dump(exclude_none=True)

    def use(self, tool_call, handlers):
        tool_name = tool_call.function.name
        try:
            args = json.loads(tool_call.function.arguments or "{}")
        except Exception as e:
            result = f"Error: invalid JSON arguments - {str(e)}"
        else:
            handler = handlers.get(tool_name)
            if handler is None:
                result = f"Error: unknown tool `{tool_name}`"
            else:
                try:
                    result = handler(**args)
                except Exception as e:
                    result = f"Error: {str(e)}"
        return {"role": "tool", "tool_call_id": tool_call.id, "content": str(result)}

    def run_subagent(self, prompt):
        messages = [
            {"role": "system", "content": SUBAGENT_SYSTEM},
            {"role": "user", "content": prompt},
        ]
        final_text = None
        for _ in range(30):
            response = self.client.chat.completions.create(
                model=self.model,
                messages=messages,
                tools=CHILD_TOOLS,
                tool_choice="auto",
                max_tokens=8000,
            )
            choice = response.choices[0]
            message = choice.message
            messages.append(self.dump(message))
            if choice.finish_reason != "tool_calls":
                final_text = message.content
                break
            for tool_call in message.tool_calls:
                messages.append(self.use(tool_call, self.handlers))
        return final_text or "(no summary)"

    def say_to(self, prompt):
        """CHOICE: the main loop, as the sub-agent's is, with the reminder and compaction."""
        self.messages.append({"role": "user", "content": prompt})
        handlers = {**self.handlers, "task": lambda **kw: self.run_subagent(kw["prompt"])}
        tools = PARENT_TOOLS
        asked = []
        if self.compaction:
            handlers["compact"] = lambda **kw: asked.append(kw.get("focus", "")) or "Compressing..."
            tools = PARENT_TOOLS + [COMPACT]
        rounds_without_todo = 0
        while True:
            if self.compaction:
                self.shorten_results()
                if len(str(self.messages)) // 4 > self.compaction["threshold"]:
                    self.compact("")
            response = self.client.chat.completions.create(
                model=self.model, messages=[self.system, *self.messages], tools=tools, tool_choice="auto"
            )
            choice = response.choices[0]
            self.messages.append(self.dump(choice.message))
            if choice.finish_reason != "tool_calls":
                return
            for tool_call in choice.message.tool_calls:
                self.messages.append(self.use(tool_call, handlers))
            used = any(tool_call.function.name == "todo" for tool_call in choice.message.tool_calls)
            rounds_without_todo = 0 if used else rounds_without_todo + 1
            if rounds_without_todo >= 3:
                self.messages[-1]["content"] += f"\n\n{REMINDER}"
            if asked:
                self.compact(asked[0])
                return

    def shorten_results(self):
        """CHOICE: the first layer. The last three results stay, and short ones."""
        results = [message for message in self.messages if message["role"] == "tool"]
        called = [call for message in self.messages for call in message.get("tool_calls") or []]
        names = {call["id"]: call["function"]["name"] for call in called}
        for result in results[:-3]:
            if len(result["content"]) > 100:
                result["content"] = f"[Previous: used {names.get(result['tool_call_id'], 'unknown')}]"

    def compact(self, focus):
        """CHOICE: the second and the third layer."""
        folder = Path(os.getcwd()) / ".transcripts"
        folder.mkdir(exist_ok=True)
        transcript = folder / f"transcript_{next(self.transcripts)}.jsonl"
        transcript.write_text("".join(json.dumps(message, default=str) + "\n" for message in self.messages))
        request = REQUEST + (f" Pay special attention to preserving details about: {focus}." if focus else "")
        response = self.client.chat.completions.create(
            model=self.model,
            messages=[{"role": "user", "content": f"{request}\n\n{json.dumps(self.messages, default=str)[-80000:]}"}],
            max_tokens=2000,
        )
        summary = response.choices[0].message.content or "No summary generated."
        compressed = f"[Conversation compressed. Transcript: {transcript}]\n\n{summary}"
        self.messages[:] = [{"role": "user", "content": compressed}]
