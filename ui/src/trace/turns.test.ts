import { expect, it } from "vitest";
import { detail, step, summary } from "./sample";
import { elapsed, isFurtherPrompt, turnOf } from "./turns";

const said = (index: number, at: number) => ({ ...step(index, 1, 1, { type: "prompt", text: "more" }, null), at, took: 0 });
const noted = (index: number, at: number) => ({
    ...step(index, 0, 1, { type: "note", text: "x", zh: null, retried: null }, null),
    at,
    took: 0,
});

it("tells which turn of the user a step belongs to", () => {
    const steps = [said(0, 0), noted(1, 1), said(2, 2), noted(3, 3)];
    expect(steps.map(isFurtherPrompt)).toEqual([false, false, true, false]);
    expect(steps.map((_, at) => turnOf(steps, at))).toEqual([1, 1, 2, 2]);
});

it("counts no time between the turns", () => {
    const steps = [said(0, 100), noted(1, 160), said(2, 5000), noted(3, 5030)];
    const run = { summary: { ...summary({}), startedAt: 100, status: "done" as const, endedAt: 5040 }, steps };
    expect(elapsed({ ...detail(), ...run }, 9000)).toBe(60 + 40);
    const running = { ...run, summary: { ...run.summary, status: "running" as const, endedAt: null } };
    expect(elapsed({ ...detail(), ...running }, 9000)).toBe(60 + 4000);
});
