/** Short messages at the window's edge. Errors stay until dismissed. */
import type { ApiError } from "../generated/api";
import { host, toApiError } from "../host";

export type Toast = { id: number } & ({ type: "error"; error: ApiError } | { type: "note"; text: string });

/** Milliseconds a note stays. */
const NOTE_STAYS = 3000;

export class Toasts {
    list = $state.raw<Toast[]>([]);
    #next = 0;

    error(thrown: unknown): void {
        this.list = [...this.list, { id: this.#next++, type: "error", error: toApiError(thrown) }];
    }

    note(text: string): void {
        const id = this.#next++;
        this.list = [...this.list, { id, type: "note", text }];
        setTimeout(() => this.dismiss(id), NOTE_STAYS);
    }

    dismiss(id: number): void {
        this.list = this.list.filter((toast) => toast.id !== id);
    }

    /** Runs `work`; what it throws becomes a toast and the answer is `null`. */
    async guard<T>(work: () => Promise<T>): Promise<T | null> {
        try {
            return await work();
        } catch (thrown) {
            this.error(thrown);
            return null;
        }
    }

    /** Puts `text` on the clipboard and says so. */
    async copy(text: string, said: string): Promise<void> {
        await this.guard(async () => {
            await host.copy(text);
            this.note(said);
        });
    }
}

export const toasts = new Toasts();
