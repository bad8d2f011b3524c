/** One import of a file: how far it is, and what it came to. */
import type { Foreign, Imported, RunId } from "../generated/api";
import { host } from "../host";
import { onPush } from "./pushes";
import { runs } from "./runs.svelte";

/** Imports have numbers because the shell may still be busy with one that was stopped. */
let count = 0;

export class Import {
    /** Per cent; `null`: nothing is read. */
    part = $state<number | null>(null);
    /** All is read, and a long run is being stored. */
    stores = $state(false);
    result = $state.raw<Imported | null>(null);

    #name = "";

    /** `null`: the user chose none. */
    choose(title: string): Promise<string | null> {
        return host.pickFile(title);
    }

    /** Rejects with an `ApiError`. */
    async file(path: string, from: Foreign | null): Promise<Imported> {
        count += 1;
        this.#name = `import-${count}`;
        this.part = 0;
        this.stores = false;
        const end = onPush((push) => {
            if (push.type === "importProgress" && push.import === this.#name && this.part !== null) {
                this.stores = push.stored !== null;
                this.part = push.stored ?? Math.floor((100 * push.read) / Math.max(push.size, 1));
            }
        });
        try {
            const imported = await host.call("run_import_file", { path, from, import: this.#name });
            this.result = imported;
            return imported;
        } finally {
            end();
            this.part = null;
            await runs.fresh;
        }
    }

    async stop(): Promise<void> {
        await host.call("run_import_stop", { import: this.#name });
    }
}

/** Every run of an import went as it should, and there is one. */
export function only({ runs: [run, ...others], unreadCount, stopped }: Imported): RunId | null {
    return run !== undefined && others.length === 0 && unreadCount === 0 && !stopped ? run : null;
}
