/** A run on its way into a page: its private texts, and which of them are removed. */
import type { ApiError, PrivateText, RunId } from "../generated/api";
import { host, toApiError } from "../host";
import { currentLocale } from "../i18n";

export class ReplayExport {
    readonly run: RunId;
    /** `null` until the search is done. */
    found = $state.raw<readonly PrivateText[] | null>(null);
    error = $state.raw<ApiError | null>(null);
    /** Places in `found` that stay in the page. */
    kept = $state.raw<readonly number[]>([]);

    constructor(run: RunId) {
        this.run = run;
    }

    async look(): Promise<void> {
        try {
            this.found = await host.call("replay_private", { run: this.run });
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }

    toggle(place: number): void {
        this.kept = this.kept.includes(place) ? this.kept.filter((kept) => kept !== place) : [...this.kept, place];
    }

    /** `null` if the user thought better of it. */
    async save(title: string): Promise<string | null> {
        const path = await host.pickSave(title, `${this.run}.html`);
        if (path === null) {
            return null;
        }
        const redact = (this.found ?? []).filter((_, place) => !this.kept.includes(place));
        try {
            await host.call("replay_save", { path, run: this.run, chinese: currentLocale() !== "en", redact });
            this.error = null;
            return path;
        } catch (thrown) {
            this.error = toApiError(thrown);
            return null;
        }
    }
}
