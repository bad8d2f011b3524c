/** What the chosen harness would send for the open folders. */
import type { ApiError, HarnessChoice, InspectArgs, InspectedRequest, InspectedSkill, Inspection } from "../generated/api";
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
    /** What the result is the answer to. What it leaves out is asked for in the same way. */
    #shown: InspectArgs | null = null;
    #skills = new Map<string, Promise<InspectedSkill>>();
    #request: Promise<InspectedRequest> | null = null;

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
            const args: InspectArgs = {
                ...harnesses.choice,
                roots: null,
                prompt,
                cwd: null,
                neutralPaths: pathChoice.neutral,
                unsaved,
                without: [...skillChoice.out],
            };
            const result = await host.call("inspect_listed", args);
            if (asked === this.#asked) {
                this.#shown = args;
                this.#skills.clear();
                this.#request = null;
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

    /** All of one skill of the result, by its id there. Rejects with an `ApiError`. */
    skill(id: string): Promise<InspectedSkill> {
        const found = this.#skills.get(id) ?? this.#further((of) => host.call("inspect_skill", { of, skill: id }));
        this.#skills.set(id, found);
        return found;
    }

    /** The request of the result. Rejects with an `ApiError`. */
    request(): Promise<InspectedRequest> {
        this.#request ??= this.#further((of) => host.call("inspect_request", of));
        return this.#request;
    }

    async #further<T>(ask: (shown: InspectArgs) => Promise<T>): Promise<T> {
        if (this.#shown === null) {
            throw new Error("nothing is inspected");
        }
        return ask(this.#shown);
    }
}

export const inspect = new Inspect();
