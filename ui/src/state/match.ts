/** How well an entry of the palette fits what was typed. */

/** An entry as it is searched: made once, not at every key. */
export interface Searched {
    label: string;
    /** The words of the label. */
    words: readonly string[];
    detail: string;
}

export function searched(label: string, detail: string): Searched {
    const folded = fold(label);
    return { label: folded, words: folded.split(/[\s/._-]+/), detail: fold(detail) };
}

/**
 * 0 where a word of `search` is found nowhere, up to 1 where the label starts with it. Letters must stand together:
 * scattered ones match nearly everything in a list of long names.
 */
export function fit(search: string, entry: Searched): number {
    const words = fold(search).split(/\s+/).filter(Boolean);
    return words.length === 0 ? 1 : Math.min(...words.map((word) => fitOfWord(word, entry)));
}

/** What fits, the best first, in the order given where it fits equally well. */
export function ranked<T>(search: string, entries: readonly T[], of: (entry: T) => Searched): { entry: T; fits: number }[] {
    const found = entries.map((entry) => ({ entry, fits: fit(search, of(entry)) })).filter(({ fits }) => fits > 0);
    return search.trim() === "" ? found : found.sort((a, b) => b.fits - a.fits);
}

function fitOfWord(word: string, { label, words, detail }: Searched): number {
    const at = label.indexOf(word);
    if (at === 0) {
        return 1;
    }
    if (at > 0) {
        return words.some((part) => part.startsWith(word)) ? 0.8 : 0.6;
    }
    return detail.includes(word) ? 0.3 : 0;
}

/** Case, and full or half width, make no difference. */
function fold(text: string): string {
    return text.normalize("NFKC").toLowerCase();
}
