/** A recorded run that goes on, or is run again: who answers, what it may use, and how what runs in it is confined. */
import type { ContinueArgs, Image, ModelInfo, RunLimits, RunSummary, SandboxState } from "../generated/api";
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
    args(prompt: string, images: readonly Image[]): ContinueArgs {
        const model = this.model === "" ? null : this.model;
        const said = images.length > 0 ? { prompt, images: [...images] } : { prompt };
        return { run: this.run.id, roots: null, model, ...said, means: this.means };
    }
}
