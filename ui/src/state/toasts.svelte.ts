/** Short messages at the window's edge. Errors stay until dismissed; a note that is repeated replaces itself. */
import type { ApiError } from "../generated/api";
import { host, toApiError } from "../host";

/** Makes the text in the language that is on, so that a note changes with it. */
export type Said = () => string;

/** What can be done about what a note says. */
export interface ToastAction {
    label: Said;
    run: () => void;
}

export type Toast = { id: number } & ({ type: "error"; error: ApiError } | { type: "note"; text: Said; action: ToastAction | null });

/** Milliseconds a note stays. */
const NOTE_STAYS = 3000;
/** Milliseconds a note stays that offers something. */
const OFFER_STAYS = 10_000;

export class Toasts {
    list = $state.raw<Toast[]>([]);
    #next = 0;
    /** The pointer or the focus is on them: expired ones go afterwards. */
    #held = false;
    #over = new Set<number>();

    error(thrown: unknown): void {
        this.list = [...this.list, { id: this.#next++, type: "error", error: toApiError(thrown) }];
    }

    /** The answer takes it away before its time. */
    note(text: Said, action: ToastAction | null = null): () => void {
        const id = this.#next++;
        const others = this.list.filter((toast) => toast.type !== "note" || toast.text() !== text());
        this.list = [...others, { id, type: "note", text, action }];
        setTimeout(() => (this.#held ? void this.#over.add(id) : this.dismiss(id)), action === null ? NOTE_STAYS : OFFER_STAYS);
        return () => this.dismiss(id);
    }

    /** Toasts do not disappear while the pointer or the focus is on them. */
    hold(held: boolean): void {
        this.#held = held;
        if (!held) {
            this.list = this.list.filter((toast) => !this.#over.has(toast.id));
            this.#over.clear();
        }
    }

    dismiss(id: number): void {
        this.list = this.list.filter((toast) => toast.id !== id);
        // With the last one goes what pointer and focus could leave.
        this.#held &&= this.list.length > 0;
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

    /** Puts `text` on the clipboard and says so. If the text cannot be fetched, its own error is shown. */
    async copy(text: string | Promise<string>, said: Said): Promise<void> {
        await this.guard(async () => {
            const [, copied] = await Promise.allSettled([text, host.copy(text)]);
            await text;
            if (copied.status === "rejected") {
                throw copied.reason;
            }
            this.note(said);
        });
    }
}

export const toasts = new Toasts();
