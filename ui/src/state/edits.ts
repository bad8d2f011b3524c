/** Texts with edits in them. */
import type { EditDto } from "../generated/api";

/** What to put in place of `from` to `to`, in UTF-16 units of the text before. */
export interface Change {
    from: number;
    to: number;
    insert: string;
}

/** The text after the edits, which do not overlap. */
export function edited(text: string, edits: readonly Pick<EditDto, "range" | "text">[]): string {
    const backwards = [...edits].sort((a, b) => b.range.from - a.range.from || b.range.to - a.range.to);
    return backwards.reduce((whole, { range, text: insert }) => whole.slice(0, range.from) + insert + whole.slice(range.to), text);
}

/** Edits by the file they are in. */
export function byFile<Edit extends Pick<EditDto, "path">>(edits: readonly Edit[]): Map<string, Edit[]> {
    const files = new Map<string, Edit[]>();
    for (const edit of edits) {
        files.set(edit.path, [...(files.get(edit.path) ?? []), edit]);
    }
    return files;
}

/** Small changes that turn `before` into `after`, so that carets and marks stay where they can. */
export function differences(before: string, after: string): Change[] {
    const whole = difference(before, after);
    const old = lines(before.slice(whole.from, whole.to));
    const young = lines(whole.insert);
    // Many changed lines: each is changed on its own, so that the ones between keep their places.
    if (old.length !== young.length || old.length < 2) {
        return whole.from === whole.to && whole.insert === "" ? [] : [whole];
    }
    const changes: Change[] = [];
    let at = whole.from;
    for (const [index, line] of old.entries()) {
        const change = difference(line, young[index] ?? "");
        if (change.from !== change.to || change.insert !== "") {
            changes.push({ from: at + change.from, to: at + change.to, insert: change.insert });
        }
        at += line.length;
    }
    return changes;
}

/** The smallest single change. */
export function difference(before: string, after: string): Change {
    const shorter = Math.min(before.length, after.length);
    let from = 0;
    while (from < shorter && before[from] === after[from]) {
        from++;
    }
    let end = 0;
    while (end < shorter - from && before[before.length - 1 - end] === after[after.length - 1 - end]) {
        end++;
    }
    return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

/** With their ends. */
function lines(text: string): string[] {
    return text.split(/(?<=\n)/);
}
