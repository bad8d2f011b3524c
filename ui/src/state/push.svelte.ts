/** A run on its way to a tracing back end: where it goes, which parts, and what is removed. */
import type { ApiError, OtlpState, PrivateText, PushArgs, Pushed, RunId } from "../generated/api";
import { host, toApiError } from "../host";

export class TracePush {
    readonly run: RunId;
    /** What models.yaml says; `null` until it is read. */
    state = $state.raw<OtlpState | null>(null);
    /** Another address; empty: the one of models.yaml. */
    to = $state("");
    contents = $state(false);
    skills = $state(false);
    /** `null` until the search is done. */
    found = $state.raw<readonly PrivateText[] | null>(null);
    /** Places in `found` that are sent. */
    kept = $state.raw<readonly number[]>([]);
    sending = $state(false);
    error = $state.raw<ApiError | null>(null);
    /** What the back end answered, if it did not accept all spans. */
    refused = $state.raw<Pushed | null>(null);

    constructor(run: RunId) {
        this.run = run;
    }

    get isReady(): boolean {
        return this.found !== null && (this.to.trim() !== "" || (this.state !== null && this.state.endpoint !== null));
    }

    async look(): Promise<void> {
        try {
            this.state = await host.call("otlp_state", {});
            [this.contents, this.skills] = [this.state.contents, this.state.skills];
            await this.#search();
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }

    /** What may be private depends on whether contents are sent. */
    async choose(contents: boolean): Promise<void> {
        this.contents = contents;
        try {
            await this.#search();
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }

    toggle(place: number): void {
        this.kept = this.kept.includes(place) ? this.kept.filter((kept) => kept !== place) : [...this.kept, place];
    }

    /** `null` if it failed, which `error` says. */
    async send(): Promise<Pushed | null> {
        const redact = (this.found ?? []).filter((_, place) => !this.kept.includes(place));
        [this.sending, this.error, this.refused] = [true, null, null];
        try {
            return await host.call("run_push", { ...this.#args(), redact });
        } catch (thrown) {
            this.error = toApiError(thrown);
            return null;
        } finally {
            this.sending = false;
        }
    }

    async #search(): Promise<void> {
        this.found = null;
        const { contents } = this;
        const found = await host.call("push_private", this.#args());
        // The choice may have changed since.
        if (this.contents === contents) {
            [this.found, this.kept] = [found, []];
        }
    }

    #args(): PushArgs {
        const to = this.to.trim();
        return { run: this.run, to: to === "" ? null : to, contents: this.contents, skills: this.skills, redact: null };
    }
}
