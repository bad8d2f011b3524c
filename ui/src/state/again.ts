/** Asks again for what the skills on disk decide, once changes rest. */
import type { Unlisten } from "../host";
import { onChange } from "../host/changes";

export class Again {
    #timer: ReturnType<typeof setTimeout> | undefined;
    #ask: () => unknown;
    /** In milliseconds, as it is when something changed. */
    #rest: () => number;

    constructor(ask: () => unknown, rest: () => number) {
        this.#ask = ask;
        this.#rest = rest;
    }

    soon(): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.#ask(), this.#rest());
    }

    /** Follows the disk; the answer stops it. */
    watch(): Unlisten {
        const unlisten = onChange("skills", () => this.soon());
        return () => {
            clearTimeout(this.#timer);
            unlisten();
        };
    }
}
