import { expect, it } from "vitest";
import type { Step } from "../generated/api";
import { agents, neighbour, type Agent } from "./agents";
import { call, step, tool } from "./sample";

const ask = (at: number, id: string, within: string | null = null): Step => ({
    ...step(at, 0, 0, tool({ ...call("task", "{}"), id }, { type: "none" }, "done")),
    within,
});
const note = (at: number, within: string | null, tokens = 0): Step => ({
    ...step(at, 0, tokens, { type: "note", text: `${at}`, zh: null, retried: null }),
    within,
});
const prompt = (at: number, within: string): Step => ({ ...step(at, 0, 10, { type: "prompt", text: "Look it up." }), within });

const shape = ({ within, first, last, call, steps, lane }: Agent) => [within, first, last, call, steps, lane];

it("says where each sub-agent begins and ends, and who called it", () => {
    const run = [note(0, null), ask(1, "a"), prompt(2, "a"), note(3, "a", 50), note(4, "a", 20), note(5, null)];
    expect(agents(run)).toEqual([{ within: "a", first: 2, last: 4, call: 1, steps: 3, tokens: 50, lane: 0 }]);
    expect(agents([note(0, null)])).toEqual([]);
});

it("puts those that run at the same time into lanes of their own, and the next one into the first free lane", () => {
    const run = [ask(0, "a"), ask(1, "b"), note(2, "a"), note(3, "b"), note(4, "a"), note(5, "b"), ask(6, "c"), note(7, "c")];
    expect(agents(run).map(shape)).toEqual([
        ["a", 2, 4, 0, 2, 0],
        ["b", 3, 5, 1, 2, 1],
        ["c", 7, 7, 6, 1, 0],
    ]);
});

it("puts a sub-agent of a sub-agent below it, and keeps to its lanes however many there are", () => {
    const run = [ask(0, "a"), ask(1, "b", "a"), ask(2, "c", "b"), ask(3, "d", "c"), note(4, "d"), note(5, "c"), note(6, "b"), note(7, "a")];
    expect(agents(run).map(({ within, lane }) => [within, lane])).toEqual([
        ["a", 0],
        ["b", 1],
        ["c", 2],
        ["d", 2],
    ]);
});

it("takes one that no call began as it is", () => {
    expect(agents([note(0, "summary-1")]).map(shape)).toEqual([["summary-1", 0, 0, null, 1, 0]]);
});

it("goes to the next and the previous one, and around the ends", () => {
    const all = agents([ask(0, "a"), note(1, "a"), ask(2, "b"), note(3, "b"), note(4, null)]);
    expect([0, 1, 2, 3, 4].map((at) => neighbour(all, at, "next")?.within)).toEqual(["a", "b", "b", "a", "a"]);
    expect([0, 1, 2, 3, 4].map((at) => neighbour(all, at, "previous")?.within)).toEqual(["b", "b", "a", "a", "b"]);
    expect(neighbour([], 0, "next")).toBeUndefined();
});
