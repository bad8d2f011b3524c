import { expect, test } from "vitest";
import type { StepKind } from "../../generated/api";
import { disclosedBy } from "../../trace/walk";
import { troubleName } from "./names";

const call: Extract<StepKind, { type: "tool" }> = {
    type: "tool",
    call: { id: "call_1", name: "run_skill_script", arguments: "{}" },
    asked: null,
    decision: null,
    reply: "done",
    wire: null,
    output: null,
    files: [],
    disclosure: { type: "script", skill: "unit-converter", script: "scripts/convert.py" },
};

test("a call that ran disclosed what it names, even where the script failed", () => {
    expect(disclosedBy(call, "failed")).toEqual(call.disclosure);
    expect(troubleName(call)).toBe("failed");
});

test("a denied, stubbed or unanswered call disclosed nothing", () => {
    const denied: typeof call = { ...call, decision: { type: "deny", reason: null } };
    const stubbed: typeof call = { ...call, decision: { type: "stub", text: "42" } };
    const unanswered: typeof call = { ...call, reply: null };

    expect([disclosedBy(denied, "failed"), disclosedBy(stubbed, "done"), disclosedBy(unanswered, "failed")]).toEqual([
        { type: "none" },
        { type: "none" },
        { type: "none" },
    ]);
    expect([troubleName(denied), troubleName(unanswered)]).toEqual(["denied", "unanswered"]);
});

test("a call that still runs shows what it is about to disclose", () => {
    expect(disclosedBy({ ...call, reply: null }, "running")).toEqual(call.disclosure);
});
