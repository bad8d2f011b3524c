import { expect, it } from "vitest";
import { ancestors, isHidden, rows } from "./nested";
import { call, step, tool } from "./sample";
import type { Step } from "../generated/api";

/** prompt · task { note · task2 { note } · note } · note */
function nested(): Step[] {
    const ask = (id: string) => tool({ ...call("task", "{}"), id }, { type: "none" }, "done");
    const note = (at: number, within: string | null) => ({
        ...step(at, 0, 0, { type: "note", text: `${at}`, zh: null, retried: null }),
        within,
    });
    return [
        note(0, null),
        step(1, 0, 0, ask("a")),
        note(2, "a"),
        { ...step(3, 0, 0, ask("b")), within: "a" },
        note(4, "b"),
        note(5, "a"),
        note(6, null),
    ];
}

const shape = (folded: string[]) =>
    rows(nested(), new Set(folded))
        .slice()
        .map(({ at, depth, folds, inner }) => [at, depth, folds, inner]);

it("puts a sub-agent's steps below its call", () => {
    expect(shape([])).toEqual([
        [0, 0, null, 0],
        [1, 0, "a", 4],
        [2, 1, null, 0],
        [3, 1, "b", 1],
        [4, 2, null, 0],
        [5, 1, null, 0],
        [6, 0, null, 0],
    ]);
});

it("says at which row a step is drawn, and gives the rows that are asked for", () => {
    const all = rows(nested(), new Set(["a"]));
    expect([all.length, all.placeOf(1), all.placeOf(4), all.placeOf(6), all.placeOf(99)]).toEqual([3, 1, -1, 2, -1]);
    expect(all.slice(1, 9).map((row) => row.at)).toEqual([1, 6]);
    expect(all.slice(-1).map((row) => row.at)).toEqual([6]);
    const flat = rows(nested().slice(0, 2), new Set());
    expect([flat.length, flat.placeOf(1), flat.placeOf(2), flat.slice(-9, 1)[0]?.at]).toEqual([2, 1, -1, 0]);
});

it("folds away everything below a call", () => {
    expect(shape(["a"])).toEqual([
        [0, 0, null, 0],
        [1, 0, "a", 4],
        [6, 0, null, 0],
    ]);
});

it("groups the steps of sub-agents that ran at the same time", () => {
    const steps = nested().slice(0, 2);
    const other = { ...step(2, 0, 0, tool({ ...call("task", "{}"), id: "z" }, { type: "none" }, null)) };
    const inner = (at: number, within: string) => ({
        ...step(at, 0, 0, { type: "note" as const, text: "", zh: null, retried: null }),
        within,
    });
    const mixed = [...steps, other, inner(3, "z"), inner(4, "a"), inner(5, "z")];
    expect(
        rows(mixed, new Set())
            .slice()
            .map((row) => row.at),
    ).toEqual([0, 1, 4, 2, 3, 5]);
});

it("shows a step that no call began, as a summary of the framework's own, where it came", () => {
    const stray = { ...step(0, 0, 0, { type: "note" as const, text: "", zh: null, retried: null }), within: "summary-1" };
    expect(rows([stray], new Set()).slice()).toEqual([{ at: 0, depth: 1, folds: null, inner: 0 }]);
});

it("names what a step stands below, and whether that hides it", () => {
    expect(ancestors(nested(), 4)).toEqual(["b", "a"]);
    expect([isHidden(nested(), 4, new Set(["a"])), isHidden(nested(), 6, new Set(["a"]))]).toEqual([true, false]);
});
