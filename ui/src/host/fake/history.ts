/** Earlier texts of the sample: those saved in the fake, and two revisions of a repository, which the sample is none of. */
import type { FileHistory, VersionRef } from "../../generated/api";
import { asked } from "./asked";
import { type Disk, version } from "./disk";
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
    #disk: Disk;

    constructor(disk: Disk) {
        this.#disk = disk;
    }

    keep(path: string, texts: readonly string[]): void {
        const kept = this.#kept.get(path) ?? [];
        for (const text of texts) {
            if (kept[0]?.text !== text) {
                // If a text was saved twice, the times distinguish the two, even within one millisecond.
                kept.unshift({ id: version(text), text, at: Math.max(Date.now(), (kept[0]?.at ?? 0) + 1) });
            }
        }
        this.#kept.set(path, kept);
    }

    of(path: string, now: string): FileHistory {
        const kept = this.#kept.get(path) ?? [];
        const saved = kept.map(({ id, text, at }, index) => {
            const before = kept[index + 1];
            const changed = before === undefined ? null : asked(this.#disk, "text_lines", { a: before.text, b: text });
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
