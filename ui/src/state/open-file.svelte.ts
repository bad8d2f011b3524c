/** An open file: its text, the text on disk, and the results of checks. */
import type { FileText, TextCheck, TextCompletions, UnsavedText } from "../generated/api";
import { host } from "../host";
import { app } from "./app.svelte";
import { conflictsIn } from "./conflicts";
import { baseName } from "./names";
import { toasts } from "./toasts.svelte";

/** What happened to the file behind the window's back. */
export type Outside = { type: "changed"; theirs: FileText } | { type: "gone" };

/** The other open files, as far as a check of one of them needs to know. */
export interface Desk {
    /** Every open text, by path. */
    texts(): ReadonlyMap<string, string>;
    /** Those that are not saved yet, without the one at `path`. */
    unsaved(path: string): UnsavedText[];
    /** The findings in the whole skill of `file`, with these texts. */
    found(file: OpenFile, check: Pick<TextCheck, "findings" | "security">, texts: ReadonlyMap<string, string>): void;
    /** Resolves when rules have checked all skills on disk, or cannot. */
    looked(): Promise<boolean>;
}

/** Milliseconds without a key before a text is checked. */
export const CHECK_AFTER = 150;

export class OpenFile {
    path = $state("");
    text = $state("");
    /** The text of `version`, which `text` was edited from. */
    base = $state("");
    version = $state<string | null>("");
    disk = $state.raw<FileText>();
    check = $state.raw<TextCheck | null>(null);
    preview = $state<string | null>(null);
    outside = $state.raw<Outside | null>(null);
    saving = $state.raw<Promise<void> | null>(null);
    savedAt = $state<number | null>(null);
    /** Where the caret is, in UTF-16 units. */
    caret = $state(0);
    selected = $state.raw({ from: 0, to: 0 });
    readonly name = $derived(baseName(this.path));
    readonly dirty = $derived(this.text !== this.base);
    /** Conflicts of a merge that are not resolved yet. */
    readonly conflicts = $derived(conflictsIn(this.text).length);
    readonly readOnly = $derived(this.disk?.readOnly ?? null);
    readonly isManifest = $derived(this.name === "SKILL.md");
    readonly isMarkdown = $derived(/\.(md|markdown)$/i.test(this.name));

    #timer: ReturnType<typeof setTimeout> | undefined;
    #asked = 0;
    /** Field edits, one after the other: each starts from the text the one before left. */
    #edits: Promise<void> = Promise.resolve();

    readonly #desk: Desk;

    constructor(file: FileText, desk: Desk) {
        this.#desk = desk;
        this.take(file);
    }

    /** Makes `file` the text and the base. */
    take(file: FileText): void {
        this.rebase(file);
        this.write(this.base);
    }

    /** Makes `file` the base; the text stays. */
    rebase(file: FileText): void {
        this.path = file.path;
        this.base = file.text;
        this.version = file.version;
        this.disk = file;
        this.outside = null;
    }

    write(text: string): void {
        this.text = text;
        this.#plan();
    }

    /** Sets a frontmatter field; `null` removes it. */
    editField(key: string, value: string | null): Promise<void> {
        this.#edits = this.#edits.then(() => this.#editField(key, value));
        return this.#edits;
    }

    /** Fetches findings, outline, fields and, if it is shown, the preview. Late answers are dropped. */
    async refresh(): Promise<void> {
        clearTimeout(this.#timer);
        const asked = ++this.#asked;
        const { path, text } = this;
        const texts = this.#desk.texts();
        const unsaved = this.#desk.unsaved(path);
        const wantsPreview = app.settings.showPreview && this.isMarkdown;
        const answers = await toasts.guard(() =>
            Promise.all([
                host.call("text_check", { path, text, unsaved }),
                wantsPreview ? host.call("text_preview", { path, text }) : null,
            ]),
        );
        if (answers !== null && asked === this.#asked && path === this.path) {
            [this.check, this.preview] = answers;
            this.#desk.found(this, this.check, texts);
            // Text typed since then is checked separately.
            if (this.check.alone && (await this.#desk.looked()) && asked === this.#asked) {
                await this.refresh();
            }
        }
    }

    /** Completions at a place in a text of this file. Errors are not shown. */
    async complete(text: string, at: number): Promise<TextCompletions | null> {
        const { path } = this;
        return host.call("text_complete", { path, text, at, unsaved: this.#desk.unsaved(path) }).catch(() => null);
    }

    /** Cancels planned work. */
    close(): void {
        clearTimeout(this.#timer);
        this.#asked++;
    }

    #plan(): void {
        clearTimeout(this.#timer);
        this.#asked++;
        this.#timer = setTimeout(() => void this.refresh(), CHECK_AFTER);
    }

    async #editField(key: string, value: string | null): Promise<void> {
        const { path, text } = this;
        const edited = await toasts.guard(() => host.call("field_edit", { path, text, key, value }));
        // Typing in the source in the meantime wins: the form draws itself again from it.
        if (edited !== null && this.text === text) {
            this.write(edited);
        }
    }
}
