/** A text compared with another, word by word, and cut into pieces that can be drawn: with origins, and without equal parts. */
import type { DiffKind, DiffPiece, Origin, TextMark } from "../generated/api";
import { segments, type Segment } from "../trace/segments";

/** `removed`: only in the other text. `hunk` counts the places that differ, from 0; `-1`: in the base, where another text differs. */
export type Stretch = { kind: DiffKind; text: string; origin: Origin | null; hunk: number | null };

/** Whole lines that are drawn, or folded away because they are equal. */
export type Part = { key: number; folded: boolean; lines: number; stretches: Stretch[] };

/** Equal lines that stay in sight around a difference. */
const AROUND = 2;
/** Fewer equal lines than this are not worth a fold. */
const FEWEST = 4;
/** Lines laid out at a time. */
const BLOCK = 100;

/** The text that `pieces` lead to, with what only the other one has in between. */
export function stretches(pieces: readonly DiffPiece[], marks: readonly TextMark[]): Stretch[] {
    const text = pieces.map((piece) => (piece.kind === "removed" ? "" : piece.text)).join("");
    const origins = new Origins(segments(text, marks));
    let hunk = -1;
    let differed = false;
    return pieces.flatMap((piece) => {
        const differs = piece.kind !== "same";
        hunk += differs && !differed ? 1 : 0;
        differed = differs;
        const place = differs ? hunk : null;
        if (piece.kind === "removed") {
            return [{ kind: piece.kind, text: piece.text, origin: null, hunk: place }];
        }
        return origins.take(piece.text.length).map(({ text, origin }) => ({ kind: piece.kind, text, origin, hunk: place }));
    });
}

/** The text that the others are compared with: `lacking` are the places that some other text lacks or says differently. */
export function baseStretches(text: string, marks: readonly TextMark[], lacking: readonly boolean[]): Stretch[] {
    let line = 0;
    return segments(text, marks).flatMap(({ text, origin }) =>
        text.split(/(?<=\n)/).map((part): Stretch => {
            const differs = lacking[line] ?? false;
            line += part.endsWith("\n") ? 1 : 0;
            return { kind: "same", text: part, origin, hunk: differs ? -1 : null };
        }),
    );
}

/** Lines of the base that at least one of the others does not have as they are. */
export function lackingLines(others: readonly (readonly DiffPiece[])[]): boolean[] {
    const lacking: (boolean | undefined)[] = [];
    for (const pieces of others) {
        let line = 0;
        for (const piece of pieces) {
            const breaks = piece.kind === "added" ? 0 : count(piece.text);
            if (piece.kind !== "same") {
                for (let at = line; at <= line + (piece.text.endsWith("\n") ? breaks - 1 : breaks); at++) {
                    lacking[at] = true;
                }
                lacking[line] = true;
            }
            line += breaks;
        }
    }
    return Array.from(lacking, (differs) => differs ?? false);
}

export function hunks(all: readonly Stretch[]): number {
    return all.reduce((most, stretch) => Math.max(most, (stretch.hunk ?? -1) + 1), 0);
}

/** `only`: equal parts are folded away, except for a few lines around each difference. */
export function parts(all: readonly Stretch[], only: boolean): Part[] {
    const lines = inLines(all);
    const near = only ? nearDifferences(lines) : lines.map(() => true);
    const made: Part[] = [];
    lines.forEach((line, at) => {
        const folded = near[at] === false;
        const last = made.at(-1);
        if (last === undefined || last.folded !== folded || (!folded && last.lines >= BLOCK)) {
            made.push({ key: at, folded, lines: 1, stretches: [...line] });
        } else {
            last.lines += 1;
            line.forEach((stretch) => append(last.stretches, stretch));
        }
    });
    return made.map((part) => (part.lines < FEWEST ? { ...part, folded: false } : part));
}

/** Which lines are drawn: those that differ, and those around them. */
function nearDifferences(lines: readonly Stretch[][]): boolean[] {
    const near = lines.map(() => false);
    lines.forEach((line, at) => {
        if (line.some((stretch) => stretch.hunk !== null)) {
            near.fill(true, Math.max(0, at - AROUND), Math.min(lines.length, at + AROUND + 1));
        }
    });
    return near;
}

function inLines(all: readonly Stretch[]): Stretch[][] {
    const lines: Stretch[][] = [];
    let open: Stretch[] = [];
    for (const stretch of all) {
        for (const text of stretch.text.split(/(?<=\n)/)) {
            open.push({ ...stretch, text });
            if (text.endsWith("\n")) {
                lines.push(open);
                open = [];
            }
        }
    }
    return open.length === 0 ? lines : [...lines, open];
}

function append(made: Stretch[], stretch: Stretch): void {
    const last = made.at(-1);
    if (last !== undefined && last.kind === stretch.kind && last.origin === stretch.origin && last.hunk === stretch.hunk) {
        last.text += stretch.text;
    } else {
        made.push({ ...stretch });
    }
}

function count(text: string): number {
    return text.split("\n").length - 1;
}

/** Hands out a text's segments, so many UTF-16 units at a time. */
class Origins {
    #at = 0;
    #used = 0;

    constructor(private readonly pieces: readonly Segment[]) {}

    take(length: number): Pick<Segment, "text" | "origin">[] {
        const taken: Pick<Segment, "text" | "origin">[] = [];
        for (let left = length; left > 0;) {
            const piece = this.pieces[this.#at];
            if (piece === undefined) {
                return taken;
            }
            const text = piece.text.slice(this.#used, this.#used + left);
            taken.push({ text, origin: piece.origin });
            left -= text.length;
            this.#used += text.length;
            if (this.#used === piece.text.length) {
                this.#at += 1;
                this.#used = 0;
            }
        }
        return taken;
    }
}
