/** Files and skills that were deleted: they can be put back until they are deleted for good. */
import type { ApiError, Trashed } from "../generated/api";
import { host, toApiError } from "../host";
import { skills } from "./skills.svelte";

export class Deleted {
    open = $state(false);
    /** The newest first; `null`: not read yet. */
    list = $state.raw<Trashed[] | null>(null);
    error = $state.raw<ApiError | null>(null);
    /** What is being put back or deleted. */
    busy = $state<string | null>(null);
    /** What is deleted for good with one more click. */
    asked = $state<string | null>(null);

    async show(): Promise<void> {
        this.open = true;
        this.asked = null;
        await this.#take(null, () => host.call("trash_list", {}));
    }

    async restore({ id }: Trashed): Promise<void> {
        this.asked = null;
        await this.#take(id, async () => {
            await host.call("trash_restore", { id });
            await skills.fresh;
            return host.call("trash_list", {});
        });
    }

    /** Asks first. */
    async remove({ id }: Trashed): Promise<void> {
        if (this.asked !== id) {
            this.asked = id;
            return;
        }
        this.asked = null;
        await this.#take(id, () => host.call("trash_remove", { id }));
    }

    async #take(busy: string | null, ask: () => Promise<Trashed[]>): Promise<void> {
        this.busy = busy;
        try {
            this.list = await ask();
            this.error = null;
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
        this.busy = null;
    }
}

export const deleted = new Deleted();
