/** The limits of a run and how its scripts are confined: the same for a new run, for a fork, and for one that goes on. */
import type { RunLimits, RunMeans, SandboxMode, SandboxState } from "../generated/api";
import { heldLimits, limitsOf, UNLIMITED, type Limit, type LimitDraft } from "./run-limits";

/** Milliseconds between the pieces of a rehearsed answer: slow enough to be seen arriving. */
const PACE = 15;

export abstract class Means {
    /** Whether a real model is asked, which uses tokens and money. */
    abstract readonly asks: boolean;
    /** What that model costs is known. */
    abstract readonly priced: boolean;
    /** The project's; `null` if its file cannot be read, which the start of a run will report. */
    abstract readonly project: RunLimits | null;
    /** What this machine has; `null`: not known yet. */
    abstract readonly machine: SandboxState | null;

    limitDraft = $state.raw<LimitDraft>(UNLIMITED);
    /** `null`: as the project has it. */
    sandbox = $state.raw<SandboxMode | null>(null);
    network = $state(false);
    /** A framework that looks outside of the open folders is answered as it would be; `null`: as `keepsFidelity` says. */
    fidelity = $state.raw<boolean | null>(null);

    readonly #read = $derived.by(() => limitsOf(this.limitDraft, this.asks, this.priced));
    readonly limits = $derived(this.#read.limits);
    readonly wrongLimits = $derived(this.#read.wrong);
    readonly held = $derived.by(() => heldLimits(this.limits, this.project, this.asks));
    /** As the program takes it. */
    readonly means: RunMeans = $derived({
        ...this.limits,
        pace: PACE,
        sandbox: this.sandbox,
        network: this.network,
        fidelity: this.fidelity,
        askAll: false,
    });

    /** The setting of the continued run. */
    get keepsFidelity(): boolean {
        return false;
    }

    get limitsAreRight(): boolean {
        return Object.keys(this.wrongLimits).length === 0;
    }

    reset(): void {
        this.limitDraft = UNLIMITED;
        this.sandbox = null;
        this.network = false;
        this.fidelity = null;
    }

    limit(limit: Limit, text: string): void {
        this.limitDraft = { ...this.limitDraft, [limit]: text };
    }
}
