/** What a screenplay says. */
import type { Screenplay } from "../generated/api";

/** How many pictures the user says it with, in all turns. */
export function picturesOf({ images, steps }: Screenplay): number {
    const further = steps.map((step) => ("prompt" in step ? (step.images ?? []).length : 0));
    return [(images ?? []).length, ...further].reduce((all, some) => all + some, 0);
}
