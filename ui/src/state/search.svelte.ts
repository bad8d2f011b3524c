/** Looking for steps in all runs: what is typed, and what was found for it. */
import type { ApiError, Found } from "../generated/api";
import { host, toApiError } from "../host";

/** Milliseconds without another letter before the program is asked. */
const PAUSE = 200;

export class Search {
    query = $state("");
    /** For what is typed, or was before; `null`: nothing is looked for. */
    found = $state.raw<Found | null>(null);
    /** What is typed cannot be understood, or looking failed; `found` is of what was typed before. */
    error = $state.raw<ApiError | null>(null);
    #asked = 0;
    #timer: ReturnType<typeof setTimeout> | undefined;

    /** Something else is typed. */
    type(query: string): void {
        this.query = query;
        clearTimeout(this.#timer);
        this.#asked += 1;
        if (query.trim() === "") {
            this.found = null;
            this.error = null;
            return;
        }
        this.#timer = setTimeout(() => void this.look(), PAUSE);
    }

    /** A filter is chosen: nothing more will be typed. */
    choose(query: string): void {
        this.type(query);
        clearTimeout(this.#timer);
        void this.look();
    }

    /** Asks again as long as runs are being indexed and nothing else was typed. */
    async look(): Promise<void> {
        if (this.query.trim() === "") {
            return;
        }
        const asked = (this.#asked += 1);
        try {
            for (let waiting = true; waiting;) {
                const found = await host.call("run_search", { query: this.query });
                if (asked !== this.#asked) {
                    return;
                }
                this.found = found;
                this.error = null;
                waiting = found.waiting > 0;
            }
        } catch (thrown) {
            if (asked === this.#asked) {
                this.error = toApiError(thrown);
            }
        }
    }
}

export const search = new Search();
