/** How each framework takes the skills, by its default variant: for the editor, in step with the files on disk. */
import type { ComparedHarness, ComparedSkill, Comparison, Presence, QuirkDto } from "../generated/api";
import { host, toApiError, type Unlisten } from "../host";
import { defaults } from "./choice";
import { harnesses } from "./harnesses.svelte";
import { isWithin } from "./names";
import { onPush } from "./pushes";
import type { ApiError } from "../generated/api";

/** Milliseconds without a change on disk before the frameworks are asked. */
const REST = 300;

/** What one framework makes of one skill. */
export type Verdict = {
    harness: string;
    title: string;
    variant: string;
    refused: string | null;
    presence: Presence;
    quirks: readonly QuirkDto[];
};

export class Frameworks {
    comparison = $state.raw<Comparison | null>(null);
    error = $state.raw<ApiError | null>(null);
    #asked = 0;
    #timer: ReturnType<typeof setTimeout> | undefined;

    async refresh(): Promise<void> {
        const asked = ++this.#asked;
        try {
            if (harnesses.list.length === 0) {
                await harnesses.load();
            }
            const comparison = await host.call("compare", { roots: null, of: defaults(harnesses.list), prompt: null, cwd: null });
            if (asked === this.#asked) {
                this.comparison = comparison;
                this.error = null;
            }
        } catch (thrown) {
            if (asked === this.#asked) {
                this.error = toApiError(thrown);
            }
        }
    }

    /** Asks now, and again when something was saved or changed on disk; never for a key. The answer stops it. */
    watch(): Unlisten {
        void this.refresh();
        const unlisten = onPush((push) => push.type === "filesChanged" && this.soon());
        return () => {
            clearTimeout(this.#timer);
            unlisten();
        };
    }

    soon(): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.refresh(), REST);
    }

    /** Of the skill in this folder; `null` until the frameworks have answered. */
    verdicts(folder: string): Verdict[] | null {
        const { comparison } = this;
        if (comparison === null) {
            return null;
        }
        const skill = comparison.skills.find((each) => each.path === folder);
        const inside = foldersInside(folder, comparison.skills);
        return comparison.columns.map((column, at) => verdict(column, skill?.columns[at] ?? { type: "unseen" }, folder, inside));
    }
}

export const frameworks = new Frameworks();

/** Quirks of this skill: those that name it, and those that lie in its folder, but in none of the skills `inside` it. */
export function quirksOf(quirks: readonly QuirkDto[], presence: Presence, folder: string | null, inside: readonly string[]): QuirkDto[] {
    const id = presence.type === "loaded" ? presence.id : null;
    const here = (path: string, own: string) => isWithin(path, own) && !inside.some((other) => isWithin(path, other));
    return quirks.filter((quirk) =>
        quirk.path !== null && folder !== null ? here(quirk.path, folder) : quirk.skill !== null && quirk.skill === id,
    );
}

/** The folders of other skills that lie inside this one's. */
export function foldersInside(folder: string | null, skills: readonly ComparedSkill[]): string[] {
    return folder === null ? [] : skills.flatMap(({ path }) => (path !== null && path !== folder && isWithin(path, folder) ? [path] : []));
}

function verdict(column: ComparedHarness, presence: Presence, folder: string, inside: readonly string[]): Verdict {
    const { inspection, title, variantTitle } = column;
    return {
        harness: inspection.harness,
        title,
        variant: variantTitle,
        refused: inspection.refused,
        presence,
        quirks: quirksOf(inspection.quirks, presence, folder, inside),
    };
}
