/** Recorded runs of one scene under each harness, and the contexts at their steps. */
import type {
    AlignedRow,
    ContextAtStep,
    ContextMessage,
    Disclosure,
    Effect,
    Enforcement,
    Inspection,
    OriginMark,
    RunDetail,
    RunRequest,
    ScriptOutput,
    SkillInContext,
    Spent,
    Step,
    StepKind,
    ToolCall,
} from "../../generated/api";
import { isRecorded } from "../../trace/recorded";
import { tokens } from "./tokens";
import { SAMPLE_FILES, SAMPLE_FOLDERS } from "./files";
import { inspectionOf } from "./answers";

const START = 1_795_000_000_000;
const FOLDER = `${SAMPLE_FOLDERS[0]?.path ?? ""}/unit-converter`;
const FILES: ReadonlyMap<string, string> = new Map(Object.entries(SAMPLE_FILES));
const TABLE = SAMPLE_FILES[`${FOLDER}/references/conversion-table.md`] ?? "";
const PRINTED = '{"value": 1.0, "result": 2.2046}\n';
const SAID = "1 kg is about **2.20462 lb**.";
const COMMAND = `python3 ${FOLDER}/scripts/convert.py --value 1 --factor 2.20462`;
const NOTHING: Spent = { input: 0, output: 0, cached: 0, cacheWritten: 0, cost: null, estimated: false };
const RESOURCE: Disclosure = { type: "resource", skill: "unit-converter", resource: "references/conversion-table.md" };
const SCRIPT: Disclosure = { type: "script", skill: "unit-converter", script: "scripts/convert.py" };

/** How a harness plays the scene: activate, read, run. `run` is `null` where it has no tool for it. */
type Scene = { load: ToolCall; read: ToolCall; run: { call: ToolCall; effect: Effect } | null };

function scene(harness: string): Scene {
    const call = (at: number, name: string, args: object): ToolCall => ({ id: `call_${at}`, name, arguments: JSON.stringify(args) });
    const shell = (name: string): NonNullable<Scene["run"]> => ({
        call: call(3, name, { command: COMMAND }),
        effect: { type: "shell", command: COMMAND, workingDirectory: null, timeout: 120 },
    });
    switch (harness) {
        case "eino":
            return {
                load: call(1, "skill", { skill: "unit-converter" }),
                read: call(2, "read_file", { file_path: `${FOLDER}/references/conversion-table.md` }),
                run: shell("execute"),
            };
        case "learn-claude-code":
            return {
                load: call(1, "load_skill", { name: "unit-converter" }),
                read: call(2, "bash", { command: `cat ${FOLDER}/references/conversion-table.md` }),
                run: shell("bash"),
            };
        case "strands":
            return {
                load: call(1, "Skill", { command: "unit-converter" }),
                read: call(2, "file_read", { path: `${FOLDER}/references/conversion-table.md` }),
                run: shell("shell"),
            };
        case "agentscope":
            return {
                load: call(1, "load_skill_through_path", { skillId: "unit-converter_custom", path: "SKILL.md" }),
                read: call(2, "load_skill_through_path", { skillId: "unit-converter_custom", path: "references/conversion-table.md" }),
                run: null,
            };
        default:
            return {
                load: call(1, "load_skill", { skillName: "unit-converter" }),
                read: call(2, "read_skill_resource", { skillName: "unit-converter", resourceName: "references/conversion-table.md" }),
                run: {
                    call: call(3, "run_skill_script", {
                        skillName: "unit-converter",
                        scriptName: "scripts/convert.py",
                        arguments: { value: 1, factor: 2.20462 },
                    }),
                    effect: {
                        type: "runScript",
                        skill: "unit-converter",
                        script: "scripts/convert.py",
                        path: `${FOLDER}/scripts/convert.py`,
                        interpreter: "python3",
                        arguments: ["--value", "1", "--factor", "2.20462"],
                        approval: true,
                        workingDirectory: null,
                    },
                },
            };
    }
}

const CONFINED: Enforcement = {
    layer: "bubblewrap",
    inForce: ["files", "temporary", "network", "processes", "systemCalls", "environment", "time", "memory", "output"],
    missing: [],
    reason: null,
    interpreter: "/usr/bin/python3",
};

type Made = [kind: StepKind, turn: number | null, within?: string];

/** The steps of the scene, in order. */
export function sampleSteps(prompt: string, harness = "agent-framework"): Step[] {
    const { load, read, run } = scene(harness);
    const skill = inspectionOf(FILES, harness, null).skills.find((known) => known.name === "unit-converter");
    const made: Made[] = [
        [{ type: "prompt", text: prompt }, null],
        [answer("", [load]), 0],
        [tool(load, { type: "instructions", skill: "unit-converter" }, skill?.content ?? ""), 0],
        [answer("", [read]), 1],
        [tool(read, RESOURCE, TABLE), 1],
    ];
    if (run !== null) {
        made.push([answer("", [run.call]), 2], [script(run.call, run.effect), 2]);
    }
    return steps([
        ...made,
        [answer(SAID, []), run === null ? 2 : 3],
        [{ type: "end", status: "done", error: null, zh: null, why: null, reached: null }, null],
    ]);
}

/** What the user says further, and the answer to it. */
export function furtherSteps(prompt: string, known: readonly Step[]): Step[] {
    const turn = known.reduce((most, step) => Math.max(most, (step.turn ?? -1) + 1), 0);
    const made = steps([
        [{ type: "prompt", text: prompt }, null],
        [answer("As before.", []), turn],
    ]);
    const at = Date.now();
    return made.map((step) => ({
        ...step,
        index: step.index + known.length,
        event: step.event + known.length * 3,
        at: at + step.index * 140,
    }));
}

/** A call whose sub-agent made steps of its own. */
function delegatedSteps(prompt: string): Step[] {
    const ask = (id: string, name: string, args: object): ToolCall => ({ id, name, arguments: JSON.stringify(args) });
    const task = ask("call_1", "task", { prompt: "Find the factor from kilograms to pounds in the conversion table." });
    const load = ask("call_1_1", "load_skill", { name: "unit-converter" });
    const cat = ask("call_1_2", "bash", { command: `cat ${FOLDER}/references/conversion-table.md` });
    return steps([
        [{ type: "prompt", text: prompt }, null],
        [answer("", [task]), 0],
        [tool(task, { type: "none" }, "The factor is 2.20462."), 0],
        [{ type: "prompt", text: "Find the factor from kilograms to pounds in the conversion table." }, null, task.id],
        [answer("", [load]), 0, task.id],
        [
            tool(load, { type: "instructions", skill: "unit-converter" }, '<skill name="unit-converter">\n# Unit converter\n</skill>'),
            0,
            task.id,
        ],
        [answer("", [cat]), 1, task.id],
        [tool(cat, RESOURCE, TABLE), 1, task.id],
        [answer("The factor is 2.20462.", []), 2, task.id],
        [answer(SAID, []), 1],
        [{ type: "end", status: "done", error: null, zh: null, why: null, reached: null }, null],
    ]);
}

function steps(made: readonly Made[]): Step[] {
    let contextTokens = 412;
    return made.map(([kind, turn, within = null], index) => {
        const addedTokens = added(kind);
        contextTokens += within === null ? addedTokens : 0;
        const took = kind.type === "tool" && kind.output !== null ? 84 : 12;
        return {
            index,
            event: index * 3,
            at: START + index * 140,
            took,
            turn,
            within,
            state: "done",
            question: null,
            kind,
            addedTokens,
            contextTokens,
        };
    });
}

export function recorded(
    id: string,
    prompt: string,
    bundled: boolean,
    startedAt: number,
    harness = "agent-framework",
    variant: string | null = null,
): RunDetail {
    return detailOf(id, prompt, bundled, startedAt, harness, variant, sampleSteps(prompt, harness));
}

function detailOf(
    id: string,
    prompt: string,
    bundled: boolean,
    startedAt: number,
    harness: string,
    variant: string | null,
    made: Step[],
): RunDetail {
    return {
        summary: {
            id,
            setup: setup({ prompt, harness, variant, model: "rehearsal" }),
            status: "done",
            error: null,
            startedAt,
            endedAt: startedAt + 1320,
            steps: made.length,
            prompts: 1,
            contextTokens: made.at(-1)?.contextTokens ?? 0,
            spent: { ...NOTHING, input: 2560, output: 96 },
            departures: { denied: 0, stubbed: 0, edited: 0 },
            bundled,
            verdict: null,
            pinned: false,
            unsaved: null,
        },
        steps: made,
    };
}

export function setup(request: Pick<RunRequest, "prompt" | "harness" | "variant" | "model">): RunDetail["summary"]["setup"] {
    return {
        harness: request.harness,
        variant: request.variant ?? "seed",
        model: request.model,
        prices: null,
        rehearsal: request.model === "rehearsal" || isRecorded(request.model),
        prompt: request.prompt,
        roots: SAMPLE_FOLDERS.map((folder) => folder.path),
        skills: ["log-analyzer", "translator", "unit-converter"],
        workingDirectory: "/home/ada/.local/state/skill-workbench/runs/1",
        tokenizer: "o200k_base",
        catalogueTokens: 412,
        appVersion: "0.1.0",
    };
}

const PROMPT = "How many pounds is 1 kilogram?";
export const BUNDLED_RUN = recorded("0193a1b2-0000-7000-8000-000000000001", PROMPT, true, START);
export const DELEGATED_RUN = detailOf(
    "run-delegated",
    "How many pounds is 1 kilogram? Let a sub-agent look it up.",
    false,
    START,
    "learn-claude-code",
    null,
    delegatedSteps(PROMPT),
);

/** What the steps of a run are for, so that those of several runs can stand beside each other. */
const PARTS = ["prompt", "askLoad", "load", "askRead", "read", "askRun", "run", "say", "end"] as const;

export function alignedRows(runs: readonly RunDetail[]): AlignedRow[] {
    const parts = runs.map((detail) =>
        scene(detail.summary.setup.harness).run === null ? PARTS.filter((part) => !/run$/i.test(part)) : [...PARTS],
    );
    return PARTS.map((part) => ({
        steps: runs.map((detail, at) => {
            const place = parts[at]?.indexOf(part) ?? -1;
            return place >= 0 && place < detail.steps.length ? place : null;
        }),
    }));
}

export function inspection(harness: string, variant: string | null): Inspection {
    return inspectionOf(FILES, harness, variant);
}

export function contextAt(detail: RunDetail, at: number): ContextAtStep {
    const sent = inspectionOf(FILES, detail.summary.setup.harness, null);
    const within = detail.steps[at]?.within ?? null;
    const messages: ContextMessage[] = sent.instructions === null ? [] : [message("system", sent.instructions.text, false, sent)];
    for (const step of detail.steps.slice(0, at + 1)) {
        const added = step.index === at;
        if (step.within !== within) {
            continue;
        }
        if (step.kind.type === "prompt") {
            messages.push(message("user", step.kind.text, added, sent));
        } else if (step.kind.type === "answer") {
            messages.push({ ...message("assistant", step.kind.text, added, sent), calls: step.kind.calls });
        } else if (step.kind.type === "tool" && step.kind.reply !== null) {
            messages.push({ ...message("tool", step.kind.reply, added, sent), callId: step.kind.call.id });
        }
    }
    const tools = sent.tools.map((definition) => ({
        name: definition.name,
        json: JSON.stringify(definition, null, 2),
        added: at === 0,
        cachePoint: false,
    }));
    const body = JSON.stringify({ model: "rehearsal", messages: messages.map(({ role, text }) => ({ role, content: text })) }, null, 2);
    const skills = detail.steps.slice(0, at + 1).flatMap((step): SkillInContext[] => {
        const disclosed = step.within === within && step.kind.type === "tool" ? step.kind.disclosed : { type: "none" as const };
        return disclosed.type === "instructions"
            ? [{ skill: disclosed.skill, since: step.index, tokens: step.addedTokens, compacted: false }]
            : [];
    });
    return { step: at, body, exact: true, tools, groups: [], messages, skills, tokens: detail.steps[at]?.contextTokens ?? 0 };
}

function message(role: ContextMessage["role"], text: string, added: boolean, sent: Inspection): ContextMessage {
    const end = text.length;
    const system = (sent.instructions?.marks ?? []).map(({ from, to, origin }): OriginMark => ({ span: { start: from, end: to }, origin }));
    const marks: ContextMessage["marks"] =
        role === "user"
            ? [{ span: { start: 0, end }, origin: { type: "user" } }]
            : role === "tool"
              ? [{ span: { start: 0, end }, origin: { type: "skill", skill: "unit-converter", field: "body" } }]
              : role === "system"
                ? system
                : [];
    return { role, text, calls: [], callId: null, marks, tokens: tokens(text), added, cachePoint: false, reconstructed: false };
}

function answer(text: string, calls: ToolCall[]): StepKind {
    const finish: { type: "toolCalls" } | { type: "stop" } = calls.length > 0 ? { type: "toolCalls" } : { type: "stop" };
    return {
        type: "answer",
        text,
        reasoning: "",
        calls,
        usage: { input: 640, output: 24, cached: 0, cacheWritten: 0 },
        spent: { ...NOTHING, input: 640, output: 24 },
        finish,
        model: null,
        agents: [],
        cut: null,
        firstToken: 9,
        error: null,
        hint: null,
        raw: null,
        why: null,
    };
}

function tool(call: ToolCall, disclosure: Disclosure, reply: string): StepKind {
    return {
        type: "tool",
        call,
        disclosure,
        disclosed: disclosure,
        asked: null,
        ran: null,
        leadsTo: null,
        digest: null,
        enforcement: null,
        skills: [],
        decision: null,
        standing: null,
        output: null,
        files: [],
        reply,
        wire: null,
    };
}

function script(call: ToolCall, effect: Effect): StepKind {
    const output: ScriptOutput = { stdout: PRINTED, stderr: "", exitCode: 0, timedOut: false, truncated: false, took: 71 };
    const decision = { type: "allow" as const, arguments: null, forRun: false };
    return {
        type: "tool",
        call,
        disclosure: SCRIPT,
        disclosed: SCRIPT,
        asked: effect,
        ran: null,
        leadsTo: null,
        digest: null,
        enforcement: CONFINED,
        skills: effect.type === "runScript" ? [effect.skill] : ["log-analyzer", "translator", "unit-converter"],
        decision,
        standing: null,
        output,
        files: [{ path: "result.json", size: 34 }],
        reply: PRINTED,
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
