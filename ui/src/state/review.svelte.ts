/** What a person says about the run that is open: a verdict, notes and bookmarks. */
import { SvelteMap } from "svelte/reactivity";
import type { Judged, Review, RunId, StepNote } from "../generated/api";
import { host } from "../host";
import { t } from "../i18n";
import { toasts } from "./toasts.svelte";

const NOTHING: Review = { verdict: null, notes: [] };

export class Reviews {
    /** Nothing can be changed: the run is in a page, not in the store. */
    fixed = $state(false);
    #of = new SvelteMap<RunId, Review>();

    of(run: RunId): Review {
        return this.#of.get(run) ?? NOTHING;
    }

    note(run: RunId, event: number): StepNote | null {
        return this.of(run).notes.find((note) => note.event === event) ?? null;
    }

    /** A run whose review cannot be read is shown without it. */
    async load(run: RunId): Promise<void> {
        const review = await host.call("run_review", { run }).catch(() => null);
        if (review !== null) {
            this.#of.set(run, review);
        }
    }

    /** Resolves to whether it is kept. */
    async setNote(run: RunId, event: number, text: string, bookmark: boolean): Promise<boolean> {
        const before = this.note(run, event);
        const review = await toasts.guard(() => host.call("note_set", { run, event, text, bookmark }));
        if (review === null) {
            return false;
        }
        this.#of.set(run, review);
        if (before !== null && before.text !== "" && text.trim() === "") {
            toasts.note(() => t("review.noteDeleted"), {
                label: () => t("lint.undo"),
                run: () => void this.setNote(run, event, before.text, before.bookmark),
            });
        }
        return true;
    }

    async toggleBookmark(run: RunId, event: number): Promise<void> {
        const { text, bookmark } = this.note(run, event) ?? { text: "", bookmark: false };
        await this.setNote(run, event, text, !bookmark);
    }

    /** `null` takes the verdict away. Resolves to whether it is kept. */
    async setVerdict(run: RunId, judged: Judged | null, line: string): Promise<boolean> {
        const before = this.of(run).verdict;
        const review = await toasts.guard(() => host.call("verdict_set", { run, judged, line }));
        if (review === null) {
            return false;
        }
        this.#of.set(run, review);
        if (before !== null && judged === null) {
            toasts.note(() => t("review.verdictDeleted"), {
                label: () => t("lint.undo"),
                run: () => void this.setVerdict(run, before.judged, before.line),
            });
        }
        return true;
    }
}

export const reviews = new Reviews();
