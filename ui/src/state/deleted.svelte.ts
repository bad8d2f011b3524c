/** Files and skills that were deleted: they can be put back until they are deleted permanently. */
import type { ApiError, Trashed } from "../generated/api";
import { host, toApiError } from "../host";
import { editor, type ClosedFile } from "./editor.svelte";
import { isWithin } from "./names";
import { skills } from "./skills.svelte";

/** What came of deleting everything permanently. */
export interface Emptied {
    gone: number;
    /** What could not be deleted. */
    left: readonly Trashed[];
}

/** What the window showed of something when it was deleted. */
interface Shown {
    closed: readonly ClosedFile[];
    /** The file in front. */
    active: string | null;
    selected: boolean;
}

export class Deleted {
    open = $state(false);
    /** The newest first; `null`: not read yet. */
    list = $state.raw<Trashed[] | null>(null);
    error = $state.raw<ApiError | null>(null);
    /** Something is being put back or deleted. */
    busy = $state(false);
    /** What is deleted permanently with one more click. */
    asked = $state<string | null>(null);
    /** What is deleted permanently after a yes: what the list held when the question was asked. */
    emptying = $state.raw<readonly Trashed[] | null>(null);
    emptied = $state.raw<Emptied | null>(null);
    /** By id. The unsaved texts are nowhere else. */
    readonly #shown = new Map<string, Shown>();
    #asks = 0;

    async show(): Promise<void> {
        this.open = true;
        this.#begin();
        await this.#take(() => host.call("trash_list", {}));
    }

    /** Moves it to the deleted files and closes its tabs. `null`: it is still there, and users know why. */
    async put(path: string): Promise<Trashed | null> {
        const active = editor.active?.path ?? null;
        const selected = skills.selected === path;
        const trashed = await skills.trash(path);
        if (trashed !== null) {
            const inFront = active !== null && isWithin(active, path) ? active : null;
            this.#shown.set(trashed.id, { closed: editor.trashed(path), active: inFront, selected });
        }
        return trashed;
    }

    /** Puts it back where it was, with its tabs and what was unsaved in them. Rejects with an `ApiError`. */
    async putBack({ id, path }: Trashed): Promise<void> {
        await host.call("trash_restore", { id });
        await skills.fresh;
        const shown = this.#shown.get(id);
        this.#shown.delete(id);
        if (shown?.selected === true) {
            await skills.select(path);
        }
        await editor.reopen(shown?.closed ?? []);
        if (shown !== undefined && shown.active !== null) {
            await editor.open(shown.active);
        }
    }

    async restore(trashed: Trashed): Promise<void> {
        await this.#change(async () => {
            await this.putBack(trashed);
            return host.call("trash_list", {});
        });
    }

    /** Asks first. */
    async remove({ id }: Trashed): Promise<void> {
        if (this.asked !== id) {
            this.asked = id;
            return;
        }
        await this.#change(() => this.#erase(id));
    }

    askEmpty(): void {
        this.asked = null;
        this.emptying = this.list;
    }

    /** Deletes what was asked about. What fails does not keep the rest. */
    async empty(): Promise<void> {
        const all = this.emptying ?? [];
        this.#begin();
        this.busy = true;
        const failed: Trashed[] = [];
        for (const trashed of all) {
            if (!(await this.#take(() => this.#erase(trashed.id)))) {
                failed.push(trashed);
            }
        }
        if (failed.length > 0) {
            await this.#take(() => host.call("trash_list", {}));
        }
        // Another window may have deleted it.
        const left = failed.filter(({ id }) => this.list?.some((other) => other.id === id));
        if (left.length === 0) {
            this.error = null;
        }
        this.emptied = { gone: all.length - left.length, left };
        this.busy = false;
    }

    /** What was asked and what was said last is over. */
    #begin(): void {
        this.asked = null;
        this.emptying = null;
        this.emptied = null;
        this.error = null;
    }

    async #erase(id: string): Promise<Trashed[]> {
        const left = await host.call("trash_remove", { id });
        this.#shown.delete(id);
        return left;
    }

    /** `change` answers with what is left. If it fails, that is read again: another window may have changed it. */
    async #change(change: () => Promise<Trashed[]>): Promise<void> {
        this.#begin();
        this.busy = true;
        if (!(await this.#take(change))) {
            await this.#take(() => host.call("trash_list", {}));
        }
        this.busy = false;
    }

    /** The first error stays. Late answers are dropped. */
    async #take(ask: () => Promise<Trashed[]>): Promise<boolean> {
        const asked = ++this.#asks;
        try {
            const list = await ask();
            if (asked === this.#asks) {
                this.list = list;
            }
            return true;
        } catch (thrown) {
            this.error ??= toApiError(thrown);
            return false;
        }
    }
}

export const deleted = new Deleted();
