/** How well an entry of the palette fits what was typed. */

/** An entry with its search texts, which are made once, when first needed, not at every key. */
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
 * 0 if a word of `search` is not found, up to 1 if the label starts with it. Letters must be adjacent: scattered ones match nearly
 * everything in a list of long names.
 */
export function fit(search: string, entry: Searched): number {
    return fitOfWords(wordsOf(search), entry);
}

/** How well a word may fit, the best first. */
const GRADES = [1, 0.8, 0.6, 0.3];

/**
 * Matching entries, the best first, equal ones in the given order; `fits`: the score of the first one. Thousands may fit at each key, so
 * nothing is made for each of them.
 */
export function ranked<T>(search: string, entries: readonly T[], of: (entry: T) => Searched): { found: readonly T[]; fits: number } {
    const words = wordsOf(search);
    if (words.length === 0) {
        return { found: entries, fits: entries.length === 0 ? 0 : 1 };
    }
    const graded = new Map<number, T[]>(GRADES.map((grade) => [grade, []]));
    for (const entry of entries) {
        graded.get(fitOfWords(words, of(entry)))?.push(entry);
    }
    const lists = [...graded].filter(([, list]) => list.length > 0);
    const [first] = lists;
    if (first === undefined) {
        return { found: [], fits: 0 };
    }
    const [fits, best] = first;
    return { found: lists.length === 1 ? best : lists.flatMap(([, list]) => list), fits };
}

function wordsOf(search: string): readonly string[] {
    return fold(search).split(/\s+/).filter(Boolean);
}

function fitOfWords(words: readonly string[], entry: Searched): number {
    let least = 1;
    for (const word of words) {
        least = Math.min(least, fitOfWord(word, entry));
        if (least === 0) {
            break;
        }
    }
    return least;
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
