/** Closing the window with unsaved text: asks, and waits for the answer. */
import { host, type Unlisten } from "../host";
import { editor } from "./editor.svelte";

export type Answer = "save" | "discard" | "cancel";

export class Closing {
    /** Unsaved files, while the question is open. */
    asks = $state<number | null>(null);
    #resolve: ((answer: Answer) => void) | null = null;

    guard(): Promise<Unlisten> {
        return host.onClose(() => this.allow());
    }

    async allow(): Promise<boolean> {
        if (editor.dirty.length === 0) {
            return true;
        }
        if (this.#resolve !== null) {
            // The question is on show already; its answer counts.
            return false;
        }
        this.asks = editor.dirty.length;
        const answer = await new Promise<Answer>((resolve) => {
            this.#resolve = resolve;
        });
        this.asks = null;
        return answer === "discard" || (answer === "save" && (await editor.saveAll()));
    }

    answer(answer: Answer): void {
        this.#resolve?.(answer);
        this.#resolve = null;
    }
}

export const closing = new Closing();
