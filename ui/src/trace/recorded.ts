/** Runs that repeat the answers of another run. The core names such a model by the run's id. */
import type { RunId } from "../generated/api";

const PREFIX = "recorded:";

export function recordedId(run: RunId): string {
    return PREFIX + run;
}

/** The run whose answers are repeated; `null`: the model is not a run. */
export function recordedRun(model: string): RunId | null {
    return isRecorded(model) ? model.slice(PREFIX.length) : null;
}

export function isRecorded(model: string): boolean {
    return model.startsWith(PREFIX);
}
