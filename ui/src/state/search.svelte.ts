/** Search for steps in all runs: the query and its results. */
import type { ApiError, Found } from "../generated/api";
import { host, toApiError } from "../host";

/** Milliseconds without another letter before the program is asked. */
const PAUSE = 200;

export class Search {
    query = $state("");
    /** Results for the current or the previous text; `null`: there is no search. */
    found = $state.raw<Found | null>(null);
    /** The query is invalid, or the search failed; `found` then belongs to the previous text. */
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
