/** A recorded run of seven messages, an inspection, and a live run that waits for approval. */
import type {
    ContextAtStep,
    ContextMessage,
    Disclosure,
    HarnessInfo,
    Inspection,
    RunDetail,
    RunRequest,
    Step,
    StepKind,
    TextMark,
    ToolCall,
} from "../../generated/api";
import { tokens } from "./disk";
import { SAMPLE_FILES, SAMPLE_FOLDERS } from "./files";

const START = 1_795_000_000_000;
const FOLDER = SAMPLE_FOLDERS[0]?.path ?? "";
const SKILL = SAMPLE_FILES[`${FOLDER}/unit-converter/SKILL.md`] ?? "";
const TABLE = SAMPLE_FILES[`${FOLDER}/unit-converter/references/conversion-table.md`] ?? "";
const PROMPT = "How many pounds is 1 kilogram?";

export const HARNESSES: HarnessInfo[] = [
    {
        id: "agent-framework",
        title: "Microsoft Agent Framework",
        variants: [{ id: "seed", title: "AgentSkillsProvider (.NET)", source: "AgentSkillsProvider.cs", verified: true }],
    },
];

const LOAD: ToolCall = { id: "call_1", name: "load_skill", arguments: '{"skillName":"unit-converter"}' };
const READ: ToolCall = {
    id: "call_2",
    name: "read_skill_resource",
    arguments: '{"skillName":"unit-converter","resourceName":"references/conversion-table.md"}',
};
export const RUN: ToolCall = {
    id: "call_3",
    name: "run_skill_script",
    arguments: '{"skillName":"unit-converter","scriptName":"scripts/convert.py","arguments":{"value":1,"factor":2.20462}}',
};

/** The steps of the sample, in order. */
export function sampleSteps(prompt: string): Step[] {
    const kinds: [StepKind, number | null][] = [
        [{ type: "prompt", text: prompt }, null],
        [answer("", [LOAD]), 0],
        [tool(LOAD, { type: "instructions", skill: "unit-converter" }, SKILL), 0],
        [answer("", [READ]), 1],
        [tool(READ, { type: "resource", skill: "unit-converter", resource: "references/conversion-table.md" }, TABLE), 1],
        [answer("", [RUN]), 2],
        [script(), 2],
        [answer("1 kg is about **2.20462 lb**.", []), 3],
        [{ type: "end", status: "done", error: null }, null],
    ];
    let contextTokens = 412;
    return kinds.map(([kind, turn], index) => {
        const addedTokens = added(kind);
        contextTokens += addedTokens;
        return { index, at: START + index * 140, took: index === 6 ? 84 : 12, turn, state: "done", kind, addedTokens, contextTokens };
    });
}

export function recorded(id: string, prompt: string, bundled: boolean, startedAt: number): RunDetail {
    const steps = sampleSteps(prompt);
    return {
        summary: {
            id,
            setup: setup({ prompt, harness: "agent-framework", variant: "seed", model: "rehearsal" }),
            status: "done",
            error: null,
            startedAt,
            endedAt: startedAt + 1320,
            steps: steps.length,
            contextTokens: steps.at(-1)?.contextTokens ?? 0,
            bundled,
        },
        steps,
    };
}

export function setup(request: Pick<RunRequest, "prompt" | "harness" | "variant" | "model">): RunDetail["summary"]["setup"] {
    return {
        harness: request.harness,
        variant: request.variant ?? "seed",
        model: request.model,
        rehearsal: request.model === "rehearsal",
        prompt: request.prompt,
        roots: SAMPLE_FOLDERS.map((folder) => folder.path),
        skills: ["log-analyzer", "translator", "unit-converter"],
        workingDirectory: "/home/ada/.local/state/skill-workbench/runs/1",
        tokenizer: "o200k_base",
        catalogueTokens: 412,
        appVersion: "0.1.0",
    };
}

export const BUNDLED_RUN = recorded("0193a1b2-0000-7000-8000-000000000001", PROMPT, true, START);

export function contextAt(detail: RunDetail, at: number): ContextAtStep {
    const messages: ContextMessage[] = [message("system", INSTRUCTIONS.text, false)];
    for (const step of detail.steps.slice(0, at + 1)) {
        const added = step.index === at;
        if (step.kind.type === "prompt") {
            messages.push(message("user", step.kind.text, added));
        } else if (step.kind.type === "answer") {
            messages.push({ ...message("assistant", step.kind.text, added), calls: step.kind.calls });
        } else if (step.kind.type === "tool" && step.kind.reply !== null) {
            messages.push({ ...message("tool", step.kind.reply, added), callId: step.kind.call.id });
        }
    }
    const tools = TOOLS.map((definition) => ({ name: definition.name, json: JSON.stringify(definition, null, 2), added: at === 0 }));
    const body = JSON.stringify({ model: "rehearsal", messages: messages.map(({ role, text }) => ({ role, content: text })) }, null, 2);
    return { step: at, body, exact: true, tools, messages, tokens: detail.steps[at]?.contextTokens ?? 0 };
}

const TOOLS: Inspection["tools"] = [
    definition("load_skill", "Loads the full instructions for a specific skill.", ["skillName"]),
    definition("read_skill_resource", "Reads a file associated with a skill, such as references or assets.", ["skillName", "resourceName"]),
    definition("run_skill_script", "Runs a script associated with a skill.", ["skillName", "scriptName", "arguments"]),
];

const INSTRUCTIONS = instructions();

export function inspection(harness: string, prompt: string | null): Inspection {
    const skills = ["translator", "unit-converter"].map((name) => {
        const content = SAMPLE_FILES[`${FOLDER}/${name}/SKILL.md`] ?? "";
        const description = /^description: (.*)$/m.exec(content)?.[1] ?? "";
        return {
            id: name,
            name,
            description,
            path: `${FOLDER}/${name}`,
            content,
            resources: name === "unit-converter" ? [{ name: "references/conversion-table.md", path: null, tokens: tokens(TABLE) }] : [],
            scripts: name === "unit-converter" ? [{ name: "scripts/convert.py", path: null, tokens: 160 }] : [],
            tokens: { catalogue: tokens(description) + 12, instructions: tokens(content), resources: 220 },
        };
    });
    const request = JSON.stringify(
        {
            model: "gpt-4o-mini",
            messages: [
                { role: "system", content: INSTRUCTIONS.text },
                { role: "user", content: prompt ?? "" },
            ],
            tools: TOOLS.map(({ name, description, parameters }) => ({ type: "function", function: { name, description, parameters } })),
        },
        null,
        2,
    );
    return {
        harness,
        variant: "seed",
        instructions: INSTRUCTIONS,
        tools: TOOLS,
        skills,
        skipped: [
            { path: "/home/ada/work/skills/excel-report", reason: "Skill name must be 64 characters or fewer." },
            {
                path: "/home/ada/work/skills/customer-interview-summaries-for-product-teams",
                reason: "SKILL.md does not contain valid YAML frontmatter delimited by '---'",
            },
        ],
        log: ["Discovered 2 potential skills", "Successfully loaded 2 skills"],
        refused: null,
        tokens: {
            instructions: tokens(INSTRUCTIONS.text),
            tools: TOOLS.reduce((sum, each) => sum + each.tokens, 0),
            tiers: { catalogue: 412, instructions: 690, resources: 380 },
            tokenizer: "o200k_base",
        },
        request,
        curl: `curl https://api.openai.com/v1/chat/completions \\\n  -H "Authorization: Bearer $OPENAI_API_KEY" \\\n  -d '${request}'`,
    };
}

function instructions(): { text: string; marks: TextMark[] } {
    let text = "";
    const marks: TextMark[] = [];
    const put = (part: string, origin: TextMark["origin"]): void => {
        marks.push({ from: text.length, to: text.length + part.length, origin });
        text += part;
    };
    const framework: TextMark["origin"] = { type: "framework" };
    put("You are a helpful assistant.\n", { type: "user" });
    put("You have access to skills containing domain-specific knowledge and capabilities.\n\n<available_skills>\n", framework);
    for (const skill of ["translator", "unit-converter"]) {
        const content = SAMPLE_FILES[`${FOLDER}/${skill}/SKILL.md`] ?? "";
        put("  <skill>\n    <name>", framework);
        put(skill, { type: "skill", skill, field: "name" });
        put("</name>\n    <description>", framework);
        put(/^description: (.*)$/m.exec(content)?.[1] ?? "", { type: "skill", skill, field: "description" });
        put("</description>\n  </skill>\n", framework);
    }
    put("</available_skills>\n\nWhen a task aligns with a skill's domain, use `load_skill` first.\n", framework);
    return { text, marks };
}

function definition(name: string, description: string, required: string[]): Inspection["tools"][number] {
    const properties = Object.fromEntries(required.map((key) => [key, { type: key === "arguments" ? "object" : "string" }]));
    return { name, description, parameters: { type: "object", properties, required }, tokens: 40 + required.length * 8 };
}

function message(role: ContextMessage["role"], text: string, added: boolean): ContextMessage {
    const end = text.length;
    const marks = role === "system" ? INSTRUCTIONS.marks.map(({ from, to, origin }) => ({ span: { start: from, end: to }, origin })) : [];
    const own: ContextMessage["marks"] =
        role === "user"
            ? [{ span: { start: 0, end }, origin: { type: "user" } }]
            : role === "tool"
              ? [{ span: { start: 0, end }, origin: { type: "skill", skill: "unit-converter", field: "body" } }]
              : marks;
    return { role, text, calls: [], callId: null, marks: own, tokens: tokens(text), added, reconstructed: false };
}

function answer(text: string, calls: ToolCall[]): StepKind {
    const finish: { type: "toolCalls" } | { type: "stop" } = calls.length > 0 ? { type: "toolCalls" } : { type: "stop" };
    return { type: "answer", text, reasoning: "", calls, usage: { input: 640, output: 24, cached: 0 }, finish, firstToken: 9, error: null, raw: null };
}

function tool(call: ToolCall, disclosure: Disclosure, reply: string): StepKind {
    return { type: "tool", call, disclosure, asked: null, decision: null, output: null, files: [], reply, wire: null };
}

function script(): StepKind {
    return {
        type: "tool",
        call: RUN,
        disclosure: { type: "script", skill: "unit-converter", script: "scripts/convert.py" },
        asked: {
            type: "runScript",
            skill: "unit-converter",
            script: "scripts/convert.py",
            path: `${FOLDER}/unit-converter/scripts/convert.py`,
            interpreter: "python3",
            arguments: ["--value", "1", "--factor", "2.20462"],
            approval: true,
            workingDirectory: null,
        },
        decision: { type: "allow", arguments: null, forRun: false },
        output: { stdout: '{"value": 1.0, "result": 2.2046}\n', stderr: "", exitCode: 0, timedOut: false, truncated: false, took: 71 },
        files: [{ path: "result.json", size: 34 }],
        reply: '{"value": 1.0, "result": 2.2046}\n',
        wire: null,
    };
}

function added(kind: StepKind): number {
    switch (kind.type) {
        case "prompt":
            return tokens(kind.text) + 4;
        case "answer":
            return tokens(kind.text) + kind.calls.length * 24;
        case "tool":
            return tokens(kind.reply ?? "") + 4;
        case "note":
        case "end":
            return 0;
    }
}
