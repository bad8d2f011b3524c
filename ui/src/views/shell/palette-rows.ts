/** What the palette lists: a heading above each group and its entries. A row is made when it is shown: a dozen of thousands. */
import type { Items } from "../../parts/windowed.svelte";

/** `place`: which of the entries of all groups it is. */
export type PaletteRow<G, E> = { type: "heading"; group: G } | { type: "entry"; place: number; group: G; entry: E };

export class PaletteRows<G, E> implements Items<PaletteRow<G, E>> {
    readonly length: number;
    /** How many rows are entries. */
    readonly entries: number;
    readonly #groups: readonly { readonly group: G; readonly found: readonly E[] }[];

    constructor(groups: readonly { readonly group: G; readonly found: readonly E[] }[]) {
        this.#groups = groups;
        this.entries = groups.reduce((sum, { found }) => sum + found.length, 0);
        this.length = this.entries + groups.length;
    }

    at(row: number): PaletteRow<G, E> | undefined {
        let [start, place] = [0, 0];
        for (const { group, found } of this.#groups) {
            const inGroup = row - start - 1;
            if (inGroup === -1) {
                return { type: "heading", group };
            }
            const entry = found[inGroup];
            if (entry !== undefined) {
                return { type: "entry", place: place + inGroup, group, entry };
            }
            start += found.length + 1;
            place += found.length;
        }
        return undefined;
    }

    /** The row of an entry; -1 if there is none. */
    rowOf(place: number): number {
        let before = 0;
        for (const [at, { found }] of this.#groups.entries()) {
            if (place >= before && place < before + found.length) {
                return place + at + 1;
            }
            before += found.length;
        }
        return -1;
    }

    slice(first: number, end: number): PaletteRow<G, E>[] {
        const length = Math.max(0, Math.min(end, this.length) - first);
        return Array.from({ length }, (_, at) => this.at(first + at)).filter((row) => row !== undefined);
    }
}
