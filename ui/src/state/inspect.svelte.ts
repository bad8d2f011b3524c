/** What the chosen harness would send for the open folders. */
import type {
    ApiError,
    HarnessChoice,
    InspectArgs,
    InspectedRequest,
    InspectedSent,
    InspectedSkill,
    InspectionList,
    ListedTokens,
    ModelInfo,
    ModelList,
    ProviderTokens,
} from "../generated/api";
import { host, toApiError, type Unlisten } from "../host";
import { Again } from "./again";
import { editor } from "./editor.svelte";
import { harnesses } from "./harnesses.svelte";
import { InTurn } from "./in-turn";
import { launch } from "./launch.svelte";
import { painted } from "./painted";
import { pathChoice } from "./path-choice.svelte";
import { skillChoice } from "./skill-choice.svelte";

/** Milliseconds without a key or a change on disk before the framework is asked again. */
const REST = 150;

export class Inspect {
    prompt = $state("");
    result = $state.raw<InspectionList | null>(null);
    /** Of the result; `null` until they are counted. */
    tokens = $state.raw<ListedTokens | null>(null);
    error = $state.raw<ApiError | null>(null);
    busy = $state(false);
    /** Paths of the files whose unsaved text is in the result. */
    drafts = $state.raw<readonly string[]>([]);
    /** What the provider counted of the result, or why it did not; `null`: it was not asked. */
    counted = $state.raw<ProviderTokens | null>(null);
    countError = $state.raw<ApiError | null>(null);
    counting = $state(false);
    /** The id of the model whose provider is asked. */
    counter = $state("");

    /** The models as they were when Inspect was opened, if they have not been fetched elsewhere since. */
    #models = $state.raw<ModelList | null>(null);
    /** Models whose providers can be asked. */
    readonly counters: readonly ModelInfo[] = $derived((launch.models ?? this.#models)?.models.filter((model) => model.counts) ?? []);
    /** The one that is asked. */
    readonly chosenCounter: ModelInfo | null = $derived(
        this.counters.find((model) => model.id === this.counter) ?? this.counters[0] ?? null,
    );

    #asked = 0;
    readonly #lists = new InTurn();
    readonly #counts = new InTurn();
    readonly #again = new Again(
        () => this.refresh(),
        () => REST,
    );
    /** The arguments of the result. Further details are fetched with the same arguments. */
    #shown: InspectArgs | null = null;
    #skills = new Map<string, Promise<InspectedSkill>>();
    #request: Promise<InspectedRequest> | null = null;
    #sent: Promise<InspectedSent> | null = null;

    async load(): Promise<void> {
        try {
            await harnesses.load();
        } catch (thrown) {
            this.error = toApiError(thrown);
            return;
        }
        if (launch.models === null) {
            void host.call("model_list", {}).then(
                (list) => (this.#models = list),
                () => undefined,
            );
        }
        await this.refresh();
    }

    choose(choice: HarnessChoice): Promise<void> {
        harnesses.choose(choice);
        return this.refresh();
    }

    /** Follows what changes on disk; the answer stops it. */
    watch(): Unlisten {
        return this.#again.watch();
    }

    /** Asks again, once keys and changes on disk rest. */
    soon(): void {
        this.#again.soon();
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
            const result = await this.#lists.ask(() => host.call("inspect_listed", args));
            if (result !== null && asked === this.#asked) {
                this.#shown = args;
                this.#skills.clear();
                this.#request = null;
                this.#sent = null;
                this.counted = null;
                this.countError = null;
                this.result = result;
                this.tokens = result.tokens;
                this.error = null;
                this.drafts = unsaved.map((draft) => draft.path);
                if (result.tokens === null) {
                    await this.#countAll(args);
                }
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

    /** All that the request of the result says. Rejects with an `ApiError`. */
    sent(): Promise<InspectedSent> {
        this.#sent ??= this.#further((of) => host.call("inspect_sent", of));
        return this.#sent;
    }

    /** The request of the result. Rejects with an `ApiError`. */
    request(): Promise<InspectedRequest> {
        this.#request ??= this.#further((of) => host.call("inspect_request", of));
        return this.#request;
    }

    /** Asks the provider how many tokens the result has. An answer about something that is no longer shown is dropped. */
    async count(): Promise<void> {
        const of = this.#shown;
        const model = this.chosenCounter;
        if (of === null || model === null || this.counting) {
            return;
        }
        this.counting = true;
        this.countError = null;
        try {
            const counted = await host.call("inspect_count", { of, model: model.id });
            if (of === this.#shown) {
                this.counted = counted;
            }
        } catch (thrown) {
            if (of === this.#shown) {
                this.counted = null;
                this.countError = toApiError(thrown);
            }
        } finally {
            this.counting = false;
        }
    }

    async #countAll(of: InspectArgs): Promise<void> {
        await painted();
        if (of !== this.#shown) {
            return;
        }
        const tokens = await this.#counts.ask(() => host.call("inspect_tokens", of));
        if (tokens !== null && of === this.#shown) {
            this.tokens = tokens;
        }
    }

    async #further<T>(ask: (shown: InspectArgs) => Promise<T>): Promise<T> {
        if (this.#shown === null) {
            throw new Error("nothing is inspected");
        }
        return ask(this.#shown);
    }
}

export const inspect = new Inspect();
