/** Steps of sub-agents below the calls that started them, as rows that can be drawn one after the other. */
import type { Step } from "../generated/api";

export type Row = {
    step: Step;
    /** Its place in the run's steps. */
    at: number;
    /** 0: the conversation itself. */
    depth: number;
    /** The call whose steps it shows or folds away; `null` where it has none. */
    folds: string | null;
    /** How many steps stand below it, at any depth. */
    inner: number;
};

/** Every step that is not folded away: each call, then what its sub-agent did, in the order of the record. */
export function rows(steps: readonly Step[], folded: ReadonlySet<string>): Row[] {
    if (steps.every((step) => step.within === null)) {
        return steps.map((step, at) => ({ step, at, depth: 0, folds: null, inner: 0 }));
    }
    const inside = children(steps);
    const made: Row[] = [];
    const put = (at: number, depth: number, shown: boolean): number => {
        const step = steps[at];
        if (step === undefined) return 0;
        const call = callOf(step);
        const below = call === null ? [] : (inside.get(call) ?? []);
        const row: Row = { step, at, depth, folds: below.length > 0 ? call : null, inner: 0 };
        if (shown) made.push(row);
        const open = shown && !(call !== null && folded.has(call));
        row.inner = below.reduce((sum, child) => sum + 1 + put(child, depth + 1, open), 0);
        return row.inner;
    };
    (inside.get(null) ?? []).forEach((at) => put(at, steps[at]?.within == null ? 0 : 1, true));
    return made;
}

/** The calls that a step stands below, the nearest first. */
export function ancestors(steps: readonly Step[], at: number): string[] {
    const found: string[] = [];
    let step = steps[at];
    while (step !== undefined && step.within !== null && !found.includes(step.within)) {
        const call: string = step.within;
        found.push(call);
        step = steps.find((candidate) => callOf(candidate) === call);
    }
    return found;
}

export function isHidden(steps: readonly Step[], at: number, folded: ReadonlySet<string>): boolean {
    return folded.size > 0 && ancestors(steps, at).some((call) => folded.has(call));
}

/**
 * Places of the steps below each call; `null`: of the conversation. What no call began, as a summary that
 * the framework has made, stands where it came.
 */
function children(steps: readonly Step[]): Map<string | null, number[]> {
    const inside = new Map<string | null, number[]>([[null, []]]);
    steps.forEach((step, at) => {
        const known = step.within !== null && inside.has(step.within);
        inside.get(known ? step.within : null)?.push(at);
        const call = callOf(step);
        if (call !== null && !inside.has(call)) inside.set(call, []);
    });
    return inside;
}

function callOf(step: Step): string | null {
    return step.kind.type === "tool" ? step.kind.call.id : null;
}
