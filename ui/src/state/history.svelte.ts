/** Earlier texts of one open file, what differs between one of them and another, and bringing one back. */
import type { ApiError, FileHistory, LineDiff, VersionRef } from "../generated/api";
import { host, toApiError } from "../host";
import type { OpenFile } from "./open-file.svelte";

/** A text that is shown: the file on disk, or an earlier one. */
export type Chosen = { type: "disk" } | Earlier;

/** A text that was saved twice is there twice, with different times. */
export type Earlier = VersionRef & { at: number };

/** What the chosen text is compared with: the text in the editor, or the version before it. */
export type Against = "now" | "before";

export class History {
    /** `null`: no history is shown. */
    file = $state.raw<OpenFile | null>(null);
    known = $state.raw<FileHistory | null>(null);
    chosen = $state.raw<Chosen>({ type: "disk" });
    against = $state<Against>("now");
    diff = $state.raw<LineDiff | null>(null);
    /** Why the list is not there. */
    error = $state.raw<ApiError | null>(null);
    /** Why the chosen text is not there. */
    unread = $state.raw<ApiError | null>(null);
    busy = $state(false);
    /** The chosen text; `null` while it is not there. */
    text = $state.raw<string | null>(null);

    #asked = 0;

    /** Opens the history of a file, beginning with unsaved changes. */
    async open(file: OpenFile): Promise<void> {
        this.file = file;
        this.known = null;
        this.error = null;
        this.against = "now";
        await Promise.all([this.refresh(), this.choose({ type: "disk" })]);
        const first = this.#first();
        if (this.file === file && !file.dirty && this.chosen.type === "disk" && first !== undefined) {
            await this.choose(first);
        }
    }

    close(): void {
        this.#asked++;
        this.file = null;
        this.known = null;
        this.diff = null;
        this.text = null;
    }

    async refresh(): Promise<void> {
        const { file } = this;
        if (file === null) {
            return;
        }
        try {
            const known = await host.call("file_history", { path: file.path });
            if (this.file === file) {
                this.known = known;
                this.error = null;
            }
        } catch (thrown) {
            if (this.file === file) {
                this.error = toApiError(thrown);
            }
        }
    }

    async choose(chosen: Chosen, against: Against = this.against): Promise<void> {
        const { file } = this;
        if (file === null) {
            return;
        }
        this.chosen = chosen;
        this.against = against;
        const asked = ++this.#asked;
        this.busy = true;
        try {
            const text = await this.#textOf(file, chosen);
            const before = against === "before" ? this.before(chosen) : null;
            const [a, b] = before === null ? [text, file.text] : [await this.#textOf(file, before), text];
            const diff = await host.call("text_lines", { a, b });
            if (asked === this.#asked) {
                this.text = text;
                this.diff = diff;
                this.unread = null;
            }
        } catch (thrown) {
            if (asked === this.#asked) {
                this.text = null;
                this.diff = null;
                this.unread = toApiError(thrown);
            }
        } finally {
            if (asked === this.#asked) {
                this.busy = false;
            }
        }
    }

    /** The version that came before; `null`: there is none, or the chosen text is the one on disk. */
    before(chosen: Chosen): Earlier | null {
        if (this.known === null || chosen.type === "disk") {
            return null;
        }
        const same = listed(this.known).filter((version) => version.type === chosen.type);
        return same[same.findIndex((version) => isSame(version, chosen)) + 1] ?? null;
    }

    /** Puts the chosen text into the editor, as one step of undo. `false`: there is none, or it is there already. */
    restore(): boolean {
        const { file, text } = this;
        if (file === null || text === null || file.readOnly !== null || text === file.text) {
            return false;
        }
        file.write(text);
        return true;
    }

    #textOf(file: OpenFile, chosen: Chosen): Promise<string> {
        if (chosen.type === "disk") {
            return Promise.resolve(file.base);
        }
        const { type, id } = chosen;
        return host.call("file_version", { path: file.path, of: { type, id } });
    }

    /** The newest version that is not the one on disk, which is the newest that was saved. */
    #first(): Earlier | undefined {
        const all = this.known === null ? [] : listed(this.known);
        return all[1]?.type === "saved" ? all[1] : all[0];
    }
}

/** All versions there are, those that were saved here first. */
export function listed(known: FileHistory): Earlier[] {
    const revisions = known.git.type === "revisions" ? known.git.revisions : [];
    return [
        ...known.saved.map(({ id, savedAt }): Earlier => ({ type: "saved", id, at: savedAt })),
        ...revisions.map(({ id, committedAt }): Earlier => ({ type: "revision", id, at: committedAt })),
    ];
}

export function isSame(a: Chosen, b: Chosen): boolean {
    return a.type === "disk" || b.type === "disk" ? a.type === b.type : a.type === b.type && a.id === b.id && a.at === b.at;
}

export const history = new History();
