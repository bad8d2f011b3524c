/** Two runs side by side: which steps belong together, and which of their texts can be compared word by word. */
import type { ContextAtStep, Step, StepPair } from "../generated/api";
import { answerError, endError, inLocale, noteText, t } from "../i18n";
import { prettyJson } from "../trace/json";
import { stateText } from "../trace/state";
import type { OpenedRun } from "../trace/steps";

/** A text of a step that both runs may have. */
export type Facet = {
    name: "instructions" | "tools" | "prompt" | "answer" | "reasoning" | "calls" | "tool" | "arguments" | "result" | "note" | "state";
    a: string;
    b: string;
};

export function differs(pair: StepPair): boolean {
    return pair.type !== "same";
}

export function stepsOf(pair: StepPair): { a: number | null; b: number | null } {
    switch (pair.type) {
        case "same":
        case "changed":
            return { a: pair.a, b: pair.b };
        case "onlyA":
            return { a: pair.a, b: null };
        case "onlyB":
            return { a: null, b: pair.b };
    }
}

/** The nearest row after, or before, that differs; `null`: there is none. */
export function nextDifference(pairs: readonly StepPair[], from: number, step: 1 | -1): number | null {
    for (let at = from + step; at >= 0 && at < pairs.length; at += step) {
        const pair = pairs[at];
        if (pair !== undefined && differs(pair)) {
            return at;
        }
    }
    return null;
}

/** The texts of the two steps, side by side; those that neither has are left out. */
export function facets(a: Step | null, b: Step | null): Facet[] {
    const [ofA, ofB] = [a === null ? {} : texts(a), b === null ? {} : texts(b)];
    return NAMES.flatMap((name) => {
        const facet = { name, a: ofA[name] ?? "", b: ofB[name] ?? "" };
        return facet.a === "" && facet.b === "" ? [] : [facet];
    });
}

/** Whether the requests of both steps have different instructions or tools, which only their contexts show. */
export function asksOtherwise(pair: StepPair): boolean {
    return pair.type === "changed" && (pair.instructions || pair.tools);
}

/** What differs of that. */
export function asked(pair: StepPair, a: ContextAtStep, b: ContextAtStep): Facet[] {
    if (pair.type !== "changed") {
        return [];
    }
    const all: Facet[] = [];
    if (pair.instructions) {
        all.push({ name: "instructions", a: instructions(a), b: instructions(b) });
    }
    if (pair.tools) {
        all.push({ name: "tools", a: tools(a), b: tools(b) });
    }
    return all;
}

function instructions(context: ContextAtStep): string {
    return context.messages
        .filter(({ role }) => role === "system")
        .map(({ text }) => text)
        .join("\n\n");
}

function tools(context: ContextAtStep): string {
    return context.tools.map(({ json }) => json).join("\n\n");
}

/** B less A. */
export type Difference = { name: "steps" | "tokens" | "input" | "output" | "cost" | "took"; a: number | null; b: number | null };

export function figures(a: OpenedRun, b: OpenedRun): Difference[] {
    const took = ({ summary }: OpenedRun): number | null => (summary.endedAt === null ? null : summary.endedAt - summary.startedAt);
    const all: Difference[] = [
        { name: "steps", a: a.steps.length, b: b.steps.length },
        { name: "tokens", a: a.summary.contextTokens, b: b.summary.contextTokens },
        { name: "input", a: a.summary.spent.input, b: b.summary.spent.input },
        { name: "output", a: a.summary.spent.output, b: b.summary.spent.output },
        { name: "cost", a: a.summary.spent.cost, b: b.summary.spent.cost },
        { name: "took", a: took(a), b: took(b) },
    ];
    return all.filter((each) => each.a !== null || each.b !== null);
}

const NAMES: readonly Facet["name"][] = ["prompt", "tool", "state", "reasoning", "answer", "calls", "arguments", "result", "note"];

function texts(step: Step): Partial<Record<Facet["name"], string>> {
    const { kind } = step;
    switch (kind.type) {
        case "prompt":
            return { prompt: kind.text };
        case "answer":
            return {
                answer: answerError(kind)?.text ?? kind.text,
                reasoning: kind.reasoning,
                calls: kind.calls.map((call) => `${call.name}\n${prettyJson(call.arguments)}`).join("\n\n"),
            };
        case "tool":
            return {
                tool: kind.call.name,
                state: stateText(step),
                arguments: prettyJson(kind.call.arguments),
                result: kind.reply ?? "",
            };
        case "note":
            return { note: noteText(kind) };
        case "end": {
            const error = endError(kind);
            const status = t(`trace.${kind.status}`);
            return { state: error === null ? status : `${status}${inLocale(": ", "：")}${error.text}` };
        }
    }
}
