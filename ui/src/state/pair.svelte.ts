/** Two runs next to each other: how they are chosen, which steps belong together, and the user's position. */
import type { ApiError, ContextAtStep, DiffPiece, RunDiff, RunId, StepArgs, StepPair } from "../generated/api";
import { host, toApiError } from "../host";
import { differs, nextDifference } from "../compare/pairs";
import { t } from "../i18n";
import type { OpenedRun } from "../trace/steps";
import { runs } from "./runs.svelte";
import { toasts } from "./toasts.svelte";

export class Pair {
    readonly a: RunId;
    readonly b: RunId;
    diff = $state.raw<RunDiff | null>(null);
    error = $state.raw<ApiError | null>(null);
    /** A place in `rows`. */
    position = $state(0);
    only = $state(false);
    readonly rows: readonly { pair: StepPair; at: number }[] = $derived(
        (this.diff?.pairs ?? []).map((pair, at) => ({ pair, at })).filter(({ pair }) => !this.only || differs(pair)),
    );

    constructor(a: RunId, b: RunId) {
        this.a = a;
        this.b = b;
    }

    get runs(): { a: OpenedRun; b: OpenedRun } | null {
        const [a, b] = [runs.detail(this.a), runs.detail(this.b)];
        return a === null || b === null ? null : { a, b };
    }

    async load(): Promise<void> {
        this.error = null;
        try {
            const [diff] = await Promise.all([
                host.call("run_diff", { a: this.a, b: this.b }),
                ...[this.a, this.b].filter((run) => runs.detail(run) === null).map((run) => runs.open(run)),
            ]);
            this.diff = diff;
            this.position = diff.firstDivergence ?? 0;
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }

    /** A run that was still going while it was compared has ended: both are compared again, and the user's position is kept. */
    async refresh(): Promise<void> {
        try {
            this.diff = await host.call("run_diff", { a: this.a, b: this.b });
            this.stand(this.position);
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }

    /** Moves to the nearest existing row. */
    stand(position: number): void {
        this.position = Math.min(Math.max(0, position), Math.max(0, this.rows.length - 1));
    }

    /** `false`: there is none in this direction. */
    toDifference(step: 1 | -1): boolean {
        const found = nextDifference(
            this.rows.map((row) => row.pair),
            this.position,
            step,
        );
        if (found !== null) {
            this.position = found;
        }
        return found !== null;
    }

    /** The current row stays. */
    toggleOnly(): void {
        const here = this.rows[this.position]?.at ?? 0;
        this.only = !this.only;
        this.stand(this.rows.findIndex((row) => row.at >= here));
    }
}

/** What the model was shown at a step of each run. */
export class PairContexts {
    both = $state.raw<{ a: ContextAtStep; b: ContextAtStep } | null>(null);
    error = $state.raw<ApiError | null>(null);

    async load(a: StepArgs, b: StepArgs): Promise<void> {
        try {
            const [ofA, ofB] = await Promise.all([host.call("step_context", a), host.call("step_context", b)]);
            this.both = { a: ofA, b: ofB };
            this.error = null;
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }
}

/** Two texts compared word by word. */
export class WordDiff {
    pieces = $state.raw<DiffPiece[] | null>(null);
    error = $state.raw<ApiError | null>(null);

    async load(a: string, b: string): Promise<void> {
        try {
            this.pieces = await host.call("text_diff", { a, b });
            this.error = null;
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }
}

class Pairing {
    /** The comparison on show; `null`: none. */
    shown = $state.raw<Pair | null>(null);
    /** The first of two runs that are chosen in the list. */
    first = $state<RunId | null>(null);
    /** The run for which the user is choosing another one to compare with. */
    choosing = $state<RunId | null>(null);

    /** Takes the note away that asks for the second run. */
    #forget: () => void = () => undefined;

    open(a: RunId, b: RunId): void {
        const pair = new Pair(a, b);
        this.#forget();
        this.first = null;
        this.choosing = null;
        this.shown = pair;
        void pair.load();
    }

    /** Chooses a run in the list; the second one opens the comparison. */
    choose(run: RunId): void {
        if (this.first === run) {
            this.#forget();
            this.first = null;
        } else if (this.first === null) {
            this.first = run;
            this.#forget = toasts.note(() => t("pair.chosen"));
        } else {
            this.open(this.first, run);
        }
    }

    swap(): void {
        if (this.shown !== null) {
            this.open(this.shown.b, this.shown.a);
        }
    }
}

export const pairing = new Pairing();
