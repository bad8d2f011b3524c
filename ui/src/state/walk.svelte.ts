/** A walk through one run: where it stands, the context there, and whether it plays. */
import { SvelteSet } from "svelte/reactivity";
import type { ApiError, ContextAtStep, EagerLoad, RunId, Step } from "../generated/api";
import { host, toApiError } from "../host";
import { isOver } from "../trace/fold";
import { ancestors, isHidden, placeOfCall } from "../trace/nested";
import type { Steps } from "../trace/steps";
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
    /** The context on show is of another step: the one asked for is on its way. */
    stale = $state(false);
    /** A slot of `SPEEDS`. */
    pace = $state(2);
    /** What the skills would have cost up front; `null`: not asked yet, or nobody knows. */
    eager = $state.raw<EagerLoad | null>(null);
    /** Ids of the calls whose sub-agent's steps are folded away. */
    readonly folded = new SvelteSet<string>();
    readonly interval = $derived(SPEEDS[this.pace] ?? 1200);

    #kept = new Map<number, ContextAtStep>();
    #wanted: string | null = null;
    /** Asked for while another answer was on its way; only the last one is ever sent. */
    #next: Step | null = null;
    #asking = false;

    constructor(run: RunId) {
        this.run = run;
    }

    /** `false` where there is nothing to jump to. Steps that are folded away are passed by, and unfolded where they are looked for. */
    go(steps: Steps, to: Jump): boolean {
        let position = jump(steps, this.position, to);
        const passes = to === "next" || to === "previous";
        while (passes && position !== null && isHidden(steps, position, this.folded)) {
            position = jump(steps, position, to);
        }
        if (position !== null) {
            this.reveal(steps, position);
        }
        return position !== null;
    }

    /** Stands at `position`, unfolding what hides it. */
    reveal(steps: Steps, position: number): void {
        ancestors(steps, position).forEach((call) => this.folded.delete(call));
        this.position = position;
    }

    /** Folds the steps below a call away, or shows them. Where the walk stood among them it stands at the call. */
    toggleFold(steps: Steps, call: string): void {
        if (this.folded.delete(call)) {
            return;
        }
        if (ancestors(steps, this.position).includes(call)) {
            this.position = placeOfCall(steps, call) ?? this.position;
        }
        this.folded.add(call);
    }

    hurry(change: -1 | 1): void {
        this.pace = speed(this.pace, change);
    }

    /**
     * Fetches the context at a step. What is shown stays until the new one is there, marked as stale. One request is on its
     * way at a time: steps that were passed by before it was answered are never asked for.
     */
    async show(step: Step): Promise<void> {
        const wanted = wantedOf(step);
        if (this.#wanted === wanted) {
            return;
        }
        this.#wanted = wanted;
        const kept = isOver(step) ? this.#kept.get(step.index) : undefined;
        if (kept !== undefined) {
            this.#next = null;
            this.#set(kept);
            return;
        }
        this.#next = step;
        this.stale = true;
        if (!this.#asking) {
            await this.#ask();
        }
    }

    /** Without an answer there is nothing to compare with, and nothing else is lost. */
    async loadEager(): Promise<void> {
        try {
            this.eager = await host.call("run_eager", { run: this.run });
        } catch {
            this.eager = null;
        }
    }

    /** Asks again where the last answer was an error. */
    async again(step: Step): Promise<void> {
        this.#wanted = null;
        await this.show(step);
    }

    async #ask(): Promise<void> {
        this.#asking = true;
        for (let step = this.#next; step !== null; step = this.#next) {
            this.#next = null;
            const wanted = wantedOf(step);
            try {
                const context = await host.call("step_context", { run: this.run, step: step.index });
                if (isOver(step)) {
                    this.#keep(context);
                }
                if (this.#wanted === wanted) {
                    this.#set(context);
                }
            } catch (thrown) {
                if (this.#wanted === wanted) {
                    this.context = null;
                    this.error = toApiError(thrown);
                    this.stale = false;
                }
            }
        }
        this.#asking = false;
    }

    #set(context: ContextAtStep): void {
        this.context = context;
        this.error = null;
        this.stale = false;
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

/** A step that goes on has another context soon. */
function wantedOf(step: Step): string {
    return `${step.index}/${step.state}/${step.contextTokens}`;
}
