/** Text with provenance, cut into pieces that can be drawn one after the other. */
import type { Origin, OriginMark, TextMark } from "../generated/api";

/** A stretch of text with one origin; `null` if no mark covers it. `from` is in UTF-16 units. */
export type Segment = { from: number; text: string; origin: Origin | null };

/** A run of whole lines, so that a long text can be laid out a piece at a time. */
export type Block = { from: number; lines: number; segments: Segment[] };

export type OriginKind = Origin["type"] | "unmarked";

export const ORIGIN_KINDS: readonly OriginKind[] = ["framework", "skill", "user", "tool", "withheld", "unmarked"];

/** Cuts `text` at the marks. If marks overlap, the one that starts last wins; the pieces joined give `text`. */
export function segments(text: string, marks: readonly TextMark[]): Segment[] {
    const ordered = marks
        .map((mark) => ({ from: boundary(text, mark.from), to: boundary(text, mark.to), origin: mark.origin }))
        .filter((mark) => mark.from < mark.to)
        .sort((a, b) => a.from - b.from);
    const cuts = [...new Set([0, text.length, ...ordered.flatMap((mark) => [mark.from, mark.to])])].sort((a, b) => a - b);

    const pieces: Segment[] = [];
    let open: TextMark[] = [];
    let next = 0;
    cuts.forEach((from, at) => {
        const to = cuts[at + 1];
        if (to === undefined) return;
        open = open.filter((mark) => mark.to > from);
        for (let mark = ordered[next]; mark !== undefined && mark.from <= from; mark = ordered[next]) {
            open.push(mark);
            next += 1;
        }
        append(pieces, { from, text: text.slice(from, to), origin: open.at(-1)?.origin ?? null });
    });
    return pieces;
}

/** Who put anything into `text`, without cutting it. */
export function kindsIn(text: string, marks: readonly TextMark[]): Set<OriginKind> {
    const kinds = new Set<OriginKind>();
    let covered = 0;
    for (const { from, to, origin } of marks.toSorted((a, b) => a.from - b.from)) {
        if (from < to) {
            kinds.add(originKind(origin));
        }
        if (from > covered) {
            kinds.add("unmarked");
        }
        covered = Math.max(covered, to);
    }
    return covered < text.length ? kinds.add("unmarked") : kinds;
}

/** The marks of a message in the shape of the marks of a text. */
export function textMarks(marks: readonly OriginMark[]): TextMark[] {
    return marks.map((mark) => ({ from: mark.span.start, to: mark.span.end, origin: mark.origin }));
}

/** Groups segments into blocks of about `lines` lines. Every block but the last ends with a line break. */
export function blocks(pieces: readonly Segment[], lines = 100): Block[] {
    const made: Block[] = [];
    let current: Block = { from: 0, lines: 0, segments: [] };
    for (const piece of pieces) {
        let rest = piece;
        for (;;) {
            const cut = endOfLine(rest.text, lines - current.lines);
            const head = { ...rest, text: rest.text.slice(0, cut.at) };
            if (head.text !== "") current.segments.push(head);
            current.lines += cut.lines;
            if (current.lines < lines) break;
            made.push(current);
            current = { from: rest.from + cut.at, lines: 0, segments: [] };
            rest = { ...rest, from: rest.from + cut.at, text: rest.text.slice(cut.at) };
            if (rest.text === "") break;
        }
    }
    if (current.segments.length > 0) made.push({ ...current, lines: current.lines + 1 });
    return made;
}

export function originKind(origin: Origin | null): OriginKind {
    return origin?.type ?? "unmarked";
}

/** The longest start of `text` within `limit` UTF-16 units that does not split a character. */
export function head(text: string, limit: number): string {
    return text.length <= limit ? text : text.slice(0, boundary(text, limit));
}

function append(pieces: Segment[], piece: Segment) {
    const last = pieces.at(-1);
    if (last && last.origin === piece.origin) last.text += piece.text;
    else pieces.push(piece);
}

/** Inside the text, and never between the two halves of a surrogate pair. */
function boundary(text: string, at: number): number {
    const inside = Math.min(Math.max(at, 0), text.length);
    return isLow(text.charCodeAt(inside)) && isHigh(text.charCodeAt(inside - 1)) ? inside - 1 : inside;
}

function isHigh(unit: number): boolean {
    return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
    return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Where the `wanted`th line of `text` ends, or the end of the text, and how many line breaks are before it. */
function endOfLine(text: string, wanted: number): { at: number; lines: number } {
    let at = 0;
    for (let lines = 0; lines < wanted; lines += 1) {
        const found = text.indexOf("\n", at);
        if (found < 0) return { at: text.length, lines };
        at = found + 1;
    }
    return { at, lines: wanted };
}
