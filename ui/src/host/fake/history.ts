/** Earlier texts of the sample: those saved in the fake, and two revisions of a repository. */
import type { DiffLine, FileHistory, LineDiff, VersionRef } from "../../generated/api";
import { version } from "./disk";
import { failure } from "./failure";

interface Kept {
    id: string;
    text: string;
    at: number;
}

const REVISIONS = [
    {
        id: "5f0e3c9a7d1b4e6f8a2c0d9b7e5f3a1c8d6b4e2f",
        committedAt: Date.UTC(2026, 9, 3, 9, 12),
        author: "Ada",
        subject: "Say when to use it",
    },
    { id: "a1b2c3d4e5f60718293a4b5c6d7e8f9012345678", committedAt: Date.UTC(2026, 8, 21, 17, 40), author: "Grace", subject: "Begin" },
];

export class FakeHistory {
    #kept = new Map<string, Kept[]>();

    keep(path: string, texts: readonly string[]): void {
        const kept = this.#kept.get(path) ?? [];
        for (const text of texts) {
            if (kept[0]?.text !== text) {
                // A text that was saved twice is told apart by its times, also if both fell into one millisecond.
                kept.unshift({ id: version(text), text, at: Math.max(Date.now(), (kept[0]?.at ?? 0) + 1) });
            }
        }
        this.#kept.set(path, kept);
    }

    of(path: string, now: string): FileHistory {
        const kept = this.#kept.get(path) ?? [];
        const saved = kept.map(({ id, text, at }, index) => {
            const before = kept[index + 1];
            const changed = before === undefined ? null : lineDiff(before.text, text);
            return {
                id,
                savedAt: at,
                size: text.length,
                changed: changed === null ? null : { added: changed.added, removed: changed.removed },
            };
        });
        const hasRevisions = now !== "" && path.endsWith("SKILL.md");
        return { saved, git: hasRevisions ? { type: "revisions", revisions: REVISIONS, more: false } : { type: "none" } };
    }

    text(path: string, of: VersionRef, now: string): string {
        if (of.type === "revision") {
            return of.id === REVISIONS[0]?.id ? now : now.split("\n").slice(0, 5).join("\n").concat("\n");
        }
        const found = this.#kept.get(path)?.find(({ id }) => id === of.id);
        if (found === undefined) {
            throw failure({ code: "notFound", message: `no version ${of.id} of ${path}`, hint: null, path, why: null });
        }
        return found.text;
    }
}

/** By the lines that both have at the beginning and the end: enough for a sample. */
export function lineDiff(a: string, b: string): LineDiff {
    const [before, after] = [linesOf(a), linesOf(b)];
    let start = 0;
    while (start < Math.min(before.length, after.length) && before[start] === after[start]) {
        start++;
    }
    let end = 0;
    while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) {
        end++;
    }
    const line = (kind: DiffLine["kind"], text: string, old: number | null, now: number | null): DiffLine => ({
        kind,
        text,
        before: old === null ? null : old + 1,
        after: now === null ? null : now + 1,
    });
    const shift = after.length - before.length;
    const same = (from: number, to: number, by: number): DiffLine[] =>
        before.slice(from, to).map((text, at) => line("same", text, from + at, from + at + by));
    const removed = before.slice(start, before.length - end).map((text, at) => line("removed", text, start + at, null));
    const added = after.slice(start, after.length - end).map((text, at) => line("added", text, null, start + at));
    const place = [
        ...same(Math.max(0, start - 3), start, 0),
        ...removed,
        ...added,
        ...same(before.length - end, Math.min(before.length, before.length - end + 3), shift),
    ];
    return { added: added.length, removed: removed.length, places: removed.length + added.length === 0 ? [] : [place] };
}

function linesOf(text: string): string[] {
    const lines = text.split("\n");
    return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
