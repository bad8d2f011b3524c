/** The same skills under several harnesses: which columns there are, what each sends, and where the words differ. */
import { SvelteMap } from "svelte/reactivity";
import type {
    ApiError,
    CompareArgs,
    ComparedColumn,
    ComparedTable,
    DiffPiece,
    HarnessChoice,
    HarnessGroup,
    InspectedSent,
    InspectedTokens,
    NeutralPath,
    QuirkDto,
    SkillVerdict,
} from "../generated/api";
import { host, toApiError, type Unlisten } from "../host";
import { Again } from "./again";
import { defaults, keyOf, readChoice, settled } from "./choice";
import { editor } from "./editor.svelte";
import { harnesses } from "./harnesses.svelte";
import { InTurn } from "./in-turn";
import { painted } from "./painted";
import { pathChoice } from "./path-choice.svelte";
import { project, recall, remember } from "./remembered";
import { skillChoice } from "./skill-choice.svelte";

export const MOST_COLUMNS = 16;
const KEPT = "compare";
/** How many word diffs are kept before the oldest are dropped. */
const KEPT_DIFFS = 200;

/** A column as it is in the window: each part is `null` until its answer is there. */
export type CompareColumn = {
    key: string;
    choice: HarnessChoice;
    /** Its place in the cells of a row. */
    at: number;
    compared: ComparedColumn | null;
    tokens: InspectedTokens | null;
    /** The texts of its first request: only while texts are shown. */
    sent: InspectedSent | null;
};

/** The answer for some columns. */
type Answer<T> = { args: CompareArgs; keys: readonly string[]; of: T };

/** Milliseconds without a key or a change on disk before the frameworks are asked again. */
const REST = 200;

export class Compare {
    /** With their variants named; no two are equal. */
    choices = $state.raw<readonly HarnessChoice[]>([]);
    /** Place of the column that the others are compared with. */
    base = $state(0);
    error = $state.raw<ApiError | null>(null);
    busy = $state(false);
    /** Paths of the files whose unsaved text is in the answer. */
    drafts = $state.raw<readonly string[]>([]);
    #table = $state.raw<Answer<ComparedTable> | null>(null);
    #tokens = $state.raw<Answer<readonly InspectedTokens[]> | null>(null);
    #sent = $state.raw<Answer<readonly InspectedSent[]> | null>(null);
    readonly columns: readonly CompareColumn[] = $derived(
        this.choices.map((choice) => {
            const key = keyOf(choice);
            const at = this.#table?.keys.indexOf(key) ?? -1;
            return {
                key,
                choice,
                at,
                compared: this.#table?.of.columns[at] ?? null,
                tokens: this.#tokens?.of[this.#tokens.keys.indexOf(key)] ?? null,
                sent: this.#sent?.of[this.#sent.keys.indexOf(key)] ?? null,
            };
        }),
    );
    readonly skills: ComparedTable["skills"] = $derived(this.#table?.of.skills ?? []);
    /** Reasons why skills are left out; cells refer to them. */
    readonly reasons: ComparedTable["reasons"] = $derived(this.#table?.of.reasons ?? []);
    readonly baseColumn: CompareColumn | null = $derived(this.columns[this.base] ?? null);
    /** Folders that the columns show at another place than their own. */
    readonly neutral: readonly NeutralPath[] = $derived(this.#table?.of.neutral ?? []);
    readonly full: boolean = $derived(this.choices.length >= MOST_COLUMNS);
    /** A choice for one more column; `null` if every choice is in a column already. */
    readonly spare: HarnessChoice | null = $derived(this.#spare());

    #asked = 0;
    readonly #tables = new InTurn();
    readonly #counts = new InTurn();
    readonly #again = new Again(
        () => this.refresh(),
        () => REST,
    );
    /** Whether texts are shown. */
    #texts = false;
    #skills = new Map<string, Promise<SkillVerdict[]>>();
    #quirks = new Map<string, Promise<QuirkDto[]>>();
    #project: string | null = null;
    #diffs = new SvelteMap<string, readonly DiffPiece[]>();
    #asking = new Set<string>();

    async load(): Promise<void> {
        try {
            await harnesses.load();
        } catch (thrown) {
            this.error = toApiError(thrown);
            return;
        }
        this.#recall();
        await this.refresh();
    }

    /** Follows what changes on disk; the answer stops it. */
    watch(): Unlisten {
        return this.#again.watch();
    }

    /** Asks again, once keys and changes on disk rest. */
    soon(): void {
        this.#again.soon();
    }

    /** The last one asked for wins. */
    async refresh(): Promise<void> {
        const asked = ++this.#asked;
        const of = [...this.choices];
        if (of.length === 0) {
            this.busy = false;
            return;
        }
        this.busy = true;
        const unsaved = editor.drafts();
        const args: CompareArgs = {
            roots: null,
            of,
            prompt: null,
            cwd: null,
            neutralPaths: pathChoice.neutral,
            unsaved,
            without: [...skillChoice.out],
        };
        const keys = of.map(keyOf);
        try {
            const table = await this.#tables.ask(() => host.call("compare_table", args));
            if (table !== null && asked === this.#asked) {
                this.#table = { args, keys, of: table };
                this.#skills.clear();
                this.#quirks.clear();
                this.drafts = unsaved.map((draft) => draft.path);
                this.error = null;
                await painted();
                await Promise.all([this.#count(args, keys), this.#read()]);
            }
        } catch (thrown) {
            if (asked === this.#asked) {
                this.error = toApiError(thrown);
            }
        } finally {
            if (asked === this.#asked) {
                this.busy = false;
            }
        }
    }

    /** Fetches the texts of the first requests while texts are shown. */
    async look(texts: boolean): Promise<void> {
        this.#texts = texts;
        try {
            await this.#read();
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }

    /** How each column treats the skill of a row; places are those of the columns. Rejects with an `ApiError`. */
    skill(row: string): Promise<SkillVerdict[]> {
        const args = this.#table?.args;
        const found =
            this.#skills.get(row) ?? (args === undefined ? Promise.resolve([]) : host.call("compare_skill", { of: args, skill: row }));
        this.#skills.set(row, found);
        return found;
    }

    /** The quirks of a column's framework. Rejects with an `ApiError`. */
    quirks({ key, choice }: CompareColumn): Promise<QuirkDto[]> {
        const found = this.#quirks.get(key) ?? this.#quirksOf(choice);
        this.#quirks.set(key, found);
        return found;
    }

    #quirksOf(choice: HarnessChoice): Promise<QuirkDto[]> {
        const table = this.#table;
        if (table === null) {
            return Promise.resolve([]);
        }
        const { roots, prompt, cwd, neutralPaths, unsaved, without } = table.args;
        return host.call("inspect_quirks", { ...choice, roots, prompt, cwd, neutralPaths, unsaved, without });
    }

    async #count(args: CompareArgs, keys: readonly string[]): Promise<void> {
        if (!this.#shows(args)) {
            return;
        }
        const tokens = await this.#counts.ask(() => host.call("compare_tokens", args));
        if (tokens !== null && this.#shows(args)) {
            this.#tokens = { args, keys, of: tokens };
        }
    }

    #shows(args: CompareArgs): boolean {
        return this.#table?.args === args;
    }

    async #read(): Promise<void> {
        const table = this.#table;
        if (!this.#texts || table === null || this.#sent?.args === table.args) {
            return;
        }
        const { args, keys } = table;
        const sent = await host.call("compare_sent", args);
        if (args === this.#table?.args) {
            this.#sent = { args, keys, of: sent };
        }
    }

    add(): Promise<void> {
        return this.spare === null || this.full ? Promise.resolve() : this.#set([...this.choices, this.spare]);
    }

    /** Another harness or variant in a column. If another column has it already, the two change places. */
    change(place: number, choice: HarnessChoice): Promise<void> {
        const wanted = settled(harnesses.list, choice);
        const before = this.choices[place];
        if (wanted === null || before === undefined) {
            return Promise.resolve();
        }
        const there = this.choices.findIndex((each) => keyOf(each) === keyOf(wanted));
        return this.#set(this.choices.map((each, at) => (at === place ? wanted : at === there ? before : each)));
    }

    remove(place: number): Promise<void> {
        const base = this.base;
        this.base = base === place ? 0 : base > place ? base - 1 : base;
        return this.#set(this.choices.filter((_, at) => at !== place));
    }

    /** Each framework once, or each client; `null`: all of them. */
    all(group: HarnessGroup | null = "framework"): Promise<void> {
        this.base = 0;
        return this.#set(defaults(harnesses.list, group).slice(0, MOST_COLUMNS));
    }

    /** Puts `choice` first, as the base. */
    async startFrom(choice: HarnessChoice): Promise<void> {
        await this.load();
        const others = this.choices.filter((each) => keyOf(each) !== keyOf(choice) && each.harness !== choice.harness);
        this.base = 0;
        await this.#set([choice, ...others].slice(0, MOST_COLUMNS));
    }

    /** Asks for the words that differ; `pieces` has them once they are there. Rejects with an `ApiError`. */
    async tellApart(a: string, b: string): Promise<void> {
        const key = pair(a, b);
        if (a === b || this.#diffs.has(key) || this.#asking.has(key)) {
            return;
        }
        this.#asking.add(key);
        try {
            const pieces = await host.call("text_diff", { a, b });
            this.#diffs.set(key, pieces);
            this.#forget();
        } finally {
            this.#asking.delete(key);
        }
    }

    /** `null` until they are known. */
    pieces(a: string, b: string): readonly DiffPiece[] | null {
        return a === b ? [{ kind: "same", text: b }] : (this.#diffs.get(pair(a, b)) ?? null);
    }

    #set(choices: readonly HarnessChoice[]): Promise<void> {
        this.choices = choices;
        remember(KEPT, choices);
        return this.refresh();
    }

    /** Another project brings its own columns. */
    #recall(): void {
        const now = project();
        if (now !== this.#project) {
            this.#project = now;
            const kept = recall(KEPT);
            this.choices = Array.isArray(kept)
                ? kept.map(readChoice).filter((choice) => choice !== null)
                : defaults(harnesses.list, "framework");
            this.base = 0;
        }
        const known = this.choices.map((choice) => settled(harnesses.list, choice)).filter((choice) => choice !== null);
        this.choices = known.filter((choice, at) => known.findIndex((each) => keyOf(each) === keyOf(choice)) === at).slice(0, MOST_COLUMNS);
    }

    #spare(): HarnessChoice | null {
        const there = new Set(this.choices.map(keyOf));
        const all = harnesses.list.flatMap((harness) => harness.variants.map((variant) => ({ harness: harness.id, variant: variant.id })));
        return [...defaults(harnesses.list), ...all].find((choice) => !there.has(keyOf(choice))) ?? null;
    }

    #forget(): void {
        for (const oldest of this.#diffs.keys()) {
            if (this.#diffs.size <= KEPT_DIFFS) {
                return;
            }
            this.#diffs.delete(oldest);
        }
    }
}

export const compare = new Compare();

function pair(a: string, b: string): string {
    return `${a.length}:${a}${b}`;
}
