/** How a running run's updates come into the run that the window holds. The steps themselves are made elsewhere, once. */
import type { RunDetail, RunStatus, RunSummary, RunUpdate, Step, StepChange } from "../generated/api";

/** The run after an update. `lacks`: whether the loaded step at an index is older than the update. */
export function fold(detail: RunDetail, update: RunUpdate, lacks: (index: number) => boolean = () => true): RunDetail {
    if (update.run !== detail.summary.id) return detail;
    const whole = upsert(
        detail.steps,
        update.steps.filter((step) => lacks(step.index)),
    );
    const steps = change(
        whole,
        update.changes.filter(({ index }) => lacks(index)),
    );
    return { steps, summary: summaryAfter(detail.summary, steps, update) };
}

/** Changes in loaded steps. The given list is changed; its steps are not. */
function change(steps: Step[], changes: readonly StepChange[]): Step[] {
    for (const each of changes) {
        const at = place(steps, each.index);
        const step = steps[at];
        if (step?.index === each.index) steps[at] = changed(step, each);
    }
    return steps;
}

function changed(step: Step, to: StepChange): Step {
    switch (to.type) {
        case "streamed": {
            const { kind } = step;
            if (kind.type !== "answer") return step;
            const [text, reasoning] = [kind.text + to.text, kind.reasoning + to.reasoning];
            return { ...step, kind: { ...kind, text, reasoning, firstToken: to.firstToken } };
        }
        case "counted": {
            const { state, took, question, addedTokens, contextTokens } = to;
            return { ...step, state, took, question, addedTokens, contextTokens };
        }
    }
}

/** Steps by index: replaced where known, added where not, always in order. */
export function upsert(known: readonly Step[], changed: readonly Step[]): Step[] {
    const steps = [...known];
    for (const step of changed) {
        const at = place(steps, step.index);
        const there = steps[at];
        if (there?.index !== step.index) steps.splice(at, 0, step);
        else if (!isOver(there) || isOver(step)) steps[at] = step;
    }
    return steps;
}

/** Whether the step no longer changes. */
export function isOver(step: Step): boolean {
    return step.state !== "running" && step.state !== "waiting";
}

export function isFinal(status: RunStatus): boolean {
    return status !== "running";
}

/** The step that waits for the user, if any. */
export function waiting(steps: readonly Step[]): Step | null {
    return steps.findLast((step) => step.state === "waiting") ?? null;
}

function summaryAfter(before: RunSummary, steps: readonly Step[], { status, spent }: RunUpdate): RunSummary {
    const last = steps.at(-1);
    return {
        ...before,
        status: isFinal(before.status) ? before.status : status,
        steps: steps.length,
        error: last ? (errorOf(last) ?? before.error) : before.error,
        contextTokens: last?.contextTokens ?? before.contextTokens,
        spent: isFinal(before.status) ? before.spent : spent,
    };
}

function errorOf(step: Step): string | null {
    return step.kind.type === "end" ? step.kind.error : null;
}

/** Where a step with this index is, or belongs. Indices have no holes, so the guess is nearly always right. */
function place(steps: readonly Step[], index: number): number {
    if (steps[index]?.index === index) return index;
    const after = steps.findIndex((step) => step.index >= index);
    return after < 0 ? steps.length : after;
}
