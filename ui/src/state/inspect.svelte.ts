/** What the chosen harness would send for the open folders. */
import type { ApiError, HarnessChoice, Inspection } from "../generated/api";
import { host, toApiError } from "../host";
import { editor } from "./editor.svelte";
import { harnesses } from "./harnesses.svelte";
import { pathChoice } from "./path-choice.svelte";
import { skillChoice } from "./skill-choice.svelte";

export class Inspect {
    prompt = $state("");
    result = $state.raw<Inspection | null>(null);
    error = $state.raw<ApiError | null>(null);
    busy = $state(false);
    /** Paths of the files whose unsaved text is in the result. */
    drafts = $state.raw<readonly string[]>([]);

    #asked = 0;

    async load(): Promise<void> {
        try {
            await harnesses.load();
        } catch (thrown) {
            this.error = toApiError(thrown);
            return;
        }
        await this.refresh();
    }

    choose(choice: HarnessChoice): Promise<void> {
        harnesses.choose(choice);
        return this.refresh();
    }

    /** The last one asked for wins. */
    async refresh(): Promise<void> {
        if (harnesses.choice === null) {
            return;
        }
        const asked = ++this.#asked;
        this.busy = true;
        const prompt = this.prompt === "" ? null : this.prompt;
        const unsaved = editor.drafts();
        try {
            const result = await host.call("inspect", {
                ...harnesses.choice,
                roots: null,
                prompt,
                cwd: null,
                neutralPaths: pathChoice.neutral,
                unsaved,
                without: [...skillChoice.out],
            });
            if (asked === this.#asked) {
                this.result = result;
                this.error = null;
                this.drafts = unsaved.map((draft) => draft.path);
            }
        } catch (thrown) {
            if (asked === this.#asked) {
                this.result = null;
                this.error = toApiError(thrown);
            }
        } finally {
            if (asked === this.#asked) {
                this.busy = false;
            }
        }
    }
}

export const inspect = new Inspect();
