/** Files and skills that were deleted: they can be put back until they are deleted permanently. */
import type { ApiError, Trashed } from "../generated/api";
import { host, toApiError } from "../host";
import { editor, type ClosedFile } from "./editor.svelte";
import { isWithin } from "./names";
import { skills } from "./skills.svelte";

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
    /** What is being put back or deleted. */
    busy = $state<string | null>(null);
    /** What is deleted permanently with one more click. */
    asked = $state<string | null>(null);
    /** By id. The unsaved texts are nowhere else. */
    readonly #shown = new Map<string, Shown>();
    #asks = 0;

    async show(): Promise<void> {
        this.open = true;
        this.asked = null;
        this.error = null;
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
        await this.#change(trashed.id, async () => {
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
        await this.#change(id, async () => {
            const left = await host.call("trash_remove", { id });
            this.#shown.delete(id);
            return left;
        });
    }

    /** `change` answers with what is left. If it fails, that is read again: another window may have changed it. */
    async #change(id: string, change: () => Promise<Trashed[]>): Promise<void> {
        this.asked = null;
        this.busy = id;
        this.error = null;
        if (!(await this.#take(change))) {
            await this.#take(() => host.call("trash_list", {}));
        }
        this.busy = null;
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
