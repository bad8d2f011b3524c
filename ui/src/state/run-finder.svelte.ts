/** Finds runs with the words that the user types, among all recorded ones. */
import type { RunSummary } from "../generated/api";
import { runs } from "./runs.svelte";
import { toasts } from "./toasts.svelte";

/** Milliseconds without another letter before the program is asked. */
const PAUSE = 150;

export class RunFinder {
    /** Results for the last text; `null`: nothing is typed, or the answer is on its way. */
    found = $state.raw<readonly RunSummary[] | null>(null);
    readonly #answering: boolean;

    /** `answering`: only runs whose answers can be given again. */
    constructor(answering = false) {
        this.#answering = answering;
    }

    /** Asks after a pause. Gives what calls it off, as effects do. */
    look(typed: string): (() => void) | undefined {
        const words = typed.trim();
        if (words === "") {
            this.found = null;
            return undefined;
        }
        let isWanted = true;
        const ask = async () => {
            const answer = await runs.find(words, this.#answering);
            if (isWanted) {
                this.found = answer;
            }
        };
        const timer = setTimeout(() => void toasts.guard(ask), PAUSE);
        return () => {
            isWanted = false;
            clearTimeout(timer);
        };
    }
}
