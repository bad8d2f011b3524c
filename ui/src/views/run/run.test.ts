import { fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import type { Decision, Effect } from "../../generated/api";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { app } from "../../state/app.svelte";
import { launch } from "../../state/launch.svelte";
import { models } from "../../state/models.svelte";
import { startPushes } from "../../state/pushes";
import { runs } from "../../state/runs.svelte";
import { call } from "../../trace/sample";
import ApprovalCard from "./ApprovalCard.svelte";
import RunPlace from "./RunPlace.svelte";

const asked: Effect = {
    type: "runScript",
    skill: "unit-converter",
    script: "scripts/convert.py",
    path: "/skills/unit-converter/scripts/convert.py",
    interpreter: "python3",
    arguments: ["--value", "1", "--note", "two words"],
    approval: true,
    workingDirectory: null,
};

let fake: FakeHost;

beforeEach(() => {
    fake = fakeHost();
    setHost(fake);
    runs.current = null;
    launch.models = null;
    launch.model = "";
    launch.prompt = "";
    app.place = "run";
});

function card() {
    const ondecide = vi.fn<(decision: Decision) => void>();
    render(ApprovalCard, { call: call("run_skill_script", '{"value":1}'), asked, ondecide });
    return ondecide;
}

it("runs the rehearsal, asks, and goes on when allowed", async () => {
    const stopListening = await startPushes();
    render(RunPlace);
    await fireEvent.click(await screen.findByTestId("run-button"));
    await fireEvent.keyDown(await screen.findByTestId("approval-card", {}, { timeout: 4000 }), { key: "a" });
    await screen.findByTestId("open-trace", {}, { timeout: 4000 });
    expect(fake.calls.find((made) => made.name === "run_decide")?.args).toMatchObject({ callId: "call_3", decision: { type: "allow", arguments: null, forRun: false } });
    expect(screen.getByTestId("conversation").textContent).toContain("1 kg is about **2.20462 lb**.");
    expect(screen.getByTestId("run-bar").textContent).toContain("rehearsal — no model was asked");
    stopListening();
}, 10_000);

it("says what to do where a model has no key", async () => {
    render(RunPlace);
    await fireEvent.change(await screen.findByTestId("run-model"), { target: { value: "gpt" } });
    const help = screen.getByTestId("model-not-ready").textContent;
    expect(help).toContain("OPENAI_API_KEY");
    expect(screen.getByTestId("run-button").hasAttribute("disabled")).toBe(true);
    await fireEvent.click(screen.getByTestId("model-set-up"));
    await waitFor(() => expect(models.picked).toEqual({ type: "model", id: "gpt" }));
    expect(models.open).toBe(true);
    models.open = false;
});

it("shows all of what would run, and puts the focus on deny", () => {
    card();
    expect(screen.getByTestId("approval-effect").textContent).toContain('--value 1 --note "two words"');
    expect(document.activeElement).toBe(screen.getByTestId("approve-deny"));
});

it("allows nothing while the arguments are broken, and says where", async () => {
    const ondecide = card();
    await fireEvent.input(screen.getByTestId("approval-arguments"), { target: { value: '{"value": }' } });
    expect(screen.getByTestId("approval-mistake").textContent).toContain("column 11");
    await fireEvent.keyDown(screen.getByTestId("approval-card"), { key: "a" });
    expect(screen.getByTestId("approve-once").hasAttribute("disabled")).toBe(true);
    expect(ondecide.mock.calls).toEqual([]);
});

it("lets letters be letters in its fields", async () => {
    const ondecide = card();
    await fireEvent.keyDown(screen.getByTestId("approval-reason"), { key: "a" });
    await fireEvent.keyDown(screen.getByTestId("approval-arguments"), { key: "d" });
    expect(ondecide.mock.calls).toEqual([]);
});

it("denies with a reason and stubs a result", async () => {
    const ondecide = card();
    await fireEvent.input(screen.getByTestId("approval-reason"), { target: { value: "not on this machine" } });
    await fireEvent.keyDown(screen.getByTestId("approval-card"), { key: "d" });
    await fireEvent.keyDown(screen.getByTestId("approval-card"), { key: "t" });
    await fireEvent.input(screen.getByTestId("approval-stub-text"), { target: { value: "2.2" } });
    await fireEvent.click(screen.getByTestId("approve-stub-send"));
    expect(ondecide.mock.calls).toEqual([[{ type: "deny", reason: "not on this machine" }], [{ type: "stub", text: "2.2" }]]);
});

it("does not take the focus from someone who types", () => {
    const prompt = document.body.appendChild(document.createElement("textarea"));
    prompt.focus();
    card();
    expect(document.activeElement).toBe(prompt);
    prompt.remove();
});
