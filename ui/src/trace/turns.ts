/** The turns of the user in a run: each from what the user said to what came of it. */
import type { RunDetail, Step } from "../generated/api";
import { isFinal } from "./fold";

/** Whether the user said more here: what was said first has the set-up of the run with it. */
export function isFurtherPrompt(step: Step): boolean {
    return step.kind.type === "prompt" && step.within === null && step.index > 0;
}

/** Which turn of the user a step belongs to, from 1. */
export function turnOf(steps: readonly Step[], step: Step): number {
    return 1 + steps.filter((known) => known.index <= step.index && isFurtherPrompt(known)).length;
}

/** Milliseconds for which the run went on, without the time between its turns. */
export function elapsed({ summary, steps }: RunDetail, now: number): number {
    const end = (step: Step | undefined) => (step === undefined ? 0 : step.at + (step.took ?? 0));
    let sum = 0;
    let since = summary.startedAt;
    steps.forEach((step, at) => {
        if (isFurtherPrompt(step)) {
            sum += Math.max(0, end(steps[at - 1]) - since);
            since = step.at;
        }
    });
    const until = isFinal(summary.status) ? (summary.endedAt ?? end(steps.at(-1))) : now;
    return sum + Math.max(0, until - since);
}
