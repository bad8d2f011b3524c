/** The open files: which is shown, saving, and what to do when the disk moved on. */
import type { ApiError, FindingDto, TextCheck, TextRange, UnsavedText } from "../generated/api";
import { host, toApiError, type Unlisten } from "../host";
import { app } from "./app.svelte";
import { conflictsIn, settled, type Side } from "./conflicts";
import { lint } from "./lint.svelte";
import { isWithin } from "./names";
import { OpenFile, type Desk } from "./open-file.svelte";
import { onPush } from "./pushes";
import { skills } from "./skills.svelte";
import { toasts } from "./toasts.svelte";
import { trust } from "./trust.svelte";

/** An open file as it was when it was closed. */
export interface ClosedFile {
    /** Absolute. */
    path: string;
    /** `null`: nothing was unsaved. */
    unsaved: Pick<OpenFile, "text" | "base" | "version"> | null;
}

export interface Jump {
    file: OpenFile;
    range: Pick<TextRange, "from" | "to">;
}

/** A link that was opened and leads out of the open folders. */
export interface LedOut {
    path: string;
    /** `null`: unknown. */
    leadsTo: string | null;
    /** Why its folder could not be trusted. */
    error: ApiError | null;
}

export class Editor implements Desk {
    files = $state.raw<readonly OpenFile[]>([]);
    active = $state.raw<OpenFile | null>(null);
    /** Shown in place of a file. */
    ledOut = $state.raw<LedOut | null>(null);
    /** The caret's next position; the text view clears it. */
    jump = $state.raw<Jump | null>(null);
    /** The file that is being closed with unsaved text. */
    closing = $state.raw<OpenFile | null>(null);
    /** Frontmatter as a form. */
    form = $state(false);
    /** The search panel shall open; the text view clears it. */
    searching = $state(false);
    /** The text shall get the focus; the text view clears it. */
    entering = $state(false);
    readonly previews = $derived(app.settings.showPreview);
    readonly dirty = $derived(this.files.filter((file) => file.dirty));
    readonly saving = $derived(this.files.some((file) => file.saving !== null));

    async open(path: string, range?: Pick<TextRange, "from" | "to">): Promise<void> {
        const file = this.of(path) ?? (await this.#read(path, (link) => (this.ledOut = link)));
        if (file) {
            this.show(file);
            if (range) {
                this.jump = { file, range };
            }
        }
    }

    /** Opens a file behind the one that is shown. `null`: it cannot be read, and a toast says why. */
    async load(path: string): Promise<OpenFile | null> {
        return this.of(path) ?? (await this.#read(path));
    }

    /** A file that is not there yet, behind the one that is shown. The first save makes it. */
    fresh(path: string): OpenFile {
        const file = new OpenFile({ path, version: "", text: "", bom: false, newline: "lf", readOnly: null }, this);
        file.version = null;
        this.files = [...this.files, file];
        return file;
    }

    /** Trusts the folder that the link leads to, and opens what it leads to. */
    async trust(link: LedOut, folder: string): Promise<void> {
        await trust.add(folder);
        if (this.ledOut !== link) {
            return;
        }
        if (trust.error === null) {
            await this.open(link.path);
        } else {
            this.ledOut = { ...link, error: trust.error };
        }
    }

    /** Brings `file` to the front and selects its skill. */
    show(file: OpenFile): void {
        this.ledOut = null;
        this.active = file;
        const skill = skills.skillOf(file.path);
        if (skill && skill.id !== skills.selected) {
            void skills.select(skill.id);
        }
    }

    of(path: string): OpenFile | null {
        return this.files.find((file) => file.path === path) ?? null;
    }

    find(): void {
        this.searching = this.active !== null;
    }

    async togglePreview(): Promise<void> {
        const changed = app.change({ showPreview: !app.settings.showPreview });
        await Promise.all(this.files.filter((file) => file.isMarkdown).map((file) => file.refresh()));
        await changed;
    }

    /** Asks first if text would be lost. */
    close(file: OpenFile): void {
        if (file.dirty) {
            this.show(file);
            this.closing = file;
        } else {
            this.drop(file);
        }
    }

    /** Closes without asking. */
    drop(file: OpenFile): void {
        const at = this.files.indexOf(file);
        file.close();
        this.files = this.files.filter((other) => other !== file);
        if (this.active === file) {
            this.active = null;
            const neighbour = this.files[at] ?? this.files[at - 1];
            if (neighbour) {
                this.show(neighbour);
            }
        }
        if (this.closing === file) {
            this.closing = null;
        }
        const beside = this.files.find((other) => sameSkill(other, file));
        if (!beside) {
            lint.leave(file.path);
        } else if (file.dirty) {
            // Findings in the discarded text are gone.
            void beside.refresh();
        }
    }

    texts(): ReadonlyMap<string, string> {
        return new Map(this.files.map((file) => [file.path, file.text]));
    }

    unsaved(path: string): UnsavedText[] {
        return this.drafts().filter((draft) => draft.path !== path);
    }

    /** All texts that are not saved. */
    drafts(): UnsavedText[] {
        return this.dirty.map(({ path, text }) => ({ path, text }));
    }

    /** If another file of the same skill was edited in the meantime, it asks again itself, and old answers are dropped. */
    looked(): Promise<boolean> {
        return lint.looked();
    }

    found(file: OpenFile, { findings, security }: Pick<TextCheck, "findings" | "security">, texts: ReadonlyMap<string, string>): void {
        const beside = this.files.filter((other) => sameSkill(other, file));
        if (beside.includes(file) && beside.every((other) => (texts.get(other.path) ?? other.base) === other.text)) {
            lint.took(file.path, { findings: findings.map((finding) => this.#repairable(finding)), security, texts });
        }
    }

    /** Nothing repairs a file that cannot be edited. */
    #repairable(finding: FindingDto): FindingDto {
        const locked = finding.fix?.edits.some((edit) => (this.of(edit.path)?.readOnly ?? null) !== null) === true;
        return locked ? { ...finding, fix: null } : finding;
    }

    /** Asks again if there is no answer for the current texts: a skill was moved, or its folder opened or closed. */
    async catchUp(): Promise<void> {
        if (this.files.some((file) => !lint.isOf(file.path, file.text))) {
            await this.recheck();
        }
    }

    /** Asks once for each skill that has an open file. */
    async recheck(): Promise<void> {
        const first = this.active ? [this.active, ...this.files] : this.files;
        const each = first.filter((file, at) => !first.slice(0, at).some((other) => sameSkill(other, file)));
        await Promise.all(each.map((file) => file.refresh()));
    }

    /** The tab `by` places on from the active one, around the end. */
    step(by: 1 | -1): void {
        const count = this.files.length;
        const at = this.active ? this.files.indexOf(this.active) : 0;
        const next = this.files[(at + by + count) % count];
        if (next) {
            this.show(next);
        }
    }

    /** `false`: nothing was written; the bar or a toast says why. */
    async save(file: OpenFile, force = false): Promise<boolean> {
        if (file.readOnly !== null) {
            return false;
        }
        await file.saving;
        let done = false;
        const work = toasts.guard(async () => {
            done = await this.#save(file, force);
        });
        file.saving = work.then(() => {
            file.saving = null;
        });
        await file.saving;
        return done;
    }

    async saveAll(): Promise<boolean> {
        const saved = await Promise.all(this.dirty.map((file) => this.save(file)));
        return saved.every((done) => done);
    }

    /** The unsaved text stays, and the next save writes it over theirs. */
    keepMine(file: OpenFile): void {
        if (file.outside?.type === "changed") {
            file.rebase(file.outside.theirs);
        }
    }

    takeTheirs(file: OpenFile): void {
        if (file.outside?.type === "changed") {
            file.take(file.outside.theirs);
        }
    }

    /** Brings both together. The answer counts the places that both sides changed; `null`: it could not be done. */
    async merge(file: OpenFile): Promise<number | null> {
        const { outside, base, text: mine } = file;
        if (outside?.type !== "changed") {
            return null;
        }
        const merged = await toasts.guard(() => host.call("text_merge", { base, mine, theirs: outside.theirs.text }));
        if (merged === null || file.text !== mine || file.outside !== outside) {
            return null;
        }
        file.rebase(outside.theirs);
        file.write(merged.text);
        return merged.conflicts;
    }

    /** Takes one side, or both, at every conflict that is left. */
    settle(file: OpenFile, side: Side): void {
        if (file.readOnly === null) {
            file.write(settled(file.text, side));
        }
    }

    /** The conflict after the caret, around the end. */
    toConflict(file: OpenFile): void {
        const left = conflictsIn(file.text);
        const next = left.find(({ from }) => from > file.caret) ?? left[0];
        if (next) {
            this.jump = { file, range: { from: next.from, to: next.from } };
        }
    }

    /** The problem after (1) or before (-1) the caret, around the end. */
    toProblem(by: 1 | -1): void {
        const file = this.active;
        const here = file === null ? [] : lint.findings(file.path).filter((finding) => finding.path === file.path);
        const places = here.map((finding) => finding.range).filter((range) => range !== null);
        places.sort((a, b) => a.from - b.from);
        const next =
            by === 1
                ? places.find((range) => range.from > (file?.caret ?? 0))
                : places.findLast((range) => range.from < (file?.caret ?? 0));
        const range = next ?? places.at(by === 1 ? 0 : -1);
        if (file && range) {
            this.jump = { file, range };
        }
    }

    showFinding(finding: FindingDto): Promise<void> {
        return this.open(finding.path, finding.range ?? { from: 0, to: 0 });
    }

    /** Open files follow a rename of themselves or of a folder above. */
    moved(from: string, to: string): void {
        lint.moved(from);
        for (const file of this.files) {
            if (isWithin(file.path, from)) {
                file.path = to + file.path.slice(from.length);
            }
        }
        void this.catchUp();
    }

    /** Closes what was deleted on purpose. The answer is for `reopen`. */
    trashed(path: string): ClosedFile[] {
        const closed = this.files.filter((open) => isWithin(open.path, path));
        closed.forEach((file) => this.drop(file));
        return closed.map(({ path, dirty, text, base, version }) => ({ path, unsaved: dirty ? { text, base, version } : null }));
    }

    /** Opens files behind the one that is shown, with what was unsaved in them. If the disk has another text by now, the file asks. */
    async reopen(closed: readonly ClosedFile[]): Promise<void> {
        for (const { path, unsaved } of closed) {
            const file = await this.load(path);
            if (file === null || file.dirty || unsaved === null) {
                continue;
            }
            const { disk } = file;
            file.base = unsaved.base;
            file.version = unsaved.version;
            file.write(unsaved.text);
            if (disk !== undefined) {
                this.#diskHas(file, disk);
            }
        }
    }

    /** Follows the disk; the answer stops it. */
    watch(): Unlisten {
        return onPush((push) => {
            if (push.type === "filesChanged") {
                void this.reread().then(() => this.recheck());
            }
        });
    }

    /** Looks at the disk: untouched texts follow it, unsaved ones are asked about. */
    async reread(): Promise<void> {
        await Promise.all(this.files.map((file) => this.#reread(file)));
    }

    /** The target of a link to the outside is read once its folder is trusted; `onLedOut` is called for that instead of showing a toast. */
    async #read(path: string, onLedOut?: (link: LedOut) => void): Promise<OpenFile | null> {
        const text = await toasts.guard(async () => {
            try {
                return await host.call("file_read", { path });
            } catch (thrown) {
                const { code, path: leadsTo } = toApiError(thrown);
                if (code !== "untrusted" || onLedOut === undefined) {
                    throw thrown;
                }
                onLedOut({ path, leadsTo, error: null });
                return null;
            }
        });
        // Two clicks ask twice; the second finds what the first opened.
        const known = this.of(path);
        if (text === null || known) {
            return known;
        }
        const file = new OpenFile(text, this);
        this.files = [...this.files, file];
        void file.refresh();
        return file;
    }

    async #save(file: OpenFile, force: boolean): Promise<boolean> {
        const { path, text, version } = file;
        const result = await host.call("file_save", { path, text, base: version, force });
        switch (result.type) {
            case "saved":
                file.base = text;
                file.version = result.version;
                file.savedAt = Date.now();
                file.outside = null;
                lint.soon();
                return true;
            case "changed":
                this.#diskHas(file, result.theirs);
                return false;
            case "gone":
                file.outside = { type: "gone" };
                return false;
        }
    }

    async #reread(file: OpenFile): Promise<void> {
        await file.saving;
        const { path, version } = file;
        try {
            const theirs = await host.call("file_read", { path });
            // A save in between makes this answer an old one.
            if (file.path === path && file.version === version && file.saving === null) {
                this.#diskHas(file, theirs);
            }
        } catch (thrown) {
            // A file that was never saved cannot be missing.
            if (toApiError(thrown).code === "notFound" && file.path === path && version !== null) {
                file.outside = { type: "gone" };
            }
        }
    }

    #diskHas(file: OpenFile, theirs: OpenFile["disk"] & {}): void {
        if (theirs.version === file.version) {
            file.outside = null;
        } else if (!file.dirty) {
            file.take(theirs);
        } else if (theirs.text === file.text) {
            file.rebase(theirs);
        } else {
            file.outside = { type: "changed", theirs };
        }
    }
}

export const editor = new Editor();

function sameSkill(a: OpenFile, b: OpenFile): boolean {
    return a === b || (skills.skillOf(a.path)?.id ?? a.path) === (skills.skillOf(b.path)?.id ?? b.path);
}
