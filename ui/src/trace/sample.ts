/** A small run for tests: a skill activated, a resource read, a script run, an answer. */
import type { Disclosure, RunDetail, RunSummary, Spent, Step, StepKind, ToolCall } from "../generated/api";

type Answer = Extract<StepKind, { type: "answer" }>;
type Tool = Extract<StepKind, { type: "tool" }>;

export function summary(change: Partial<RunSummary> = {}): RunSummary {
    return {
        id: "0193a1b2-0000-7000-8000-000000000001",
        setup: {
            harness: "agent-framework",
            variant: "seed",
            model: "rehearsal",
            prices: null,
            rehearsal: true,
            prompt: "How many pounds is 1 kilogram?",
            roots: ["/home/ada/skills"],
            skills: ["translator", "unit-converter"],
            workingDirectory: "/home/ada/.local/state/skillbench/runs/1",
            tokenizer: "o200k_base",
            catalogueTokens: 300,
            appVersion: "0.1.0",
        },
        status: "done",
        error: null,
        startedAt: 1_790_000_000_000,
        endedAt: 1_790_000_001_840,
        steps: 8,
        prompts: 1,
        contextTokens: 1000,
        spent: spent(),
        departures: { denied: 0, stubbed: 0, edited: 0 },
        bundled: false,
        verdict: null,
        pinned: false,
        unsaved: null,
        ...change,
    };
}

export function spent(change: Partial<Spent> = {}): Spent {
    return { input: 0, output: 0, cached: 0, cacheWritten: 0, cost: null, estimated: false, ...change };
}

export function detail(steps: Step[] = walk(), change: Partial<RunSummary> = {}): RunDetail {
    return { summary: summary({ steps: steps.length, contextTokens: steps.at(-1)?.contextTokens ?? 0, ...change }), steps };
}

/** Prompt; load; answer; read; answer; run; answer. Contexts: 320, 340, 640, 650, 850, 870, 900, 1000. */
export function walk(): Step[] {
    const load = call("load_skill", '{"skillName":"unit-converter"}');
    const read = call("read_skill_resource", '{"skillName":"unit-converter","resourceName":"references/conversion-table.md"}');
    const run = call(
        "run_skill_script",
        '{"skillName":"unit-converter","scriptName":"scripts/convert.py","arguments":{"value":1,"factor":2.20462}}',
    );
    return [
        step(0, 320, 320, { type: "prompt", text: "How many pounds is 1 kilogram?" }, null),
        step(1, 20, 340, answer("", [load]), 0),
        step(2, 300, 640, tool(load, { type: "instructions", skill: "unit-converter" }, "# Unit converter"), 0),
        step(3, 10, 650, answer("", [read]), 1),
        step(
            4,
            200,
            850,
            tool(read, { type: "resource", skill: "unit-converter", resource: "references/conversion-table.md" }, "| kg | lb |"),
            1,
        ),
        step(5, 20, 870, answer("", [run]), 2),
        step(6, 30, 900, tool(run, { type: "script", skill: "unit-converter", script: "scripts/convert.py" }, "2.20462"), 2),
        step(7, 100, 1000, answer("1 kg is about **2.20462 lb**.", []), 3),
    ];
}

export function step(index: number, addedTokens: number, contextTokens: number, kind: StepKind, turn: number | null = 0): Step {
    return {
        index,
        event: index * 3,
        at: 1_790_000_000_000 + index * 200,
        took: 180,
        turn,
        within: null,
        state: "done",
        question: null,
        kind,
        addedTokens,
        contextTokens,
    };
}

export function answer(text: string, calls: ToolCall[]): StepKind {
    return answered({ text, calls, finish: calls.length > 0 ? { type: "toolCalls" } : { type: "stop" } });
}

export function answered(change: Partial<Answer>): Answer {
    return {
        type: "answer",
        text: "",
        reasoning: "",
        calls: [],
        usage: null,
        spent: spent({ input: 640, output: 24, estimated: true }),
        finish: { type: "stop" },
        model: null,
        agents: [],
        cut: null,
        firstToken: 12,
        error: null,
        hint: null,
        raw: null,
        why: null,
        ...change,
    };
}

export function tool(asked: ToolCall, disclosure: Disclosure, reply: string | null): StepKind {
    return called(asked, { disclosure, disclosed: disclosure, reply });
}

export function called(asked: ToolCall, change: Partial<Tool>): Tool {
    return {
        type: "tool",
        call: asked,
        disclosure: { type: "none" },
        disclosed: { type: "none" },
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
        reply: null,
        wire: null,
        ...change,
    };
}

export function call(name: string, args: string): ToolCall {
    return { id: `call_${name}`, name, arguments: args };
}
