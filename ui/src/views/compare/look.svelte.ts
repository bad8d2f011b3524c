/** How the comparison is shown. */

export const SHOWN = ["overview", "instructions", "tools", "rehearsal"] as const;
export type Shown = (typeof SHOWN)[number];

export class Look {
    shown = $state<Shown>("overview");
    /** Whether equal parts are hidden. */
    only = $state(false);
    /** Texts are coloured by who put each piece there. */
    provenance = $state(true);
    /** The texts scroll with each other. */
    together = $state(true);
    /** The difference that was jumped to, and how many there are; `null`: none yet. */
    at = $state.raw<{ at: number; n: number } | null>(null);
}
