/** What the arguments in an approval card would do, found out as they are typed. */
import type { ApiError, Trial } from "../../generated/api";
import { toApiError } from "../../host";

/** Milliseconds without a key after which they are looked at. */
const REST = 150;

export class Trying {
    /** What those would do that were looked at last; `null`: none were, or that could not be found out. */
    trial = $state.raw<Trial | null>(null);
    error = $state.raw<ApiError | null>(null);
    /** Those that were looked at last. */
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

    /** Whether what is shown is about others than these. */
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
        // The answer of a trial that others overtook is about nothing that is in the card.
        if (this.#wanted === args) {
            this.trial = trial;
            this.error = error;
            this.#of = args;
        }
    }
}
