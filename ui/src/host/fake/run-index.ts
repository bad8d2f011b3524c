/** The list of runs, as the program gives it. */
import type { RunIndex, RunSummary } from "../../generated/api";

export function indexOf(all: readonly RunSummary[], words: string, most: number): RunIndex {
    const asked = words.toLowerCase().split(/\s+/).filter(Boolean);
    const runs = all.filter(({ setup }) => {
        const said = [setup.prompt, setup.harness, setup.variant, setup.model].join(" ").toLowerCase();
        return asked.every((word) => said.includes(word));
    });
    const named = (of: (run: RunSummary) => readonly string[]) => [...new Set(runs.flatMap(of))].sort();
    return {
        ids: runs.map((run) => run.id),
        runs: runs.slice(0, most),
        harnesses: named((run) => [run.setup.harness]),
        models: named((run) => [run.setup.model]),
        skills: named((run) => run.setup.skills),
        unreadable: [],
    };
}
