/** The turns of the user in a run: each from the prompt to its outcome. */
import type { Step } from "../generated/api";
import { isFinal } from "./fold";
import { outlineOf, promptAt, type OpenedRun, type Outline, type Steps } from "./steps";

/** Whether this is a further prompt: the first one comes with the set-up of the run. */
export function isFurtherPrompt(step: Step): boolean {
    return step.kind.type === "prompt" && step.within === null && step.index > 0;
}

const known = new WeakMap<Outline, readonly number[]>();

/** The places at which the user said more, in order. */
function furtherPrompts(steps: Steps): readonly number[] {
    const outline = outlineOf(steps);
    const before = known.get(outline);
    if (before !== undefined) return before;
    const places: number[] = [];
    for (let at = 1; at < outline.length; at += 1) {
        if (promptAt(outline, at)) places.push(at);
    }
    known.set(outline, places);
    return places;
}

/** Which turn of the user the step at a place belongs to, from 1. */
export function turnOf(steps: Steps, place: number): number {
    return 1 + furtherPrompts(steps).filter((prompt) => prompt <= place).length;
}

/** Milliseconds for which the run went on, without the time between its turns. */
export function elapsed({ summary, steps }: OpenedRun, now: number): number {
    const { start, took, length } = outlineOf(steps);
    const end = (at: number) => (at < 0 || at >= length ? 0 : (start[at] ?? 0) + Math.max(0, took[at] ?? 0));
    let sum = 0;
    let since = summary.startedAt;
    for (const at of furtherPrompts(steps)) {
        sum += Math.max(0, end(at - 1) - since);
        since = start[at] ?? 0;
    }
    const until = isFinal(summary.status) ? (summary.endedAt ?? end(length - 1)) : now;
    return sum + Math.max(0, until - since);
}
