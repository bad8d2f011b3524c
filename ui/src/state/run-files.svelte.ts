/** What one run changed on disk: the list, the file that is shown, and saving files elsewhere. */
import type { ApiError, RunFiles, RunFileText, RunId, SaveFilesArgs } from "../generated/api";
import { host, toApiError } from "../host";
import { listed, sentences, t } from "../i18n";
import { toasts } from "./toasts.svelte";

/** The file that is shown. */
export type Looked = { turn: number; path: string; text: RunFileText | null };

export class FilesOfRun {
    list = $state.raw<RunFiles | null>(null);
    error = $state.raw<ApiError | null>(null);
    looked = $state.raw<Looked | null>(null);
    /** Files that would replace existing ones: the user is asked first. */
    replaces = $state.raw<{ args: SaveFilesArgs; existing: readonly string[] } | null>(null);

    constructor(readonly run: RunId) {}

    async load(): Promise<void> {
        try {
            this.list = await host.call("run_files", { run: this.run });
            this.error = null;
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }

    async look(turn: number, path: string): Promise<void> {
        this.looked = { turn, path, text: null };
        const text = await toasts.guard(() => host.call("run_file", { run: this.run, turn, path }));
        if (this.looksAt(turn, path)) {
            this.looked = text === null ? null : { turn, path, text };
        }
    }

    private looksAt(turn: number, path: string): boolean {
        return this.looked?.turn === turn && this.looked.path === path;
    }

    close(): void {
        this.looked = null;
    }

    /** Asks for a folder; without paths, all files as the run left them last. */
    async save(turn: number | null, paths: readonly string[]): Promise<void> {
        const folder = await toasts.guard(() => host.pickFolder(t("files.saveTo")));
        if (folder !== null) {
            await this.#write({ run: this.run, turn, paths: [...paths], folder, replace: false });
        }
    }

    /** The user's answer whether to replace existing files. */
    async settle(agreed: boolean): Promise<void> {
        const asked = this.replaces;
        this.replaces = null;
        if (agreed && asked !== null) {
            await this.#write({ ...asked.args, replace: true });
        }
    }

    async #write(args: SaveFilesArgs): Promise<void> {
        const done = await toasts.guard(() => host.call("run_files_save", args));
        if (done === null) {
            return;
        }
        if (done.existing.length > 0) {
            this.replaces = { args, existing: done.existing };
            return;
        }
        toasts.note(() => {
            const said = t("files.saved", { n: done.saved.length, folder: args.folder });
            return done.leftOut.length === 0 ? said : sentences(said, t("files.leftOut", { paths: listed(done.leftOut) }));
        });
    }
}
