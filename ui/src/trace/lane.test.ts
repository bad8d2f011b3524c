import { describe, expect, it } from "vitest";

import { columnOf, grown, lane, markedColumns, positionAt, SERIES, tallies, total } from "./lane";
import { detail, step, walk } from "./sample";

describe("tallies", () => {
    it("puts every token where it came from, and adds up to the context of the step", () => {
        const made = tallies(detail());
        expect(made.map(total)).toEqual([320, 340, 640, 650, 850, 870, 900, 1000]);
        expect(made[0]).toEqual({ catalogue: 300, instructions: 0, resources: 0, scripts: 0, conversation: 20 });
        expect(made[7]).toEqual({ catalogue: 300, instructions: 300, resources: 200, scripts: 30, conversation: 170 });
    });

    it("lets the deepest tiers give way when the context shrank", () => {
        const steps = [...walk(), step(8, 0, 650, { type: "note", text: "compacted", zh: null, retried: null })];
        expect(tallies(detail(steps))[8]).toEqual({ catalogue: 300, instructions: 300, resources: 50, scripts: 0, conversation: 0 });
    });
});

describe("grown", () => {
    it("is the context after the last step, whatever the model was shown last", () => {
        const run = detail();
        expect(grown({ ...run, summary: { ...run.summary, contextTokens: 900 } })).toBe(1000);
        expect(grown(detail([]))).toBe(run.summary.setup.catalogueTokens);
    });
});

describe("lane", () => {
    it("gives every step a column while there is room", () => {
        const drawn = lane(detail(), { width: 400, height: 100 });
        expect(drawn.columns.map((column) => [column.first, column.last, column.opened])).toEqual([
            [0, 0, "catalogue"],
            [1, 1, null],
            [2, 2, "instructions"],
            [3, 3, null],
            [4, 4, "resources"],
            [5, 5, null],
            [6, 6, "scripts"],
            [7, 7, null],
        ]);
        expect([drawn.ceiling, drawn.columnWidth]).toEqual([1000, 50]);
    });

    it("stacks the tiers from the bottom up", () => {
        const drawn = lane(detail(walk().slice(0, 1)), { width: 200, height: 100 }, 1000);
        expect(drawn.paths).toEqual({
            catalogue: "M0 70h119v30h-119z",
            instructions: "",
            resources: "",
            scripts: "",
            conversation: "M0 68h119v2h-119z",
        });
    });

    it("bundles neighbours when there are more steps than room", () => {
        const many = Array.from({ length: 1000 }, (_, at) => step(at, 1, at + 1, { type: "note", text: "", zh: null, retried: null }));
        const drawn = lane(detail(many), { width: 500, height: 40 });
        expect(drawn.columns.length).toBe(100);
        expect(drawn.columns[99]).toMatchObject({ first: 990, last: 999 });
        expect(columnOf(drawn, 995)).toBe(99);
        expect(positionAt(drawn, 499)).toBe(990);
    });

    it("marks each tier once where columns stand for several steps", () => {
        const many = Array.from({ length: 40 }, (_, at) => walk().map((each) => ({ ...each, index: at * 8 + each.index }))).flat();
        expect(markedColumns(lane(detail(many), { width: 500, height: 40 }), 20)).toEqual([0, 1]);
    });

    it("finds the step under a click, and none beside the columns", () => {
        const drawn = lane(detail(walk().slice(0, 2)), { width: 500, height: 40 });
        expect([positionAt(drawn, 0), positionAt(drawn, 120), positionAt(drawn, 300)]).toEqual([0, 1, null]);
    });

    it("marks the columns that opened a tier, where the marks have room", () => {
        expect(markedColumns(lane(detail(), { width: 400, height: 40 }), 20)).toEqual([0, 2, 4, 6]);
        expect(markedColumns(lane(detail(), { width: 40, height: 40 }), 20)).toEqual([0, 4]);
    });

    it("draws an empty run as nothing", () => {
        const drawn = lane(detail([]), { width: 500, height: 40 });
        expect([drawn.columns, SERIES.map((series) => drawn.paths[series]).join("")]).toEqual([[], ""]);
    });
});

it("leaves what a sub-agent read out of the conversation's context", () => {
    const inner = walk().map((each, at) => (at === 4 ? { ...each, within: "call_task", contextTokens: 9000 } : each));
    expect(tallies(detail(inner))[4]).toEqual(tallies(detail(inner))[3]);
    expect(lane(detail(inner), { width: 800, height: 60 }).columns[4]?.opened).toBeNull();
});
