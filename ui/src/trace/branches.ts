/** The other runs of a tree of forks as lanes next to the run that is shown: where each branches off, and its length. */
import type { RunId, RunSummary, TreeRun } from "../generated/api";

export type Branch = {
    run: RunSummary;
    /** Its first step that is not the same, by its place. */
    from: number;
    last: number;
    /** Whether the shown run comes from it. */
    before: boolean;
};

/** In the order of the tree. Runs that are not here have no lane, but those behind them do. */
export function branches(tree: readonly TreeRun[], shown: RunId): Branch[] {
    const known = new Map(tree.map((one) => [one.run, one]));
    const ours = lineOf(known, shown);
    return tree.flatMap(({ run, summary }) => {
        if (run === shown || summary === null) return [];
        const from = partsAt(lineOf(known, run), ours);
        return [{ run: summary, from, last: Math.max(from, summary.steps - 1), before: ours.some((one) => one.run === run) }];
    });
}

/** A run and those that it comes from. */
function lineOf(known: ReadonlyMap<RunId, TreeRun>, run: RunId): TreeRun[] {
    const line: TreeRun[] = [];
    for (let one = known.get(run); one !== undefined;) {
        line.push(one);
        const before: TreeRun | undefined = one.from === null ? undefined : known.get(one.from.run);
        // Data in a file may be wrong; the tree is not.
        one = before !== undefined && before.depth < one.depth ? before : undefined;
    }
    return line;
}

/** Two runs are the same up to the earliest step at which one of them, or one that it comes from, was forked. */
function partsAt(line: readonly TreeRun[], other: readonly TreeRun[]): number {
    const alone = (of: readonly TreeRun[], than: readonly TreeRun[]) =>
        of.filter(({ run }) => than.every((one) => one.run !== run)).map(({ from }) => from?.step ?? 0);
    return Math.min(...alone(line, other), ...alone(other, line));
}
