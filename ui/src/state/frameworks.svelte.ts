/** How each framework takes the skills, by its default variant: for the editor, in step with its texts and with the disk. */
import type { ComparedHarness, ComparedSkill, Comparison, Presence, QuirkDto, Worded } from "../generated/api";
import { host, toApiError, type Unlisten } from "../host";
import { defaults } from "./choice";
import { editor } from "./editor.svelte";
import { harnesses } from "./harnesses.svelte";
import { parentOf } from "./names";
import { onChange } from "../host/changes";
import type { ApiError } from "../generated/api";

/** Milliseconds without a change on disk or a key before the frameworks are asked. */
const REST = 300;
/** Large libraries take long: this many times the last wait passes between two. */
const PAUSE = 2;

/** What one framework makes of one skill. */
export type Verdict = {
    harness: string;
    title: string;
    variant: Worded;
    refused: string | null;
    presence: Presence;
    quirks: readonly QuirkDto[];
};

export class Frameworks {
    comparison = $state.raw<Comparison | null>(null);
    error = $state.raw<ApiError | null>(null);
    /** Paths of the files whose unsaved text is in the answer. */
    drafts = $state.raw<readonly string[]>([]);
    #timer: ReturnType<typeof setTimeout> | undefined;
    #asking = false;
    /** Something changed while an answer was under way. */
    #again = false;
    #took = 0;

    /** One at a time; what changes meanwhile is asked about behind it. */
    async refresh(): Promise<void> {
        clearTimeout(this.#timer);
        if (this.#asking) {
            this.#again = true;
            return;
        }
        this.#asking = true;
        const began = performance.now();
        try {
            if (harnesses.list.length === 0) {
                await harnesses.load();
            }
            const unsaved = editor.drafts();
            const of = defaults(harnesses.list);
            this.comparison = await host.call("compare", {
                roots: null,
                of,
                prompt: null,
                cwd: null,
                neutralPaths: null,
                unsaved,
                without: [],
                detail: "verdicts",
            });
            this.drafts = unsaved.map((draft) => draft.path);
            this.error = null;
        } catch (thrown) {
            this.error = toApiError(thrown);
        } finally {
            this.#took = performance.now() - began;
            this.#asking = false;
            if (this.#again) {
                this.#again = false;
                this.soon();
            }
        }
    }

    /** Asks now, and again when something changed on disk. The answer stops it. */
    watch(): Unlisten {
        void this.refresh();
        const unlisten = onChange("skills", () => this.soon());
        return () => {
            clearTimeout(this.#timer);
            unlisten();
        };
    }

    soon(): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.refresh(), Math.max(REST, PAUSE * this.#took));
    }

    /** Of the skill in this folder; `null` until the frameworks have answered. */
    verdicts(folder: string): Verdict[] | null {
        const { comparison } = this;
        if (comparison === null) {
            return null;
        }
        const skill = comparison.skills.find((each) => each.path === folder);
        return comparison.columns.map((column, at) => {
            const presence: Presence = skill?.columns[at] ?? { type: "unseen" };
            return verdict(column, presence, sortedQuirks(column.inspection.quirks, comparison.skills)(presence, folder));
        });
    }
}

export const frameworks = new Frameworks();

/** The quirks of a skill in a folder, as `presence` has it; `folder`: `null` for an inline skill. */
export type QuirksOf = (presence: Presence, folder: string | null) => QuirkDto[];

/**
 * A quirk is of the skill that it names, or of the innermost skill that it lies in. Each is looked at once, however many
 * skills there are.
 */
export function sortedQuirks(quirks: readonly QuirkDto[], skills: readonly ComparedSkill[]): QuirksOf {
    const folders = foldersOf(skills);
    const inFolder = new Map<string, number[]>();
    const named = new Map<string, number[]>();
    const put = (map: Map<string, number[]>, key: string, at: number): void => {
        const places = map.get(key);
        if (places === undefined) {
            map.set(key, [at]);
        } else {
            places.push(at);
        }
    };
    quirks.forEach(({ path, skill }, at) => {
        const folder = path === null ? null : folderOf(path, folders);
        if (folder !== null) {
            put(inFolder, folder, at);
        }
        if (skill !== null) {
            put(named, skill, at);
        }
    });
    return (presence, folder) => {
        const byName = presence.type === "loaded" ? (named.get(presence.id) ?? []) : [];
        const places = folder === null ? byName : [...(inFolder.get(folder) ?? []), ...byName.filter((at) => quirks[at]?.path === null)];
        return places.sort((a, b) => a - b).flatMap((at) => quirks[at] ?? []);
    };
}

const known = new WeakMap<readonly ComparedSkill[], ReadonlySet<string | null>>();

/** Made once for all columns. */
function foldersOf(skills: readonly ComparedSkill[]): ReadonlySet<string | null> {
    const folders = known.get(skills) ?? new Set(skills.map((skill) => skill.path));
    known.set(skills, folders);
    return folders;
}

/** The innermost folder of a skill that a path is or lies in. */
function folderOf(path: string, folders: ReadonlySet<string | null>): string | null {
    for (let at = path; ; at = parentOf(at)) {
        if (folders.has(at)) {
            return at;
        }
        if (parentOf(at) === at) {
            return null;
        }
    }
}

function verdict(column: ComparedHarness, presence: Presence, quirks: readonly QuirkDto[]): Verdict {
    const { inspection, title, variantTitle } = column;
    return {
        harness: inspection.harness,
        title,
        variant: variantTitle,
        refused: inspection.refused,
        presence,
        quirks,
    };
}
