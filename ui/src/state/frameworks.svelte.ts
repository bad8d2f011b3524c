/** How each framework takes a skill, by its default variant: for the editor, in step with its texts and with the disk. */
import type { ApiError, SkillVerdict } from "../generated/api";
import { host, toApiError, type Unlisten } from "../host";
import { defaults } from "./choice";
import { editor } from "./editor.svelte";
import { harnesses } from "./harnesses.svelte";
import { onChange } from "../host/changes";

/** Milliseconds without a change on disk or a key before the frameworks are asked. */
const REST = 300;
/** Large libraries take long: this many times the last wait passes between two. */
const PAUSE = 2;

export class Frameworks {
    #answer = $state.raw<{ folder: string; verdicts: SkillVerdict[] } | null>(null);
    /** The folder of the skill that is shown. */
    #folder: string | null = null;
    error = $state.raw<ApiError | null>(null);
    /** Paths of the files whose unsaved text is in the answer. */
    drafts = $state.raw<readonly string[]>([]);
    #timer: ReturnType<typeof setTimeout> | undefined;
    #asking = false;
    /** Something changed while an answer was under way. */
    #again = false;
    #took = 0;

    /** One at a time; what changes in the meantime is asked about behind it. */
    async refresh(): Promise<void> {
        clearTimeout(this.#timer);
        if (this.#asking) {
            this.#again = true;
            return;
        }
        this.#asking = true;
        const began = performance.now();
        const folder = this.#folder;
        try {
            if (harnesses.list.length === 0) {
                await harnesses.load();
            }
            if (folder === null) {
                return;
            }
            const unsaved = editor.drafts();
            const verdicts = await host.call("compare_skill", {
                of: {
                    roots: null,
                    of: defaults(harnesses.list),
                    prompt: null,
                    cwd: null,
                    neutralPaths: null,
                    unsaved,
                    without: [],
                },
                skill: folder,
            });
            this.#answer = { folder, verdicts };
            this.drafts = unsaved.map((draft) => draft.path);
            this.error = null;
        } catch (thrown) {
            this.error = toApiError(thrown);
        } finally {
            this.#took = performance.now() - began;
            this.#asking = false;
            if (this.#again) {
                this.#again = false;
                if (this.#folder === folder) {
                    this.soon();
                } else {
                    void this.refresh();
                }
            }
        }
    }

    /** Asks about the skill in this folder now, and again when something changed on disk. The answer stops it. */
    watch(folder: string): Unlisten {
        this.#folder = folder;
        void this.refresh();
        const unlisten = onChange("skills", () => this.soon());
        return () => {
            this.#folder = null;
            clearTimeout(this.#timer);
            unlisten();
        };
    }

    soon(): void {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.refresh(), Math.max(REST, PAUSE * this.#took));
    }

    /** Of the skill in this folder; `null` until the frameworks have answered. */
    verdicts(folder: string): SkillVerdict[] | null {
        return this.#answer?.folder === folder ? this.#answer.verdicts : null;
    }

    /** Drops the answers. */
    forget(): void {
        this.#answer = null;
    }
}

export const frameworks = new Frameworks();
