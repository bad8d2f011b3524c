import { expect, it } from "vitest";
import type { Decision, Step, StepState } from "../generated/api";
import { answer, answered, call, called, step } from "./sample";
import { stateText, stateWord } from "./state";

const OUTPUT = { stdout: "", stderr: "", exitCode: 1, timedOut: false, truncated: false, took: 1 };

const calls = (state: StepState, more: Parameters<typeof called>[1]): Step => ({
    ...step(1, 0, 0, called(call("run_skill_script", "{}"), { reply: "done", ...more })),
    state,
});
const decided = (decision: Decision, state: StepState = "done") => calls(state, { decision });

it("a step is running, waiting, stopped, unanswered or failed, or nothing is said of it", () => {
    const steps = [
        calls("running", { reply: null }),
        calls("waiting", { reply: null }),
        calls("stopped", {}),
        calls("stopped", { reply: null }),
        calls("failed", { reply: null }),
        calls("failed", {}),
        calls("done", { output: OUTPUT }),
        calls("done", {}),
        step(1, 0, 0, answered({ error: "nothing came" })),
        { ...step(1, 0, 0, answer("", [])), state: "stopped" as const },
        step(9, 0, 0, { type: "end", status: "failed", error: "no", zh: null, why: null, reached: null }),
    ];
    expect(steps.map((each) => stateWord(each)).map((said) => (said === null ? null : `${said.word}, ${said.tone}`))).toEqual([
        "running, plain",
        "waiting, warning",
        "stopped, warning",
        "unanswered, warning",
        "unanswered, error",
        "failed, error",
        "failed, error",
        null,
        "failed, error",
        "stopped, warning",
        null,
    ]);
});

it("a call that the user decided says how, and how it ended then", () => {
    const edited: Decision = { type: "allow", arguments: "{}", forRun: false };
    const texts = [
        decided({ type: "deny", reason: null }, "failed"),
        calls("failed", { decision: { type: "deny", reason: "no" }, reply: null }),
        decided({ type: "stub", text: "42" }),
        decided(edited),
        decided(edited, "failed"),
        decided({ type: "allow", arguments: null, forRun: true }),
    ].map(stateText);
    expect(texts).toEqual(["denied", "denied", "stubbed", "edited", "edited · failed", ""]);
});
