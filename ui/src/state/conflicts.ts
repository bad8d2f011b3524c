/** Conflicts of a merge in a text: the lines of both sides between markers. */

interface Range {
    from: number;
    to: number;
}

/** Places in UTF-16 units. Lines are whole, with their ends. */
export interface Conflict extends Range {
    mine: Range;
    theirs: Range;
}

export type Side = "mine" | "theirs" | "both";

/** Those that are whole: a marker without the others is a line like any other. */
export function conflictsIn(text: string): Conflict[] {
    const found: Conflict[] = [];
    if (!text.includes("<<<<<<< ")) {
        return found;
    }
    /** Its beginning and its sides, as far as they are known. */
    let open: { from: number; mine: number; mineEnd: number | null; theirs: number | null } | null = null;
    for (let from = text.startsWith("<<<<<<< ") ? 0 : next(text, 0); from < text.length; from = next(text, from)) {
        const to = next(text, from);
        if (text.startsWith("<<<<<<< ", from)) {
            open = { from, mine: to, mineEnd: null, theirs: null };
        } else if (open === null) {
            continue;
        } else if (text.startsWith("|||||||", from) && open.mineEnd === null) {
            // What both came from, if git wrote that too.
            open.mineEnd = from;
        } else if (text.startsWith("=======", from) && text.slice(from, to).trimEnd() === "=======" && open.theirs === null) {
            open.mineEnd ??= from;
            open.theirs = to;
        } else if (text.startsWith(">>>>>>>", from) && open.mineEnd !== null && open.theirs !== null) {
            const { mine, mineEnd, theirs } = open;
            found.push({ from: open.from, to, mine: { from: mine, to: mineEnd }, theirs: { from: theirs, to: from } });
            open = null;
        }
    }
    return found;
}

/** The lines that stay. */
export function chosen(text: string, { mine, theirs }: Conflict, side: Side): string {
    const [ours, others] = [text.slice(mine.from, mine.to), text.slice(theirs.from, theirs.to)];
    return side === "mine" ? ours : side === "theirs" ? others : ours + others;
}

/** The text with the same choice at each conflict. */
export function settled(text: string, side: Side): string {
    return conflictsIn(text).reduceRight(
        (whole, conflict) => whole.slice(0, conflict.from) + chosen(text, conflict, side) + whole.slice(conflict.to),
        text,
    );
}

/** Where the line after this one begins. */
function next(text: string, from: number): number {
    const end = text.indexOf("\n", from);
    return end < 0 ? text.length : end + 1;
}
