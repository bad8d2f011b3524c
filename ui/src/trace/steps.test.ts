import { describe, expect, it } from "vitest";
import type { Columns, Step } from "../generated/api";
import written from "../host/fake/answers/outlines.json?raw";
import { call, step, tool, walk } from "./sample";
import { columnsOf, outlineOf, Outlined, placeAfter, placeBefore, troubleAt } from "./steps";

/** As `tests/it/page_answers.rs` writes them. */
function recorded(): Record<string, { steps: Step[]; columns: Columns }> {
    // eslint-disable-next-line @typescript-eslint/no-unsafe-return -- the api wrote it by the same types
    return JSON.parse(written);
}

describe("the outline of a run", () => {
    it("is the one that the program makes of the same steps", () => {
        for (const [name, { steps, columns }] of Object.entries(recorded())) {
            expect(columnsOf(steps), name).toEqual(columns);
        }
    });

    it("is the same whether it comes at once or in parts", () => {
        for (const { steps } of Object.values(recorded())) {
            const parts = new Outlined(1);
            for (let from = 0; from < steps.length; from += 3) {
                parts.push(columnsOf(steps, from, from + 3));
            }
            const [whole, apart] = [outlineOf(steps), parts.outline()];
            expect(apart.length).toBe(whole.length);
            for (const column of ["marks", "start", "took", "added", "context", "event", "turn", "within"] as const) {
                expect([...apart[column].subarray(0, whole.length)], column).toEqual([...whole[column]]);
            }
            expect([apart.conversations, [...apart.calls]]).toEqual([whole.conversations, [...whole.calls]]);
        }
    });

    it("is made once of a list", () => {
        const steps = walk();
        expect(outlineOf(steps)).toBe(outlineOf(steps));
        expect(outlineOf([...steps])).not.toBe(outlineOf(steps));
    });

    it("does not change when more comes in", () => {
        const outlined = new Outlined();
        outlined.push(columnsOf([step(0, 1, 5, { type: "prompt", text: "a" })]));
        const before = outlined.outline();
        outlined.push(columnsOf([step(1, 1, 6, tool(call("x", "{}"), { type: "none" }, null))]));
        expect([before.length, before.context[0], outlined.outline().length]).toEqual([1, 5, 2]);
    });

    it("is searched in both directions", () => {
        const outline = outlineOf(walk());
        const odd = (place: number) => place % 2 === 1;
        expect([placeAfter(outline, -5, odd), placeAfter(outline, 1, odd), placeAfter(outline, 99, odd)]).toEqual([1, 3, null]);
        expect([placeBefore(outline, 99, () => true), placeBefore(outline, 3, odd), placeBefore(outline, 1, odd)]).toEqual([
            outline.length - 1,
            1,
            null,
        ]);
        expect(troubleAt(outline, 99)).toBe(false);
    });
});
