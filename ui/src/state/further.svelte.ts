/** A recorded run that is continued or run again: its model, its limits, and how its scripts are confined. */
import type { ContinueArgs, HarnessInfo, Image, ModelInfo, RunLimits, RunSummary, SandboxState } from "../generated/api";
import { harnesses } from "./harnesses.svelte";
import { launch } from "./launch.svelte";
import { Means } from "./means.svelte";

export abstract class Recorded extends Means {
    readonly run: RunSummary;
    /** An id; empty: the one that answered last. */
    model = $state("");

    constructor(run: RunSummary) {
        super();
        this.run = run;
    }

    /** Who answers, as far as it is one of the models that are set up. */
    get answers(): ModelInfo | null {
        const id = this.model === "" ? this.run.setup.model : this.model;
        return launch.models?.models.find((known) => known.id === id) ?? null;
    }

    get asks(): boolean {
        return !this.run.setup.rehearsal;
    }

    get priced(): boolean {
        return this.answers?.entry?.prices != null;
    }

    get project(): RunLimits | null {
        return launch.project;
    }

    get machine(): SandboxState | null {
        return launch.machine;
    }

    override get keepsFidelity(): boolean {
        return this.run.setup.fidelity === true;
    }
}

/** A recorded run in which the user says more. */
export class Further extends Recorded {
    #harness = $state("");

    /** The framework under which a run of another program continues; empty: its own. */
    get harness(): string {
        if (!this.isForeign || this.#harness !== "") {
            return this.#harness;
        }
        const known = (id: string | undefined) => this.frameworks.find((framework) => framework.id === id);
        return (known(this.run.setup.harness) ?? known(harnesses.choice?.harness) ?? this.frameworks[0])?.id ?? "";
    }

    set harness(id: string) {
        this.#harness = id;
    }

    get isForeign(): boolean {
        return this.run.setup.imported !== undefined;
    }

    /** Those that play runs. */
    get frameworks(): readonly HarnessInfo[] {
        return harnesses.list.filter((known) => known.runs);
    }

    args(prompt: string, model: string | null, images: readonly Image[]): ContinueArgs {
        const said = images.length > 0 ? { prompt, images: [...images] } : { prompt };
        const harness = this.harness === "" ? {} : { harness: this.harness };
        return { run: this.run.id, roots: null, ...harness, model, ...said, means: this.means };
    }
}
