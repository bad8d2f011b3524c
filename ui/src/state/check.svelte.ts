/** A recorded run against the skills as they are now: the calls, and how one that came to something else differs. */
import type { ApiError, CheckedCall, DiffPiece, RunCheck, RunId, RunSummary } from "../generated/api";
import { host, toApiError } from "../host";
import { toasts } from "./toasts.svelte";

const RECORDED = "recorded:";

export class CheckOfRun {
    found = $state.raw<RunCheck | null>(null);
    error = $state.raw<ApiError | null>(null);
    /** The call whose texts are compared. */
    looked = $state.raw<{ call: CheckedCall; pieces: DiffPiece[] } | null>(null);
    /** The run whose calls are checked. */
    readonly run: RunId;
    /** The run that they are compared with. */
    readonly #played: RunId | null;

    /** A run that was played again from a record is compared with that record. */
    constructor(summary: RunSummary) {
        const { model } = summary.setup;
        const again = model.startsWith(RECORDED);
        this.run = again ? model.slice(RECORDED.length) : summary.id;
        this.#played = again ? summary.id : null;
    }

    async load(): Promise<void> {
        try {
            this.found = await host.call("run_check", { run: this.run, roots: null, played: this.#played });
            this.error = null;
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }

    async look(call: CheckedCall): Promise<void> {
        const { result } = call;
        if (result.type !== "changed" && result.type !== "unresolved") {
            return;
        }
        const pieces = await toasts.guard(() => host.call("text_diff", { a: result.recorded, b: result.now }));
        this.looked = pieces === null ? null : { call, pieces };
    }

    close(): void {
        this.looked = null;
    }

    /** Plays the run again, with scripts; it asks as any run does. */
    async play(): Promise<RunId | null> {
        const args = { run: this.run, roots: null, sandbox: null, askAll: false };
        return toasts.guard(() => host.call("run_play_again", args));
    }
}
