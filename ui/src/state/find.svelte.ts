/** Looking for a text in all files of all skills. Unsaved text counts. */
import type { ApiError, FoundFile, FoundPlace, FoundTexts, LargeFile } from "../generated/api";
import { host, toApiError } from "../host";
import { app } from "./app.svelte";
import { editor } from "./editor.svelte";

/** Milliseconds without typing before the search starts. */
export const REST = 200;

/** Places that are listed; with so many, a better question helps more than a longer list. */
export const MOST = 5000;

export type FindRow =
    | { type: "skill"; key: string; name: string; places: number }
    | { type: "file"; key: string; file: FoundFile }
    | { type: "place"; key: string; file: FoundFile; place: FoundPlace; at: number };

export type FindOption = "matchCase" | "wholeWords" | "regex";

export class Find {
    open = $state(false);
    text = $state("");
    matchCase = $state(false);
    wholeWords = $state(false);
    regex = $state(false);
    files = $state.raw<readonly FoundFile[]>([]);
    error = $state.raw<ApiError | null>(null);
    /** Searched files, and all files; `null`: no search yet. */
    looked = $state.raw<{ n: number; of: number } | null>(null);
    /** Texts that are not looked through, and the size in bytes above which they are not. */
    tooLarge = $state.raw<readonly LargeFile[]>([]);
    textLimit = $state(0);
    searching = $state(false);
    /** There are further places that are not listed. */
    more = $state(false);
    /** Which place is chosen. */
    at = $state(0);
    readonly places = $derived(this.files.flatMap((file) => file.places.map((place) => ({ file, place }))));
    readonly rows: readonly FindRow[] = $derived(rowsOf(this.files));
    #asked = 0;
    #timer: ReturnType<typeof setTimeout> | undefined;

    /** With the selection, if there is one; else with the last search, repeated in the current texts. */
    show(selected = ""): void {
        this.open = true;
        if (selected.trim() !== "" && !selected.includes("\n") && selected.length <= 200) {
            this.text = selected;
            this.regex = false;
        }
        void this.look();
    }

    type(text: string): void {
        this.text = text;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.look(), REST);
    }

    toggle(option: FindOption): void {
        this[option] = !this[option];
        void this.look();
    }

    /** Earlier results stay visible until there are new ones. */
    async look(): Promise<void> {
        clearTimeout(this.#timer);
        const asked = ++this.#asked;
        this.searching = this.text !== "";
        if (this.text === "") {
            this.#begin();
            this.looked = null;
            return;
        }
        const { text, matchCase, wholeWords, regex } = this;
        const unsaved = editor.drafts();
        let after: string | null = null;
        try {
            do {
                const found: FoundTexts = await host.call("text_find", { text, matchCase, wholeWords, regex, unsaved, after });
                if (asked !== this.#asked) {
                    return;
                }
                if (after === null) {
                    this.#begin();
                }
                this.files = [...this.files, ...found.files];
                this.tooLarge = [...this.tooLarge, ...found.tooLarge];
                this.textLimit = found.textLimit;
                this.looked = { n: found.looked, of: found.of };
                after = found.next;
                if (after !== null && this.places.length >= MOST) {
                    this.more = true;
                    after = null;
                }
            } while (after !== null && this.open);
        } catch (thrown) {
            if (asked === this.#asked) {
                this.#begin();
                this.looked = null;
                this.error = toApiError(thrown);
            }
        }
        if (asked === this.#asked) {
            this.searching = false;
        }
    }

    /** Ends the search. */
    close(): void {
        this.open = false;
        this.searching = false;
        this.#asked++;
        clearTimeout(this.#timer);
    }

    /** Opens the editor there. */
    async go(at: number): Promise<void> {
        const found = this.places[at];
        if (found !== undefined) {
            this.at = at;
            this.close();
            app.go("skills");
            await editor.open(found.file.path, found.place.range);
        }
    }

    /** Chooses another place, around the ends. */
    choose(by: 1 | -1): void {
        const n = this.places.length;
        this.at = n === 0 ? 0 : (this.at + by + n) % n;
    }

    /** Goes to the next place without the list. */
    step(by: 1 | -1): Promise<void> {
        this.choose(by);
        return this.go(this.at);
    }

    #begin(): void {
        this.files = [];
        this.tooLarge = [];
        this.error = null;
        this.more = false;
        this.at = 0;
    }
}

export const find = new Find();

function rowsOf(files: readonly FoundFile[]): FindRow[] {
    const rows: FindRow[] = [];
    const counts = new Map<string, number>();
    for (const { skill, places } of files) {
        counts.set(skill, (counts.get(skill) ?? 0) + places.length);
    }
    let [at, skill] = [0, ""];
    for (const file of files) {
        if (file.skill !== skill) {
            skill = file.skill;
            rows.push({ type: "skill", key: `skill ${skill} ${rows.length}`, name: file.skillName, places: counts.get(skill) ?? 0 });
        }
        rows.push({ type: "file", key: `file ${file.path}`, file });
        for (const place of file.places) {
            rows.push({ type: "place", key: `${file.path} ${place.range.from}`, file, place, at: at++ });
        }
    }
    return rows;
}
