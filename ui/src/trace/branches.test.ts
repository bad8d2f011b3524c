import { expect, it } from "vitest";
import type { TreeRun } from "../generated/api";
import { branches } from "./branches";
import { summary } from "./sample";

const one = (run: string, depth: number, from: [string, number] | null, steps = 10): TreeRun => ({
    run,
    depth,
    from: from === null ? null : { run: from[0], step: from[1] },
    summary: { ...summary({}), id: run, steps },
});

/** a, of it b at 4 and d at 6; c of b at 2. */
const tree = [one("a", 0, null), one("b", 1, ["a", 4], 7), one("c", 2, ["b", 2], 20), one("d", 1, ["a", 6], 3)];
const shape = (shown: string, runs = tree) =>
    branches(runs, shown).map(({ run, from, last, before }) => [run.id, from, last, ...(before ? ["before"] : [])]);

it("says where forks part from the run they come from", () => {
    expect(shape("a")).toEqual([
        ["b", 4, 6],
        ["c", 2, 19],
        ["d", 6, 6],
    ]);
});

it("says where a fork parts from those before it, and from others", () => {
    expect(shape("c")).toEqual([
        ["a", 2, 9, "before"],
        ["b", 2, 6, "before"],
        ["d", 2, 2],
    ]);
    expect(shape("d")).toEqual([
        ["a", 6, 9, "before"],
        ["b", 4, 6],
        ["c", 2, 19],
    ]);
});

it("leaves out runs that are not here, and follows no circle", () => {
    expect(shape("a", [one("a", 0, null), { ...one("b", 1, ["a", 4]), summary: null }, one("c", 2, ["b", 5])])).toEqual([["c", 4, 9]]);
    expect(shape("a", [one("a", 0, ["b", 1]), one("b", 1, ["a", 3])])).toEqual([["b", 3, 9]]);
    expect(shape("a", [])).toEqual([]);
});
