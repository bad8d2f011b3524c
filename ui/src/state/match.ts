/** How well an entry of the palette fits what was typed. */

/**
 * 0 where a word of `search` is found nowhere, up to 1 where the label starts with it. Letters must stand together:
 * scattered ones match nearly everything in a list of long names.
 */
export function fit(search: string, label: string, detail: string): number {
    const words = fold(search).split(/\s+/).filter(Boolean);
    return words.length === 0 ? 1 : Math.min(...words.map((word) => fitOfWord(word, fold(label), fold(detail))));
}

function fitOfWord(word: string, label: string, detail: string): number {
    const at = label.indexOf(word);
    if (at === 0) {
        return 1;
    }
    if (startsSomeWord(label, word)) {
        return 0.8;
    }
    if (at > 0) {
        return 0.6;
    }
    return detail.includes(word) ? 0.3 : 0;
}

function startsSomeWord(text: string, word: string): boolean {
    return text.split(/[\s/._-]+/).some((part) => part.startsWith(word));
}

/** Case, and full or half width, make no difference. */
function fold(text: string): string {
    return text.normalize("NFKC").toLowerCase();
}
