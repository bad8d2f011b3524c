/** How well an entry of the palette fits what was typed. */

/** An entry as it is searched. What is looked at is made when it is looked at first, once, not at every key. */
export class Searched {
    #label: string | undefined;
    #words: readonly string[] | undefined;
    #detail: string | undefined;

    constructor(private readonly of: { readonly label: string; readonly detail: string }) {}

    get label(): string {
        return (this.#label ??= fold(this.of.label));
    }

    /** The words of the label. */
    get words(): readonly string[] {
        return (this.#words ??= this.label.split(/[\s/._-]+/));
    }

    get detail(): string {
        return (this.#detail ??= fold(this.of.detail));
    }
}

/**
 * 0 where a word of `search` is found nowhere, up to 1 where the label starts with it. Letters must stand together:
 * scattered ones match nearly everything in a list of long names.
 */
export function fit(search: string, entry: Searched): number {
    return fitOfWords(wordsOf(search), entry);
}

/** What fits, the best first, in the order given where it fits equally well. */
export function ranked<T>(search: string, entries: readonly T[], of: (entry: T) => Searched): { entry: T; fits: number }[] {
    if (search.trim() === "") {
        return entries.map((entry) => ({ entry, fits: 1 }));
    }
    const words = wordsOf(search);
    const found = entries.map((entry) => ({ entry, fits: fitOfWords(words, of(entry)) })).filter(({ fits }) => fits > 0);
    return found.sort((a, b) => b.fits - a.fits);
}

function wordsOf(search: string): readonly string[] {
    return fold(search).split(/\s+/).filter(Boolean);
}

function fitOfWords(words: readonly string[], entry: Searched): number {
    return words.reduce((least, word) => (least === 0 ? 0 : Math.min(least, fitOfWord(word, entry))), 1);
}

function fitOfWord(word: string, entry: Searched): number {
    const at = entry.label.indexOf(word);
    if (at === 0) {
        return 1;
    }
    if (at > 0) {
        return entry.words.some((part) => part.startsWith(word)) ? 0.8 : 0.6;
    }
    return entry.detail.includes(word) ? 0.3 : 0;
}

/** Case, and full or half width, make no difference. */
function fold(text: string): string {
    return text.normalize("NFKC").toLowerCase();
}
