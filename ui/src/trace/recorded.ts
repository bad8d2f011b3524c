/** Runs whose answers are those of another run. The core names such a model by the run's id. */
import type { RunId } from "../generated/api";

const PREFIX = "recorded:";

export function recordedId(run: RunId): string {
    return PREFIX + run;
}

export function isRecorded(model: string): boolean {
    return model.startsWith(PREFIX);
}
