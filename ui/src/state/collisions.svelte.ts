/** Which skills compete for the same request. Unsaved text counts, and skills that take no part are left out. */
import type { ApiError, CollidingPair, Collisions as Found } from "../generated/api";
import { host, toApiError } from "../host";
import { editor } from "./editor.svelte";
import { skillChoice } from "./skill-choice.svelte";

/** Milliseconds without a key before a request is asked about. */
export const REST = 150;

export class Collisions {
    open = $state(false);
    found = $state.raw<Found | null>(null);
    error = $state.raw<ApiError | null>(null);
    /** What a user might say. */
    request = $state("");
    /** The name of the skill whose rivals are shown; empty: all pairs. */
    only = $state("");
    readonly pairs: readonly CollidingPair[] = $derived(
        (this.found?.pairs ?? []).filter(({ a, b }) => this.only === "" || a.name === this.only || b.name === this.only),
    );
    #asked = 0;
    #timer: ReturnType<typeof setTimeout> | undefined;

    async show(only = ""): Promise<void> {
        this.open = true;
        this.only = only;
        this.request = "";
        await this.refresh();
    }

    ask(request: string): void {
        this.request = request;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.refresh(), REST);
    }

    /** The last one asked for wins. */
    async refresh(): Promise<void> {
        const asked = ++this.#asked;
        const request = this.request.trim() === "" ? null : this.request;
        try {
            const found = await host.call("collisions", { request, unsaved: editor.drafts(), without: [...skillChoice.out] });
            if (asked === this.#asked) {
                this.found = found;
                this.error = null;
            }
        } catch (thrown) {
            if (asked === this.#asked) {
                this.error = toApiError(thrown);
            }
        }
    }
}

export const collisions = new Collisions();
