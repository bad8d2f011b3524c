/** Texts that went to the model as JSON strings, as some frameworks send what tools return, and what they say. */
import type { TextMark } from "../generated/api";

/** Whether the one text is the other, written as a JSON string. */
export function isEscaped(wire: string, text: string): boolean {
    return unescaped(wire) === text;
}

/** The value of a JSON string, with the marks moved accordingly; `null`: it is not a string, or has no escapes. */
export function readable(text: string, marks: readonly TextMark[]): { text: string; marks: TextMark[] } | null {
    const read = text.includes("\\") ? unescaped(text) : null;
    return read === null ? null : { text: read, marks: moved(text, marks) };
}

function unescaped(text: string): string | null {
    if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) {
        return null;
    }
    try {
        const value: unknown = JSON.parse(text);
        return typeof value === "string" ? value : null;
    } catch {
        return null;
    }
}

const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|.)/g;

/** Inside of an escape nothing begins: a place there is that of the character. */
function moved(text: string, marks: readonly TextMark[]): TextMark[] {
    const places = [...new Set(marks.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
    const to = new Map<number, number>();
    /** How much was removed before the place: the quotation mark, and all but one unit of each escape. */
    let gone = 1;
    let next = 0;
    const take = (until: number, place: (at: number) => number) => {
        for (let at = places[next]; at !== undefined && at < until; at = places[next]) {
            to.set(at, Math.max(0, place(at)));
            next += 1;
        }
    };
    for (const { 0: escape, index } of text.matchAll(ESCAPE)) {
        take(index + 1, (at) => at - gone);
        take(index + escape.length, () => index - gone);
        gone += escape.length - 1;
        if (next >= places.length) break;
    }
    const end = text.length - 1;
    take(Number.POSITIVE_INFINITY, (at) => Math.min(at, end) - gone);
    return marks.map((mark) => ({ ...mark, from: to.get(mark.from) ?? 0, to: to.get(mark.to) ?? 0 }));
}
