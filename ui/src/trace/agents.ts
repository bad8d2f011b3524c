/** Sub-agents as lanes: one bar for each conversation inside of the run, from its first step to its last. */
import type { Step } from "../generated/api";

export type Agent = {
    /** The call that began it, or what the framework calls it. */
    within: string;
    /** Places in the run's steps; another sub-agent's may stand between them. */
    first: number;
    last: number;
    /** The place of the call; `null`: no call in the run began it. */
    call: number | null;
    steps: number;
    /** Tokens in its context, where there were most. */
    tokens: number;
    /** What it was asked. */
    asked: string;
    /** Lanes from the top; those that ran at the same time are in lanes of their own. */
    lane: number;
};

/** Lanes that are told apart; what has no lane of its own stands in the last one. */
export const LANES = 3;

/** In the order of their first steps. */
export function agents(steps: readonly Step[]): Agent[] {
    const found = new Map<string, Agent>();
    steps.forEach((step, at) => {
        if (step.within === null) return;
        const known = found.get(step.within);
        if (known === undefined) {
            const asked = step.kind.type === "prompt" ? step.kind.text : "";
            const { within, contextTokens: tokens } = step;
            found.set(within, { within, first: at, last: at, call: null, steps: 1, tokens, asked, lane: 0 });
            return;
        }
        known.last = at;
        known.steps += 1;
        known.tokens = Math.max(known.tokens, step.contextTokens);
    });
    if (found.size === 0) return [];
    steps.forEach(({ kind }, at) => {
        const agent = kind.type === "tool" ? found.get(kind.call.id) : undefined;
        if (agent !== undefined && agent.call === null) agent.call = at;
    });
    const ends: number[] = [];
    const all = [...found.values()];
    for (const agent of all) {
        const free = ends.findIndex((end) => end < agent.first);
        agent.lane = Math.min(free < 0 ? ends.length : free, LANES - 1);
        ends[agent.lane] = Math.max(ends[agent.lane] ?? -1, agent.last);
    }
    return all;
}

/** The sub-agent that comes next in the order of their beginnings, or the one before; around the ends of the run. */
export function neighbour(all: readonly Agent[], position: number, way: "next" | "previous"): Agent | undefined {
    return way === "next"
        ? (all.find((agent) => agent.first > position) ?? all[0])
        : (all.findLast((agent) => agent.first < position) ?? all.at(-1));
}
