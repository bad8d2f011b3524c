/** Whether folders have neutral paths in what is inspected, compared, rehearsed and run, so that all of these show the same. */
import type { NeutralPath } from "../generated/api";

export class PathChoice {
    /** `null`: as the project has it. */
    neutral = $state.raw<boolean | null>(null);

    /** What holds for an answer that shows these folders elsewhere. */
    of(shown: readonly NeutralPath[]): boolean {
        return this.neutral ?? shown.length > 0;
    }
}

export const pathChoice = new PathChoice();
