/** Whether Inspect, Compare, rehearsals and runs use neutral paths for folders, so that all of them show the same. */
import type { NeutralPath } from "../generated/api";

export class PathChoice {
    /** `null`: as the project has it. */
    neutral = $state.raw<boolean | null>(null);

    /** Whether paths are neutral: the user's choice, else as in the answer with these shown folders. */
    of(shown: readonly NeutralPath[]): boolean {
        return this.neutral ?? shown.length > 0;
    }
}

export const pathChoice = new PathChoice();
