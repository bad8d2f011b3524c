/**
 * The options of the framework that is inspected, as a form. A change is made in the text of the project file as it is open in
 * the editor, so it counts at once wherever unsaved text does, and nothing is written until it is saved.
 */
import type { ApiError, OptionDto, OptionForm, OptionValue } from "../generated/api";
import { host, toApiError } from "../host";
import { editor } from "./editor.svelte";
import { harnesses } from "./harnesses.svelte";
import { inspect } from "./inspect.svelte";
import type { OpenFile } from "./open-file.svelte";

export class Options {
    open = $state(false);
    form = $state.raw<OptionForm | null>(null);
    error = $state.raw<ApiError | null>(null);
    /** Why an option could not be set, by name. */
    wrong = $state.raw<Readonly<Record<string, ApiError>>>({});
    /** Texts of the project file before each change that was made here. */
    #before = $state.raw<readonly { file: OpenFile; before: string; after: string }[]>([]);
    #asked = 0;
    /** One change after the other: each starts from the text that the one before left. */
    #edits: Promise<void> = Promise.resolve();

    /** The project file, if it is open. */
    readonly file: OpenFile | null = $derived(
        this.form === null ? null : (editor.files.find(({ path }) => path === this.form?.path) ?? null),
    );
    readonly unsaved: boolean = $derived(this.file?.dirty === true);
    readonly canUndo: boolean = $derived.by(() => {
        const last = this.#before.at(-1);
        return last !== undefined && editor.files.includes(last.file) && last.file.text === last.after;
    });

    async toggle(): Promise<void> {
        this.open = !this.open;
        if (this.open) {
            await this.load();
        }
    }

    async load(): Promise<void> {
        await harnesses.load().catch((thrown: unknown) => (this.error = toApiError(thrown)));
        await this.refresh();
    }

    /** The last one asked for wins. */
    async refresh(): Promise<void> {
        const harness = harnesses.choice?.harness;
        if (harness === undefined || !this.open) {
            return;
        }
        const asked = ++this.#asked;
        try {
            const form = await host.call("harness_options", { harness, unsaved: editor.drafts() });
            if (asked === this.#asked) {
                this.form = form;
                this.error = null;
            }
        } catch (thrown) {
            if (asked === this.#asked) {
                this.form = null;
                this.error = toApiError(thrown);
            }
        }
    }

    set(option: OptionDto, value: OptionValue): Promise<void> {
        this.#edits = this.#edits.then(() => this.#set(option, value));
        return this.#edits;
    }

    /** Takes the last change that was made here back. */
    async undo(): Promise<void> {
        const last = this.#before.at(-1);
        if (last !== undefined && this.canUndo) {
            this.#before = this.#before.slice(0, -1);
            last.file.write(last.before);
            await this.#shown();
        }
    }

    /** Discards unsaved changes. */
    async discard(): Promise<void> {
        const { file } = this;
        if (file !== null) {
            this.#before = [...this.#before, { file, before: file.text, after: file.base }];
            file.write(file.base);
            await this.#shown();
        }
    }

    /** Writes the project file. */
    async save(): Promise<boolean> {
        const { file } = this;
        const saved = file !== null && (await editor.save(file));
        await this.refresh();
        return saved;
    }

    async #set(option: OptionDto, value: OptionValue): Promise<void> {
        const { form } = this;
        const harness = harnesses.choice?.harness;
        if (form === null || harness === undefined) {
            return;
        }
        const others = Object.fromEntries(Object.entries(this.wrong).filter(([name]) => name !== option.name));
        try {
            const file = form.exists ? await editor.load(form.path) : (editor.of(form.path) ?? editor.fresh(form.path));
            if (file === null) {
                return;
            }
            const before = file.text;
            const text = await host.call("option_edit", { path: form.path, text: before, harness, option: option.name, value });
            this.wrong = others;
            // Typing in the file since then wins.
            if (file.text === before && text !== before) {
                file.write(text);
                this.#before = [...this.#before.slice(-MOST), { file, before, after: text }];
                await this.#shown();
            }
        } catch (thrown) {
            this.wrong = { ...others, [option.name]: toApiError(thrown) };
        }
    }

    async #shown(): Promise<void> {
        await Promise.all([inspect.refresh(), this.refresh()]);
    }
}

/** Changes that can be taken back. */
const MOST = 100;

export const options = new Options();
