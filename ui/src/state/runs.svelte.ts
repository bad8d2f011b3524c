/** The runs: the recorded ones as a list, and the steps of those that are open, live ones included. */
import { SvelteMap, SvelteSet } from "svelte/reactivity";
import type {
    ApiError,
    ContinueArgs,
    CutChoice,
    Decision,
    Document,
    ForkArgs,
    Image,
    RunDetail,
    RunExport,
    RunId,
    RunIndex,
    RunPage,
    RunRequest,
    RunSummary,
    RunUpdate,
    Standing,
    Step,
    Trial,
    UnreadableRun,
} from "../generated/api";
import { host, toApiError } from "../host";
import { onChange } from "../host/changes";
import { fold, isFinal, isOver } from "../trace/fold";
import { Frames } from "../trace/frames";
import { columnsOf, isHeld, Outlined, type OpenedRun } from "../trace/steps";
import { LongSteps, StepPages } from "./long-steps.svelte";
import { onPush } from "./pushes";
import { toasts } from "./toasts.svelte";
import { Walk } from "./walk.svelte";

const EXTENSIONS: Record<RunExport, string> = {
    jsonl: "jsonl",
    screenplay: "yaml",
    openai: "openai.jsonl",
    anthropic: "anthropic.json",
    inspect: "inspect.json",
    markdown: "md",
    markdownChinese: "md",
    source: "source.jsonl",
};

/** Steps that are fetched first, so that a long run shows at once, and then in each go. */
const FIRST_PAGE = 200;
const PAGE = 4000;
/** A finished run with more steps is long: only its outline, fetched this many steps at a time, and visible steps are in memory. */
const LONG = 10_000;
const OUTLINED = 50_000;
/** An outline counts as much as so many times fewer steps. */
const OUTLINES = 20;
/** How many full steps are kept for runs whose list has only the beginnings of texts, and about how many characters. */
const WHOLE = 60;
const WHOLE_TEXT = 8_000_000;
/** How many steps of all runs are kept. Those of visible runs, and of the last two, always stay. */
const MOST_STEPS = 60_000;
const ALWAYS = 2;
/** After the list was fetched because another process wrote, so many times as long passes before the next time. */
const REST = 4;

/** The newest runs that are described in the list, and older ones that are here at most. */
const LISTED = 500;
const OLDER = 300;

type Facets = Pick<RunIndex, "harnesses" | "models" | "skills">;
const NO_FACETS: Facets = { harnesses: [], models: [], skills: [] };

export class Runs {
    /** The newest, the newest first; `null` until loaded. */
    list = $state.raw<RunSummary[] | null>(null);
    /** How often the list was fetched. */
    loads = $state(0);
    /** All of them, the newest first. */
    ids = $state.raw<readonly RunId[]>([]);
    /** The filters. */
    facets = $state.raw<Facets>(NO_FACETS);
    readonly #listed: ReadonlyMap<RunId, RunSummary> = $derived(new Map((this.list ?? []).map((run) => [run.id, run])));
    /** Runs of which the store holds something that makes no sense. */
    unreadable = $state.raw<UnreadableRun[]>([]);
    error = $state.raw<ApiError | null>(null);
    /** The run that the Run view shows. */
    current = $state<RunId | null>(null);
    /** The walk that the Traces view shows; `null`: the list. */
    walk = $state.raw<Walk | null>(null);

    /** Older runs that were shown. */
    #older = new SvelteMap<RunId, RunSummary>();
    /** Runs whose descriptions are asked for. */
    #wanted = new Set<RunId>();
    #details = new SvelteMap<RunId, OpenedRun>();
    /** Updates of runs whose steps are on their way. */
    #early = new Map<RunId, RunUpdate[]>();
    /** The last event whose update has been applied to the steps. */
    #seen = new Map<RunId, number>();
    #opening = new Map<RunId, Promise<void>>();
    /** The runs whose steps are loaded, the most recently opened first. */
    #lately: RunId[] = [];
    /** Questions that the user answered, so that nothing answers them again, or the next one in their place. */
    #answered = new SvelteSet<string>();
    /** Whole steps, by run and number; the one asked for last is the last. */
    #whole = new SvelteMap<string, Step>();
    #fetching = new Set<string>();
    /** Done when the list is as the last command left it. */
    #fresh: Promise<void> = Promise.resolve();
    /** Another process wrote since its runs were fetched, or while they are. */
    #changed = false;
    #following = false;
    #frames = new Frames<RunUpdate>((updates) => this.#take(updates));

    constructor() {
        onChange("runs", () => (this.list === null ? undefined : this.load()));
    }

    load(): Promise<void> {
        this.#fresh = this.#load();
        return this.#fresh;
    }

    /** After a command of another store. */
    get fresh(): Promise<void> {
        return this.#fresh;
    }

    async #load(): Promise<void> {
        try {
            const { runs, ids, unreadable, ...facets } = await host.call("run_index", { words: "", most: LISTED, answering: false });
            this.ids = ids;
            this.list = runs;
            this.loads += 1;
            this.facets = facets;
            this.unreadable = unreadable;
            this.error = null;
            await this.#describe([...this.#older.keys()]);
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }

    /** The summary of a run; `undefined`: it is not loaded, or on its way. */
    summary(run: RunId): RunSummary | undefined {
        const found = this.#listed.get(run) ?? this.#older.get(run);
        if (found === undefined && !this.#wanted.has(run)) {
            // Several rows ask in one go.
            if (this.#wanted.size === 0) {
                queueMicrotask(() => void this.#describeWanted());
            }
            this.#wanted.add(run);
        }
        return found;
    }

    /** Runs whose prompt, framework and model have all these words, the newest first. `answering`: those whose answers can be given again. */
    async find(words: string, answering: boolean): Promise<RunSummary[]> {
        return (await host.call("run_index", { words, most: LISTED, answering })).runs;
    }

    async #describeWanted(): Promise<void> {
        const wanted = [...this.#wanted];
        await toasts.guard(() => this.#describe(wanted));
        wanted.forEach((run) => this.#wanted.delete(run));
    }

    async #describe(runs: RunId[]): Promise<void> {
        if (runs.length === 0) {
            return;
        }
        const found = await host.call("run_some", { runs });
        runs.forEach((run) => this.#older.delete(run));
        found.forEach((run) => this.#older.set(run.id, run));
        [...this.#older.keys()].slice(0, Math.max(0, this.#older.size - OLDER)).forEach((run) => this.#older.delete(run));
    }

    /** The steps known so far; `null` until `open` has fetched them. */
    detail(run: RunId): OpenedRun | null {
        return this.#details.get(run) ?? null;
    }

    /** As `detail`, if all steps of the run are loaded, as those of running ones are. */
    held(run: RunId): RunDetail | null {
        const detail = this.detail(run);
        return detail !== null && isHeld(detail) ? detail : null;
    }

    /** A step with all of its texts. Long runs are held without most of them: until they are loaded, their beginnings are shown. */
    whole(run: RunId, step: Step): Step {
        if (step.brief !== true) {
            return step;
        }
        const key = `${run}/${step.index}`;
        const found = this.#whole.get(key);
        if (found === undefined && !this.#fetching.has(key)) {
            this.#fetching.add(key);
            queueMicrotask(() => void this.#fetch(key, run, step.index));
        }
        return found?.event === step.event ? found : step;
    }

    /** As `whole`, but waits for the texts. */
    async wholeOf(run: RunId, step: Step): Promise<Step> {
        return step.brief === true ? host.call("run_step", { run, step: step.index }) : step;
    }

    async #fetch(key: string, run: RunId, step: number): Promise<void> {
        try {
            this.#whole.set(key, await host.call("run_step", { run, step }));
            let [count, text] = [0, 0];
            for (const [known, whole] of [...this.#whole].reverse()) {
                count += 1;
                text += textOf(whole);
                if (count > 1 && (count > WHOLE || text > WHOLE_TEXT)) {
                    this.#whole.delete(known);
                }
            }
        } catch (thrown) {
            toasts.error(toApiError(thrown));
        } finally {
            this.#fetching.delete(key);
        }
    }

    /** Fetches the steps, page by page; no update that arrives in the meantime is lost or counted twice. */
    open(run: RunId): Promise<void> {
        return this.#reading(run, () => this.#read(run));
    }

    /** Fetches what has changed in a run that another process records: its steps that go on, and those behind them. */
    async #grow(run: RunId): Promise<void> {
        await this.#reading(run, async () => {
            const known = this.held(run)?.steps ?? [];
            const open = known.findIndex((step) => !isOver(step));
            await this.#read(run, open < 0 ? known : known.slice(0, open));
        });
    }

    async #reading(run: RunId, read: () => Promise<void>): Promise<void> {
        const before = this.#opening.get(run);
        const opening = (before ?? Promise.resolve()).catch(() => undefined).then(read);
        this.#opening.set(run, opening);
        try {
            await opening;
            this.#letGo(run);
        } finally {
            if (this.#opening.get(run) === opening) {
                this.#opening.delete(run);
            }
        }
    }

    /** Forgets the steps of runs that were opened longest ago, as far as they are too many. They are fetched again. */
    #letGo(opened: RunId): void {
        this.#lately = [opened, ...this.#lately.filter((run) => run !== opened && this.#details.has(run))];
        let steps = 0;
        for (const [place, run] of this.#lately.entries()) {
            const detail = this.#details.get(run);
            const weight = detail === undefined ? 0 : isHeld(detail) ? detail.steps.length : detail.steps.length / OUTLINES;
            steps += weight;
            const stays = place < ALWAYS || run === this.current || run === this.walk?.run || this.#opening.has(run);
            if (steps > MOST_STEPS && !stays && detail !== undefined && isFinal(detail.summary.status)) {
                this.#details.delete(run);
                this.#seen.delete(run);
                steps -= weight;
            }
        }
    }

    /** `known`: the first steps, which no longer change. */
    async #read(run: RunId, known: readonly Step[] = []): Promise<void> {
        const early: RunUpdate[] = [];
        this.#early.set(run, early);
        try {
            const steps: Step[] = [...known];
            /** Up to which step the pages go, and which updates are in them. */
            const pages: { until: number; events: number }[] = [];
            if (known.length > 0) {
                pages.push({ until: known.length, events: Number.MAX_SAFE_INTEGER });
            }
            for (;;) {
                const most = steps.length === 0 ? FIRST_PAGE : PAGE;
                const page = await host.call("run_page", { run, from: steps.length, most });
                if (page.all < known.length) {
                    // Another run has taken its place.
                    await this.#read(run);
                    return;
                }
                if (known.length === 0 && steps.length === 0 && page.all > LONG && isFinal(page.summary.status)) {
                    await this.#readLong(run, page);
                    return;
                }
                steps.push(...page.steps);
                pages.push({ until: steps.length, events: page.events });
                const { summary } = page;
                if (page.steps.length === 0 || steps.length >= page.all) {
                    const known = (index: number) => (pages.find(({ until }) => index < until) ?? pages.at(-1))?.events ?? 0;
                    const after = (detail: RunDetail, update: RunUpdate) => fold(detail, update, (index) => update.event > known(index));
                    this.#details.set(run, early.reduce(after, { summary, steps }));
                    this.#seen.set(run, Math.max(page.events, early.at(-1)?.event ?? 0));
                    return;
                }
                // A long run shows its beginning while the rest is on its way. Each time all of it is laid out again, so not for each page.
                if ((this.#details.get(run)?.steps.length ?? 0) * 2 < steps.length) {
                    this.#details.set(run, { summary, steps: [...steps] });
                }
            }
        } finally {
            this.#early.delete(run);
        }
    }

    /** The outline comes in parts; the run is shown each time twice as much of it has arrived. */
    async #readLong(run: RunId, { summary, steps, all, events }: RunPage): Promise<void> {
        const outlined = new Outlined(all);
        const pages = new StepPages(run, steps);
        // The old state stays until there is more.
        const show = () => {
            if (outlined.length >= Math.min(all, this.#details.get(run)?.steps.length ?? 0)) {
                this.#details.set(run, { summary, steps: new LongSteps(outlined.outline(), pages) });
            }
        };
        let shown = 0;
        if (!this.#details.has(run)) {
            const first = new Outlined(steps.length);
            first.push(columnsOf(steps));
            this.#details.set(run, { summary, steps: new LongSteps(first.outline(), pages) });
        }
        for (;;) {
            const from = outlined.length;
            const columns = await host.call("run_columns", { run, from, most: from === 0 ? PAGE : OUTLINED });
            outlined.push(columns);
            if (columns.marks.length === 0 || outlined.length >= all) {
                break;
            }
            if (outlined.length >= shown * 2) {
                shown = outlined.length;
                show();
            }
        }
        show();
        this.#seen.set(run, events);
    }

    /** Starts a run and shows it. Rejects with an `ApiError`. */
    async start(request: RunRequest): Promise<RunId> {
        const run = await host.call("run_start", request);
        this.current = run;
        await this.open(run);
        return run;
    }

    /** Begins a run that goes another way than a recorded one, and shows it. Rejects with an `ApiError`. */
    async fork(args: ForkArgs): Promise<RunId> {
        const run = await host.call("run_fork", args);
        this.current = run;
        await this.open(run);
        return run;
    }

    /** Says more in a run that has ended. It may be another run that continues: a copy of the bundled one. Rejects with an `ApiError`. */
    async goOn(args: ContinueArgs): Promise<RunId> {
        const run = await host.call("run_continue", args);
        if (this.current === args.run) {
            this.current = run;
        }
        if (this.walk?.run === args.run && run !== args.run) {
            this.walk = new Walk(run);
        }
        await this.open(run);
        return run;
    }

    /** Opens a run for walking, at its first step. */
    async trace(run: RunId): Promise<void> {
        const walk = this.walk?.run === run ? this.walk : new Walk(run);
        this.walk = walk;
        try {
            await this.open(run);
            walk.error = null;
        } catch (thrown) {
            walk.error = toApiError(thrown);
        }
    }

    async stop(run: RunId): Promise<void> {
        await host.call("run_stop", { run });
    }

    /** Whether an answer to this question is on its way, or arrived. */
    isAnswered(run: RunId, question: number): boolean {
        return this.#answered.has(`${run}/${question}`);
    }

    /** Answers a question, once. Rejects with an `ApiError`. */
    async decide(run: RunId, question: number, decision: Decision, remember: Standing | null = null): Promise<void> {
        await this.#answer(run, question, () => host.call("run_decide", { run, question, decision, remember }));
    }

    /** What the call in question would do with other arguments; nothing is done for it. Rejects with an `ApiError`. */
    tryOut(run: RunId, question: number, args: string): Promise<Trial> {
        return host.call("run_try", { run, question, arguments: args });
    }

    /** Keeps an answer that may be cut off, asks for it again, or ends the run. */
    async settle(run: RunId, question: number, choice: CutChoice): Promise<void> {
        await this.#answer(run, question, () => host.call("run_settle", { run, question, choice }));
    }

    async remove(run: RunId): Promise<void> {
        await host.call("run_delete", { run });
        await this.forget([run]);
    }

    /** Runs that are gone. */
    async forget(gone: readonly RunId[]): Promise<void> {
        for (const run of gone) {
            this.#details.delete(run);
            this.#seen.delete(run);
            if (this.current === run) {
                this.current = null;
            }
            if (this.walk?.run === run) {
                this.walk = null;
            }
        }
        await this.#fresh;
    }

    /** A run that is pinned stays whatever is set about old runs. Rejects with an `ApiError`. */
    async pin(run: RunId, pinned: boolean): Promise<void> {
        await host.call("run_pin", { run, pinned });
        const detail = this.#details.get(run);
        if (detail !== undefined) {
            this.#details.set(run, { ...detail, summary: { ...detail.summary, pinned } });
        }
    }

    /** The bundled run, restored if it was deleted; at its first step. */
    async sample(): Promise<void> {
        await this.trace(await host.call("sample_run", {}));
        if (this.walk !== null) {
            this.walk.position = 0;
        }
        await this.#fresh;
    }

    /** A run recorded elsewhere, as the lines of a JSONL export. Rejects with an `ApiError`. */
    async import(text: string): Promise<void> {
        const run = await host.call("run_import", { text });
        await this.#fresh;
        await this.trace(run);
    }

    /** Writes the run to a place that the user chooses; `null` if they cancel. */
    async save(run: RunId, format: RunExport, title: string): Promise<string | null> {
        const path = await host.pickSave(title, `${run}.${EXTENSIONS[format]}`);
        if (path !== null) {
            await host.call("run_save", { path, run, format });
        }
        return path;
    }

    export(run: RunId, format: RunExport): Promise<string> {
        return host.call("run_export", { run, format });
    }

    /** What the shell pushes. The document follows at most every 50 ms. */
    update(update: RunUpdate): void {
        this.#early.get(update.run)?.push(update);
        this.#frames.push(update);
    }

    async #answer(run: RunId, question: number, send: () => Promise<null>): Promise<void> {
        if (this.isAnswered(run, question)) {
            return;
        }
        const key = `${run}/${question}`;
        this.#answered.add(key);
        try {
            await send();
        } catch (thrown) {
            this.#answered.delete(key);
            throw thrown;
        }
    }

    #take(updates: RunUpdate[]): void {
        const ended = new Set<RunId>();
        for (const update of updates) {
            const detail = this.#details.get(update.run);
            // Those of a run that is being fetched come in with its steps.
            const isNext = !this.#early.has(update.run) && update.event > (this.#seen.get(update.run) ?? 0);
            if (detail !== undefined && isNext && isHeld(detail)) {
                this.#details.set(update.run, fold(detail, update));
                this.#seen.set(update.run, update.event);
            }
            if (isFinal(update.status)) {
                ended.add(update.run);
            }
        }
        this.#relist(updates);
        ended.forEach((run) => void this.#settle(run));
    }

    /** The list shows live runs too. */
    #relist(updates: RunUpdate[]): void {
        const status = new Map(updates.map((update) => [update.run, update.status]));
        this.list =
            this.list?.map((summary) => {
                const now = status.get(summary.id);
                const open = this.#details.get(summary.id)?.summary;
                return now === undefined ? summary : (open ?? { ...summary, status: now });
            }) ?? null;
    }

    /**
     * Another process wrote: the list has changed, and maybe also runs that are open here. This comes each second while another process
     * records.
     */
    async changedElsewhere(): Promise<void> {
        this.#changed = true;
        if (this.#following) {
            return;
        }
        this.#following = true;
        try {
            while (this.#changed) {
                this.#changed = false;
                const begun = performance.now();
                await this.#follow();
                // A long list takes long to fetch: most of the time the window does something else.
                await pause((performance.now() - begun) * REST);
            }
        } finally {
            this.#following = false;
        }
    }

    async #follow(): Promise<void> {
        await this.load();
        const open = [...this.#details.keys()];
        const now = open.length === 0 ? [] : ((await toasts.guard(() => host.call("run_some", { runs: open }))) ?? []);
        for (const { id, steps, status } of now) {
            const detail = this.#details.get(id);
            if (detail !== undefined && (detail.steps.length !== steps || detail.summary.status !== status)) {
                await toasts.guard(() => this.#grow(id));
            }
        }
    }

    /** An ended run is fetched again: only the record knows when and why it ended. */
    async #settle(run: RunId): Promise<void> {
        try {
            if (this.#details.has(run)) {
                await this.open(run);
            }
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
        await this.load();
    }
}

function pause(milliseconds: number): Promise<void> {
    return new Promise((done) => setTimeout(done, milliseconds));
}

/** About how many characters; pictures and files are most of them if there are any. */
function textOf({ kind }: Step): number {
    switch (kind.type) {
        case "prompt":
            return kind.text.length + charactersOf(kind.images);
        case "note":
            return kind.text.length;
        case "answer":
            return kind.text.length + kind.reasoning.length;
        case "tool":
            return (
                kind.call.arguments.length +
                (kind.reply?.length ?? 0) +
                (kind.wire?.length ?? 0) +
                (kind.output?.stdout.length ?? 0) +
                charactersOf(kind.images) +
                charactersOf(kind.documents)
            );
        case "end":
            return 0;
    }
}

function charactersOf(media: readonly (Image | Document)[] | undefined): number {
    return (media ?? []).reduce((sum, { data }) => sum + data.length, 0);
}

export const runs = new Runs();

onPush((push) => {
    if (push.type === "runUpdate") {
        runs.update(push);
    } else if (push.type === "runsChanged") {
        void runs.changedElsewhere();
    } else if (push.type === "traceSent" && push.error !== null) {
        toasts.error(push.error);
    }
});
