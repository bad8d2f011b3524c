/** New file, rename, delete: which of them is being asked about, and doing it. */
import type { ApiError, Mention } from "../generated/api";
import { host, toApiError } from "../host";
import { t } from "../i18n";
import { deleted } from "./deleted.svelte";
import { byFile, edited } from "./edits";
import { editor } from "./editor.svelte";
import { baseName, isWithin, join, parentOf } from "./names";
import type { OpenFile } from "./open-file.svelte";
import { skills } from "./skills.svelte";
import { toasts } from "./toasts.svelte";

export interface Target {
    /** Absolute. */
    path: string;
    /** The last part, as shown. */
    name: string;
    /** The skill it is, or belongs to. */
    skill: string;
    isSkill: boolean;
}

export type Asked = { type: "newFile" | "rename" | "duplicate" | "delete"; target: Target };

/** Milliseconds without a key before it is asked what follows a name. */
export const REST = 150;

/** What a text was, and became. */
interface Followed {
    path: string;
    before: string;
    after: string;
    /** Nothing else of it was unsaved: it is saved at once. */
    saved: boolean;
}

export class FileActions {
    asked = $state.raw<Asked | null>(null);
    /** Places that name the file or skill that is about to be renamed. */
    mentions = $state.raw<readonly Mention[]>([]);
    /** They get the new name too. */
    follows = $state(true);
    /** Why the last try did not work; shown next to the field. */
    failed = $state.raw<ApiError | null>(null);
    #looked = 0;
    #timer: ReturnType<typeof setTimeout> | undefined;

    ask(type: Asked["type"], target: Target): void {
        this.failed = null;
        this.mentions = [];
        this.follows = true;
        this.asked = { type, target };
    }

    cancel(): void {
        clearTimeout(this.#timer);
        this.#looked++;
        this.asked = null;
    }

    /** The changes that would follow, shown before anything is changed. */
    preview(target: Target, name: string): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.#look(target, name), REST);
    }

    newFile(target: Target, name: string): Promise<void> {
        return this.#try(async () => {
            await editor.open(await skills.createFile(target.skill, name));
        });
    }

    /** The name, and what mentions it: taken back as one. */
    rename(target: Target, name: string): Promise<void> {
        return this.#try(async () => {
            const mentions = this.follows ? await mentionsOf(target, name) : [];
            const files = await opened(mentions);
            const to = await skills.rename(target.path, name);
            editor.moved(target.path, to);
            const followed = await write(mentions, files, (path) => movedPath(path, target.path, to));
            if (followed.length > 0) {
                toasts.note(() => t("skills.followed", { name: baseName(to), n: mentions.length, files: followed.length }), {
                    label: () => t("skills.undoRename"),
                    run: () => void this.#takeBack(target.path, to, followed),
                });
            }
        });
    }

    /** Another skill with the same files; it is opened. */
    duplicate(target: Target, name: string): Promise<void> {
        return this.#try(async () => {
            const { id } = await host.call("skill_copy", { skill: target.skill, name });
            skills.toggled.add(`skill:${id}`);
            await skills.fresh;
            await skills.select(id);
            await editor.open(join(id, "SKILL.md"));
        });
    }

    async trash(target: Target): Promise<void> {
        this.asked = null;
        const trashed = await deleted.put(target.path);
        if (trashed !== null) {
            toasts.note(() => t("skills.deleted", { name: target.name }), {
                label: () => t("lint.undo"),
                run: () => void toasts.guard(() => deleted.putBack(trashed)),
            });
        }
    }

    async #look(target: Target, name: string): Promise<void> {
        const looked = ++this.#looked;
        const mentions = await mentionsOf(target, name).catch(() => []);
        if (looked === this.#looked) {
            this.mentions = mentions;
        }
    }

    async #takeBack(from: string, to: string, followed: readonly Followed[]): Promise<void> {
        await toasts.guard(async () => {
            // The folders above may be others too: the name was a path.
            await host.call("file_move", { from: to, to: from });
            await skills.fresh;
            editor.moved(to, from);
            let typed = false;
            for (const { path, before, after, saved } of followed) {
                const here = movedPath(path, to, from);
                const wasOpen = editor.of(here) !== null;
                const file = await editor.load(here);
                if (file?.text !== after) {
                    typed = true;
                    continue;
                }
                file.write(before);
                await (saved ? keep(file, wasOpen) : undefined);
            }
            if (typed) {
                toasts.note(() => t("lint.undonePartly"));
            }
        });
    }

    async #try(work: () => Promise<void>): Promise<void> {
        try {
            await work();
            this.asked = null;
        } catch (thrown) {
            this.failed = toApiError(thrown);
        }
    }
}

export const fileActions = new FileActions();

function mentionsOf(target: Target, name: string): Promise<Mention[]> {
    const to = join(parentOf(target.path), name);
    return host.call("file_mentions", { from: target.path, to, unsaved: editor.drafts() });
}

/** A path after `from` was moved to `to`. */
function movedPath(path: string, from: string, to: string): string {
    return isWithin(path, from) ? to + path.slice(from.length) : path;
}

/** The files with mentions, before anything is moved, and whether they were open already. */
async function opened(mentions: readonly Mention[]): Promise<ReadonlyMap<OpenFile, boolean>> {
    const files = new Map<OpenFile, boolean>();
    for (const path of new Set(mentions.map((mention) => mention.path))) {
        const wasOpen = editor.of(path) !== null;
        const file = await editor.load(path);
        if (file !== null && file.readOnly === null) {
            files.set(file, wasOpen);
        }
    }
    return files;
}

/** `then`: gets the new path of a file. */
async function write(
    mentions: readonly Mention[],
    files: ReadonlyMap<OpenFile, boolean>,
    then: (path: string) => string,
): Promise<Followed[]> {
    const followed: Followed[] = [];
    for (const [path, edits] of byFile(mentions)) {
        const [file, wasOpen] = [...files].find(([open]) => open.path === then(path)) ?? [null, false];
        if (file === null) {
            continue;
        }
        const saved = !file.dirty;
        const before = file.text;
        file.write(
            edited(
                before,
                edits.map(({ place, text }) => ({ range: place.range, text })),
            ),
        );
        followed.push({ path: file.path, before, after: file.text, saved });
        await (saved ? keep(file, wasOpen) : undefined);
    }
    await editor.recheck();
    return followed;
}

/** Saves it, and closes it if it was opened only for that. */
async function keep(file: OpenFile, wasOpen: boolean): Promise<void> {
    if ((await editor.save(file)) && !wasOpen && editor.active !== file) {
        editor.drop(file);
    }
}
