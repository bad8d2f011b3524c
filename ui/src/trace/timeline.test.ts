import { describe, expect, it } from "vitest";
import { step, walk } from "./sample";
import { marks, stepAt, timeline } from "./timeline";

/** Steps that begin at, and take, so many milliseconds. */
function steps(...times: [at: number, took: number][]) {
    return times.map(([at, took], index) => ({ ...step(index, 0, 0, { type: "prompt", text: "" }), at: 1_790_000_000_000 + at, took }));
}

describe("timeline", () => {
    it("gives each step its share of the time", () => {
        const { starts, folds } = timeline(steps([0, 100], [100, 300], [400, 600]));
        expect([...starts]).toEqual([0, 0.1, 0.4]);
        expect(folds).toEqual([]);
    });

    it("folds a pause in which nothing happened, and keeps its length", () => {
        const { starts, folds } = timeline(steps([0, 500], [60_500, 500]));
        expect(folds).toEqual([{ at: 0.49, pause: 60_000 }]);
        expect([...starts]).toEqual([0, 0.51]);
    });

    it("takes no long step for a pause", () => {
        expect(timeline(steps([0, 60_000], [60_000, 10])).folds).toEqual([]);
    });

    it("leaves most of the bar to the steps, however many pauses there are", () => {
        const many = Array.from({ length: 100 }, (_, at): [number, number] => [at * 10_000, 100]);
        const { starts, folds } = timeline(steps(...many));
        expect(folds).toHaveLength(99);
        expect((starts[1] ?? 0) - (starts[0] ?? 0)).toBeCloseTo(0.01, 3);
    });

    it("spreads steps without times evenly, and survives clocks that go back", () => {
        expect([...timeline(steps([0, 0], [0, 0])).starts]).toEqual([0, 0.5]);
        const back = timeline(steps([500, 100], [0, 100], [700, 100])).starts;
        expect([...back].every((start, at) => start >= (back[at - 1] ?? 0))).toBe(true);
    });

    it("finds the step at a place", () => {
        const line = timeline(steps([0, 100], [100, 300], [400, 600]));
        expect([0, 0.05, 0.1, 0.39, 0.4, 1].map((place) => stepAt(line, place))).toEqual([0, 0, 1, 1, 2, 2]);
        expect(stepAt(timeline([]), 0.5)).toBe(0);
    });

    it("draws at most one mark a pixel, the one that says most", () => {
        const line = timeline(walk());
        expect(marks(line, walk(), 1, 10)).toEqual({ answer: "", tool: "", prompt: "", skill: "M0 0v10", error: "" });
        const drawn = marks(line, walk(), 160, 10);
        expect(drawn.answer.split("M")).toHaveLength(5);
        expect(drawn.prompt).toBe("M0 0v10");
    });
});
