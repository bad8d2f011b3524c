import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { beforeEach, expect, it, vi } from "vitest";
import type { Step, StepChange } from "../../generated/api";
import { setHost } from "../../host";
import { fakeHost, type FakeHost } from "../../host/fake";
import { ALL, indexOf } from "../../host/fake/run-index";
import { app } from "../../state/app.svelte";
import { handleKey } from "../../state/keys.svelte";
import { pairing } from "../../state/pair.svelte";
import { startPushes } from "../../state/pushes";
import { Runs, runs } from "../../state/runs.svelte";
import { Walk } from "../../state/walk.svelte";
import { answer, detail, spent, step, summary, walk } from "../../trace/sample";
import PushDialog from "./PushDialog.svelte";
import ReplayDialog from "./ReplayDialog.svelte";
import RunView from "./RunView.svelte";
import TracePlace from "./TracePlace.svelte";

let fake: FakeHost;

beforeEach(() => {
    fake = fakeHost();
    setHost(fake);
    runs.walk = null;
    runs.list = null;
    pairing.shown = null;
    pairing.first = null;
    app.go("traces");
});

async function openFirst() {
    render(TracePlace);
    await fireEvent.click((await screen.findAllByTestId("run-row"))[0]?.querySelector("button") ?? document.body);
    await screen.findByTestId("run-view");
}

it("lists the runs and opens one at its first step", async () => {
    await openFirst();
    expect(screen.getByTestId("step-position").textContent).toBe("1 of 8");
    expect(screen.getByTestId("step-detail").dataset["step"]).toBe("0");
    await waitFor(() => expect(screen.getByTestId("context-pane").dataset["step"]).toBe("0"));
});

it("takes the focus with the run that is opened, back to its row, and on to the next when one is deleted", async () => {
    await openFirst();
    expect(document.activeElement).toBe(screen.getByTestId("run-view"));
    await fireEvent.click(screen.getByTestId("run-back"));
    const opener = (at: number) => screen.getAllByTestId("run-row")[at]?.querySelector("button");
    await waitFor(() => expect(document.activeElement).toBe(opener(0)));
    const [, next] = screen.getAllByTestId("run-row").map((row) => row.dataset["run"]);
    await fireEvent.click(screen.getAllByTestId("run-delete")[0] ?? document.body);
    await fireEvent.click(await screen.findByTestId("run-delete-confirm"));
    await waitFor(() => expect(document.activeElement?.closest("tr")?.dataset["run"]).toBe(next));
});

it("walks by key and says where it stands", async () => {
    await openFirst();
    window.addEventListener("keydown", handleKey);
    const press = (key: string) => fireEvent.keyDown(document.body, { key });
    await press("s");
    expect(screen.getByTestId("step-spoken").textContent).toBe("step 3 of 8, load_skill");
    await press("t");
    expect(screen.getByTestId("step-position").textContent).toBe("5 of 8");
    await press("k");
    expect(screen.getByTestId("step-position").textContent).toBe("4 of 8");
    await press("G");
    expect(screen.getByTestId("step-position").textContent).toBe("8 of 8");
    window.removeEventListener("keydown", handleKey);
});

it("shows what is new in the context at a step", async () => {
    await openFirst();
    await fireEvent.click(screen.getAllByTestId("step-row")[2] ?? document.body);
    await waitFor(() => expect(screen.getByTestId("context-pane").dataset["step"]).toBe("2"));
    const messages = screen.getAllByTestId("context-message");
    expect(messages.map((message) => [message.dataset["role"], message.dataset["added"]])).toEqual([
        ["system", "false"],
        ["user", "false"],
        ["assistant", "true"],
        ["tool", "true"],
    ]);
});

it("draws only the rows in sight", () => {
    const many = Array.from({ length: 100_000 }, (_, at) =>
        step(at, 1, at + 1, { type: "note", text: `note ${at}`, zh: null, retried: null }),
    );
    render(RunView, { detail: detail(many), walk: new Walk(summary().id), onback: () => undefined });
    expect(screen.getAllByTestId("step-row").length).toBeLessThan(60);
});

it("says that a run is not recorded and saves it to a file", async () => {
    const unsaved = detail(walk(), { unsaved: { en: "the disk is full", zh: "磁盘已满" } });
    render(RunView, { detail: unsaved, walk: new Walk(unsaved.summary.id), onback: () => undefined });
    expect(screen.getByTestId("run-unsaved").textContent).toContain("the disk is full");
    vi.spyOn(fake, "pickSave").mockResolvedValue("/home/ada/run.jsonl");
    await fireEvent.click(screen.getByTestId("run-unsaved-save"));
    const saved = () => fake.calls.find((call) => call.name === "run_save")?.args;
    await waitFor(() => expect(saved()).toEqual({ path: "/home/ada/run.jsonl", run: unsaved.summary.id, format: "jsonl" }));
});

it("lists the runs that cannot be read beside the others", async () => {
    fake.on("run_index", () => ({
        ...indexOf([summary()], ALL),
        unreadable: [{ id: "0193", reason: { en: "EOF while parsing", zh: "文件在此中断" } }],
    }));
    render(TracePlace);
    expect((await screen.findByTestId("unreadable-runs")).textContent).toContain("0193 EOF while parsing");
    expect(screen.getAllByTestId("run-row")).toHaveLength(1);
});

it("says what a run is where there is none", async () => {
    fake.on("run_index", () => indexOf([], ALL));
    render(TracePlace);
    expect(await screen.findByText("No runs yet")).toBeTruthy();
});

it("brings the sample run back where there is none", async () => {
    fake.on("run_index", () => indexOf([], ALL));
    render(TracePlace);
    await fireEvent.click(await screen.findByTestId("open-sample"));
    await screen.findByTestId("run-view");
    expect(fake.calls.some((call) => call.name === "sample_run")).toBe(true);
});

it("says why a run cannot be imported", async () => {
    fake.on("run_import", () => {
        throw { code: "invalid", message: "line 3: not an event", hint: null, path: null, why: null };
    });
    render(TracePlace);
    await fireEvent.click(await screen.findByTestId("import-run"));
    await fireEvent.input(await screen.findByTestId("import-text"), { target: { value: "{}" } });
    await fireEvent.click(screen.getByTestId("import-do"));
    expect(await screen.findByText("line 3: not an event")).toBeTruthy();
});

it("imports a file of another program and says what was left out", async () => {
    const imported = {
        runs: ["run-2"],
        format: "codex" as const,
        unreadable: 0,
        unread: [{ line: 7, reason: { en: "not valid JSON", zh: "不是有效的 JSON" } }],
        unreadCount: 1,
        unknown: [{ kind: "turn_diff", count: 2 }],
        keys: 1,
        stopped: false,
    };
    let end: (value: typeof imported) => void = () => undefined;
    fake.on("run_import_file", () => new Promise((done) => (end = done)));
    fake.filePicked = "/home/ada/rollout.jsonl";
    render(TracePlace);
    await fireEvent.click(await screen.findByTestId("import-run"));
    await fireEvent.click(await screen.findByTestId("import-file"));
    await waitFor(() => expect(screen.getByTestId<HTMLInputElement>("import-path").value).toBe("/home/ada/rollout.jsonl"));
    await fireEvent.click(screen.getByTestId("import-do"));
    await screen.findByTestId("import-progress");
    await fireEvent.click(screen.getByTestId("import-stop"));
    expect(fake.calls.some((call) => call.name === "run_import_stop")).toBe(true);
    end(imported);
    const text = (await screen.findByTestId("import-result")).textContent;
    for (const said of ["1 run imported", "line 7: not valid JSON", "turn_diff (2)", "1 key was removed"]) {
        expect(text).toContain(said);
    }
    await fireEvent.click(screen.getByTestId("import-open"));
    expect(await screen.findByTestId("run-view")).toBeTruthy();
});

it("asks what may be shared before a run becomes a page", async () => {
    render(ReplayDialog, { run: "run-2", onclose: () => undefined });
    const found = await screen.findAllByTestId("replay-found");
    expect(found.map((each) => each.textContent.replace(/\s+/g, " ").trim())).toEqual([
        "home folder /home/ada 4 times",
        "e-mail address ada@example.org 1 time",
    ]);
    await fireEvent.click(within(found[1] ?? document.body).getByRole("checkbox"));
    vi.spyOn(fake, "pickSave").mockResolvedValue("/home/ada/run.html");
    await fireEvent.click(screen.getByTestId("replay-save"));
    const saved = () => fake.calls.find((call) => call.name === "replay_save")?.args;
    const redact = [{ kind: "home", text: "/home/ada", count: 4 }];
    await waitFor(() => expect(saved()).toEqual({ path: "/home/ada/run.html", run: "run-2", chinese: false, redact }));
});

it("asks where a run goes and what of it before it is sent", async () => {
    const closed = vi.fn();
    render(PushDialog, { run: "run-2", onclose: closed });
    await screen.findByTestId("replay-none");
    await fireEvent.click(screen.getByTestId("push-contents"));
    const found = await screen.findByTestId("replay-found");
    expect(found.textContent.replace(/\s+/g, " ").trim()).toBe("e-mail address ada@example.org 2 times");
    const args = { run: "run-2", to: null, contents: true, skills: true };
    const redact = [{ kind: "email", text: "ada@example.org", count: 2 }];
    const error = { code: "io", message: "the run was not sent: it is busy", hint: "try again later" };
    fake.on("run_push", () => Promise.reject({ ...error, messageZh: "", hintZh: null, path: null, why: null }));
    await fireEvent.click(screen.getByTestId("push-send"));
    expect((await screen.findByTestId("push-error")).textContent).toContain("try again later");
    expect(closed).not.toHaveBeenCalled();
    fake.on("run_push", ({ to }) => ({ url: `${to ?? ""}/v1/traces`, spans: 8, rejected: 0, reason: null }));
    await fireEvent.input(screen.getByTestId("push-to"), { target: { value: " http://localhost:6006 " } });
    await fireEvent.click(screen.getByTestId("push-send"));
    await waitFor(() => expect(closed).toHaveBeenCalled());
    const sent = fake.calls.filter((call) => call.name === "run_push").map((call) => call.args);
    expect(sent).toEqual([
        { ...args, redact },
        { ...args, to: "http://localhost:6006", redact },
    ]);
});

it("deletes a run only after a question", async () => {
    render(TracePlace);
    await fireEvent.click((await screen.findAllByTestId("run-delete"))[0] ?? document.body);
    expect(fake.calls.some((call) => call.name === "run_delete")).toBe(false);
    await fireEvent.click(await screen.findByTestId("run-delete-confirm"));
    await waitFor(() =>
        expect(fake.calls.filter((call) => call.name === "run_delete").map((call) => call.args)).toEqual([{ run: "run-2" }]),
    );
});

it("loses no update that arrives while the steps are fetched, and counts none twice", async () => {
    const store = new Runs();
    const run = summary().id;
    const all = walk();
    const begun = { ...step(1, 0, 320, answer("one ", [])), state: "running" as const };
    const update = (event: number, steps: Step[], changes: StepChange[]) =>
        store.update({ run, event, status: "running", spent: spent(), steps, changes });
    const more = (text: string): StepChange => ({ type: "streamed", index: 1, text, reasoning: "", firstToken: 1 });
    fake.on("run_page", ({ from }) => {
        const base = { summary: summary({ status: "running", endedAt: null }), all: 3 };
        if (from === 0) {
            update(5, [], [more("one ")]);
            update(6, [], [more("two ")]);
            return { ...base, events: 5, steps: [all[0]!, begun] };
        }
        update(7, all.slice(2, 3), []);
        update(8, [], [more("three")]);
        return { ...base, events: 7, steps: all.slice(2, 3) };
    });
    await store.open(run);
    await waitFor(() => expect(store.detail(run)?.steps.length).toBe(3));
    update(9, all.slice(3, 4), []);
    await waitFor(() => expect(store.detail(run)?.steps.length).toBe(4));
    const steps = store.held(run)?.steps;
    expect(steps?.[1]?.kind).toMatchObject({ text: "one two three" });
    expect(steps?.slice(2)).toEqual(all.slice(2, 4));
});

it("folds a sub-agent's steps under its call, and walks past them", async () => {
    render(TracePlace);
    const rows = await screen.findAllByTestId("run-row");
    await fireEvent.click(rows.find((row) => row.dataset["run"] === "run-delegated")?.querySelector("button") ?? document.body);
    await screen.findByTestId("run-view");
    const depths = () =>
        screen
            .getAllByTestId("step-row")
            .map((row) => row.dataset["depth"])
            .join("");
    expect(depths()).toBe("000001110000");
    await fireEvent.click(screen.getByTestId("step-fold"));
    expect(depths()).toBe("000000000");
    window.addEventListener("keydown", handleKey);
    await fireEvent.keyDown(document.body, { key: "t" });
    await fireEvent.keyDown(document.body, { key: "t" });
    expect(screen.getByTestId("step-position").textContent).toBe("5 of 12");
    await fireEvent.keyDown(document.body, { key: "j" });
    expect(screen.getByTestId("step-position").textContent).toBe("9 of 12");
    await fireEvent.keyDown(document.body, { key: "A" });
    expect([screen.getByTestId("step-position").textContent, depths()]).toEqual(["6 of 12", "000001110000"]);
    window.removeEventListener("keydown", handleKey);
});

it("draws sub-agents as lanes, goes to them by pointer and key, and back from their context to the call", async () => {
    render(TracePlace);
    const rows = await screen.findAllByTestId("run-row");
    await fireEvent.click(rows.find((row) => row.dataset["run"] === "run-delegated")?.querySelector("button") ?? document.body);
    await screen.findByTestId("run-view");
    const lane = () => screen.getByTestId("agent-lane");
    const at = () => screen.getByTestId("step-position").textContent;
    expect([lane().getAttribute("aria-current"), lane().dataset["lane"]]).toEqual([null, "0"]);
    expect(screen.queryByTestId("context-caller")).toBeNull();
    await fireEvent.click(lane());
    expect([at(), lane().getAttribute("aria-current")]).toEqual(["6 of 12", "true"]);
    await fireEvent.click(await screen.findByTestId("context-caller"));
    expect([at(), lane().getAttribute("aria-current")]).toEqual(["5 of 12", null]);
    window.addEventListener("keydown", handleKey);
    await fireEvent.keyDown(document.body, { key: "G" });
    await fireEvent.keyDown(document.body, { key: "A" });
    expect(at()).toBe("6 of 12");
    window.removeEventListener("keydown", handleKey);
});

it("goes on from a trace, and marks what the user said", async () => {
    const stopListening = await startPushes();
    await openFirst();
    const box = screen.getByTestId("go-on-box");
    await fireEvent.input(box, { target: { value: "And a stone?" } });
    const button = screen.getByTestId("go-on-button");
    await fireEvent.input(screen.getByTestId("run-limit-turns"), { target: { value: "many" } });
    expect(button).toHaveProperty("disabled", true);
    await fireEvent.input(screen.getByTestId("run-limit-turns"), { target: { value: "3" } });
    await fireEvent.change(screen.getByTestId("run-sandbox-mode"), { target: { value: "require" } });
    await fireEvent.keyDown(box, { key: "Enter", ctrlKey: true });
    await waitFor(() => expect(document.querySelectorAll('[data-testid="step-row"].further')).toHaveLength(1));
    const asked = fake.calls.find((call) => call.name === "run_continue");
    expect(asked?.args).toMatchObject({ prompt: "And a stone?", means: { turns: 3, sandbox: "require", fidelity: null } });
    await waitFor(() => expect(runs.walk?.position).toBeGreaterThan(0));
    await screen.findByTestId("go-on-button");
    stopListening();
});

/** With the window's own listener on. */
async function withKeys(act: (press: (key: string, more?: object) => Promise<unknown>) => Promise<void>) {
    window.addEventListener("keydown", handleKey);
    await act((key, more = {}) => fireEvent.keyDown(document.body, { key, ...more }));
    window.removeEventListener("keydown", handleKey);
}

it("jumps back as well as forth, by key and by button", async () => {
    await openFirst();
    await withKeys(async (press) => {
        await press("End");
        await press("S");
        expect(screen.getByTestId("step-position").textContent).toBe("3 of 8");
        await press("h");
        expect(screen.getByTestId("step-position").textContent).toBe("1 of 8");
        await fireEvent.click(screen.getByTestId("next-Tool"));
        expect(screen.getByTestId("step-position").textContent).toBe("3 of 8");
        expect(screen.getByTestId<HTMLButtonElement>("previous-Tool").disabled).toBe(true);
        expect(screen.queryByTestId("next-Error")).toBeNull();
        await fireEvent.keyDown(screen.getByTestId("scrubber"), { key: "End" });
        expect(screen.getByTestId("step-position").textContent).toBe("8 of 8");
    });
});

it("marks the context of another step as stale, and asks for no step that was passed by", async () => {
    await openFirst();
    await waitFor(() => expect(screen.getByTestId("context-exact").textContent).toContain("exact"));
    const answers: (() => void)[] = [];
    const steps: number[] = [];
    const given = await fake.call("step_context", { run: "run-2", step: 4 });
    fake.on("step_context", ({ step }) => {
        steps.push(step);
        return new Promise((done) => answers.push(() => done({ ...given, step })));
    });
    await withKeys(async (press) => {
        for (let at = 0; at < 5; at += 1) await press("j");
    });
    expect(screen.queryByTestId("context-exact")).toBeNull();
    expect(screen.getByTestId("context-stale").textContent).toContain("step 1");
    expect(screen.getByTestId("context-pane").getAttribute("aria-busy")).toBe("true");
    answers.shift()?.();
    await waitFor(() => expect(steps).toEqual([1, 5]));
    answers.shift()?.();
    await waitFor(() => expect(screen.getByTestId("context-pane").dataset["step"]).toBe("5"));
    expect(screen.queryByTestId("context-stale")).toBeNull();
});

it("shows once what differs on the wire by escaping alone, and what was sent by one click", async () => {
    const reply = "# Units\n\n| kg | <lb> |";
    const wire = JSON.stringify(reply).replaceAll("<", "\\u003c");
    const called = (change: { reply: string; wire: string }) =>
        detail(
            walk().map((each) => (each.index === 2 && each.kind.type === "tool" ? { ...each, kind: { ...each.kind, ...change } } : each)),
        );
    fake.on("step_context", ({ step }) => ({
        step,
        body: null,
        exact: true,
        tools: [],
        groups: [],
        skills: [],
        tokens: 9,
        messages: [
            {
                role: "tool",
                text: wire,
                calls: [],
                callId: "call_1",
                marks: [],
                added: true,
                reconstructed: false,
                cachePoint: false,
                tokens: 9,
            },
        ],
    }));
    const at = new Walk("run-1");
    at.position = 2;
    const page = render(RunView, { detail: called({ reply, wire }), walk: at, onback: () => undefined });
    const shown = () => screen.getByTestId("tool-reply").textContent;
    const message = () => screen.getByTestId("context-message");
    expect([shown(), screen.queryByTestId("tool-wire")]).toEqual([reply, null]);
    await waitFor(() => expect(message().textContent).toContain(reply));
    for (const toggle of screen.getAllByTestId("as-sent")) {
        await fireEvent.click(toggle);
    }
    expect(shown()).toBe(wire);
    expect(message().textContent).toContain(wire);
    page.unmount();

    // Differing texts are shown next to it.
    const other = new Walk("run-1");
    other.position = 2;
    render(RunView, { detail: called({ reply, wire: JSON.stringify(`${reply}!`) }), walk: other, onback: () => undefined });
    expect(screen.getByTestId("tool-wire").textContent).toBe(JSON.stringify(`${reply}!`));
});

it("says which skills are in the context, since when, and what all of them would have cost", async () => {
    await openFirst();
    expect(screen.getByTestId("context-skills").textContent).toContain("No skill");
    await fireEvent.click(screen.getAllByTestId("step-row")[4] ?? document.body);
    const skill = await screen.findByTestId("context-skill");
    expect(skill.textContent.replace(/\s+/g, " ").trim()).toMatch(/^unit-converter since step 3, [\d,]+ tokens$/);
    expect(screen.getByTestId("eager").textContent).toContain("864");
    await fireEvent.click(skill);
    expect(screen.getByTestId("step-position").textContent).toBe("3 of 8");
});

it("presents a run from the catalogue to the end with a clicker, and leaves with Escape", async () => {
    await openFirst();
    await withKeys(async (press) => {
        await press("f");
        expect(app.presenting).toBe(true);
        expect(screen.queryByTestId("step-list")).toBeNull();
        const seen: string[] = [];
        for (let at = 0; at < 10; at += 1) {
            seen.push(screen.getByTestId("presenter-scene").dataset["scene"] ?? "");
            await press("PageDown");
        }
        expect(seen).toEqual(["catalogue", "prompt", "asks", "instructions", "asks", "resource", "asks", "script", "answer", "end"]);
        // The last page says one number, as the picture does.
        const total = /[\d,]+/u.exec(screen.getByTestId("presenter-total").textContent)?.[0] ?? "none";
        expect(screen.getByRole("heading", { level: 1 }).textContent).toContain(total);
        expect(screen.getByTestId("presenter-end").textContent).toContain(total);
        await press("PageUp");
        expect(screen.getByTestId("presenter-place").textContent).toBe("9 / 10");
        await press("b");
        expect(screen.queryByTestId("presenter-scene")).toBeNull();
        await press("Home");
        expect(screen.getByTestId("presenter-scene").dataset["scene"]).toBe("catalogue");
        await press("s");
        await press("Escape");
    });
    expect(app.presenting).toBe(false);
    expect(screen.getByTestId("step-position").textContent).toBe("3 of 8");
});

it("compares two runs that are chosen in the list, and opens one of them at a step", async () => {
    render(TracePlace);
    await fireEvent.click((await screen.findAllByTestId("run-pair"))[0] ?? document.body);
    await fireEvent.click(screen.getAllByTestId("run-pair")[1] ?? document.body);
    await screen.findByTestId("pair-detail");
    expect(screen.getByTestId("pair-summary").textContent).toContain("the first is row 1");
    expect(screen.getAllByTestId("pair-row")[0]?.dataset["kind"]).toBe("changed");
    await screen.findByTestId("pair-diff");
    await withKeys(async (press) => {
        await press("j");
        expect(screen.getAllByTestId("pair-row")[1]?.getAttribute("aria-selected")).toBe("true");
        await press("N");
        expect(screen.getAllByTestId("pair-row")[0]?.getAttribute("aria-selected")).toBe("true");
        await press("d");
        expect(screen.getAllByTestId("pair-row")).toHaveLength(1);
    });
    await fireEvent.click(screen.getByTestId("pair-open-B"));
    await screen.findByTestId("run-view");
    expect(screen.getByTestId("step-position").textContent).toBe("1 of 8");
});

it("compares again when a run that went on is over", async () => {
    const answering = { ...detail(walk().slice(0, 2)), summary: summary({ id: "live", status: "running" }) };
    fake.on("run_page", ({ run }) => {
        const found = run === "live" ? answering : detail(walk());
        return { ...found, summary: { ...found.summary, id: run }, all: found.steps.length, events: 3 };
    });
    fake.on("run_diff", () => ({ pairs: [{ type: "same", a: 0, b: 0 }], firstDivergence: null }));
    pairing.open("live", "other");
    render(TracePlace);
    await screen.findByTestId("pair-detail");
    const asked = () => fake.calls.filter(({ name }) => name === "run_diff").length;
    expect(asked()).toBe(1);
    answering.summary = { ...answering.summary, status: "done" };
    runs.update({ run: "live", event: 4, status: "done", spent: answering.summary.spent, steps: [], changes: [] });
    await waitFor(() => expect(asked()).toBe(2));
});

it("finds the run to compare with from the run that is open", async () => {
    await openFirst();
    await fireEvent.click(screen.getByTestId("run-compare"));
    const choices = await screen.findAllByTestId("run-choice");
    expect(choices.map((choice) => choice.dataset["run"])).not.toContain("run-2");
    await fireEvent.click(choices[0] ?? document.body);
    expect((await screen.findAllByTestId("pair-run")).map((run) => run.dataset["side"])).toEqual(["A", "B"]);
    await withKeys(async (press) => void (await press("Escape")));
    await screen.findByTestId("run-view");
});
