/** A walk through one run: where it stands, the context there, and whether it plays. */
import type { ApiError, ContextAtStep, RunId, Step } from "../generated/api";
import { host, toApiError } from "../host";
import { jump, speed, SPEEDS, type Jump } from "../trace/walk";

/** Contexts kept at hand, so that stepping back and forth asks once. */
const KEPT = 60;

export class Walk {
    readonly run: RunId;
    /** A place in the run's steps. */
    position = $state(0);
    context = $state.raw<ContextAtStep | null>(null);
    error = $state.raw<ApiError | null>(null);
    playing = $state(false);
    /** A slot of `SPEEDS`. */
    pace = $state(2);
    readonly interval = $derived(SPEEDS[this.pace] ?? 1200);

    #kept = new Map<number, ContextAtStep>();
    #wanted: string | null = null;

    constructor(run: RunId) {
        this.run = run;
    }

    /** `false` where there is nothing to jump to. */
    go(steps: readonly Step[], to: Jump): boolean {
        const position = jump(steps, this.position, to);
        if (position !== null) {
            this.position = position;
        }
        return position !== null;
    }

    hurry(change: -1 | 1): void {
        this.pace = speed(this.pace, change);
    }

    /** Fetches the context at a step. What is shown stays until the new one is there; the last one asked for wins. */
    async show(step: Step): Promise<void> {
        const over = step.state === "done" || step.state === "failed";
        const wanted = `${step.index}/${step.state}/${step.contextTokens}`;
        if (this.#wanted === wanted) {
            return;
        }
        this.#wanted = wanted;
        const kept = over ? this.#kept.get(step.index) : undefined;
        if (kept !== undefined) {
            this.#set(kept);
            return;
        }
        try {
            const context = await host.call("step_context", { run: this.run, step: step.index });
            if (over) {
                this.#keep(context);
            }
            if (this.#wanted === wanted) {
                this.#set(context);
            }
        } catch (thrown) {
            if (this.#wanted === wanted) {
                this.context = null;
                this.error = toApiError(thrown);
            }
        }
    }

    #set(context: ContextAtStep): void {
        this.context = context;
        this.error = null;
    }

    #keep(context: ContextAtStep): void {
        this.#kept.set(context.step, context);
        for (const oldest of this.#kept.keys()) {
            if (this.#kept.size <= KEPT) {
                return;
            }
            this.#kept.delete(oldest);
        }
    }
}
