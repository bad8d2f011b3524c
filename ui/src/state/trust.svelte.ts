/** Places outside of the open folders that may be read: only the user decides that here, never the project. */
import type { ApiError, TrustState } from "../generated/api";
import { host, toApiError } from "../host";

export class Trust {
    open = $state(false);
    state = $state.raw<TrustState | null>(null);
    error = $state.raw<ApiError | null>(null);
    /** The path that is being changed. */
    busy = $state<string | null>(null);

    async show(): Promise<void> {
        this.open = true;
        await this.#take(() => host.call("trust_list", {}));
    }

    async add(path: string): Promise<void> {
        await this.#change(path, () => host.call("trust_add", { path }));
    }

    async remove(path: string): Promise<void> {
        await this.#change(path, () => host.call("trust_remove", { path }));
    }

    async #change(path: string, change: () => Promise<TrustState>): Promise<void> {
        this.busy = path;
        await this.#take(change);
        this.busy = null;
    }

    async #take(ask: () => Promise<TrustState>): Promise<void> {
        try {
            this.state = await ask();
            this.error = null;
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }
}

export const trust = new Trust();
