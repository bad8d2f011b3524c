/** A walk through one run: its position, the context there, and whether it plays. */
import { SvelteSet } from "svelte/reactivity";
import type { ApiError, ContextAtStep, EagerLoad, RunId, Step } from "../generated/api";
import { host, toApiError } from "../host";
import { isOver } from "../trace/fold";
import { ancestors, isHidden, placeOfCall } from "../trace/nested";
import { sharing } from "../trace/sharing";
import type { Steps } from "../trace/steps";
import { jump, speed, SPEEDS, type Jump } from "../trace/walk";

/** How many contexts are kept, so that stepping back and forth fetches them once, and about how many characters of text. */
const KEPT = 60;
const KEPT_TEXT = 16_000_000;

export class Walk {
    readonly run: RunId;
    /** A place in the run's steps. */
    position = $state(0);
    /** Whether the last step went on or back. */
    heading: 1 | -1 = 1;
    context = $state.raw<ContextAtStep | null>(null);
    error = $state.raw<ApiError | null>(null);
    playing = $state(false);
    /** The context on show is of another step: the one asked for is on its way. */
    stale = $state(false);
    /** A slot of `SPEEDS`. */
    pace = $state(2);
    /** What the skills would have cost up front; `null`: not fetched yet, or unknown. */
    eager = $state.raw<EagerLoad | null>(null);
    /** Ids of the calls whose sub-agent's steps are folded away. */
    readonly folded = new SvelteSet<string>();
    readonly interval = $derived(SPEEDS[this.pace] ?? 1200);

    #kept = new Map<number, ContextAtStep>();
    #wanted: string | null = null;
    /** Asked for while another answer was on its way; only the last one is ever sent. */
    #next: Step | null = null;
    /** Steps that may be shown soon, fetched when nothing else is; the likeliest first. */
    #ahead: readonly Step[] = [];
    #asking = false;

    constructor(run: RunId) {
        this.run = run;
    }

    /** `false` if there is nothing to jump to. Stepping skips folded steps; other jumps unfold them. */
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

    /** Moves to `position`, unfolding what hides it. */
    reveal(steps: Steps, position: number): void {
        ancestors(steps, position).forEach((call) => this.folded.delete(call));
        this.heading = position < this.position ? -1 : 1;
        this.position = position;
        this.#showKnown(steps.at(position));
    }

    /** Loaded data changes together with the position, so the page is drawn once. */
    #showKnown(step: Step | undefined): void {
        const kept = step === undefined ? undefined : this.#known(step);
        if (step !== undefined && kept !== undefined) {
            this.#wanted = wantedOf(step);
            this.#next = null;
            this.#set(kept);
        }
    }

    /** Folds the steps below a call away, or shows them. If the walk was at one of them, it moves to the call. */
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
     * Fetches the context at a step. The old one stays visible until the new one is there, marked as stale. There is one request at a time:
     * steps that were skipped before it was answered are never fetched.
     */
    async show(step: Step): Promise<void> {
        const wanted = wantedOf(step);
        if (this.#wanted === wanted) {
            return;
        }
        this.#wanted = wanted;
        const kept = this.#known(step);
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

    /** Fetches the contexts at steps that may be shown next, the likeliest first, instead of those named before. */
    async foresee(steps: readonly Step[]): Promise<void> {
        this.#ahead = steps.filter((step) => isOver(step) && this.#known(step) === undefined);
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

    /** Asks again if the last answer was an error. */
    async again(step: Step): Promise<void> {
        this.#wanted = null;
        await this.show(step);
    }

    async #ask(): Promise<void> {
        this.#asking = true;
        for (let step = this.#take(); step !== null; step = this.#take()) {
            const wanted = wantedOf(step);
            try {
                const answer = await host.call("step_context", { run: this.run, step: step.index });
                const context = sharing(this.#kept.get(step.index - 1) ?? this.context, answer);
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

    /** The step to ask for. One that was prefetched and is now shown is fetched once. */
    #take(): Step | null {
        const next = this.#next;
        this.#next = null;
        if (next !== null && this.stale) {
            return next;
        }
        const [first, ...others] = this.#ahead;
        this.#ahead = others;
        return first ?? null;
    }

    #known(step: Step): ContextAtStep | undefined {
        return isOver(step) ? this.#kept.get(step.index) : undefined;
    }

    #set(context: ContextAtStep): void {
        this.context = context;
        this.error = null;
        this.stale = false;
    }

    #keep(context: ContextAtStep): void {
        this.#kept.set(context.step, context);
        let [count, text] = [0, 0];
        for (const [step, kept] of [...this.#kept].reverse()) {
            count += 1;
            text += textOf(kept);
            if (count > 1 && (count > KEPT || text > KEPT_TEXT)) {
                this.#kept.delete(step);
            }
        }
    }
}

function textOf({ body, messages }: ContextAtStep): number {
    return messages.reduce((sum, message) => sum + message.text.length, body?.length ?? 0);
}

/** The context of a running step will change soon. */
function wantedOf(step: Step): string {
    return `${step.index}/${step.state}/${step.contextTokens}`;
}
