/** A recorded run that is run again from a step on: the change at that step, and the tree of forks. */
import { SvelteMap } from "svelte/reactivity";
import type { ForkArgs, HarnessChoice, Image, RunId, RunSummary, Step, TreeRun } from "../generated/api";
import { host } from "../host";
import { Recorded } from "./further.svelte";
import { runs } from "./runs.svelte";
import { toasts } from "./toasts.svelte";

/**
 * `again`: what the step did is done again. `result`: the call gets another result. `answer`: the model's answer has another text.
 * `say`: the user says something after the step.
 */
export type Way = "again" | "result" | "answer" | "say";

export class ForkDraft extends Recorded {
    readonly step: Step;
    readonly ways: readonly Way[];
    way = $state<Way>("again");
    /** Of a prompt. */
    prompt = $state("");
    result = $state("");
    answer = $state("");
    said = $state("");
    /** The pictures of a prompt or a message. */
    images = $state.raw<readonly Image[]>([]);
    harness = $state.raw<HarnessChoice>({ harness: "", variant: null });
    /** Path of a screenplay; `null`: by the first prompt of the run. */
    screenplay = $state<string | null>(null);
    sending = $state(false);

    readonly ready: boolean = $derived(
        !this.sending &&
            this.limitsAreRight &&
            (this.way !== "answer" || this.editsAnswer) &&
            (this.text === null || this.mayBeEmpty || this.text.trim() !== ""),
    );

    constructor(run: RunSummary, step: Step) {
        super(run);
        this.step = step;
        const { kind } = step;
        this.ways = waysOf(step);
        this.harness = { harness: run.setup.harness, variant: run.setup.variant };
        this.prompt = kind.type === "prompt" ? kind.text : "";
        this.images = imagesOf(step);
        this.result = kind.type === "tool" ? (kind.reply ?? "") : "";
        this.answer = kind.type === "answer" ? kind.text : "";
    }

    override get asks(): boolean {
        return this.model === "" ? super.asks : this.answers?.rehearsal === false;
    }

    /** What the user writes; `null`: nothing. */
    get text(): string | null {
        if (this.step.kind.type === "prompt") {
            return this.prompt;
        }
        switch (this.way) {
            case "result":
                return this.result;
            case "answer":
                return this.answer;
            case "say":
                return this.said;
            case "again":
                return null;
        }
    }

    /** Whether what the user writes may be nothing: an answer that calls tools needs no text. */
    get mayBeEmpty(): boolean {
        return this.way === "result" || (this.way === "answer" && this.calls);
    }

    /** Whether the step is an answer that calls tools. */
    get calls(): boolean {
        return this.step.kind.type === "answer" && this.step.kind.calls.length > 0;
    }

    /** Whether the edited answer ends the turn, so that the user can say more. */
    get maySayMore(): boolean {
        return this.way === "answer" && !this.calls && this.step.within === null;
    }

    /** Whether the user says something after the step. */
    get says(): boolean {
        return this.way === "say" || (this.maySayMore && this.said.trim() !== "");
    }

    get editsAnswer(): boolean {
        return this.way === "answer" && this.step.kind.type === "answer" && this.answer !== this.step.kind.text;
    }

    get editsPrompt(): boolean {
        return this.step.kind.type === "prompt" && this.prompt !== this.step.kind.text;
    }

    get editsImages(): boolean {
        return this.step.kind.type === "prompt" && !sameImages(this.images, imagesOf(this.step));
    }

    get editsResult(): boolean {
        return this.way === "result" && this.step.kind.type === "tool" && this.result !== this.step.kind.reply;
    }

    get changesHarness(): boolean {
        const { harness, variant } = this.run.setup;
        return this.harness.harness !== harness || (this.harness.variant ?? variant) !== variant;
    }

    args(): ForkArgs {
        const isPrompt = this.step.kind.type === "prompt";
        const edits = this.editsPrompt || this.editsImages;
        const says = isPrompt ? (edits ? this.prompt : null) : this.says ? this.said : null;
        return {
            run: this.run.id,
            step: this.step.index,
            roots: null,
            prompt: says,
            images: says === null ? null : [...this.images],
            result: this.way === "result" ? this.result : null,
            answer: this.way === "answer" ? this.answer : null,
            harness: this.changesHarness ? this.harness.harness : null,
            variant: this.changesHarness ? this.harness.variant : null,
            model: this.model === "" ? null : this.model,
            screenplay: this.screenplay,
            means: this.means,
        };
    }
}

function imagesOf({ kind }: Step): readonly Image[] {
    return kind.type === "prompt" ? (kind.images ?? []) : [];
}

function sameImages(a: readonly Image[], b: readonly Image[]): boolean {
    return a.length === b.length && a.every(({ data }, at) => data === b[at]?.data);
}

function waysOf({ kind, within }: Step): readonly Way[] {
    if (kind.type === "prompt") {
        return ["again"];
    }
    const isCall = kind.type === "tool" && kind.call.name !== "framework";
    const own = kind.type === "answer" ? (["answer"] as const) : isCall ? (["result"] as const) : [];
    return ["again", ...own, ...(within === null ? (["say"] as const) : [])];
}

class Forks {
    /** The form on show; `null`: none. */
    draft = $state.raw<ForkDraft | null>(null);
    #trees = new SvelteMap<RunId, readonly TreeRun[]>();

    ask(run: RunSummary, step: Step): void {
        if (step.brief !== true) {
            this.draft = new ForkDraft(run, step);
            return;
        }
        void toasts.guard(async () => (this.draft = new ForkDraft(run, await runs.wholeOf(run.id, step))));
    }

    /** Begins the run. Rejects with an `ApiError`. */
    async begin(draft: ForkDraft): Promise<RunId> {
        draft.sending = true;
        try {
            const run = await runs.fork(draft.args());
            this.draft = null;
            return run;
        } finally {
            draft.sending = false;
        }
    }

    /** A run whose tree cannot be read is shown without it. */
    async load(run: RunId): Promise<void> {
        const tree = await host.call("run_tree", { run }).catch(() => null);
        if (tree !== null) {
            this.#trees.set(run, tree.runs);
        }
    }

    /** All runs that a run has to do with by forks, as far as they were fetched. */
    tree(run: RunId): readonly TreeRun[] {
        return this.#trees.get(run) ?? [];
    }

    /** The run that a run was forked off, as far as it is here. */
    parent({ setup, id }: RunSummary): TreeRun | null {
        const from = setup.forked;
        return this.tree(id).find((one) => one.run === from?.run) ?? null;
    }

    /** The runs that were forked off a run, by their steps. */
    of(run: RunId): readonly TreeRun[] {
        return this.tree(run).filter((one) => one.from?.run === run);
    }

    /** Opens a run at a step. */
    async open(run: RunId, step: number): Promise<void> {
        await runs.trace(run);
        const steps = runs.detail(run)?.steps;
        if (steps !== undefined && steps.length > 0 && runs.walk?.run === run) {
            runs.walk.reveal(steps, Math.min(step, steps.length - 1));
        }
    }
}

export const forks = new Forks();
