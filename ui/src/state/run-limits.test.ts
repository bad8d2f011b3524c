import { expect, it } from "vitest";
import { heldLimits, limitsOf, UNLIMITED } from "./run-limits";

it("reads what was typed, and leaves the rest to the project", () => {
    const draft = { ...UNLIMITED, turns: " 5 ", cost: "0.50" };
    expect(limitsOf(draft, true, true)).toEqual({ limits: { turns: 5, seconds: null, tokens: null, cost: 0.5 }, wrong: {} });
});

it("takes no zero, no fraction where things are counted, and nothing that is no number", () => {
    const draft = { turns: "0", seconds: "1.5", tokens: "many", cost: "." };
    expect(limitsOf(draft, true, true).wrong).toEqual({ turns: "whole", seconds: "whole", tokens: "whole", cost: "amount" });
});

it("keeps no limit of money for a model without prices", () => {
    expect(limitsOf({ ...UNLIMITED, cost: "1" }, true, false).wrong).toEqual({ cost: "unpriced" });
});

it("limits neither tokens nor money where no model is asked", () => {
    const draft = { turns: "", seconds: "", tokens: "100", cost: "1" };
    expect(limitsOf(draft, false, false)).toEqual({ limits: { turns: null, seconds: null, tokens: null, cost: null }, wrong: {} });
});

it("holds the project's limits where there are none of the user's own", () => {
    const own = { turns: 5, seconds: null, tokens: null, cost: 0.5 };
    const project = { turns: 40, seconds: 60, tokens: 9000, cost: 1 };
    expect(heldLimits(own, project, true)).toEqual({ turns: 5, seconds: 60, tokens: 9000, cost: 0.5 });
    expect(heldLimits(own, project, false)).toEqual({ turns: 5, seconds: 60, tokens: null, cost: null });
    expect(heldLimits(own, null, true)).toEqual(own);
});
