/** A run of very many steps and very many runs, so that the window's own time and memory can be measured: each answer is made when it is asked for. */
import type { FakeHost } from ".";
import type { RunSummary, Step } from "../../generated/api";
import { columnsOf } from "../../trace/steps";
import { indexOf } from "./run-index";
import { BUNDLED_RUN, contextAt } from "./runs";

const LONG = "0193a1b2-0000-7000-8000-00000000ffff";
const LIKE = BUNDLED_RUN.steps.filter(({ kind }) => kind.type !== "end");
/** So many messages a context grows to, one with each step, before it is summed up and begins with a few again. */
const MESSAGES = 48;
const FIRST = 2;
/** Texts that are kept. */
const TEXTS = 200;

export function installLong(fake: FakeHost, steps: number, runs: number): void {
    const long: RunSummary = { ...BUNDLED_RUN.summary, id: LONG, bundled: false, steps };
    const others = Array.from({ length: runs }, (_, at) => summary(at));
    const context = contextAt(BUNDLED_RUN, LIKE.length - 1);
    const all = [long, ...others];
    fake.on("run_index", (args) => indexOf(all, args));
    fake.on("run_some", ({ runs }) => all.filter((run) => runs.includes(run.id)));
    fake.on("run_page", ({ from, most }) => {
        const count = Math.max(0, Math.min(most, steps - from));
        return { summary: long, all: steps, events: steps * 2, steps: Array.from({ length: count }, (_, at) => step(from + at, 30)) };
    });
    fake.on("run_columns", ({ from, most }) => {
        const count = Math.max(0, Math.min(most, steps - from));
        return columnsOf(Array.from({ length: count }, (_, at) => step(from + at, 0)));
    });
    fake.on("run_step", ({ step: at }) => ({ ...step(at, 300), brief: false }));
    fake.on("step_context", ({ step: at }) => {
        const since = at % (MESSAGES - FIRST);
        return {
            ...context,
            step: at,
            messages: Array.from({ length: FIRST + since + 1 }, (_, number) => {
                const like = context.messages[number % context.messages.length] ?? context.messages[0];
                if (like === undefined) throw new Error("the recorded run has no messages");
                return { ...like, text: words(at - since + number, 250), marks: [], added: number === FIRST + since };
            }),
        };
    });
}

function summary(at: number): RunSummary {
    const { setup, ...rest } = BUNDLED_RUN.summary;
    const prompt = words(at, 12);
    return {
        ...rest,
        id: `0193a1b2-0000-7000-8000-${at.toString(16).padStart(12, "0")}`,
        bundled: false,
        startedAt: rest.startedAt - at * 60_000,
        setup: { ...setup, prompt, skills: [`skill-${at % 40}`] },
    };
}

function step(at: number, length: number): Step {
    const like = LIKE[at % LIKE.length] ?? LIKE[0];
    if (like === undefined) throw new Error("the recorded run has no steps");
    const { kind } = like;
    const text = words(at, length);
    const made: Step = {
        ...like,
        index: at,
        event: at * 2,
        at: like.at + at * 200,
        contextTokens: 500 + ((at * 37) % 20_000),
        brief: true,
    };
    switch (kind.type) {
        case "prompt":
        case "note":
        case "answer":
            return { ...made, kind: { ...kind, text } };
        case "tool":
            return { ...made, kind: { ...kind, call: { ...kind.call, id: `call_${at}` }, reply: text } };
        case "end":
            return made;
    }
}

/** Texts are made once: a real window does not have to make them. */
const made = new Map<string, string>();

function words(seed: number, count: number): string {
    const key = `${seed}/${count}`;
    const known = made.get(key);
    if (known !== undefined) {
        return known;
    }
    const text = Array.from({ length: count }, (_, at) => `w${(seed * 7919 + at * 104_729) % 9973}`).join(" ");
    made.set(key, text);
    for (const oldest of made.keys()) {
        if (made.size <= TEXTS) break;
        made.delete(oldest);
    }
    return text;
}
