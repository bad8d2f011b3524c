/** Who shows what a command or a push can change, and fetches it again after that. */
import { CHANGES, type Commands, type Data, type Push } from "../generated/api";

const readers = new Map<Data, Set<() => unknown>>();

/** Pushes about a change that no command of this window made. */
const PUSHED: { readonly [K in Push["type"]]?: readonly Data[] } = {
    filesChanged: ["skills", "rules"],
};

/** Calls `fetch` whenever `data` may be another one. */
export function onChange(data: Data, fetch: () => unknown): () => void {
    const of = readers.get(data) ?? new Set();
    readers.set(data, of.add(fetch));
    return () => of.delete(fetch);
}

/** A command is over; one that failed may have done a part. */
export function called(name: keyof Commands): void {
    changed(CHANGES[name]);
}

export function pushed({ type }: Push): void {
    changed(PUSHED[type]);
}

function changed(data: readonly Data[] | undefined): void {
    for (const each of data ?? []) {
        readers.get(each)?.forEach((fetch) => void fetch());
    }
}
