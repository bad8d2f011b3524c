/** Which runs are kept: the rule of the settings, what it removes, and removing that. */
import type { ApiError, PrunedRuns, Retention } from "../generated/api";
import { host, toApiError } from "../host";
import { t } from "../i18n";
import { room } from "../trace/format";
import { app } from "./app.svelte";
import { runs } from "./runs.svelte";
import { toasts } from "./toasts.svelte";

/** The fields of the form, as they are typed. Empty: no limit. */
export interface RetentionDraft {
    days: string;
    gigabytes: string;
    reviewedToo: boolean;
}

export type RetentionField = "days" | "gigabytes";

/** Milliseconds between two checks for old runs, in a window that stays open. */
const EACH = 6 * 3_600_000;
/** Milliseconds without another letter before the program is asked. */
const PAUSE = 250;

export function draftOf({ days, gigabytes, reviewedToo }: Retention): RetentionDraft {
    return { days: days?.toString() ?? "", gigabytes: gigabytes?.toString() ?? "", reviewedToo };
}

/** The typed values as a rule, and the invalid fields. */
export function ruleOf(draft: RetentionDraft): { rule: Retention; wrong: RetentionField[] } {
    const wrong: RetentionField[] = [];
    const read = (field: RetentionField, pattern: RegExp): number | null => {
        const text = draft[field].trim();
        const value = pattern.test(text) ? Number(text) : 0;
        if (text !== "" && !(value > 0)) {
            wrong.push(field);
        }
        return value > 0 ? value : null;
    };
    const rule = {
        days: read("days", /^\d{1,5}$/),
        gigabytes: read("gigabytes", /^\d{0,6}(\.\d{0,3})?$/),
        reviewedToo: draft.reviewedToo,
    };
    return { rule, wrong };
}

export class RetentionState {
    open = $state(false);
    draft = $state.raw<RetentionDraft>(draftOf(app.settings.retention));
    /** What the rule in the form would remove now; `null`: not asked yet. */
    told = $state.raw<PrunedRuns | null>(null);
    error = $state.raw<ApiError | null>(null);
    busy = $state(false);
    readonly read = $derived(ruleOf(this.draft));
    #asked = 0;
    #timer: ReturnType<typeof setTimeout> | undefined;

    async show(): Promise<void> {
        this.draft = draftOf(app.settings.retention);
        this.told = null;
        this.error = null;
        this.open = true;
        await this.look();
    }

    change(part: Partial<RetentionDraft>): void {
        this.draft = { ...this.draft, ...part };
        this.told = null;
        this.#asked += 1;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.look(), PAUSE);
    }

    /** Asks what the form would remove; nothing is removed. */
    async look(): Promise<void> {
        const { rule, wrong } = this.read;
        const asked = (this.#asked += 1);
        if (wrong.length > 0) {
            this.told = null;
            return;
        }
        try {
            const told = await host.call("run_prune", { retention: rule, dryRun: true });
            if (asked === this.#asked) {
                this.told = told;
                this.error = null;
            }
        } catch (thrown) {
            if (asked === this.#asked) {
                this.error = toApiError(thrown);
            }
        }
    }

    /** Keeps the rule, and removes what it does not keep, once that was shown. */
    async save(): Promise<void> {
        if (this.told === null) {
            return;
        }
        this.busy = true;
        await app.change({ retention: this.read.rule });
        await this.prune();
        this.busy = false;
        this.open = false;
    }

    /** Removes runs that the settings do not keep, and reports that. */
    async prune(): Promise<void> {
        const { days, gigabytes } = app.settings.retention;
        if (days === null && gigabytes === null) {
            return;
        }
        const pruned = await toasts.guard(() => host.call("run_prune", { retention: null, dryRun: false }));
        if (pruned !== null && pruned.runs.length > 0) {
            toasts.note(() => t("retention.removed", { n: pruned.runs.length, size: room(pruned.freed) }), {
                label: () => t("retention.show"),
                run: () => void this.show(),
            });
            await runs.forget(pruned.runs.map(({ run }) => run));
        }
    }

    /** Looks again from time to time; the answer ends it. */
    watch(): () => void {
        const timer = setInterval(() => void this.prune(), EACH);
        return () => clearInterval(timer);
    }
}

export const retention = new RetentionState();
