/** The list of runs, as the program gives it. */
import type { IndexArgs, RunIndex, RunSummary } from "../../generated/api";
import { isFinal } from "../../trace/fold";
import { isRecorded } from "../../trace/recorded";

/** All runs are named, and the newest described. */
export const ALL: IndexArgs = { words: "", most: 9, answering: false };

export function indexOf(all: readonly RunSummary[], { words, most, answering }: IndexArgs): RunIndex {
    const asked = words.toLowerCase().split(/\s+/).filter(Boolean);
    const answers = ({ status, spent, setup }: RunSummary) => isFinal(status) && spent.output > 0 && !isRecorded(setup.model);
    const runs = all.filter((run) => {
        const { setup } = run;
        const said = [setup.prompt, setup.harness, setup.variant, setup.model].join(" ").toLowerCase();
        return asked.every((word) => said.includes(word)) && (!answering || answers(run));
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
