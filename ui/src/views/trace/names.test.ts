import { expect, test } from "vitest";
import type { StepKind } from "../../generated/api";
import { troubleName } from "./names";

const call: Extract<StepKind, { type: "tool" }> = {
    type: "tool",
    call: { id: "call_1", name: "run_skill_script", arguments: "{}" },
    asked: null,
    ran: null,
    leadsTo: null,
    digest: null,
    enforcement: null,
    skills: [],
    decision: null,
    standing: null,
    reply: "done",
    wire: null,
    output: null,
    files: [],
    disclosed: { type: "script", skill: "unit-converter", script: "scripts/convert.py" },
    disclosure: { type: "script", skill: "unit-converter", script: "scripts/convert.py" },
};

test("a call that went wrong is called denied, unanswered, stopped or failed", () => {
    const denied: typeof call = { ...call, decision: { type: "deny", reason: null } };
    const unanswered: typeof call = { ...call, reply: null };

    expect([
        troubleName(denied, "failed"),
        troubleName(unanswered, "failed"),
        troubleName(unanswered, "stopped"),
        troubleName(call, "stopped"),
        troubleName(call, "failed"),
    ]).toEqual(["denied", "unanswered", "unanswered", "stopped", "failed"]);
});
