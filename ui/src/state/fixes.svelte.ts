/** Repairs what rules find, in the texts of the editor: each file takes all of it as one step of undo. */
import type { FindingDto } from "../generated/api";
import { host } from "../host";
import { t } from "../i18n";
import { byFile, edited } from "./edits";
import { editor } from "./editor.svelte";
import { extract } from "./extract.svelte";
import { hasComments, ignoring } from "./ignore";
import { lint } from "./lint.svelte";
import { baseName } from "./names";
import type { OpenFile } from "./open-file.svelte";
import { toasts } from "./toasts.svelte";

/** The place of the button that was used; `null`: at the caret. */
export type Place = Pick<DOMRect, "left" | "top" | "bottom"> | null;

/** What the popover next to the text asks. */
export type Asked =
    | { type: "menu"; findings: readonly FindingDto[]; extracts: boolean; place: Place }
    | { type: "ignore"; finding: FindingDto; place: Place };

/** What a file became. */
interface Written {
    file: OpenFile;
    before: string;
    after: string;
}

export class Fixes {
    asked = $state.raw<Asked | null>(null);
    #last: Promise<void> = Promise.resolve();

    /** How many findings of the skill have a fix that keeps the meaning. */
    safe(path: string): number {
        return safe(path).length;
    }

    /** Fixes the finding at the caret; asks if there is a choice. Selected lines can be extracted, too. */
    atCaret(): void {
        const file = editor.active;
        if (file === null) {
            return;
        }
        const findings = findingsAt(file);
        const fixable = findings.filter((finding) => finding.fix !== null);
        const extracts = extract.offered();
        const [only] = fixable;
        if (findings.length === 0 && !extracts) {
            toasts.note(() => t("lint.nothingHere"));
        } else if (only && fixable.length === 1 && !extracts) {
            void this.apply(only);
        } else {
            this.asked = { type: "menu", findings, extracts, place: null };
        }
    }

    async apply(finding: FindingDto): Promise<void> {
        this.asked = null;
        await this.#alone(async () => {
            const now = await current(finding);
            if (!now?.fix) {
                toasts.note(() => t("lint.gone"));
                return;
            }
            const texts: [string, (text: string) => string][] = [];
            for (const [path, edits] of byFile(now.fix.edits)) {
                texts.push([path, (text) => edited(text, edits)]);
            }
            const written = await write(texts);
            // A visible change needs no message.
            if (written?.some(({ file }) => file !== editor.active)) {
                this.#tell(1, written);
            }
        });
    }

    /** All fixes of the skill that keep the meaning. */
    async all(): Promise<void> {
        const file = editor.active;
        if (file === null) {
            return;
        }
        await this.#alone(async () => {
            const { path, text } = file;
            const texts = editor.texts();
            const fixed = await toasts.guard(() => host.call("text_fix", { path, text, unsaved: editor.unsaved(path) }));
            if (fixed === null) {
                return;
            }
            if (fixed.texts.length === 0) {
                toasts.note(() => t("lint.nothingToFix"));
                return;
            }
            if (fixed.texts.some(({ path: changed }) => (editor.of(changed)?.text ?? "") !== (texts.get(changed) ?? ""))) {
                toasts.note(() => t("lint.typedMeanwhile"));
                return;
            }
            const before = safeByRule(path);
            const written = await write(fixed.texts.map((one) => [one.path, () => one.text]));
            if (written !== null) {
                const after = safeByRule(path);
                const gone = [...before].reduce((sum, [rule, count]) => sum + Math.max(0, count - (after.get(rule) ?? 0)), 0);
                this.#tell(Math.max(gone, fixed.fixes), written);
            }
        });
    }

    /** Whether a comment can let this finding pass. */
    ignorable(finding: FindingDto): boolean {
        return hasComments(baseName(finding.path)) && (editor.of(finding.path)?.readOnly ?? null) === null;
    }

    askToIgnore(finding: FindingDto, place: Place): void {
        this.asked = { type: "ignore", finding, place };
    }

    async ignore(finding: FindingDto, reason: string): Promise<void> {
        this.asked = null;
        await this.#alone(async () => {
            const now = await current(finding);
            if (now === null) {
                toasts.note(() => t("lint.gone"));
                return;
            }
            const written = await write([
                [
                    now.path,
                    (text) => {
                        const change = ignoring(baseName(now.path), text, now.range, now.rule, reason);
                        return change === null ? text : text.slice(0, change.from) + change.insert + text.slice(change.to);
                    },
                ],
            ]);
            if (written?.some(({ file }) => file !== editor.active)) {
                toasts.note(() => t("lint.ignoredIn", { name: baseName(now.path) }), {
                    label: () => t("lint.undo"),
                    run: () => undo(written),
                });
            }
        });
    }

    #tell(problems: number, written: readonly Written[]): void {
        toasts.note(() => t("lint.fixed", { n: problems, files: written.length }), {
            label: () => t("lint.undo"),
            run: () => undo(written),
        });
    }

    /** One repair after the other: each starts from the texts that the one before left. */
    #alone(work: () => Promise<void>): Promise<void> {
        this.#last = this.#last.then(work, work);
        return this.#last;
    }
}

export const fixes = new Fixes();

/** Those that the caret touches; else those on its line. */
export function findingsAt(file: OpenFile): FindingDto[] {
    const { caret, text } = file;
    const here = lint.findings(file.path).filter((finding) => finding.path === file.path && finding.range !== null);
    const touched = here.filter(({ range }) => range !== null && range.from <= caret && caret <= range.to);
    if (touched.length > 0) {
        return touched;
    }
    const start = text.lastIndexOf("\n", caret - 1) + 1;
    const end = text.indexOf("\n", caret);
    return here.filter(({ range }) => range !== null && range.from >= start && (end < 0 || range.from <= end));
}

function safe(path: string): FindingDto[] {
    return lint.findings(path).filter((finding) => finding.fix?.applicability === "safe");
}

/** A fix may reveal other problems, so the total that is left says little about what was fixed. */
function safeByRule(path: string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { rule } of safe(path)) {
        counts.set(rule, (counts.get(rule) ?? 0) + 1);
    }
    return counts;
}

/** The finding in the current texts; `null`: it is gone. */
async function current(finding: FindingDto): Promise<FindingDto | null> {
    await editor.catchUp();
    const now = lint.findings(finding.path);
    if (now.includes(finding)) {
        return finding;
    }
    return (
        now.find((other) => other.rule === finding.rule && other.path === finding.path && other.fingerprint === finding.fingerprint) ?? null
    );
}

/** All of the texts, or none: `null` if one cannot be opened or changed, which a toast says. */
async function write(texts: readonly [path: string, change: (text: string) => string][]): Promise<Written[] | null> {
    const written: Written[] = [];
    for (const [path, change] of texts) {
        const file = await editor.load(path);
        if (file === null) {
            return null;
        }
        if (file.readOnly !== null) {
            toasts.note(() => t("lint.readOnly", { name: file.name }));
            return null;
        }
        written.push({ file, before: file.text, after: change(file.text) });
    }
    for (const { file, after } of written) {
        file.write(after);
    }
    await editor.recheck();
    return written;
}

/** Text typed since then stays. */
function undo(written: readonly Written[]): void {
    const same = written.filter(({ file, after }) => editor.files.includes(file) && file.text === after);
    for (const { file, before } of same) {
        file.write(before);
    }
    if (same.length < written.length) {
        toasts.note(() => t("lint.undonePartly"));
    }
    void editor.recheck();
}
