/** Sub-agents as lanes: one bar for each conversation inside of the run, from its first step to its last. */
import { outlineOf, type Outline, type Steps } from "./steps";

export type Agent = {
    /** The call that began it, or what the framework calls it. */
    within: string;
    /** Places in the run's steps; another sub-agent's may be between them. */
    first: number;
    last: number;
    /** The place of the call; `null`: no call in the run began it. */
    call: number | null;
    steps: number;
    /** The largest number of tokens in its context. */
    tokens: number;
    /** Lanes from the top; those that ran at the same time are in different lanes. */
    lane: number;
};

/** The number of lanes; sub-agents that do not fit are in the last one. */
export const LANES = 3;

/** In the order of their first steps. */
export function agents(steps: Steps): Agent[] {
    const outline = outlineOf(steps);
    if (outline.conversations.length === 0) return [];
    const found = new Map<number, Agent>();
    for (let at = 0; at < outline.length; at += 1) {
        const number = outline.within[at] ?? 0;
        if (number === 0) continue;
        const tokens = outline.context[at] ?? 0;
        const known = found.get(number);
        if (known === undefined) {
            const within = outline.conversations[number - 1] ?? "";
            found.set(number, { within, first: at, last: at, call: callOf(outline, number), steps: 1, tokens, lane: 0 });
            continue;
        }
        known.last = at;
        known.steps += 1;
        known.tokens = Math.max(known.tokens, tokens);
    }
    const ends: number[] = [];
    const all = [...found.values()];
    for (const agent of all) {
        const free = ends.findIndex((end) => end < agent.first);
        agent.lane = Math.min(free < 0 ? ends.length : free, LANES - 1);
        ends[agent.lane] = Math.max(ends[agent.lane] ?? -1, agent.last);
    }
    return all;
}

function callOf({ calls, length }: Outline, number: number): number | null {
    const call = calls.get(number);
    return call === undefined || call >= length ? null : call;
}

/** The sub-agent that comes next in the order of their beginnings, or the one before; around the ends of the run. */
export function neighbour(all: readonly Agent[], position: number, way: "next" | "previous"): Agent | undefined {
    return way === "next"
        ? (all.find((agent) => agent.first > position) ?? all[0])
        : (all.findLast((agent) => agent.first < position) ?? all.at(-1));
}
