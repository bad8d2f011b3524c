import { render, screen, waitFor } from "@testing-library/svelte";
import { expect, it } from "vitest";
import type { Step, StepPair } from "../../generated/api";
import { setHost } from "../../host";
import { fakeHost } from "../../host/fake";
import { answer, spent, step } from "../../trace/sample";
import PairDetail from "./PairDetail.svelte";

const SAME: StepPair = { type: "same", a: 1, b: 1 };

function answered(cost: number | null): Step {
    const kind = answer("Two.", []);
    return step(1, 20, 340, kind.type === "answer" ? { ...kind, spent: spent({ cost }) } : kind);
}

function show(pair: StepPair, a: Step, b: Step) {
    render(PairDetail, { pair, runs: { a: "run-a", b: "run-b" }, a, b, onopen: () => undefined });
    return screen.getByTestId("pair-detail");
}

it("says what a step cost next to its tokens, if that is known", () => {
    setHost(fakeHost());
    const said = show(SAME, answered(0.0025), answered(null)).textContent;
    expect(said).toContain("+20 → 340 tokens · $0.002500 · 180 ms");
    expect(said).toContain("+20 → 340 tokens · 180 ms");
});

it("tells instructions apart that the requests of both runs had", async () => {
    const fake = fakeHost();
    const context = await fake.call("step_context", { run: "run-2", step: 1 });
    fake.on("step_context", ({ run }) => ({
        ...context,
        messages: context.messages.map((message) => (message.role === "system" ? { ...message, text: `Skills of ${run}` } : message)),
    }));
    fake.on("text_diff", ({ a, b }) => [
        { kind: "removed", text: a },
        { kind: "added", text: b },
    ]);
    setHost(fake);
    show({ type: "changed", a: 1, b: 1, instructions: true, tools: false }, answered(null), answered(null));
    await waitFor(() => expect(screen.getAllByTestId("pair-diff")).toHaveLength(1));
    const said = screen.getByTestId("pair-diff").textContent;
    expect(said).toContain("Skills of run-a");
    expect(said).toContain("Skills of run-b");
    expect(fake.calls.filter(({ name }) => name === "step_context").map(({ args }) => args)).toContainEqual({ run: "run-b", step: 1 });
});
