/** One scene under several harnesses at once: the runs, who waits for the user, and the steps side by side. */
import type { Alignment, ApiError, Decision, HarnessChoice, RunDetail, RunId, ScreenplayInfo, Step, StepKind } from "../generated/api";
import { host, toApiError } from "../host";
import { isSameThing } from "../trace/approval";
import { isFinal, waiting } from "../trace/fold";
import { keyOf } from "./choice";
import { pathChoice } from "./path-choice.svelte";
import { runs } from "./runs.svelte";
import { skillChoice } from "./skill-choice.svelte";

/** An answer for every run that asks about the same thing. */
export type Standing = { decision: Decision; of: ToolStep };

/** A run that waits for a decision. */
export type Waiting = { key: string; run: RunId; step: Step; tool: ToolStep; question: number };

type ToolStep = Extract<StepKind, { type: "tool" }>;

export class Rehearsal {
    scenes = $state.raw<readonly ScreenplayInfo[]>([]);
    prompt = $state("");
    /** Path of a screenplay; `null`: by the prompt. */
    scene = $state<string | null>(null);
    starting = $state(false);
    error = $state.raw<ApiError | null>(null);
    /** The run of each column, by the key of its choice. */
    started = $state.raw<ReadonlyMap<string, RunId>>(new Map());
    alignment = $state.raw<Alignment | null>(null);
    /** The user's answer for all these runs, and its subject; `null`: each call asks. */
    standing = $state.raw<Standing | null>(null);
    /** Calls that were answered by what the user said for all. */
    answered = $state(0);

    readonly details: readonly RunDetail[] = $derived(
        [...this.started.values()].map((run) => runs.held(run)).filter((detail) => detail !== null),
    );
    readonly waits: readonly Waiting[] = $derived(this.#waits());
    readonly running: boolean = $derived(this.details.some((detail) => !isFinal(detail.summary.status)));
    readonly over: boolean = $derived(this.started.size > 0 && this.details.length === this.started.size && !this.running);
    readonly ready: boolean = $derived(this.prompt.trim() !== "" && !this.starting && !this.running);

    #aligned = 0;

    async load(): Promise<void> {
        try {
            const known = await host.call("screenplay_list", {});
            this.scenes = known.filter((scene) => scene.error === null);
            if (this.prompt === "") {
                this.play(this.scenes[0]?.path ?? null);
            }
        } catch (thrown) {
            this.error = toApiError(thrown);
        }
    }

    /** A scene is chosen with its prompt. */
    play(path: string | null): void {
        this.scene = path;
        this.prompt = this.scenes.find((known) => known.path === path)?.screenplay.prompt ?? this.prompt;
    }

    /** A prompt of the user's own is played by the scene that has it, else by fixed rules. */
    ask(prompt: string): void {
        this.prompt = prompt;
        this.scene = null;
    }

    async start(of: readonly HarnessChoice[]): Promise<void> {
        if (!this.ready || of.length === 0) {
            return;
        }
        this.starting = true;
        this.#clear();
        try {
            const ids = await host.call("rehearse", {
                roots: null,
                of: [...of],
                prompt: this.prompt,
                screenplay: this.scene,
                without: [...skillChoice.out],
                sandbox: null,
                neutralPaths: pathChoice.neutral,
                network: null,
                fidelity: null,
                askAll: null,
            });
            try {
                await Promise.all(ids.map((run) => runs.open(run)));
            } finally {
                this.started = new Map(of.flatMap((choice, at) => (ids[at] === undefined ? [] : [[keyOf(choice), ids[at]]])));
            }
        } catch (thrown) {
            this.error = toApiError(thrown);
        } finally {
            this.starting = false;
        }
    }

    /** Rejects with an `ApiError`. */
    async stop(): Promise<void> {
        const live = this.details.filter((detail) => !isFinal(detail.summary.status));
        await Promise.all(live.map((detail) => runs.stop(detail.summary.id)));
    }

    /** Answers one call, and with `forAll` those of the other runs that ask about the same. Rejects with an `ApiError`. */
    async decide(waiting: Waiting, decision: Decision, forAll: boolean): Promise<void> {
        if (forAll) {
            this.standing = { decision: withoutEdit(decision), of: waiting.tool };
        }
        await this.#answer(waiting, decision);
    }

    /** Answers those that wait with what the user said for all. Rejects with an `ApiError`. */
    async answerAll(): Promise<void> {
        const { standing } = this;
        if (standing === null) {
            return;
        }
        const open = this.waits.filter((each) => this.isAnswered(each) && !runs.isAnswered(each.run, each.question));
        this.answered += open.length;
        await Promise.all(open.map((each) => this.#answer(each, standing.decision)));
    }

    /** Whether the user's answer for all runs answers this question too. If a call asks again, its subject has changed. */
    isAnswered({ tool }: Waiting): boolean {
        return this.standing !== null && tool.decision === null && isSameThing(this.standing.of, tool);
    }

    /** The steps side by side, once all runs are over. */
    async align(): Promise<void> {
        const asked = ++this.#aligned;
        try {
            const alignment = await host.call("run_align", { runs: [...this.started.values()] });
            if (asked === this.#aligned) {
                this.alignment = alignment;
                this.error = null;
            }
        } catch (thrown) {
            if (asked === this.#aligned) {
                this.error = toApiError(thrown);
            }
        }
    }

    async #answer(waiting: Waiting, decision: Decision): Promise<void> {
        try {
            await runs.decide(waiting.run, waiting.question, decision);
        } catch (thrown) {
            this.standing = null;
            throw thrown;
        }
    }

    #waits(): Waiting[] {
        return [...this.started].flatMap(([key, run]) => {
            const detail = runs.held(run);
            const step = detail === null || isFinal(detail.summary.status) ? null : waiting(detail.steps);
            return step?.kind.type === "tool" && step.question !== null
                ? [{ key, run, step, tool: step.kind, question: step.question }]
                : [];
        });
    }

    #clear(): void {
        this.started = new Map();
        this.alignment = null;
        this.standing = null;
        this.answered = 0;
        this.error = null;
        this.#aligned++;
    }
}

export const rehearsal = new Rehearsal();

/** Arguments that were edited fit the one call they were edited for. */
function withoutEdit(decision: Decision): Decision {
    return decision.type === "allow" ? { type: "allow", arguments: null, forRun: true } : decision;
}
