/** The models of `models.yaml`, those that are being edited, and how they did when they were tried. */
import { SvelteMap } from "svelte/reactivity";
import type {
    ApiError,
    Check,
    KeyRef,
    KeyState,
    ListedModel,
    ModelAddress,
    ModelEntry,
    ModelInfo,
    ModelList,
    ModelOffer,
    ModelPreset,
} from "../generated/api";
import { host, toApiError } from "../host";
import { onChange } from "../host/changes";
import { draftFrom, draftOf, entryOf, keyOf, type Mistakes, type ModelDraft } from "./model-draft";
import { onPush } from "./pushes";
import { toasts } from "./toasts.svelte";

/** How a model did, check by check. */
export interface Trial {
    test: string;
    /** The entry that was tried, as JSON: later changes were not tried. */
    of: string;
    checks: readonly Check[];
    running: boolean;
    error: ApiError | null;
}

/** The selection that is shown on the right: a model by its id, the choice of a preset, or a model that is not saved yet. */
export type Picked = { type: "model"; id: string } | { type: "presets" } | { type: "new" } | null;

/** The key for drafts of models that are not saved yet. */
const NEW = "";

export class Models {
    list = $state.raw<ModelList | null>(null);
    presets = $state.raw<readonly ModelPreset[]>([]);
    error = $state.raw<ApiError | null>(null);
    open = $state(false);
    picked = $state.raw<Picked>(null);
    saving = $state(false);
    /** Where the draft's requests go and whose address that is; while the user types, that of the text one letter before. */
    address = $state.raw<ModelAddress | null>(null);
    /** Wrong fields are only shown after the user tried to save. */
    tried = $state(false);

    #drafts = new SvelteMap<string, ModelDraft>();
    #trials = new SvelteMap<string, Trial>();
    #keys = new SvelteMap<string, KeyState>();
    #names = new SvelteMap<string, readonly ListedModel[]>();
    #next = 0;
    /** Done when the list is as the last command left it. */
    #fresh: Promise<void> = Promise.resolve();

    /** The selection's key in the maps here. */
    readonly #at: string | null = $derived(this.picked?.type === "model" ? this.picked.id : this.picked?.type === "new" ? NEW : null);
    readonly info: ModelInfo | null = $derived(this.list?.models.find((model) => model.id === this.#at) ?? null);
    readonly draft: ModelDraft | null = $derived(
        this.#at === null ? null : (this.#drafts.get(this.#at) ?? (this.info?.entry ? draftOf(this.info.entry) : null)),
    );
    readonly #read = $derived(this.draft === null ? null : entryOf(this.draft, this.#others()));
    /** What the draft means; `null`: something is wrong with it. */
    readonly entry: ModelEntry | null = $derived(this.#read !== null && "entry" in this.#read ? this.#read.entry : null);
    readonly mistakes: Mistakes = $derived(this.#read !== null && "mistakes" in this.#read ? this.#read.mistakes : {});
    readonly trial: Trial | null = $derived(this.#at === null ? null : (this.#trials.get(this.#at) ?? null));
    /** Whether the form has changed since the trial. */
    readonly stale: boolean = $derived(this.trial !== null && this.trial.of !== JSON.stringify(this.entry));
    /** The preset that the draft looks to be made from. */
    readonly preset: ModelPreset | null = $derived(this.presets.find((preset) => preset.id === this.address?.preset) ?? null);
    readonly names: readonly ListedModel[] | null = $derived(this.draft === null ? null : (this.#names.get(this.draft.baseUrl) ?? null));

    isChanged(id: string): boolean {
        const draft = this.#drafts.get(id);
        const entry = this.list?.models.find((model) => model.id === id)?.entry;
        return draft !== undefined && (entry == null || JSON.stringify(draft) !== JSON.stringify(draftOf(entry)));
    }

    /** There is a model that is not saved yet. */
    get hasNew(): boolean {
        return this.#drafts.has(NEW);
    }

    constructor() {
        onChange("models", () => {
            if (this.list !== null) {
                this.#fresh = this.load();
            }
        });
    }

    async show(pick: Picked = null): Promise<void> {
        this.open = true;
        await this.load();
        const first = this.list?.models.find((model) => model.entry !== null);
        this.pick(pick ?? (first ? { type: "model", id: first.id } : { type: "presets" }));
    }

    /** Begins a model with a server on this machine. */
    async take(offer: ModelOffer): Promise<void> {
        await this.show({ type: "presets" });
        this.begin(this.presets.find((preset) => preset.id === offer.preset) ?? null);
    }

    async load(): Promise<void> {
        try {
            const [list, presets] = await Promise.all([host.call("model_list", {}), host.call("model_presets", {})]);
            this.presets = presets;
            this.list = list;
            this.error = null;
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }

    pick(picked: Picked): void {
        this.picked = picked;
        this.tried = false;
        this.address = null;
        void this.#lookUpKey();
        void this.#lookUpAddress();
    }

    /** Starts a model that is not saved yet; an earlier unsaved one is discarded. */
    begin(preset: ModelPreset | null): void {
        this.#drafts.set(NEW, draftFrom(preset, this.list?.models.map((model) => model.id) ?? []));
        this.#trials.delete(NEW);
        this.pick({ type: "new" });
    }

    edit(change: Partial<ModelDraft>): void {
        if (this.#at !== null && this.draft !== null) {
            this.#drafts.set(this.#at, { ...this.draft, ...change });
            if ("keyName" in change || "keySource" in change || "keyLifetime" in change) {
                void this.#lookUpKey();
            }
            if ("baseUrl" in change || "provider" in change) {
                void this.#lookUpAddress();
            }
        }
    }

    /** Back to the saved state; a model that is not saved yet is removed. */
    revert(): void {
        if (this.#at !== null) {
            this.#drafts.delete(this.#at);
            this.pick(this.picked?.type === "new" ? { type: "presets" } : this.picked);
        }
    }

    /** `true`: it is saved. */
    async save(): Promise<boolean> {
        this.tried = true;
        const { entry, picked } = this;
        if (entry === null || picked === null || picked.type === "presets" || this.saving) {
            return false;
        }
        this.saving = true;
        const version = this.list?.version ?? null;
        const saved = await toasts.guard(() =>
            picked.type === "new"
                ? host.call("model_add", { entry, version })
                : host.call("model_update", { id: picked.id, entry, version }),
        );
        // If saving failed, another program may have written the file: its contents are shown, and the draft is kept.
        await this.#fresh;
        this.saving = false;
        if (saved === null) {
            return false;
        }
        const from = picked.type === "new" ? NEW : picked.id;
        const trial = this.#trials.get(from);
        this.#drafts.delete(from);
        this.#trials.delete(from);
        if (trial) {
            this.#trials.set(entry.id, trial);
        }
        this.pick({ type: "model", id: entry.id });
        return true;
    }

    async remove(id: string): Promise<void> {
        const list = await toasts.guard(() => host.call("model_remove", { id, version: this.list?.version ?? null }));
        await this.#fresh;
        if (list !== null) {
            this.#drafts.delete(id);
            this.#trials.delete(id);
            const first = list.models.find((model) => model.entry !== null);
            this.pick(first ? { type: "model", id: first.id } : { type: "presets" });
        }
    }

    /** Tries the model as it is in the form, saved or not. */
    async test(): Promise<void> {
        this.tried = true;
        const { entry } = this;
        const at = this.#at;
        if (entry === null || at === null) {
            return;
        }
        await this.stop();
        this.#next += 1;
        const test = `test-${this.#next}`;
        const is = (): Trial | null => [...this.#trials.values()].find((trial) => trial.test === test) ?? null;
        this.#trials.set(at, { test, of: JSON.stringify(entry), checks: [], running: true, error: null });
        try {
            const checks = await host.call("model_test", { test, entry });
            this.#tried(is(), { checks, running: false });
        } catch (thrown) {
            this.#tried(is(), { running: false, error: toApiError(thrown) });
        }
    }

    async stop(): Promise<void> {
        const { trial } = this;
        if (trial?.running) {
            await toasts.guard(() => host.call("model_test_stop", { test: trial.test }));
        }
    }

    /** Asks the server which models it has. */
    async askNames(): Promise<void> {
        const { draft } = this;
        // A model must not be chosen yet to ask which there are.
        const read = draft === null ? null : entryOf({ ...draft, model: draft.model || "?", id: draft.id || "?" }, []);
        this.tried ||= read !== null && "mistakes" in read;
        if (draft !== null && read !== null && "entry" in read) {
            const { entry } = read;
            const names = await toasts.guard(() => host.call("model_names", { entry }));
            if (names !== null) {
                this.#names.set(draft.baseUrl, names);
            }
        }
    }

    /** Whether the key that the draft names is there; `null`: not known yet. */
    get key(): KeyState | null {
        const key = this.draft === null ? null : keyOf(this.draft);
        return key ? (this.#keys.get(JSON.stringify(key)) ?? null) : null;
    }

    /** Puts a key into the system's keyring under a name. `true`: it is there. */
    async setKey(name: string, secret: string): Promise<boolean> {
        const isSet = await this.#keyed({ keyring: name }, () => host.call("key_set", { name, secret }));
        await this.#fresh;
        return isSet;
    }

    async deleteKey(name: string): Promise<void> {
        await this.#keyed({ keyring: name }, () => host.call("key_delete", { name }));
        await this.#fresh;
    }

    /** A check that has ended. */
    heard(test: string, check: Check): void {
        const trial = [...this.#trials.values()].find((each) => each.test === test) ?? null;
        this.#tried(trial, { checks: [...(trial?.checks ?? []), check] });
    }

    async #lookUpKey(): Promise<void> {
        const key = this.draft === null ? null : keyOf(this.draft);
        if (key) {
            await this.#keyed(key, () => host.call("key_state", { key }));
        }
    }

    async #lookUpAddress(): Promise<void> {
        if (this.draft === null || this.draft.baseUrl.trim() === "") {
            this.address = null;
            return;
        }
        const { provider, baseUrl } = this.draft;
        const address = await toasts.guard(() => host.call("model_address", { provider, baseUrl }));
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- the form may have been closed since
        if (address !== null && this.draft?.provider === provider && this.draft.baseUrl === baseUrl) {
            this.address = address;
        }
    }

    async #keyed(key: KeyRef, ask: () => Promise<KeyState>): Promise<boolean> {
        const state = await toasts.guard(ask);
        if (state !== null) {
            this.#keys.set(JSON.stringify(key), state);
        }
        return state?.state === "set";
    }

    #tried(trial: Trial | null, change: Partial<Trial>): void {
        for (const [at, known] of this.#trials) {
            if (trial !== null && known.test === trial.test) {
                this.#trials.set(at, { ...known, ...change });
            }
        }
    }

    #others(): string[] {
        return this.list?.models.map((model) => model.id).filter((id) => id !== this.#at) ?? [];
    }
}

export const models = new Models();

onPush((push) => {
    if (push.type === "modelCheck") {
        models.heard(push.test, push.check);
    }
});
