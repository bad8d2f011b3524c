/** What the arguments in an approval card would do, computed as they are typed. */
import type { ApiError, Trial } from "../../generated/api";
import { toApiError } from "../../host";

/** Milliseconds without typing before they are tried. */
const REST = 150;

export class Trying {
    /** The result for the arguments tried last; `null`: none were, or it could not be computed. */
    trial = $state.raw<Trial | null>(null);
    error = $state.raw<ApiError | null>(null);
    /** The arguments that were tried last. */
    #of = $state<string | null>(null);
    #wanted: string | null = null;
    readonly #ask: (args: string) => Promise<Trial>;

    constructor(ask: (args: string) => Promise<Trial>) {
        this.#ask = ask;
    }

    /** Whether it is known what these would do. */
    knows(args: string): boolean {
        return this.#of === args && this.error === null;
    }

    /** Whether the shown result is for other arguments than these. */
    isStale(args: string): boolean {
        return this.#of !== args;
    }

    /** Looks at these unless they change first; returns what ends the wait. */
    look(args: string): () => void {
        this.#wanted = args;
        const timer = setTimeout(() => void this.#find(args), REST);
        return () => clearTimeout(timer);
    }

    async #find(args: string): Promise<void> {
        let trial: Trial | null = null;
        let error: ApiError | null = null;
        try {
            trial = await this.#ask(args);
        } catch (thrown) {
            error = toApiError(thrown);
        }
        // The answer of an overtaken trial is not about the arguments in the card.
        if (this.#wanted === args) {
            this.trial = trial;
            this.error = error;
            this.#of = args;
        }
    }
}
